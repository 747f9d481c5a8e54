"""The end of a play as a lesson, worked out by hand in small scenarios."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from backburner.agents.planned import world_agent
from backburner.evaluation.transcripts.lesson import Lesson, lesson_of
from backburner.evaluation.transcripts.turning_points import Walked
from backburner.kernel import registry
from backburner.kernel.play import play_now
from backburner.kernel.policy import PlanPolicy

# The kettle boils from 0 to 4; meanwhile the teapot is washed from 1 to 2, the cup from 2 to 5. Water is
# poured from 5 to 7, the tea steeps from 7 to 10 (the agent is free from 8 on) and is poured from 10 to 13.
WASHED = ("activate kettle", "wash teapot", "wash cup")
STEEPING = (*WASHED, "pour kettle into teapot", "brew tea with teapot", "wait", "wait")
POUR = "pour teapot into cup"
PATIENT = 60.0


def lesson(id: str, *plan: Any) -> Lesson:
    world = registry.world(id)
    players = {seat: PlanPolicy("person", plan, informed=False) for seat in world.seats}
    return lesson_of(play_now(world, players), seconds=PATIENT)


def test_a_best_play_has_no_turning_point() -> None:
    told = lesson("timearena/household1", *STEEPING, POUR)
    assert told.headline() == "You finished in 13 minutes; that is the least possible; greedy takes 13."
    assert told.points == () and told.costliest is None and told.lacks == ()


def test_the_costliest_moment_is_named_with_what_was_better() -> None:
    """The kettle could boil from the beginning: a minute is lost. Three more are when the tea has steeped:
    three waits in a row are one moment."""
    told = lesson("timearena/household1", "wait", *STEEPING, "wait", "wait", "wait", POUR)
    first, worst = told.points
    assert (first.step, first.time, first.did, first.cost) == (0, 0, "wait", 1)
    assert worst == told.costliest
    assert (worst.step, worst.last, worst.time, worst.cost) == (8, 10, 11, 3)
    assert (worst.did, worst.better, worst.estimated) == ("wait", POUR, False)
    assert told.headline("They") == "They finished in 17 minutes; 13 were enough; greedy takes 13."


def test_who_gives_up_has_lost_everything_there() -> None:
    told = lesson("timearena/household1", *WASHED, "quit")
    assert told.costliest is not None
    assert (told.costliest.step, told.costliest.did, told.costliest.cost) == (3, "quit", None)
    assert told.headline().startswith("You had ")


def test_where_orders_come_a_moment_is_an_estimate_by_the_guide() -> None:
    """The last of eight moments in which nobody moves costs the guide one of its five orders."""
    world = registry.world("clocked_kitchen/level_3")
    waits = {seat: PlanPolicy("person", (f"wait_{seat}",) * 8, informed=False) for seat in world.seats}
    told = lesson_of(play_now(world, waits), seconds=PATIENT)
    assert told.headline() == "You served 0 of 6 orders; 6 were possible; greedy serves 5."
    (point,) = told.points
    assert (point.step, point.cost, point.estimated, told.proven) == (7, 1, True, True)
    assert point.better.startswith("agent0: take ")


def test_the_rest_of_an_unfinished_play_counts_as_the_best() -> None:
    """Nothing was lost until the record stops."""
    world = registry.world("timearena/household1")
    whole = play_now(world, PlanPolicy("person", (*STEEPING, POUR), informed=False))
    told = lesson_of(replace(whole, entries=whole.entries[:4], ending=None), seconds=PATIENT)
    assert told.points == () and told.play("best") is not None


def test_what_takes_too_long_is_said_to_be_absent() -> None:
    world = registry.world("timearena/household1")
    episode = play_now(world, PlanPolicy("person", ("wait", *STEEPING, POUR), informed=False))
    told = lesson_of(episode, seconds=-1.0)
    assert told.points == () and "takes too long" in " ".join(told.lacks)


def test_a_lesson_is_written_and_read_and_is_the_same_each_time() -> None:
    world = registry.world("collab_grid/boiled_egg")
    episode = play_now(world, world_agent("greedy", world))
    told = lesson_of(episode, seconds=PATIENT)
    assert msgspec.json.decode(msgspec.json.encode(told), type=Lesson) == told
    assert told == lesson_of(episode, seconds=PATIENT)
    assert told.headline() == "You finished in 16 steps; 15 were enough; greedy takes 16."


def test_decisions_are_told_without_the_marks_of_answers() -> None:
    world = registry.world("robotouille/synchronous/1@seed=42")
    quits = play_now(world, PlanPolicy("person", ("Action: Finish",), informed=False))
    assert Walked(quits, until=0.0).said(0) == "Finish"
