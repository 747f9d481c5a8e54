"""Kitchens as planning tasks: the same values in both, and plans played by the world."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from backburner.kernel.errors import ReplayMismatch
from backburner.planning.facts import Object
from backburner.planning.grounding import GroundTask
from backburner.planning.task import Phase
from backburner.worlds.robotouille.game.state import Acts
from backburner.worlds.robotouille.game.world import Robotouille
from backburner.worlds.robotouille.oracle.planning_task import (
    plan_of,
    played,
    task_of,
    to_kitchen,
    to_state,
)
from support.robotouille.kitchens import world_in
from support.robotouille.random_kitchens import choices, walk, worlds

CHEESE = [{"predicate": "item_on", "args": ["cheese", "table"], "ids": [1, 2]}]
TAKE, GO, PUT = (
    "pick-up-item(i1=cheese1,p1=robot1,s1=board1)",
    "move(p1=robot1,s1=board1,s2=table1)",
    "place-item(i1=cheese1,p1=robot1,s1=table1)",
)


@settings(max_examples=25)
@given(worlds(), choices)
def test_kitchens_and_states_are_the_same_values(world: Robotouille, numbers: list[int]) -> None:
    task = task_of(world.compiled, "turns")
    for turn in walk(world, numbers[:20]):
        kitchen = turn.step.state.kitchen
        state, layout = to_state(kitchen), world.compiled.layout(kitchen)
        assert to_kitchen(state) == kitchen
        table = task.table(state.created)
        true = {layout.words(atom) for atom in layout.true_atoms(kitchen.facts)}
        assert {table.words(atom) for atom in table.true_atoms(state.facts)} == true
        assert task.semantics.is_goal(state) == world.compiled.reached(kitchen)


def test_whose_turn_it_is_counts_only_where_robots_have_their_own() -> None:
    for play, phase in (("turns", Phase(1)), ("together", Phase()), ("dispatcher", Phase())):
        world = world_in(["table", "table"], robots=(0, 1), play=play)
        assert task_of(world.compiled, world.scenario.play, turn=1).phase == phase


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_what_is_yet_to_be_made_may_stand_for_what_the_goal_names(rules: str) -> None:
    """Under the released rules a goal names it ``water1`` before it is there."""
    goal = [{"predicate": "in", "args": ["water", "pot"], "ids": [1, 2]}]
    task = task_of(world_in(["sink pot"], goal=goal, rules=rules).compiled, "turns")
    ground = GroundTask(task)
    water = ground.n_objects
    assert ground.table.objects[water] == Object("water1", "meal", "water")
    assert list(task.goal.candidates(ground.table, 0)) == [water]


@pytest.mark.parametrize(("play", "waits"), [("turns", ()), ("dispatcher", ("",))])
def test_a_plan_is_played_until_the_goal(play: Any, waits: tuple[str, ...]) -> None:
    """A dispatcher may let time pass; robots with turns of their own wait in the domain's way."""
    world = world_in(["board cheese", "table"], goal=CHEESE, play=play)
    result = played(world, world.start(), (TAKE, *waits, GO, PUT, GO), per_step=1)
    assert (result.steps, result.completed) == (3 + len(waits), True)
    assert len(result.words) == result.steps


def test_what_the_world_refuses_is_no_plan() -> None:
    world = world_in(["board cheese", "table"], goal=CHEESE)
    with pytest.raises(ReplayMismatch, match="place-item"):
        played(world, world.start(), (TAKE, PUT), per_step=1)


def test_decisions_become_a_plan_with_idleness() -> None:
    """A dispatcher's robot without an action is idle, and so is a seat that lets time pass."""
    both = world_in(["table", "table"], robots=(0, 1), play="dispatcher")
    assert plan_of(both, [{"dispatcher": Acts(("wait",))}, {"dispatcher": Acts()}]) == ("wait", "", "", "")
    each = world_in(["table", "table"], robots=(0, 1), play="together")
    assert plan_of(each, [{"robot1": Acts(("wait",)), "robot2": Acts()}]) == ("wait", "")
