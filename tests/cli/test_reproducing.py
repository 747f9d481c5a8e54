"""Every table and figure of an article that can be made again is rehearsed with a stand-in."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from backburner.agents.spec import AgentSpec
from backburner.cli import app
from backburner.evaluation.reproducing import jobs_for, small, spread
from backburner.kernel import packs, registry
from backburner.kernel.errors import BackburnerError, Refused, UnknownName
from backburner.kernel.experiments import reproduction, reproductions

runner = CliRunner()

ALL = [(world, each) for world in packs.installed().packs for each in reproductions(world)]
PLAYED_APART = list(
    {(world, each.plays): f"{world}/{each.name}" for world, each in ALL if each.plays}.values()
)
"""One name for each of what is played: several tables may be of the same episodes."""

OF_DATA = [f"{world}/{each.name}" for world, each in ALL if each.statistics or each.graphs or each.data]

MADE = [f"{world}/{each.name}" for world, each in ALL if each.plays]


def run(*arguments: str | Path, code: int = 0) -> tuple[str, str]:
    result = runner.invoke(app, ["reproduce", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout, result.stderr


def specs(names: Any) -> list[AgentSpec]:
    return [AgentSpec(name, "stand-in:skill=0.7") for name in names]


def test_all_are_listed_with_what_cannot_be_made_and_why() -> None:
    for world, each in ALL:
        of_data = bool(each.statistics or each.graphs or each.data)
        ways = [bool(each.plays), of_data, bool(each.with_people), bool(each.missing)]
        assert ways.count(True) == 1, f"{world}/{each.name}"
        assert not each.plays or each.scores or each.sections or each.figures
        if each.with_people:
            with pytest.raises(BackburnerError, match=each.with_people):
                reproduction(f"{world}/{each.name}")
    listed, remarks = run()
    for world, each in ALL:
        told = remarks if each.missing or each.with_people else listed
        assert f"{world}/{each.name}" in told and each.with_people in told
    assert len({world for world, _ in ALL}) == 6


@pytest.mark.parametrize("name", MADE)
def test_in_full_its_scenarios_and_agents_are_known(name: str) -> None:
    _, made = reproduction(name)
    jobs = jobs_for(made, specs)
    assert len(jobs) == len(set(jobs))
    if not made.timelines:  # of single plans
        assert len(jobs) > 4
        assert len(jobs_for(small(made), specs)) < len(jobs)


@pytest.mark.parametrize("name", PLAYED_APART)
def test_a_sample_is_played_and_told(name: str, tmp_path: Path) -> None:
    """Something of what is promised is there. What needs a certain outcome may not come of four scenarios."""
    asked = (name, "--small", "--model", "stand-in:skill=0.8", "--out", tmp_path, "--json")
    told = json.loads(run(*asked)[0])
    _, made = reproduction(name)
    found = [*told["sections"], *told["figures"], *(row for of in told["scores"] for row in of["rows"])]
    assert found or name in NEEDS_OUTCOMES
    assert (tmp_path / "report.html").is_file()
    if made.scores and made.printed:
        assert any(of["published"] for of in told["scores"])


NEEDS_OUTCOMES = ("robotouille/figure-4", "cuisineworld/figure-3", "cuisineworld/figure-21")
"""Steps to go take searches; a curve takes several paces of one level."""

SHIPPED = Path(registry.__file__).parent.parent.parent.parent
ITEMS = {
    "timearena": (11, 8),
    "recipe2plan": (16, 6),
    "cuisineworld": (14, 27),
    "robotouille": (4, 41),
    "collab_overcooked": (4, 14),
}
"""How many tables and figures each article has."""


def rows_of_page() -> dict[str, list[list[str]]]:
    """The cells of each row of the page's tables, by world."""
    rows: dict[str, list[list[str]]] = {}
    world = ""
    for line in (SHIPPED / "docs" / "reproduce.md").read_text().splitlines():
        if line.startswith("## "):
            world = line.removeprefix("## ").partition(":")[0]
        elif line.startswith("| ") and not line.startswith("| |"):
            rows.setdefault(world, []).append([cell.strip() for cell in line.strip("| ").split(" | ")])
    return rows


def test_the_page_has_a_row_for_everything_in_the_articles_and_says_what_the_packs_say() -> None:
    page = rows_of_page()
    for world, each in ALL:
        cells = [row for row in page[world] if f"`{world}/{each.name}`" in row[1]]
        if each.missing or each.with_people:
            told = each.missing or each.with_people
            assert any(told in row[1] for row in page[world]), f"{world}/{each.name}"
        else:
            assert cells, f"{world}/{each.name} is not on the page"
    for world, numbers in ITEMS.items():
        for kind, most in zip(("Table", "Figure"), numbers, strict=True):
            found = [number for row in page[world] for number in numbered(row[0], kind)]
            assert sorted(set(found)) == list(range(1, most + 1)), f"{world}: {kind}s"


