"""A kitchen with orders on the command line: shown, played, replayed, and the experiment as one command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from backburner.cli import app

SUSHI = "cuisineworld/level_3"


def out(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == code, result.output
    return result.stdout


def complaint(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code != 0, result.output
    return str(result.exception)


def parsed(*arguments: str) -> Any:
    return json.loads(out(*arguments, "--json"))


def test_the_world_and_its_cells_are_listed() -> None:
    suites = parsed("list", "cuisineworld")
    assert suites["cuisineworld/all"] == 12 * 5 * 3
    assert len(parsed("list", "cuisineworld/level_3/all")) == 15


def test_show_has_the_task_graph_of_each_dish_and_the_kitchen(tmp_path: Path) -> None:
    told = out("show", SUSHI, "--svg", str(tmp_path / "dishes.svg"))
    after = told.split("what dispatcher is told")[1]
    assert "salmonSushi\n" in after and "tunaSushi\n" in after
    assert "cookedRice" in after and "(background)" in after
    assert "chopboard1" in after
    picture = (tmp_path / "dishes.svg").read_text()
    assert ">salmonSushi</text>" in picture and ">tunaSushi</text>" in picture
    graphs = parsed("show", SUSHI)["problems"]
    assert [a["name"] for a in graphs["tunaSushi"]["activities"]][-1] == "tunaSushi"


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Two bodies and three in the four quick kitchens at two paces: the folder, and what was printed."""
    folder = tmp_path_factory.mktemp("runs")
    suites = ("cuisineworld/quick", "cuisineworld/level_3@tau=3.0")
    return folder, out("run", *suites, "--bodies", "2,3", "--agent", "random", "--out", str(folder))


def test_bodies_are_varied_and_the_experiment_is_reported(
    experiment: tuple[Path, str], tmp_path: Path
) -> None:
    folder, told = experiment
    assert "10 episodes played" in told
    assert "Collaboration score by level" in told and "0.673" in told
    page = (folder / "report.html").read_text()
    assert page.count("<figcaption>level_3, random</figcaption>") == 1, "one curve: two paces of one level"
    assert "GPT-4, 3 agents" in page and ">0.694<" in page
    # whose orders are served
    out("run", "cuisineworld/level_3", "--bodies", "2", "--agent", "greedy", "--out", str(tmp_path))
    progress = (tmp_path / "report-files" / "progress-cuisineworld.js").read_text()
    assert "orders served over steps" in progress and "score over time" not in progress
    assert len(list(folder.rglob("*bodies=3*.jsonl"))) == 5


def test_the_gap_to_the_bound_is_printed_and_told_cell_by_cell(experiment: tuple[Path, str]) -> None:
    folder, told = experiment
    assert "Headroom" in told
    (world,) = parsed("score", str(folder))
    (section,) = [section for section in world["sections"] if section["title"] == "Headroom"]
    assert len(section["cells"]) == 10
    for cell in section["cells"]:
        assert 0 <= cell["share"] <= cell["bound"] <= 1
        assert cell["gap"] == pytest.approx(cell["bound"] - cell["share"])
        assert cell["completed"] <= cell["most served"] and cell["failed"] >= cell["least failed"]
    assert "Headroom</summary>" in (folder / "report.html").read_text()


def test_the_most_orders_are_found_with_proof_and_played(tmp_path: Path) -> None:
    (found,) = parsed("solve", "cuisineworld/level_0@tau=1.0")
    assert (found["status"], found["objective"], found["bound"], found["sense"]) == ("optimal", 8, 8, "max")
    assert len(found["plan"]) == 60
    out("run", "cuisineworld/level_0@tau=1.0", "--agent", "oracle", "--out", str(tmp_path))
    (record,) = tmp_path.rglob("*.jsonl")
    assert parsed("replay", str(record))["ending"]["numbers"]["completed"] == 8


def test_the_same_command_goes_on(experiment: tuple[Path, str]) -> None:
    folder, _ = experiment
    summary = parsed(
        "run", "cuisineworld/quick", "--bodies", "2,3", "--agent", "random", "--out", str(folder)
    )
    assert (summary["played"], summary["kept"]) == (0, 8)


def test_a_record_is_drawn_with_its_orders(experiment: tuple[Path, str], tmp_path: Path) -> None:
    record = str(next(iter(sorted(experiment[0].rglob("level_3*.jsonl")))))
    windows = parsed("replay", record)["windows"]
    assert {window["state"] for window in windows} <= {"kept", "missed", "open"}
    assert {window["label"] for window in windows} == {"salmonSushi", "tunaSushi"}
    out("replay", record, "--html", str(tmp_path / "page.html"))
    page = (tmp_path / "page.html").read_text()
    assert "servingtable0" in page and "window missed" in page


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("timearena/pairs", "--bodies", "2,3"), "unknown option 'bodies'"),
        (("cuisineworld/all", "--bodies", "2,many"), "write numbers with commas"),
        (("cuisineworld/all", "--bodies", ""), "write numbers with commas"),
        (("cuisineworld/all", "--bodies", "99"), "from 1 to 64"),
        (("cuisineworld/all@bodies=3", "--bodies", "2"), "says already"),
    ],
)
def test_what_cannot_be_run_is_refused(arguments: tuple[str, ...], expected: str, tmp_path: Path) -> None:
    assert expected in complaint("run", *arguments, "--agent", "random", "--out", str(tmp_path))
