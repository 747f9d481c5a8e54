"""Templates: the shipped wording, one's own, and what is said about a faulty one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from backburner.agents.models import METHODS, first_prompt
from backburner.agents.models.method import settled
from backburner.agents.models.prompts import SHIPPED, Prompts, folder_of, version_of
from backburner.kernel import packs, registry
from backburner.kernel.errors import BadFile
from backburner.kernel.values import digest

VERSIONS = Path(__file__).with_name("prompt_versions.json")
ARENA = registry.world("timearena/household9")
SAID = {"briefing": "", "text": "", "options": {}}


def own(tmp_path, method="act", file="act.jinja", text="{{ text }}", kind="any"):
    """A folder with one template of one's own."""
    (tmp_path / kind / method).mkdir(parents=True, exist_ok=True)
    (tmp_path / kind / method / file).write_text(text)
    return tmp_path


def prompts(name: str, folder: Path | None = None, world: str = "timearena") -> Prompts:
    method = METHODS[name]
    defaults = packs.pack(world).method_options if world in packs.names() else {}
    choices = settled(name, method.options, defaults.get(name, {}), {})
    return Prompts(name, world, method.messages, choices, folder)


@pytest.mark.parametrize("world", [*packs.names(), "elsewhere"])
@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_its_words_in_every_world(method, world):
    assert prompts(method, world=world).record["prompts"]


def test_what_the_world_says_is_passed_on_as_it_is():
    said = "use {{ text }} & <b>{% if %}</b>"
    words = prompts("act").render("act", first=True, briefing=said, text=said, options={})
    assert words.count(said) == 2


def test_ones_own_wording_takes_the_place_of_ours(tmp_path):
    folder = own(tmp_path, "react", "act.jinja", "Well?\n")
    words = prompts("react", folder)
    assert words.render("act", first=False, **SAID) == "Well?"
    assert first_prompt("react", ARENA, prompts=folder) == first_prompt("react", ARENA)
    assert words.record["prompts"] != prompts("react").record["prompts"]
    assert words.record["prompts_version"].endswith("own")


def test_words_for_one_world_go_before_those_for_any(tmp_path):
    own(tmp_path, text="anywhere")
    folder = own(tmp_path, text="in the arena", kind="timearena")
    found = [prompts("act", folder, world) for world in ("timearena", "robotouille")]
    assert [words.render("act", first=True, **SAID) for words in found] == ["in the arena", "anywhere"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{{ brifing }}", r"act\.jinja: 'brifing' is undefined; this template knows briefing, first, opt"),
        ("fine\n{% if first %}", r"act\.jinja: line 2: Unexpected end of template"),
        ("{% include 'other.jinja' %}", r"act\.jinja: .*other\.jinja"),
        ("{{ text.__class__.__mro__ }}", r"act\.jinja: .*unsafe"),
    ],
)
def test_a_template_that_cannot_be_filled_in_is_named_before_play(tmp_path, text, why):
    with pytest.raises(BadFile, match=why):
        prompts("act", own(tmp_path, text=text))


def test_a_message_that_is_never_sent_is_refused(tmp_path):
    with pytest.raises(BadFile, match=r"thnk\.jinja: .*did you mean think\.jinja"):
        prompts("react", own(tmp_path, "react", "thnk.jinja"))


def test_a_folder_without_templates_for_the_method_is_refused(tmp_path):
    with pytest.raises(BadFile, match=r"holds no templates of method react; expected opening\.jinja"):
        prompts("react", own(tmp_path, "act"))


def test_a_change_of_words_raises_the_version_of_their_folder():
    """Records name the version; ``prompt_versions.json`` holds each folder's with the digest of its words.

    After a change: raise the number in the folder's VERSION file, then put both into the JSON file.
    """
    found = {}
    for name in (*SHIPPED, *packs.names()):
        if (folder := folder_of(name)) is None:
            continue
        files = Path(str(folder)).rglob("*.jinja")
        words = {str(file.relative_to(Path(str(folder)))): file.read_text() for file in files}
        found[name] = {"version": version_of(name), "digest": digest(words)}
    assert found == json.loads(VERSIONS.read_text())
