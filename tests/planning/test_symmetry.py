"""Orbit search: symmetric states have one hash, and no others have."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from backburner.planning.planner import PlanNeighbourhood
from backburner.planning.symmetry import Symmetry, symmetric_objects
from backburner.planning.task import GoalVariable, Task, Turns
from backburner.planning.variables import StateSpace
from backburner.worlds.robotouille.game.world import Robotouille
from backburner.worlds.robotouille.oracle.planning_task import task_of, to_state
from support.planning.checks import check_symmetry, kitchen, n_orbits, space_of, term, together
from support.planning.laundry import laundry
from support.robotouille.random_kitchens import choices, walk, worlds


@pytest.mark.parametrize(
    "task",
    [
        laundry(shirts=2, lines=2),
        laundry(robots=2, shirts=2, any_agent=True),
        laundry(robots=2, lines=2, order="joint"),
        kitchen(["table", "table lettuce", "board lettuce"], goal=[term("iscut", ("lettuce", 1))]),
        kitchen(["stove", "sink pot", "stove"], goal=[term("isboiling", ("water", 5))]),
    ],
)
def test_states_of_different_distance_are_never_merged(task: Task) -> None:
    check_symmetry(task)


def test_orbits_are_fewer_than_states() -> None:
    """Two shirts and two lines: the first shirt on the second line is as good as the second on the first."""
    task = laundry(shirts=2, lines=2)
    assert n_orbits(task) < len(space_of(task).after) / 2


def test_what_the_goal_names_is_told_apart() -> None:
    """The second shirt is to be folded, and no other."""
    task = laundry(shirts=2)
    assert n_orbits(task) < len(space_of(task).after)
    task.goal.variables = (GoalVariable("shirt", "shirt2"), *task.goal.variables[1:])
    assert n_orbits(task) == len(space_of(task).after)


STOVES = ("stove", "stove", "stove cheese")


def test_symmetric_things_may_change_places() -> None:
    """The cheese on the second of three tables or on the third; not on the stove, which is another thing."""
    places = (["table cheese", "table"], ["table", "table cheese"], ["table", "table"])
    tasks = [kitchen(["table", one, *two]) for one, two in zip(STOVES, places, strict=True)]
    space = StateSpace(tasks[0])
    assert [len(members) for classes in symmetric_objects(space) for members in classes] == [3]
    symmetry = Symmetry(space)
    states = together(space, [(task.initial, task.phase) for task in tasks])
    symmetry.make_room(len(states.rows))
    second, third, stove = (tuple(code) for code in symmetry.hashes(states).tolist())
    assert second == third != stove


@settings(max_examples=40)
@given(worlds(), choices)
def test_states_with_one_hash_differ_by_a_permutation_only(world: Robotouille, numbers: list[int]) -> None:
    """The same predicates hold in them as often, and as much can be done."""
    compiled = world.compiled
    task = task_of(compiled, "turns")
    task.turns = Turns("alternating", task.agents, any_agent=True)
    space = StateSpace(task)
    symmetry = Symmetry(space)
    walked = (turn.step.state.kitchen for turn in walk(world, numbers[:30]))
    kitchens = list(dict.fromkeys((compiled.start, *walked)))
    states = together(space, [(to_state(one), task.phase) for one in kitchens])
    symmetry.make_room(len(states.rows))
    seen: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for one, code in zip(kitchens, symmetry.hashes(states).tolist(), strict=True):
        layout = compiled.layout_of(one.made)
        facts = sorted(predicate for predicate, _ in layout.true_atoms(one.facts))
        seen.setdefault(tuple(code), []).append((*facts, -len(compiled.applicable(one))))
    assert all(len(set(alike)) == 1 for alike in seen.values())


def test_agents_change_places_only_where_any_of_them_may_act_at_any_time() -> None:
    def are_symmetric(any_agent: bool, subset_any_agent: bool | None = None) -> bool:
        task = laundry(robots=2, any_agent=any_agent)
        plan = [("walk(r=robot1,from=basket1,to=table1)",)]
        subset = None if subset_any_agent is None else PlanNeighbourhood(task, plan, subset_any_agent)
        classes = symmetric_objects(StateSpace(task, subset))
        return any(set(task.agents) == set(members.tolist()) for one in classes for members in one)

    assert are_symmetric(any_agent=True)
    assert not are_symmetric(any_agent=False)
    assert are_symmetric(any_agent=True, subset_any_agent=True)
    assert not are_symmetric(any_agent=True, subset_any_agent=False)
