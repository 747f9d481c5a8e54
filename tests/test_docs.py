"""What README and docs show is true: examples run, quoted messages are the real ones."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, cast

import pytest

import backburner
from backburner.agents.models import METHODS, ScriptedModel, first_prompt, model_policy
from backburner.cli import COMMANDS
from backburner.evaluation.scoring.scores import load
from backburner.kernel import packs, registry
from backburner.kernel.errors import BadFile

ROOT = Path(__file__).resolve().parents[1]
OURS = [name for name, pack in packs.installed().packs.items() if pack.catalogue.startswith("backburner.")]


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of a page that are marked with this language."""
    parts = re.split(r"^```", (ROOT / page).read_text(), flags=re.MULTILINE)[1::2]
    return [part.split("\n", 1)[1] for part in parts if part.split("\n", 1)[0] == language]


def test_the_python_example_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = blocks("README.md", "python")
    exec(compile(example, "README.md", "exec"), {})  # noqa: S102  our own page
    assert re.match(r"\w+ \{'minutes': \d+, 'score': \d+", capsys.readouterr().out)


def test_the_commands_of_the_readme_run_in_a_fresh_shell(tmp_path: Path) -> None:
    """Where `make` has made its environment, and nothing is on the path until a line puts it there."""
    (tmp_path / ".venv").symlink_to(sys.prefix)
    lines = [line for block in blocks("README.md", "sh") for line in block.splitlines()]
    activation = next(number for number, line in enumerate(lines) if line.startswith(". .venv/bin/activate"))
    first = next(number for number, line in enumerate(lines) if line.startswith("backburner "))
    assert activation < first
    script = f"{lines[activation].partition('#')[0]}\nbackburner solve timearena/household1 --json"
    done = subprocess.run(
        ["/bin/bash", "-ec", script], cwd=tmp_path, env={"PATH": "/usr/bin:/bin"}, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[0]["objective"] == 13


@pytest.mark.parametrize("page", ["formats", "planning", "scheduling"])
def test_the_code_of_a_library_s_page_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    example = "".join(blocks(f"docs/{page}.md", "python"))
    assert "import" in example
    exec(compile(example, f"{page}.md", "exec"), {})  # noqa: S102  our own page


def test_the_agent_of_the_architecture_page_plays_and_is_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    example = next(block for block in blocks("docs/architecture.md", "python") if "class MyAgent" in block)
    exec(compile(example, "architecture.md", "exec"), {})  # noqa: S102  our own page
    assert len(load(tmp_path / "runs").episodes) == 10


def test_the_prompting_method_of_the_architecture_page_plays_with_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = next(block for block in blocks("docs/architecture.md", "python") if "WEIGHED" in block)
    names: dict[str, Any] = {}
    exec(compile(example, "architecture.md", "exec"), names)  # noqa: S102  our own page
    monkeypatch.setitem(cast("dict[str, Any]", METHODS), "weighed", names["WEIGHED"])
    folder = tmp_path / "any" / "weighed"
    folder.mkdir(parents=True)
    for message, words in zip(("weigh", "act"), blocks("docs/architecture.md", "jinja"), strict=True):
        (folder / f"{message}.jinja").write_text(words)

    world = backburner.world("timearena/cooking1")
    model = ScriptedModel(["wash dish: it is needed. wait: saves nothing.", "wash dish"])
    episode = backburner.play_now(
        world, model_policy("weighed@ways=2", world, model, prompts=tmp_path), max_steps=1
    )
    (answer,) = episode.entries[0].answers.values()
    assert [thought.purpose for thought in answer.thoughts] == ["weigh"]
    assert (answer.text, episode.entries[0].refusals) == ("wash dish", ())
    (prompt,) = first_prompt("weighed@ways=2", world, prompts=tmp_path)
    assert prompt.content.startswith("You carry out a task in a world where time passes.\n\nYou have")
    assert "Name 2 decisions that come into question" in prompt.content


def test_commands_in_the_pages_exist() -> None:
    known = set(COMMANDS)
    for page in ROOT.glob("**/*.md"):
        if ".venv" in page.parts:
            continue
        used = re.findall(
            r"^backburner (\w[\w-]*)", "\n".join(blocks(str(page.relative_to(ROOT)), "sh")), re.M
        )
        assert set(used) <= known, page


def test_the_scenario_file_of_the_docs_plays_and_its_mistake_is_reported_as_quoted(tmp_path: Path) -> None:
    (example,) = blocks("docs/add-a-scenario.md", "json")
    file = tmp_path / "my-soup.json"
    file.write_text(example)
    episode = backburner.play_now(backburner.world(str(file)), backburner.FirstLegalPolicy())
    assert episode.ending is not None and episode.ending.reason == "completed"

    file.write_text(example.replace('["carrot", "pick", 0]', '["carot", "pick", 0]'))
    with pytest.raises(BadFile) as caught:
        registry.world(str(file))
    quoted = next(b for b in blocks("docs/add-a-scenario.md", "") if b.startswith("backburner: "))
    assert str(caught.value).replace(f"{tmp_path}/", "") == quoted.strip().removeprefix("backburner: ")


@pytest.mark.parametrize("world", OURS)
def test_the_page_of_a_world_explains_every_rule(world: str) -> None:
    page = (ROOT / f"docs/worlds/{world}.md").read_text()
    fields = [
        field for field in registry.catalogue(world).rules["standard"].__struct_fields__ if field != "name"
    ]
    table = [field for field in re.findall(r"^\| `(\w+)` \|", page, re.M) if field in fields]
    assert table == fields


def test_pages_link_to_pages_that_exist() -> None:
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", re.sub(r"`[^`\n]*`", "", page.read_text())):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def headings(page: Path) -> set[str]:
    """The anchors that a page's headings have where Markdown is shown."""
    titles = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S), re.M)
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).strip().lower() for title in titles)
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in plain}


def test_pages_link_to_headings_that_exist() -> None:
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")]:
        for file, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text()):
            target = page.parent / file if file else page
            assert target.suffix != ".md" or anchor in headings(target), f"{page.name}: {file}#{anchor}"


def test_no_page_installs_the_package_by_a_name_that_no_index_has() -> None:
    """What an index would give under this name is somebody else's."""
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")]:
        found = re.findall(r"install .*?(?<![\w./-])backburner\b(?!-verifiers)", page.read_text())
        assert not found, f"{page.name}: {found}"


def test_the_demo_of_the_makefile_uses_known_names() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert "timearena/quick" in makefile and registry.expand("timearena/quick")
    assert json.dumps(registry.expand("timearena/quick")).count("cooking") >= 6


# --- the site ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site() -> Any:
    """The script that makes the site's pages."""
    spec = spec_from_file_location("make_site", ROOT / "docs" / "make.py")
    assert spec and spec.loader
    made = module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_every_page_has_its_place_in_the_site(site: Any) -> None:
    told = [page for _, inside in site.chapters() for page in inside]
    assert sorted(page for page in told if not page.startswith("reference/")) == sorted(site.sources())


def test_the_index_for_coding_agents_is_that_of_the_pages(site: Any) -> None:
    assert site.INDEX.read_text("utf-8") == site.index(), "run python docs/make.py --index"


def test_a_page_of_the_site_links_to_pages_and_names_what_is_none(site: Any, tmp_path: Path) -> None:
    page = tmp_path / "docs" / "a.md"
    page.parent.mkdir()
    page.write_text(
        "See [b,\nall of it](worlds/b.md#x), [c](c.py), `[d](d.md)`:\n- one\n  - two\n\n  ```\n  x\n  ```\n"
    )
    staged = site.staged("a.md", page, {(page.parent / "worlds" / "b.md"): "worlds/b.md"})
    assert staged == (
        "See [b,\nall of it](worlds/b.md#x), c (`c.py`), `[d](d.md)`:\n\n- one\n    - two\n\n"
        "    ```\n    x\n    ```\n"
    )


MOST_WORDS = 60_000
"""Of all pages of docs/ and the README that are written by hand."""

FACTS = (
    "source", "what is hard", "seats, actions", "time", "dials", "saturation", "proofs",
    "does not measure", "licence",
)  # fmt: skip
"""What the table at the head of a world's page tells."""


def words(page: str) -> int:
    """The words of a page's prose: code, tables, addresses and marks are not counted."""
    prose = re.sub(r"^ *(```+).*?^ *\1 *$|^ *\|.*?$", "", page, flags=re.M | re.S)
    return len(re.findall(r"\S*\w\S*", re.sub(r"<[^>]*>|\]\([^)]*\)", " ", prose)))


