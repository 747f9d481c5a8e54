"""A*: shortest paths with inconsistent heuristics, and the closed list."""

from __future__ import annotations

import numpy as np
import pytest

from backburner.planning.astar import ClosedList
from backburner.planning.symmetry import Symmetry
from backburner.planning.task import Task
from backburner.planning.variables import StateSpace
from support.planning.checks import check_astar, kitchen, space_of, term, together
from support.planning.laundry import laundry


@pytest.mark.parametrize(
    "task",
    [
        laundry(robots=2, shirts=2, any_agent=True),
        laundry(robots=2, order="joint"),
        laundry(lines=0),
        kitchen(["table", "board tomato", "table lettuce"], goal=[term("iscut", ("lettuce", 1))]),
    ],
)
def test_paths_are_shortest_with_a_heuristic_as_inconsistent_as_can_be(task: Task) -> None:
    check_astar(task)


def test_the_closed_list_keeps_each_state_once_and_the_shortest_path_to_it() -> None:
    """Twice the beginning, and once the robot in another place."""
    task = laundry()
    space = StateSpace(task)
    first = (task.initial, task.phase)
    moved = next(after for operator, after in space_of(task).after[first] if operator)
    states = together(space, [first, first, moved])
    closed = ClosedList(len(states.rows), Symmetry(space))
    added = closed.add(states, ints(5, 4, 6), ints(-1, -1, -1))
    assert added.new.sum() == 2 and added.new[2]
    same, other = (int(place) for place in added.places)
    assert [int(closed.g[place]) for place in (same, other)] == [4, 6]
    again = closed.add(states.pick(np.array([2])), ints(3), ints(same))
    assert not len(again.places) and list(again.reopened) == [other]
    assert closed.path(other) == [same, other] and int(closed.g[other]) == 3


def ints(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(numbers, dtype=np.int32)
