"""Projections: their distance tables, their patterns, and how many abstract states they have."""

from __future__ import annotations

import pytest

from backburner.planning.abstraction import AbstractEffect, Outcome, trigger
from backburner.planning.goals import GoalAssignments
from backburner.planning.grounding import GroundTask
from backburner.planning.heuristic import HeuristicFactory
from backburner.planning.mutexes import Mutexes
from backburner.planning.patterns import PatternSelection
from backburner.planning.task import Task
from backburner.planning.variables import StateSpace
from support.planning.checks import check_distances, check_pattern_databases, kitchen, space_of, term
from support.planning.laundry import laundry

CUT = [term("iscut", ("lettuce", 1))]
SOUP = [term("in", ("water", 5), ("pot", 6)), term("addedto", ("lettuce", 1), ("water", 5))]


def selection_of(task: Task) -> PatternSelection:
    ground = GroundTask(task)
    return PatternSelection(ground, Mutexes(ground), GoalAssignments(ground), task.initial)


@pytest.mark.parametrize(
    "task",
    [
        laundry(robots=2, shirts=2, n_folded=2),
        kitchen(["table", "board tomato", "table lettuce"], goal=CUT),
        kitchen(["table patty", "stove bread", "board"], goal=[term("iscooked", ("patty", 1))]),
        kitchen(["board", "table pot", "sink", "stove lettuce"], goal=SOUP),
    ],
)
def test_distance_tables_agree_with_a_plain_search_in_the_abstract_space(task: Task) -> None:
    check_distances(task)


def test_each_portable_owns_costs_in_one_projection_at_most() -> None:
    for task in (laundry(shirts=2), kitchen(["board", "table pot", "sink", "stove lettuce"], goal=SOUP)):
        owners = [one for projection in selection_of(task).projections for one in projection.pattern.owners]
        assert len(owners) == len(set(owners)) > 1
    for projection in selection_of(task).projections:
        others = (other for others in selection_of(task).alternatives.values() for other in others)
        assert all(set(other.pattern.owners).issubset(owners) for other in others)
        assert not set(projection.pattern.owners) & set(projection.pattern.context)


def test_a_projection_does_not_grow_with_the_number_of_robots() -> None:
    def sizes(*robots: int) -> list[int]:
        task = kitchen(["table", "table lettuce", "board", "stove"], robots=robots, goal=CUT)
        return [len(projection.states) for projection in selection_of(task).projections]

    assert sizes(0, 3) == sizes(0, 3, 2)


def test_of_a_shirt_the_steps_on_it_are_counted() -> None:
    """Take, go, hang, and, when it is dry, take, go, lay, fold, are 7. That it needs two ticks to dry is not
    seen, but one: nothing dries while the robot stands by it and does nothing."""
    task = laundry()
    collection = HeuristicFactory(StateSpace(task)).collection
    assert collection is not None
    (projection,) = collection.projections
    ((key,),) = collection.components[0]
    (goal,) = collection.assignments.location_goals()
    distance = collection.distances(key, goal)[projection.number_of(task.initial)]
    assert distance == space_of(task).h[task.initial, task.phase] == 8
    check_pattern_databases(task)


def test_triggers_of_a_counting_effect_are_counted() -> None:
    """Three cuts: the second trigger leaves it at two, the third brings it about."""
    cut = AbstractEffect((Outcome(0, 0b10, 0b01),), (0, False, 0), full=3)
    facts, active = trigger(0b01, frozenset(), [cut, cut], is_fresh=False)
    assert facts == 0b01 and [one.done for one in active] == [2]
    assert trigger(facts, active, [cut], is_fresh=False) == (0b10, frozenset())


def test_a_conditional_outcome_needs_its_condition_and_waits_while_it_is_fresh() -> None:
    late = Outcome(0b01, 0b10, 0, late=True)
    effect = AbstractEffect((late,), (0, False, 0)).with_freshness(True)
    assert list(effect.possible(0b01, 0)) == []
    assert list(effect.with_freshness(False).possible(0b01, 0)) == [late]
    assert list(effect.with_freshness(False).possible(0b00, 0)) == []
