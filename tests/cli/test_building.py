"""``build`` on the command line: what it prints and writes, and how its suites are used."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest
from rich.console import ConsoleDimensions
from typer.testing import CliRunner

from backburner.cli import app, console
from backburner.generation import attempt
from backburner.generation import build as generation
from backburner.kernel.errors import BackburnerError
from support.command_line import Started, complaint
from support.recipe2plan.recipe_folders import EGG, RICE, SALAD, TEA, write_recipes

runner = CliRunner()


def run(*arguments: str, code: int = 0) -> tuple[str, str]:
    """(stdout, stderr)."""
    result = runner.invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout, result.stderr


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """No table lies on its side."""
    monkeypatch.setattr(type(console.out), "size", ConsoleDimensions(400, 100))


@pytest.fixture
def recipes(tmp_path: Path) -> str:
    return str(write_recipes(tmp_path / "recipes", RICE, TEA, SALAD, EGG))


RULE = "split=open,efficiency=.8001:,drop=.0001:,max=1,attempts=1"
"""The article's: more than 80 %, and lags that cost some of it."""


def of_sets(recipes: str) -> str:
    return f"recipe2plan@from={recipes},{RULE}"


@pytest.fixture
def six(monkeypatch: pytest.MonkeyPatch) -> None:
    """A generation looks at all pairs of four recipes, whatever split their shapes are of."""
    monkeypatch.setattr(generation, "GENERATION", 6)
    monkeypatch.setattr(attempt, "in_split", lambda *asked: True)


@pytest.mark.usefixtures("six")
def test_it_tells_what_it_kept_and_why_not_the_rest(recipes: str, tmp_path: Path) -> None:
    told, _ = run("build", of_sets(recipes), "--out", str(tmp_path / "new"))
    kept = next(line for line in told.splitlines() if "Rice+Salad" in line)
    # 3 steps; 14 minutes of work in as many, 9 of them by hand
    assert kept.split()[:4] == ["constrained/Rice+Salad.json", "3.00", "1.00", "0.64"]
    lines = told.splitlines()
    # what needs to be done at once twice, as the egg's steps do, has no plan
    assert {"6 drafts, 1 kept", "  2 outside", "  3 no plan"} <= set(lines)
    assert f"scenario files: {tmp_path}/new" in lines


@pytest.mark.usefixtures("six")
def test_what_was_built_is_a_suite_at_once(recipes: str, tmp_path: Path) -> None:
    run("build", of_sets(recipes), "--out", str(tmp_path / "new"), "--json")
    folders = [str(tmp_path / "new" / name) for name in ("constrained", "unconstrained")]
    summary = json.loads(
        run("run", *folders, "--agent", "greedy", "--out", str(tmp_path / "runs"), "--json")[0]
    )
    assert (summary["played"], summary["broken"]) == (2, 0)
    solved = json.loads(run("solve", *folders, "--json")[0])
    assert [one["objective"] for one in solved] == [840, 540]
    listed = run("list", folders[0])[0].splitlines()
    assert [Path(line).name for line in listed] == ["Rice+Salad.json"]
    assert "Make a salad." in run("show", listed[0])[0]


def test_mistakes_are_one_message(recipes: str, tmp_path: Path) -> None:
    out, empty = ("--out", str(tmp_path / "new")), tmp_path / "empty"
    empty.mkdir()
    assert "no file with recipes" in complaint("build", f"recipe2plan@from={empty}", *out)
    assert "so few recipes (1: Rice)" in complaint(
        "build", f"recipe2plan@from={write_recipes(tmp_path / 'one', RICE)}", *out
    )
    (tmp_path / "one" / "bad.json").write_text('{"recipes": ["Taccos"]}')
    bad = complaint("build", f"recipe2plan@from={tmp_path / 'one'}", *out)
    assert "bad.json: recipes[0] 'Taccos': unknown recipe 'Taccos'; did you mean Tacos" in bad
    assert "did you mean recipe2plan" in complaint("build", "recipe2pla", *out)
    assert "is in use" in complaint("build", "recipe2plan", "--out", recipes)
    assert not (tmp_path / "new").exists()


