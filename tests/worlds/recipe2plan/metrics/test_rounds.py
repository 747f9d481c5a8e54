"""Rounds of plans and critique: what the report says of them. Relative efficiencies are the release's."""

from __future__ import annotations

from pathlib import Path

import pytest

from backburner.agents.models import ScriptedModel, model_policy
from backburner.kernel.episode import write_episode
from backburner.kernel.play import play_now
from backburner.kernel.scoring import Measured
from backburner.kernel.values import Thought
from backburner.worlds.recipe2plan.game import Cook, Piece, Recipe2Plan, catalogue
from backburner.worlds.recipe2plan.game.scenarios import ReferenceAction, Scenario
from backburner.worlds.recipe2plan.game.state import FINISH
from backburner.worlds.recipe2plan.metrics.plans import FAMILIES, case_of, round_sections, rounds_of
from backburner.worlds.recipe2plan.metrics.score import published_tables, scoring
from support.policies import Answers
from support.recipe2plan.play import BREAD

LATE = ((0, 600, 0), (1, 480, 0), (2, 1200, 1140))
"""The dough waits for 9 minutes in a hot oven's sight: 39 minutes, where 38 are one after the other."""

STORED = ((0, 600, 0), (1, 480, 0), (2, 1200, 720))
"""The stored plan: 32 minutes, (38 - 32) / 30 = 20 % saved."""

BEST = ((0, 600, 0), (1, 480, 0), (2, 1200, 600))
"""30 minutes, 8 / 30 = 26.7 % saved, which is 133.3 % of the stored plan's."""

COLD = ((1, 480, 0), (2, 1200, 480))
"""Two families: the oven is never preheated (missing, and what the baking needs), nor hot (appliance)."""


def bread() -> Recipe2Plan:
    stored = tuple(ReferenceAction(step, 0, seconds, start) for step, seconds, start in STORED)
    scenario = Scenario((BREAD,), reference=stored, instance=0)
    return catalogue.build("recipe2plan/own", scenario, "standard", "article")


def plan(rows: tuple[tuple[int, int, int], ...]) -> str:
    return ", ".join(f"Step({step}, Bread, {seconds} s, {start} s)" for step, seconds, start in rows)


def row(choices: str, *said: str) -> Measured:
    """The episode in which a model says this, a call after the other."""
    left = iter(said)
    model = ScriptedModel(lambda messages: next(left))
    episode = play_now(bread(), model_policy(f"modulo@{choices}", bread(), model))
    return episode, scoring.measure(episode)


def record(path: Path, rows: tuple[tuple[int, int, int], ...]) -> Path:
    """A record in which this plan was tried."""
    pieces = tuple(Piece(step, "Bread", seconds, start) for step, seconds, start in rows)
    write_episode(play_now(bread(), Answers(Cook(pieces), FINISH)), path)
    return path


def test_rounds_are_read_from_thoughts() -> None:
    said = (
        ("plan 0", "a"),
        ("critique 0", "x"),
        ("plan 1", "b"),
        ("reformatted 1", "c"),
        ("critique 1", "y"),
    )
    others = (("plan", "d"), ("plan two", "e"), ("critique two", "e"), ("plan 2", "never criticised"))
    thoughts = [Thought(purpose, text) for purpose, text in (*said, *others)]
    assert rounds_of(thoughts) == {0: "a", 1: "c"}
    assert rounds_of([]) == {}


def test_what_plans_that_are_made_come_to() -> None:
    """One gets feasible in the second round, one never."""
    rows = [row("rounds=2", plan(COLD), plan(STORED)), row("rounds=2", plan(COLD), plan(COLD))]
    results, speed, families = round_sections(rows, published_tables().modulo)
    (agent,) = {line[1] for line in results.rows}
    assert results.rows == (("make plans", agent, "lags on", 2, 1, 100.0, None),)
    assert speed.rows == ((agent, "lags on", "make plans", 2, 2.0, 0.0, 50.0, 50.0, 50.0, 50.0),)
    cold = {"completeness": 1.0, "dependency": 1.0, "appliance": 1.0}
    assert families.rows == (
        (agent, "lags on", "make plans", "first", 2, *(cold.get(family, 0.0) for family in FAMILIES)),
        (agent, "lags on", "make plans", "last", 2, *(cold.get(family, 0.0) / 2 for family in FAMILIES)),
    )


def test_rounds_mend_failed_plans_and_improve_feasible_ones(tmp_path: Path) -> None:
    """A failed plan is mended to the stored one; a feasible one is improved from 20 % saved to 26.7 %."""
    failed = record(tmp_path / "failed.jsonl", COLD)
    feasible = record(tmp_path / "feasible.jsonl", STORED)
    rows = [
        row(f"start={failed}", plan(STORED)),
        row(f"improve=on,start={feasible}", plan(BEST), "Done"),
    ]
    results, speed, _ = round_sections(rows, published_tables().modulo)
    ours = [line for line in results.rows if not str(line[2]).startswith("Table")]
    assert [(line[0], *line[3:]) for line in ours] == [
        ("fix failed plans", 1, 1, 100.0, None),
        ("optimize feasible plans", 1, 1, 133.33, 33.33),
    ]
    assert ("fix failed plans", "GPT-4o", "Table 7", 20, 3, 84.5, None) in results.rows
    assert ("optimize feasible plans", "o1-mini", "Table 7", 18, 8, 89.41, -3.87) in results.rows
    assert [line[4:6] for line in speed.rows] == [(1.0, 100.0), (1.0, 100.0)]


def test_a_feasible_plan_that_saves_nothing_can_only_get_better(tmp_path: Path) -> None:
    """39 minutes save nothing: a relative efficiency of 0, and of 133.3 % after it was improved."""
    late = record(tmp_path / "late.jsonl", LATE)
    ((episode, measures),) = [row(f"improve=on,start={late}", plan(BEST), "Done")]
    case = case_of(episode)
    assert case is not None
    assert (case.task, case.start_relative, case.first_feasible) == ("optimize feasible plans", 0.0, 0)
    assert 100 * measures["relative"] == pytest.approx(133.33, abs=0.01)


def test_plans_that_cannot_be_read_are_rounds_without_a_critique() -> None:
    rows = [row("rounds=1", "I do not know.", "Nor do I.")]
    results, speed, families = round_sections(rows, ())
    assert results.rows[0][4:] == (0, None, None)
    assert speed.rows[0][4:] == (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert families.rows[0][3:] == ("first", 0, *[None] * len(FAMILIES))


def test_without_rounds_there_is_no_table() -> None:
    episode = play_now(bread(), Answers(FINISH))
    assert case_of(episode) is None
    assert round_sections([(episode, scoring.measure(episode))], published_tables().modulo) == []
