"""Successors of many states at once are those of the task's semantics, and of the world."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from backburner.planning.successors import SuccessorGenerator
from backburner.planning.task import Task, Turns
from backburner.planning.variables import StateSpace, Variable
from backburner.worlds.robotouille.game.world import Robotouille
from backburner.worlds.robotouille.oracle.planning_task import task_of, to_kitchen, to_state
from support.planning.checks import check_successors, kitchen, term, together
from support.planning.laundry import laundry
from support.robotouille.random_kitchens import choices, walk, worlds


@settings(max_examples=40)
@given(worlds(), choices)
def test_all_steps_are_those_of_the_world(world: Robotouille, numbers: list[int]) -> None:
    """States numbered together, stepped at once, and read back."""
    compiled = world.compiled
    task = task_of(compiled, "turns")
    task.turns = Turns("alternating", task.agents, any_agent=True)
    space = StateSpace(task)
    walked = (turn.step.state.kitchen for turn in walk(world, numbers[:30]))
    kitchens = list(dict.fromkeys((compiled.start, *walked)))
    states = together(space, [(to_state(one), task.phase) for one in kitchens])
    after = SuccessorGenerator(space).successors(states)
    for place, before in enumerate(kitchens):
        found = {
            (operator.name, to_kitchen(space.decode(after.states, which)[0]))
            for which, (parent, number) in enumerate(zip(after.parents, after.decisions, strict=True))
            if parent == place and (operator := space.decisions[number].operator) is not None
        }
        applicable = compiled.applicable(before)
        assert found == {(action.name, compiled.step(before, [action])) for action in applicable}


@pytest.mark.parametrize(
    "task",
    [
        laundry(robots=2, shirts=2, n_folded=2),
        laundry(robots=2, order="joint"),
        laundry(robots=2, order="free", lines=2),
        kitchen(["stove", "sink pot", "table bowl"], goal=[term("isboiling", ("water", 5))]),
        kitchen(["table bread", "stove patty"], robots=(0, 1), play="dispatcher"),
    ],
)
def test_successors_are_those_of_the_task(task: Task) -> None:
    check_successors(task)


def test_values_of_a_variable_are_numbered_as_they_turn_up() -> None:
    """Bits 1 and 2 are its own. Value 0 is that of no facts; setting bit 2 and clearing bit 1 gives one new
    value, whether bit 1 was set or not."""
    variable = Variable(0b110)
    assert [variable.id(facts) for facts in (0b001, 0b011, 0b010)] == [0, 1, 1]
    ids = np.array([1, 0, 1], dtype=np.uint16)
    assert variable.changed(ids, (0b100, 0b010)).tolist() == [2, 2, 2]
    assert variable.values == [0, 0b010, 0b100]
    assert variable.test(0b100, 0b010).tolist() == [False, False, True]
