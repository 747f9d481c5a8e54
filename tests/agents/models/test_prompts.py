"""Templates: the shipped wording, one's own, and what is said about a faulty one."""

from __future__ import annotations

import pytest

from backburner.agents.models import METHODS, first_prompt
from backburner.agents.models.prompts import Prompts
from backburner.kernel.errors import BadFile


def own(tmp_path, method="act", file="act.jinja", text="{{ text }}"):
    """A folder with one template of one's own."""
    (tmp_path / method).mkdir(exist_ok=True)
    (tmp_path / method / file).write_text(text)
    return tmp_path


@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_its_words(method):
    prompts = Prompts(method)
    opening = METHODS[method].opening
    assert "the briefing" in prompts.render(opening, first=True, briefing="the briefing", text="now")
    assert "the briefing" not in prompts.render(opening, first=False, briefing="the briefing", text="now")


def test_what_the_world_says_is_passed_on_as_it_is():
    said = "use {{ text }} & <b>{% if %}</b>"
    (message,) = first_prompt("act", said, said)
    assert message.content.count(said) == 2


def test_ones_own_wording_takes_the_place_of_ours(tmp_path):
    folder = own(tmp_path, "react", "act.jinja", "Well?\n")
    prompts = Prompts("react", folder)
    assert prompts.render("act", first=False, briefing="", text="") == "Well?"
    assert first_prompt("react", "B", "T", prompts=folder) == first_prompt("react", "B", "T")
    assert prompts.digest != Prompts("react").digest


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{{ brifing }}", r"act\.jinja: 'brifing' is undefined; a template knows first, briefing and text"),
        ("fine\n{% if first %}", r"act\.jinja: line 2: Unexpected end of template"),
        ("{% include 'other.jinja' %}", r"act\.jinja: .*other\.jinja"),
        ("{{ text.__class__.__mro__ }}", r"act\.jinja: .*unsafe"),
    ],
)
def test_a_template_that_cannot_be_filled_in_is_named_before_play(tmp_path, text, why):
    with pytest.raises(BadFile, match=why):
        Prompts("act", own(tmp_path, text=text))


def test_a_message_that_is_never_sent_is_refused(tmp_path):
    with pytest.raises(BadFile, match=r"thnk\.jinja: .*did you mean think\.jinja or act\.jinja\?"):
        Prompts("react", own(tmp_path, "react", "thnk.jinja"))


def test_a_folder_without_templates_for_the_method_is_refused(tmp_path):
    with pytest.raises(BadFile, match=r"react: holds no templates \(act\.jinja, think\.jinja\)"):
        Prompts("react", own(tmp_path, "act"))
