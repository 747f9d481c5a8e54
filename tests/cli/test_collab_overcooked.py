"""Two cooks on the command line: listed, shown, played, replayed, scored, reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from backburner.cli import app
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import Refused, UnknownName

EGG = "collab_overcooked/boiled_egg"


def out(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout


def parsed(*arguments: str) -> Any:
    return json.loads(out(*arguments, "--json"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One order, and two at once, by one agent for both cooks and by a team, under both rule sets."""
    path = tmp_path_factory.mktemp("runs")
    scenarios = (EGG, "collab_overcooked/boiled_egg+boiled_mushroom")
    agents = ("--agent", "random", "--agent", "random+first-legal")
    for rules in ("standard", "released"):
        summary = parsed("run", *scenarios, *agents, "--seeds", "2", "--rules", rules, "--out", str(path))
        assert summary["played"] == 8
    return path


def test_the_world_and_its_orders_are_listed() -> None:
    assert "collab_overcooked" in [world["world"] for world in parsed("worlds")]
    assert parsed("list")["collab_overcooked/all"] == 30
    assert parsed("list", "collab_overcooked/level1")[2] == EGG


def test_show_tells_both_cooks_what_they_may_know() -> None:
    shown = out("show", EGG)
    assert "what chef is told" in shown and "what assistant is told" in shown
    chef, assistant = shown.split("what assistant is told")
    assert "takes egg (1)" in chef and "takes egg (1)" not in assistant


def test_show_stats_puts_computed_levels_beside_table_3() -> None:
    rows = parsed("show", "collab_overcooked/all", "--stats")
    assert len(rows) == 30
    for row in rows:
        assert row["level (computed)"] == str(row["level"])
        assert row["collaborative actions"] == row["collaborative actions (article)"]


def test_a_record_is_replayed(folder: Path, tmp_path: Path) -> None:
    record = next(folder.rglob("*released*/**/boiled_egg.seed0.jsonl"))
    out("verify", str(record))
    out("replay", str(record), "--html", str(tmp_path / "egg.html"))
    assert "boiled_egg" in (tmp_path / "egg.html").read_text()
    assert "assistant" in out("replay", str(record))


def test_a_team_of_equals_plays_as_one(tmp_path: Path) -> None:
    for agent in ("random", "random+random"):
        out("run", EGG, "--agent", agent, "--out", str(tmp_path / agent))
    one, two = (read_episode(next((tmp_path / a).rglob("*.jsonl"))) for a in ("random", "random+random"))
    assert [entry.digest for entry in one.entries] == [entry.digest for entry in two.entries]


def test_scores_have_a_row_for_each_level_rule_set_and_agent(folder: Path) -> None:
    (scores,) = parsed("score", str(folder))
    cells = [(row["group"], row["rules"], row["agent"]) for row in scores["rows"]]
    assert len(cells) == len(set(cells)) == 8
    assert {group for group, _, _ in cells} == {"level 1", "2 orders at once"}
    for row in scores["rows"]:
        known = row["group"] == "level 1"
        assert row["episodes"] == 2
        assert row["figures"]["SR"]["value"] is not None
        assert (row["figures"]["PC"]["value"] is not None) == known
        assert (row["figures"]["IC"]["value"] is not None) == known
    titles = [section["title"] for section in scores["sections"]]
    assert titles[:2] == ["By order", "Outcomes of collaborations"] and titles[-1] == "Without references"


def test_scores_are_printed_as_tables(folder: Path) -> None:
    printed = out("score", str(folder), "--world", "collab_overcooked")
    assert "collab_overcooked: level 1" in printed and "As the release evaluates" in printed


def test_a_report_is_written(folder: Path) -> None:
    out("report", str(folder))
    page = (folder / "report.html").read_text()
    assert "Collab-Overcooked" in page and "Outcomes of collaborations" in page


def test_a_scenario_file_is_run_and_scored(tmp_path: Path) -> None:
    file = tmp_path / "lunch.json"
    scenario = {"world": "collab_overcooked", "id": "lunch", "orders": ["mashed_potato"]}
    file.write_text(json.dumps(scenario))
    refused = CliRunner().invoke(app, ["show", str(file)])
    assert refused.exit_code and "mashed_potato" in str(refused.exception or refused.output)
    file.write_text(json.dumps(scenario | {"orders": ["boiled_egg"], "step_limit": 9}))
    out("run", str(file), "--agent", "random", "--out", str(tmp_path / "runs"))
    (scores,) = parsed("score", str(tmp_path / "runs"))
    assert [row["group"] for row in scores["rows"]] == ["level 1, other orders"]


def test_an_order_that_is_misspelt_is_answered_with_the_nearest() -> None:
    result = CliRunner().invoke(app, ["show", "collab_overcooked/boiled_eg"])
    assert result.exit_code and "boiled_egg" in str(result.exception)


def test_an_optima_file_is_asked_for_in_known_words(tmp_path: Path) -> None:
    command = ["solve", "collab_overcooked/boiled_egg", "--write-optima", str(tmp_path / "optima.json")]
    with pytest.raises(UnknownName, match="unknown foods 'al'"):
        CliRunner().invoke(app, [*command, "--oracle", "foods=al"], catch_exceptions=False)
    with pytest.raises(Refused, match="leave space out"):
        CliRunner().invoke(app, [*command, "--oracle", "space=moves"], catch_exceptions=False)
    assert list(tmp_path.iterdir()) == []