def numbered(cell: str, kind: str) -> list[int]:
    """The numbers of a cell such as ``Tables 1, 6 to 8; Figure 3``."""
    found: list[int] = []
    for part in cell.split(";"):
        match = re.fullmatch(rf"{kind}s? (.*)", part.strip())
        for span in match[1].split(",") if match else ():
            first, _, last = span.strip().partition(" to ")
            found += range(int(first.split()[0]), int((last or first).split()[0]) + 1)
    return found


def test_a_dry_run_tells_what_it_would_play_and_cost(tmp_path: Path) -> None:
    prices = tmp_path / "prices.json"
    price = {"input_per_million": 1.0, "output_per_million": 2.0}
    prices.write_text(json.dumps({"currency": "EUR", "models": {"my-model": price}}))
    asked = ("timearena/figure-4", "--model", "my-model", "--dry-run")
    screen, _ = run(*asked, "--budget", f"prices={prices}")
    assert "backburner run timearena/pairs/cooking timearena/pairs/cooking@kit=one" in screen
    assert "EUR" in screen
    (expense,) = json.loads(run(*asked, "--json")[0])["expenses"]
    assert expense["episodes"] == 20
    assert expense["calls"] > 20 * 10
    assert expense["input_tokens"] > 100 * expense["calls"]
    assert expense["most_output_tokens"] == 512 * expense["calls"]
    assert not Path("reproduced").exists()


def test_a_rehearsal_says_that_it_is_none_of_a_model(tmp_path: Path) -> None:
    asked = ("timearena/figure-4", "--small", "--model", "stand-in", "--out", tmp_path)
    screen, remarks = run(*asked)
    assert "With and without the kit limit" in screen
    assert "is no model" in remarks
    assert "not as in the article" in remarks
    assert (tmp_path / "figures").is_dir()
    records = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.jsonl")}
    assert "0 episodes played" in run(*asked)[0]
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.jsonl")} == records


def test_steps_to_go_are_looked_for_if_asked(tmp_path: Path) -> None:
    """Nothing is left to chance: with nothing but slips everything fails."""
    asked = ("robotouille/figure-4", "--small", "--model", "stand-in:skill=0", "--out", tmp_path)
    assert "nothing to be shown yet" in run(*asked)[1]
    assert "figure-4" in run(*asked, "--count", "steps_to_go=0.5")[0]


@pytest.mark.parametrize("name", OF_DATA)
def test_data_sets_are_told_at_once(name: str, tmp_path: Path) -> None:
    told = json.loads(run(name, "--out", tmp_path, "--json")[0])
    _, made = reproduction(name)
    assert bool(told["statistics"]) == bool(made.statistics)
    assert bool(told["sections"] or told["figures"]) == bool(made.graphs or made.data)
    assert len([path for path in told["figures"] if "graphs" in path]) == len(made.graphs)
    assert all(Path(path).read_text().startswith("<?xml") for path in told["figures"])
    screen, _ = run(name, "--out", tmp_path)
    assert str(tmp_path) in screen or made.statistics
    assert "no model is asked" in run(name, "--dry-run")[1]


def test_a_case_study_is_drawn_as_timelines(tmp_path: Path) -> None:
    asked = ("recipe2plan/table-6", "--model", "stand-in:skill=0.7", "--out", tmp_path, "--json")
    drawn = json.loads(run(*asked)[0])["figures"]
    assert len([path for path in drawn if "timeline-vada-daikon-radish" in path]) == 2


def test_names_are_read_as_they_are_written() -> None:
    assert (
        reproduction("timearena/Table 2")
        == reproduction("timearena/table2")
        == reproduction("timearena/table-2")
    )
    with pytest.raises(UnknownName, match="table-2"):
        reproduction("timearena/table-3")
    with pytest.raises(Refused, match="takes people"):
        reproduction("cuisineworld/figure-4")
    with pytest.raises(BackburnerError, match="unknown world"):
        reproduction("timearean/table-2")


def test_without_a_model_it_says_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="needs a model"):
        run("timearena/table-2", "--small", "--out", tmp_path)


def test_a_sample_is_spread_evenly() -> None:
    assert spread("abcdefghij", 3) == ["a", "d", "g"]  # type: ignore[arg-type]
    assert spread(["a"], 3) == ["a"]


def test_sections_and_figures_that_are_named_exist_somewhere() -> None:
    """A misspelt title would show nothing, and nobody would notice."""
    folder = Path(registry.__file__).parent.parent / "worlds"
    for world, each in ALL:
        text = "".join(file.read_text() for file in (folder / world / "metrics").glob("*.py"))
        for title in (*each.sections, *each.figures):
            assert title.partition(",")[0] in text or title == "progress", f"{world}/{each.name}: {title}"
