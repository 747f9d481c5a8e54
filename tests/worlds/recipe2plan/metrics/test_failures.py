"""One source for each failed episode. Soup: water 0-600 by itself; its step 2 must start by 720."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import backburner
from backburner.kernel.episode import Episode
from backburner.kernel.play import play_now
from backburner.worlds.recipe2plan.game import Beliefs, Cook, Lag, Limits, Piece, Recipe, Recipe2Plan, Step
from backburner.worlds.recipe2plan.game.state import FINISH
from backburner.worlds.recipe2plan.metrics.failures import (
    ANOTHER_FIRST,
    BUSY,
    IDLE,
    REPEATED,
    UNPREPARED,
    Failure,
    failure,
)
from backburner.worlds.recipe2plan.metrics.score import scoring
from support.recipe2plan.play import BREAD, SOUP, kitchen_of

WATER, LEEK = Piece(1, "Soup", 600, 0), Piece(0, "Soup", 300, 0)
WATER_MEETS_LEEK = Piece(2, "Soup", 60, 600)
TWO = "Soup 2 within 2 min of 1"


def played(world: Recipe2Plan, *decisions: Any) -> Episode:
    """Each decision is given as it is, a piece as a decision of its own."""
    script = [Cook((one,)) if isinstance(one, Piece) else one for one in decisions]
    return play_now(world, backburner.PlanPolicy("script", script, informed=False))


def reason(*decisions: Any, rules: str = "standard", limits: Any = "article") -> Failure:
    found = failure(played(kitchen_of(SOUP, BREAD, rules=rules, limits=limits), *decisions))
    assert found is not None
    return found


def knead(start: int) -> Piece:
    return Piece(1, "Bread", 480, start)


@pytest.mark.parametrize(
    ("decisions", "cause"),
    [
        ((WATER, Piece(0, "Soup", 300, 500)), UNPREPARED),  # the leek is ready at 800
        ((WATER, Piece(0, "Soup", 100, 0), knead(100), Piece(0, "Soup", 200, 580)), UNPREPARED),  # at 780
        ((WATER, LEEK, knead(300)), BUSY),  # hands in the dough 300-780
        ((WATER, LEEK, knead(600)), ANOTHER_FIRST),  # the dough 600-1080, though step 2 could start
        ((WATER, LEEK, knead(660)), IDLE),  # idle 600-660
        ((WATER, LEEK, Piece(2, "Soup", 60, 721)), IDLE),  # asked for a second too late
    ],
)
def test_why_a_time_constraint_was_not_kept(decisions: tuple[Piece, ...], cause: str) -> None:
    found = reason(*decisions)
    assert (found.source, found.constraint, found.cause) == (f"time constraint: {cause}", TWO, cause)


def test_the_appliance_may_be_what_was_busy() -> None:
    """Eggs 0-300, into the oven by 360; the oven heats up for the bread until 600."""
    bake = Step("Bake it.", 900, autonomous=True, after=(0,), lags=(Lag(0, 60),), appliance="oven")
    pie = Recipe("Pie", (Step("Beat the eggs.", 300), bake))
    world = kitchen_of(pie, BREAD, limits="article")
    found = failure(played(world, Piece(0, "Bread", 600, 0), Piece(0, "Pie", 300, 0), knead(300)))
    assert found is not None and found.source == f"time constraint: {BUSY}"


def test_of_two_constraints_the_one_that_was_due_first_counts() -> None:
    """One stove: the soup's water is hot at 600, the broth's at 1200. Due at 720 and 1320; over at 1480."""
    world = kitchen_of(SOUP, replace(SOUP, name="Broth"), BREAD)
    found = failure(played(world, WATER, Piece(1, "Broth", 600, 600), knead(1000), FINISH))
    assert found is not None and (found.constraint, found.cause) == (TWO, UNPREPARED)


def test_what_runs_until_too_late_has_lost_it_already() -> None:
    """Pancakes are fried 0-300, to be filled by 360; the jam boils until 600. At 30 the cook gives up."""
    fry = Step("Fry.", 300, autonomous=True)
    fill = Step("Fill.", 60, after=(0, 1), lags=(Lag(0, 60),))
    world = kitchen_of(Recipe("Pancakes", (fry, Step("Boil jam.", 600, autonomous=True), fill)))
    found = failure(played(world, Piece(0, "Pancakes", 300, 0), Piece(1, "Pancakes", 600, 0), FINISH))
    assert found is not None and found.cause == UNPREPARED
    ready = played(world, Piece(1, "Pancakes", 600, 0), Piece(0, "Pancakes", 300, 300), FINISH)
    assert failure(ready) == Failure("finished early", ("Pancakes 2",))


def test_a_complete_step_repeated_under_released_rules() -> None:
    """Step 2 was done in time; tried again at 900 its own limit has run out, and that ends the run."""
    again = Piece(2, "Soup", 60, 900)
    assert reason(WATER, LEEK, WATER_MEETS_LEEK, again, rules="released").cause == REPEATED


def test_a_lost_kitchen_is_the_source_however_play_ends() -> None:
    """Released rules notice a limit only when the late step is tried: the cook finishes at 780 instead."""
    found = reason(WATER, LEEK, knead(300), FINISH, rules="released")
    assert found.source == f"time constraint: {BUSY}"


NOT_YET = Piece(2, "Soup", 60, 0)
"""Needs leek and water."""


def test_loops_and_revisions_are_told_by_what_was_refused() -> None:
    assert reason(*[NOT_YET] * 3).source == "stuck: Dependency"
    assert reason(*[Cook()] * 3).source == "unreadable answers"
    twelve = [Piece(2, "Soup", 60 + second, 0) for second in range(12)]
    twelve[3] = NOT_YET
    limits = Limits(revisions=10)
    # nine or ten of the eleven ask for more than there is of the step, which is looked at first
    assert reason(*twelve, limits=limits).source == "revisions: mostly Action Duration"
    assert reason(*[Cook()] * 11, limits=limits).source == "unreadable answers"


def test_each_other_end_of_play_is_a_source_of_its_own() -> None:
    assert reason(LEEK, limits=Limits(turns=1)).source == "turns used up"
    early = reason(WATER, LEEK, WATER_MEETS_LEEK, knead(660), FINISH)
    assert early.source == "finished early"
    assert early.missing == ("Soup 3", "Soup 4", "Bread 0", "Bread 2")
    assert reason(LEEK).source == "failed: plan"  # the script has run out


def test_what_is_complete_has_not_failed() -> None:
    rest = (Piece(3, "Soup", 120, 660), Piece(4, "Soup", 90, 780))
    assert failure(played(kitchen_of(SOUP), WATER, LEEK, WATER_MEETS_LEEK, *rest)) is None


def test_sources_and_broken_limits_are_counted_in_tables() -> None:
    """Of four episodes two break the same limit for different reasons, one finishes early, one is stuck."""
    world = kitchen_of(SOUP, BREAD, limits="article")
    plans = ((WATER, LEEK, knead(300)), (WATER, LEEK, knead(660)), (LEEK, FINISH), (NOT_YET,) * 3)
    rows = [(episode, scoring.measure(episode)) for episode in (played(world, *plan) for plan in plans)]
    tables = {section.title: section for section in scoring.sections(rows)}
    assert set(tables["Why they failed"].rows) == {
        ("script", "lags on", f"time constraint: {BUSY}", 1, 25.0),
        ("script", "lags on", f"time constraint: {IDLE}", 1, 25.0),
        ("script", "lags on", "finished early", 1, 25.0),
        ("script", "lags on", "stuck: Dependency", 1, 25.0),
    }
    broken = tables["Time constraints that were broken"]
    (line,) = (dict(zip(broken.columns, row, strict=True)) for row in broken.rows)
    assert (line["constraint"], line["episodes"]) == (TWO, 2)
    assert (line[BUSY], line[IDLE], line[UNPREPARED]) == (1, 1, 0)
    missing = tables["Missing when the cook said that all was done"]
    assert ("script", "lags on", "Soup 1", 1) in missing.rows and len(missing.rows) == 7  # all but the leek
    ended = tables["How the episodes ended"]
    (shares,) = (dict(zip(ended.columns, row, strict=True)) for row in ended.rows)
    assert (shares["time constraint"], shares["stuck in a loop"], shares["finished early"]) == (50, 25, 25)


def test_settings_are_told_apart() -> None:
    """The article's figure is about agents that are told the truth, with time constraints."""
    settings = ({}, {"lags": False}, {"knowledge": "gold", "hints": True})
    worlds = [kitchen_of(SOUP, limits="article", **how) for how in settings]
    rows = [(e, scoring.measure(e)) for e in (played(world, FINISH) for world in worlds)]
    for section in scoring.sections(rows)[:3]:
        assert [row[1] for row in section.rows] == ["lags on", "lags off", "lags on, gold, hints"]


def test_stating_beliefs_is_no_action() -> None:
    world = kitchen_of(SOUP, limits="article", knowledge="beliefs")
    row = scoring.measure(played(world, Cook(beliefs=(Beliefs("Soup"),)), NOT_YET, FINISH))
    assert (row["valid"], row["Dependency"]) == (1, 1)
