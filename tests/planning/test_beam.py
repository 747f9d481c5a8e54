"""Beams: what counts as settled, and plans of several robots that they find."""

from __future__ import annotations

import numpy as np

from backburner.planning.astar import Limits
from backburner.planning.beam import Unsettled, beam_search
from backburner.planning.heuristic import HeuristicFactory
from backburner.planning.planner import Known, Planner
from backburner.planning.successors import SuccessorGenerator
from backburner.planning.symmetry import Symmetry
from backburner.planning.task import State, Task, in_steps
from backburner.planning.variables import States, StateSpace
from support.planning.checks import kitchen, term

TOWER = [
    term("atop", ("topbun", 1), ("patty", 2)),
    term("atop", ("patty", 2), ("bottombun", 3)),
    term("item_on", ("bottombun", 3), ("table", 4)),
]
SCATTERED = ["table topbun", "table patty", "table bottombun", "table"]


def unsettled(stations: list[str]) -> int:
    """In the beginning, at the best table."""
    task = kitchen(stations, goal=TOWER)
    space = StateSpace(task)
    goals = [goal.location_goal for _, goal in HeuristicFactory(space).goals]
    return int(Unsettled(space, goals)(space.widened(space.first))[0])


def test_a_tower_is_settled_from_the_bottom_up() -> None:
    """Of three parts the bottom bun is settled on any table; the patty on it makes two. A top bun on a patty
    that lies on the bare table is as it should be, and yet will have to be taken off."""
    assert unsettled(SCATTERED) == 2
    assert unsettled(["table topbun", "table bottombun patty", "table", "table"]) == 1
    assert unsettled(["table bottombun", "table patty topbun", "table", "table"]) == 2
    assert unsettled(["table bottombun patty topbun", "table", "table", "table"]) == 0


def two_robots() -> tuple[Task, StateSpace, HeuristicFactory]:
    task = kitchen(SCATTERED, goal=TOWER, robots=(0, 3))
    space = StateSpace(task)
    return task, space, HeuristicFactory(space)


def played(task: Task, names: tuple[str, ...]) -> State:
    state = task.initial
    for step in in_steps(names, task.turns.per_step):
        operators = [task.named(task.table(state.created), name) for name in step if name]
        state = task.step(state, [one for one in operators if one])
    return state


def path_of_width(width: int, below: int) -> tuple[str, ...] | None:
    task, space, heuristics = two_robots()

    def is_goal(states: States, which: int) -> bool:
        return task.semantics.is_goal(space.decode(states, which)[0])

    path = beam_search(
        SuccessorGenerator(space),
        heuristics.below(below),
        lambda states: np.zeros(len(states.residuals), dtype=np.int64),
        is_goal,
        Symmetry(space, heuristics.fixed_objects),
        width=width,
        below=below,
        allowance=Limits(seconds=600).allowance(),
    )
    decisions = None if path is None else [space.decisions[number] for number in path]
    return decisions and tuple(one.operator.name if one.operator else "" for one in decisions)


def test_a_beam_as_broad_as_the_task_finds_a_shortest_plan_and_none_below_it() -> None:
    task, _, _ = two_robots()
    planner = Planner(task)
    planner.run(Limits(seconds=600))
    assert planner.is_proven and planner.plan
    found = path_of_width(100_000, len(planner.plan) + 5)
    assert found is not None and len(found) == len(planner.plan)
    assert task.semantics.is_goal(played(task, found))
    assert path_of_width(100_000, len(planner.plan)) is None


def test_a_narrow_beam_improves_on_a_plan_in_which_one_robot_waits() -> None:
    """The first plan is the shortest one with two idle rounds before it."""
    task, _, _ = two_robots()
    planner = Planner(task)
    planner.run(Limits(seconds=600))
    assert planner.plan
    slow = Planner(task, Known(("",) * 4 + planner.plan))
    slow._look_ahead(HeuristicFactory(slow._space), Limits(seconds=600).allowance())
    assert slow.plan is not None and len(slow.plan) == len(planner.plan)