@pytest.mark.skipif(os.name == "nt", reason="signals are sent the way of POSIX")
def test_ctrl_c_leaves_whole_files_and_an_index_of_what_was_found(tmp_path: Path) -> None:
    """More are asked for than there are; it is stopped as soon as it has kept something."""
    out = tmp_path / "new"
    process = Started("build", "recipe2plan@scenarios=9999", "--out", out)
    while process.poll() is None and not any(one.name != "index.json" for one in out.glob("*.json")):
        time.sleep(0.05)
    process.kill(signal.SIGINT)
    _, told = process.so_far()
    assert process.returncode == 130 and "stopped; what was found until then is in" in told
    for file in out.glob("*.json"):
        assert json.loads(file.read_bytes())


# --- kitchens -------------------------------------------------------------------------------------

SMALL = "robotouille@task=synchronous/1,size=4x3,split=open"
"""A cheese sandwich; by the layout, shortest plans of 7 or 8 steps."""


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Generations of three attempts, and published kitchens count as new."""
    monkeypatch.setattr(generation, "GENERATION", 3)
    monkeypatch.setattr(generation, "seen_before", lambda *asked: set())


@pytest.mark.usefixtures("few")
def test_kitchens_of_a_length_are_listed_with_it_and_the_others_are_counted(tmp_path: Path) -> None:
    """Seed 1 has a kitchen of 7 steps; seed 2 has that of seed 0 on other cells."""
    out = tmp_path / "new"
    told, remarks = run("build", f"{SMALL},steps=8:9,scenarios=2,attempts=3", "--out", str(out), code=1)
    lines = [line.split() for line in told.splitlines()]
    (kept,) = [line for line in lines if line[:1] == ["synchronous-1-4x3-seed0.json"]]
    assert kept[-2:] == ["8", "proven"]
    assert "3 drafts, 1 kept" in told and "1 outside" in told
    assert told.splitlines()[-1] == f"scenario files: {out}"
    assert "1 of 2 scenarios found in 3 attempts" in remarks
    told, _ = run("build", f"{SMALL},steps=8:9,scenarios=2", "--out", str(out))
    assert "6 drafts, 2 kept" in told and (out / "synchronous-1-4x3-seed3.json").exists()


@pytest.mark.usefixtures("few")
def test_built_kitchens_are_played_under_the_article_s_limit_and_scored(tmp_path: Path) -> None:
    out, runs = str(tmp_path / "new"), str(tmp_path / "runs")
    run("build", f"{SMALL},steps=8:8,scenarios=2", "--out", out)
    summary = json.loads(
        run("run", out, "--agent", "oracle", "--agent", "greedy", "--out", runs, "--json")[0]
    )
    assert (summary["played"], summary["broken"]) == (4, 0)
    (scores,) = json.loads(run("report", runs, "--json")[0])["scores"]
    rates = {row["agent"]: row["figures"]["Optimality"]["value"] for row in scores["rows"]}
    assert rates["oracle"] == 1.0 and rates["greedy"] >= 1.0
    assert [one["objective"] for one in json.loads(run("solve", out, "--json")[0])] == [8, 8]


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ("steps=9:5", "steps"),
        ("size=2", "size is cells across and up, such as 4x3, not '2'"),
        ("robots=0", "0 robots; one is needed"),
        ("play=turn", "unknown value 'turn' in robotouille: play; did you mean turns"),
        ("task=synchronous/11", "unknown task 'synchronous/11' in robotouille; did you mean"),
        ("task=none.json", "none.json: No such file"),
        ("scenario=2", "unknown key 'scenario' in robotouille; did you mean scenarios"),
        ("domain=none.json", "the task synchronous/1 has its own domain"),
    ],
)
def test_mistakes_about_kitchens(tmp_path: Path, keys: str, why: str) -> None:
    task = "" if "task" in keys else "task=synchronous/1,"
    command = ["build", f"robotouille@{task}{keys}", "--out", str(tmp_path / "new")]
    with pytest.raises(BackburnerError, match=why):
        runner.invoke(app, command, catch_exceptions=False)
    assert not (tmp_path / "new").exists()


def test_a_file_in_the_folder_s_place_is_one_message(tmp_path: Path) -> None:
    out = tmp_path / "mine"
    out.write_text("mine")
    assert f"{out} is in use" in complaint("build", SMALL, "--out", str(out))
    assert f"{out} is a file, not a folder" in complaint("build", SMALL, "--out", str(out / "new"))
    assert out.read_text() == "mine"
