"""Every table and figure of an article that can be made again is rehearsed with a stand-in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from backburner.agents.spec import AgentSpec
from backburner.cli import app
from backburner.evaluation.reproducing import jobs_for, small, spread
from backburner.kernel import packs, registry
from backburner.kernel.errors import BackburnerError, Refused, UnknownName
from backburner.kernel.reproduction import reproduction, reproductions

runner = CliRunner()

ALL = [(world, each) for world in packs.installed().packs for each in reproductions(world)]
PLAYED_APART = list(
    {(world, each.plays): f"{world}/{each.name}" for world, each in ALL if each.plays}.values()
)
"""One name for each of what is played: several tables may be of the same episodes."""

MADE = [f"{world}/{each.name}" for world, each in ALL if each.plays]


def run(*arguments: str | Path, code: int = 0) -> tuple[str, str]:
    result = runner.invoke(app, ["reproduce", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout, result.stderr


def specs(names: Any) -> list[AgentSpec]:
    return [AgentSpec(name, "stand-in:skill=0.7") for name in names]


def test_all_are_listed_with_what_cannot_be_made_and_why() -> None:
    for world, each in ALL:
        ways = [bool(each.plays), bool(each.statistics), bool(each.missing)]
        assert sum(ways) == 1, f"{world}/{each.name}"
        assert not each.plays or each.scores or each.sections or each.figures
    listed, remarks = run("--list")
    assert all(f"{world}/{each.name}" in (remarks if each.missing else listed) for world, each in ALL)
    assert len({world for world, _ in ALL}) == 5


@pytest.mark.parametrize("name", MADE)
def test_in_full_its_scenarios_and_agents_are_known(name: str) -> None:
    _, made = reproduction(name)
    jobs = jobs_for(made, specs)
    assert len(jobs) == len(set(jobs)) > 8
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


def test_a_dry_run_tells_what_it_would_play_and_cost(tmp_path: Path) -> None:
    prices = tmp_path / "prices.json"
    price = {"input_per_million": 1.0, "output_per_million": 2.0}
    prices.write_text(json.dumps({"currency": "EUR", "models": {"my-model": price}}))
    asked = ("timearena/figure-4", "--model", "my-model", "--dry-run")
    screen, _ = run(*asked, "--prices", prices)
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
    assert "figure-4" in run(*asked, "--steps-to-go", "0.5")[0]


def test_data_set_tables_are_told_at_once() -> None:
    assert "recipes" in run("recipe2plan/table-2")[0].lower()


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
        text = "".join(
            file.read_text()
            for file in (folder / world / "metrics").glob("*.py")
            if file.name != "reproductions.py"
        )
        for title in (*each.sections, *each.figures):
            assert title.partition(",")[0] in text or title == "progress", f"{world}/{each.name}: {title}"