def test_pages_have_no_more_words_than_a_reader_needs() -> None:
    assert words("One [two](three.md), four\n\n| five |\n\n```sh\nsix\n```\n- seven <img alt=eight>") == 4
    pages = [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]
    assert sum(words(page.read_text("utf-8")) for page in pages) <= MOST_WORDS


@pytest.mark.parametrize("world", OURS)
def test_the_page_of_a_world_begins_with_a_picture_that_moves_facts_and_five_commands(world: str) -> None:
    page = (ROOT / f"docs/worlds/{world}.md").read_text("utf-8")
    head = page.partition("\n## ")[0]
    assert re.match(rf"# [^\n]+\n\n!\[[^]]+\]\(\.\./images/worlds/{world}\.svg\)\n\n\w", head)
    assert tuple(re.findall(r"^\| \*\*(.+?)\*\* \| .+ \|$", head, re.M)) == FACTS
    assert len(blocks(f"docs/worlds/{world}.md", "sh")[0].splitlines()) == 5
    picture = (ROOT / f"docs/images/worlds/{world}.svg").read_text("utf-8")
    assert len(picture.encode()) <= 150_000
    assert "prefers-reduced-motion" in picture and "prefers-color-scheme: dark" in picture
    assert "@keyframes" in picture and "<script" not in picture


