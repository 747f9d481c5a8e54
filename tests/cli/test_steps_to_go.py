"""Steps to go: how far failures of Robotouille were from their goal when they ended, and what each call of
Collab-Overcooked brought."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import backburner
from backburner.cli import app
from support.policies import Answers

SANDWICH = "robotouille/synchronous/1@seed=42"
TO_THE_BREAD = ("robot1 takes cheese1 from table1", "robot1 goes from table1 to table3")
CHEESE_ON_BREAD = (*TO_THE_BREAD, "stack(i1=cheese1,i2=bread1,p1=robot1,s1=table3)")
TO_THE_OTHER_BREAD = ("robot1 goes from table3 to sink1", "robot1 takes bread2 from sink1")
DONE = ("robot1 goes from sink1 to table3", "stack(i1=bread2,i2=cheese1,p1=robot1,s1=table3)")

PLAYED = {
    "two": TO_THE_BREAD,
    "five": (*CHEESE_ON_BREAD, *TO_THE_OTHER_BREAD),
    "back": ("robot1 takes cheese1 from table1", "robot1 goes from table1 to table2"),
    "all": (*CHEESE_ON_BREAD, *TO_THE_OTHER_BREAD, *DONE),
}
"""What is done before giving up, by agent; seven steps make a cheese sandwich, and those are the fewest."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record of each, and one of another world."""
    path = tmp_path_factory.mktemp("runs")
    world = backburner.world(SANDWICH)
    for name, answers in PLAYED.items():
        policy = Answers(*(f"Action: {answer}" for answer in answers), "Action: Finish", name=name)
        backburner.write_episode(backburner.play_now(world, policy), path / f"{name}.jsonl")
    other = backburner.play_now(backburner.world("timearena/household9"), Answers("quit", name="two"))
    backburner.write_episode(other, path / "other.jsonl")
    return path


def out(*arguments: object) -> str:
    result = CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def to_go(folder: Path, *options: str) -> dict[str, list[Any]]:
    """The rows of the table by agent: failures, and the shares in per cent of [0, 0.5], (0.5, 1], above."""
    worlds = json.loads(out("score", folder, "--json", *options))
    (sections,) = (world["sections"] for world in worlds if world["world"] == "robotouille")
    (table,) = (section for section in sections if section["title"] == "Steps to go")
    assert table["columns"] == ["agent", "failures", "[0, 0.5]", "(0.5, 1]", "above 1"]
    return {row[0]: row[1:] for row in table["rows"]}


def test_what_is_left_counts_over_the_whole_and_is_kept(folder: Path) -> None:
    """``two`` has 7 - 2 = 5 of 7 steps to go, ``five`` has 2 of 7. ``back`` went to an empty table instead
    of the bread, which is one step lost: 7 - 2 + 1 = 6 of 7. ``all`` is no failure."""
    expected = {
        "two": [1, 0.0, 100.0, 0.0],
        "five": [1, 100.0, 0.0, 0.0],
        "back": [1, 0.0, 100.0, 0.0],
        "all": [0, "–", "–", "–"],
    }
    assert to_go(folder, "--count", "steps_to_go=60") == expected
    kept = (folder / "steps-to-go.kept").read_bytes()
    found = [json.loads(line)["solution"] for line in kept.splitlines()]
    assert sorted((one["status"], one["objective"]) for one in found) == [
        ("optimal", 2), ("optimal", 5), ("optimal", 6),
    ]  # fmt: skip
    assert to_go(folder, "--count", "steps_to_go=0.001") == expected
    assert (folder / "steps-to-go.kept").read_bytes() == kept


def test_nothing_is_looked_for_without_the_option(folder: Path) -> None:
    assert to_go(folder) == {agent: [0, "–", "–", "–"] for agent in PLAYED}


def test_the_report_has_it_as_well(folder: Path, tmp_path: Path) -> None:
    arguments = ("report", folder, "--count", "steps_to_go=60", "--out", tmp_path / "report.html", "--json")
    scores = json.loads(out(*arguments))["scores"]
    (sections,) = (world["sections"] for world in scores if world["world"] == "robotouille")
    rows = next(section["rows"] for section in sections if section["title"] == "Steps to go")
    assert ["five", 1, 100.0, 0.0, 0.0] in rows
    assert "Steps to go" in (tmp_path / "report.html").read_text()


def test_what_calls_lose_is_in_the_table_and_kept(tmp_path: Path) -> None:
    """Both wait, six steps at a time, and stay 16 steps from an egg: no call brings it nearer."""
    world = backburner.world("collab_overcooked/boiled_egg")
    idle = backburner.play_now(world, Answers("plan: wait(6)", name="idle"))
    backburner.write_episode(idle, tmp_path / "idle.jsonl")

    def figures(*options: str) -> list[float | None]:
        ((row,),) = (each["rows"] for each in json.loads(out("score", tmp_path, "--json", *options)))
        return [row["figures"][key]["value"] for key in ("Near c", "Near a", "Lost c", "Lost a")]

    assert figures() == [None] * 4
    assert figures("--count", "steps_to_go=60") == [0, 0, 6, 6]
    kept = (tmp_path / "steps-to-go.kept").read_bytes()
    assert [json.loads(line)["solution"]["objective"] for line in kept.splitlines()] == [16]
    assert figures("--count", "steps_to_go=0.001") == [0, 0, 6, 6]
    assert (tmp_path / "steps-to-go.kept").read_bytes() == kept
