"""The turn-taking bound: operators on one object are as far apart as an agent's turns."""

from __future__ import annotations

import numpy as np
import pytest

from backburner.planning.goals import GoalAssignments
from backburner.planning.grounding import GroundTask
from backburner.planning.heuristic import HeuristicFactory
from backburner.planning.mutexes import Mutexes, Succession
from backburner.planning.task import Task
from backburner.planning.turn_taking import TurnTakingBound
from backburner.planning.variables import StateSpace
from support.planning.checks import kitchen, term
from support.planning.laundry import laundry

CUT = [term("iscut", ("lettuce", 1))]


def initial_h(task: Task) -> int:
    return HeuristicFactory(StateSpace(task)).initial_h


@pytest.mark.parametrize(
    ("robots", "steps"),
    [
        # Go, take, go, put, three cuts: seven operators on the lettuce, one after the other.
        ((0,), 7),
        # Each comes as many steps after the one before as there are robots, as no two are at the board
        # at once: 1 + 6 * 2 = 13, and 1 + 6 * 3 = 19.
        ((0, 1), 13),
        ((0, 1, 2), 19),
    ],
)
def test_operators_on_one_object_are_as_far_apart_as_an_agents_turns(
    robots: tuple[int, ...], steps: int
) -> None:
    stations = ["table", "table", "table", "board", "table lettuce"]
    assert initial_h(kitchen(stations, robots=robots, goal=CUT)) == steps


def test_what_is_to_come_onto_a_thing_comes_after_the_last_operator_on_it() -> None:
    """Bread, patty and bread in a stack: the patty is gone to, taken, carried, put onto the bread,
    1 + 3 * 2 steps. Whoever put it there has to go for the other bread, or away so that another can come:
    2 * 2 steps more, 11."""
    bread, patty, table, other = ("bread", 4), ("patty", 2), ("table", 3), ("bread", 8)
    stack = [
        term("item_on", bread, table),
        term("item_at", patty, table),
        term("atop", patty, bread),
        term("item_at", other, table),
        term("atop", other, patty),
    ]
    stations = ["table bread", "table", "table", "stove patty", "table bread"]
    assert initial_h(kitchen(stations, robots=(1, 2), goal=stack)) == 11


def bound_of(task: Task) -> tuple[TurnTakingBound, GroundTask]:
    ground = GroundTask(task)
    succession = Succession(ground, Mutexes(ground))
    return TurnTakingBound(GoalAssignments(ground), succession, task.turns), ground


def test_decisions_that_pass_while_one_shirt_is_dealt_with() -> None:
    """n operators on it: 1 + (n - 1) * 2 decisions with two robots. In a free order a robot may have the last
    decision of a step and the first of the next: one less. With one robot it says nothing more."""
    costs = np.array([[0, 1, 2, 5]], dtype=np.uint8)
    for order, expected in (("alternating", [0, 1, 3, 9]), ("joint", [0, 1, 3, 9]), ("free", [0, 0, 2, 8])):
        bound, ground = bound_of(laundry(robots=2, order=order))
        shirt = ground.portables[0]
        assert bound.is_useful
        assert bound.decisions((shirt,), None, costs)[0].tolist() == expected
    assert not bound_of(laundry(robots=1))[0].is_useful
    assert not bound_of(laundry(robots=2, any_agent=True))[0].is_useful