# --- the map ------------------------------------------------------------------------------------------

MAP = ROOT / "docs" / "architecture.md"
SOURCE = ROOT / "src" / "backburner"
A_PATH = re.compile(r"[\w<>./-]+(?:\.py|\.mjs|/)")


def tables_of_the_map() -> list[list[str]]:
    """The cells of each row of the page's tables."""
    return [
        [cell.strip() for cell in row.strip("|").split(" | ")]
        for row in MAP.read_text("utf-8").splitlines()
        if row.startswith("| ")
    ]


def exists(path: str, room: str = "") -> bool:
    """In the room, or without one in any world's; in the package; in the checkout. ``<name>`` is any name."""
    pattern = re.sub(r"<\w+>", "*", path)
    inside = [SOURCE / room] if room else (SOURCE / "worlds").iterdir()
    return any(next(place.glob(pattern), None) for place in (*inside, SOURCE, ROOT))


def test_what_the_map_names_is_there() -> None:
    missing = []
    for line in MAP.read_text("utf-8").splitlines():
        named = [part.partition(": ")[0] for part in re.findall(r"`([^`]+)`", line)]
        paths = [path for path in named if A_PATH.fullmatch(path)]
        room = paths[0] if line.startswith("| `") and paths and paths[0].endswith("/") else ""
        missing += [f"{room}: {path}" for path in paths if not exists(path, room)]
    assert not missing


def test_every_room_has_one_sentence_on_the_map() -> None:
    told = [row[0].strip("`/") for row in tables_of_the_map() if row[0].endswith("/`")]
    packages = {file.parent.relative_to(SOURCE).as_posix() for file in SOURCE.glob("*/**/__init__.py")}
    rooms = {
        name
        for name in packages
        if "/" not in name
        or re.fullmatch(r"worlds/\w+|(?:evaluation|training|study|kernel)/\w+|agents/\w+", name)
    }
    assert sorted(told) == sorted(rooms - {"worlds", "evaluation/templates"})


def names_in(file: Path) -> set[str]:
    """Functions, classes and constants of a module, and what its classes have, as ``Class.name``."""
    found = set()

    def look(body: list[ast.stmt], before: str) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                look(node.body, f"{before}{node.name}.")
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                found.add(before + node.name)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found.update(
                    before + name.id
                    for target in targets
                    for name in ast.walk(target)
                    if isinstance(name, ast.Name)
                )

    look(ast.parse(file.read_text("utf-8")).body, "")
    return found


def test_rules_stand_where_the_map_says_and_a_test_of_that_name_notices() -> None:
    rules = [row for row in tables_of_the_map() if re.fullmatch(r"`[\w/]+\.py: [\w.]+`", row[1])]
    assert len(rules) >= 20
    missing = []
    for question, place, _, noticed in rules:
        for root, told in ((SOURCE, place), (ROOT, noticed)):
            path, _, name = told.strip("`").partition(": ")
            if name not in names_in(root / path):
                missing.append(f"{question}: {told}")
    assert not missing
