"""Drafts of TimeArena: they are scenarios that can be played and completed, and are what was asked for."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from backburner.kernel.schedule import problem_of
from backburner.kernel.testing import check_world
from backburner.worlds.timearena.game.transition import AGENT
from backburner.worlds.timearena.oracle.generator import GENERATOR
from support.timearena.drafts import draft, world_of


def test_drafts_are_scenarios_that_can_be_completed() -> None:
    for seed in range(200):
        world = world_of(draft(seed))
        assert world.compiled.everything & ~world.rulebook.legality.reachable == 0
        assert world.briefing(AGENT).count("<") == 0


@pytest.mark.parametrize(("idle", "lures"), [(0, 0), (0.3, 0), (0, 0.25), (0.3, 0.25)])
def test_drafts_pass_the_kit(idle: float, lures: float) -> None:
    for kit in ("own", "one"):
        world = world_of(
            draft(7, activities=9, tasks=2, idle=idle, lures=lures, kit=kit, common=1.0), "article"
        )
        check_world(world, episodes=2, max_steps=40)


def test_equal_arguments_give_equal_drafts() -> None:
    for seed in range(20):
        assert msgspec.json.encode(draft(seed)) == msgspec.json.encode(draft(seed))
    assert draft(1) != draft(2)


@pytest.mark.parametrize("activities", [4, 10, 20, 40, 60])
def test_there_are_as_many_required_activities_as_asked_for(activities: int) -> None:
    for seed in range(20):
        world = world_of(draft(seed, activities=activities))
        assert len(problem_of(world).activities) == activities


def test_parameters_say_what_drafts_are_made_of() -> None:
    """Of 20 activities with a share of machines of .5 ten run by themselves; all in the only place, of
    which there are three where any task may use it."""
    asked: dict[str, Any] = {"activities": 20, "tasks": 1, "machines": 0.5, "placed": 1.0, "places": 1}
    problem = problem_of(world_of(draft(5, **asked, lures=0, common=0.0)))
    alone = [each for each in problem.activities if each.operator_time < each.duration]
    assert len(alone) == 10
    assert len({each.resources[1] for each in alone}) == 1
    problem = problem_of(world_of(draft(5, **asked, lures=0, common=1.0, units=3, kit="own")))
    assert [each.capacity for each in problem.resources if each.capacity > 1] == [3]


def test_what_is_measured_leaves_out_what_nobody_needs() -> None:
    drafted = draft(3, activities=20, idle=0.6, lures=0.25, tasks=1)
    world = world_of(drafted)
    structure = GENERATOR.structure(world)
    spare = [action for action in world.compiled.actions if action.spare]
    assert len(structure.activities) == 20
    assert len(spare) == 5
    assert 0.375 <= 1 - sum(structure.objects.values()) / len(structure.objects) < 0.8
    needed = {act: not action.spare for action in world.compiled.actions for act in action.acts}
    assert {act: GENERATOR.is_needed(world, act) for act in needed} == needed
    assert structure.told["durations"] == (20, 20)


def test_goals_name_what_is_made_and_of_what_and_no_lure() -> None:
    drafted = draft(11, activities=12, breadth=4.5, joins=1.0, tasks=1, lures=0.25)
    task = drafted.fields["tasks"][0]
    spare = {action["things"][0] for action in task["actions"] if action.get("spare")}
    needed = {action["things"][0] for action in task["actions"]} - spare
    assert all(name in task["goal"] for name in needed)
    assert not any(name in task["goal"] for name in spare)
