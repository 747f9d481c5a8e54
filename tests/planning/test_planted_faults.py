"""The checks of ``support.planning.checks`` notice a fault that is planted in the part that they check.

Each fault replaces one function of the planner. The same check passes without it, here and in the tests of
the part.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from backburner.planning import (
    abstract_operators,
    abstraction,
    astar,
    goals,
    grounding,
    heuristic,
    mutexes,
    pattern_database,
    patterns,
    planner,
    successors,
    symmetry,
    turn_taking,
    variables,
)
from backburner.planning.task import Task
from support.planning import checks
from support.planning.checks import kitchen, term
from support.planning.laundry import laundry

CUT = [term("iscut", ("lettuce", 1))]
SOUP = [term("in", ("water", 5), ("pot", 6)), term("isboiling", ("water", 5))]


class Fault(NamedTuple):
    """``plant`` makes the faulty function from the sound one; ``check`` notices it in the task."""

    owner: Any
    name: str
    plant: Callable[[Any], Any]
    check: Callable[[Task], None]
    task: Callable[[], Task]


def always(result: Any) -> Callable[[Any], Any]:
    """A function with one result, whatever it is asked."""
    return lambda _: lambda *args, **named: result


def changed(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The function with its result changed."""
    return lambda function: lambda *args, **named: change(function(*args, **named))


def twice_the_first(_: Any) -> Any:
    def components(collection: patterns.PatternCollection) -> list[list[int]]:
        collection.projections.append(collection.projections[0])
        return [[0], [len(collection.projections) - 1]]

    return components


def all_locations_symmetric(_: Any) -> Any:
    def classes(space: variables.StateSpace, fixed: Any = ()) -> Any:
        objects = space.task.table(()).objects
        places = [index for index, thing in enumerate(objects) if thing.type == "place"]
        return [np.array(places)], []

    return classes


def cooked(task: Task) -> None:
    """Cooking takes its step and three more."""
    checks.check_post_optimisation(task, ("cook(i1=patty1,p1=robot1,s1=stove1)", "", "", ""))


FAULTS = {
    # Grounding and invariants.
    "operators are missing": Fault(
        grounding, "_bindings", changed(lambda all: iter(list(all)[:-1])), checks.check_grounding, laundry
    ),
    "an unbalanced group": Fault(grounding, "_repairs", always(None), checks.check_groups, laundry),
    "mutexes without effects": Fault(
        grounding.GroundTask, "effect_changes", always([]), checks.check_mutexes, laundry
    ),
    "mutexes without conjunctions that are completed": Fault(
        mutexes.Mutexes,
        "_events",
        changed(lambda events: [one._replace(completes=()) for one in events]),
        checks.check_mutexes,
        lambda: kitchen(["table bread patty", "board"], goal=CUT),
    ),
    "operators that delete everything else": Fault(
        mutexes.Mutexes,
        "_events",
        changed(lambda events: [one._replace(deletes=-1) for one in events]),
        checks.check_mutexes,
        laundry,
    ),
    "nothing happens between two operators of an agent": Fault(
        mutexes.Succession, "unstable", always(0), checks.check_succession, lambda: laundry(robots=2)
    ),
    # Goal assignments.
    "one location goal of two": Fault(
        goals.GoalAssignments,
        "location_goals",
        changed(lambda all: iter(list(all)[:1])),
        checks.check_heuristic,
        lambda: laundry(tables=2),
    ),
    "one assignment of two": Fault(
        goals.GoalAssignments,
        "assignments",
        changed(lambda all: all[:1]),
        checks.check_pattern_databases,
        lambda: laundry(shirts=2),
    ),
    # Projections.
    "effects bring nothing about": Fault(
        abstraction.EffectReader, "triggered", always(None), checks.check_pattern_databases, laundry
    ),
    "the object created first is the one that the goal names": Fault(
        pattern_database.Projection,
        "_follow_another",
        always(None),
        checks.check_pattern_databases,
        lambda: kitchen(["stove", "sink pot", "table bowl"], goal=SOUP),
    ),
    "every operator costs something in every pattern": Fault(
        abstract_operators.AbstractOperators,
        "_image",
        changed(lambda image: image._replace(is_paid=True)),
        checks.check_pattern_databases,
        lambda: laundry(shirts=2, n_folded=2),
    ),
    "agents that carry something are forgotten": Fault(
        abstract_operators.AgentTracker, "of", always(()), checks.check_pattern_databases, laundry
    ),
    "agents never tend anything": Fault(
        pattern_database.Projection, "tended", always(0), checks.check_pattern_databases, laundry
    ),
    "transitions are missing": Fault(
        pattern_database.Projection,
        "_all_applied",
        changed(lambda applied: applied[:-1]),
        checks.check_pattern_databases,
        laundry,
    ),
    "distances one too high": Fault(
        pattern_database._Backward,
        "distances",
        changed(lambda table: table + (table > 0).astype(np.int32)),
        checks.check_distances,
        laundry,
    ),
    # Patterns and the heuristic.
    "an object that owns costs twice": Fault(
        patterns.PatternCollection, "_connected", twice_the_first, checks.check_pattern_databases, laundry
    ),
    "the goal excludes everything else": Fault(
        patterns.PatternCollection,
        "_unwanted",
        always(-1),
        checks.check_pattern_databases,
        lambda: laundry(shirts=2),
    ),
    "the last assignment in place of the least": Fault(
        heuristic,
        "_least",
        lambda least: (
            lambda measure, collection, component, numbers: least(
                measure, collection, component[-1:], numbers
            )
        ),
        checks.check_heuristic,
        lambda: laundry(shirts=2),
    ),
    "decisions after the last operator that nothing asks for": Fault(
        turn_taking.TurnTakingBound, "_behind", always(9), checks.check_heuristic, lambda: laundry(robots=2)
    ),
    "a cycle of turns too many": Fault(
        turn_taking.TurnTakingBound,
        "decisions",
        changed(lambda passed: passed + 2 * (passed > 0).astype(np.uint8)),
        checks.check_heuristic,
        lambda: laundry(robots=2),
    ),
    # States and search.
    "values that lose no facts": Fault(
        variables.Variable,
        "changed",
        lambda sound: lambda self, ids, change: sound(self, ids, (change[0], 0)),
        checks.check_successors,
        laundry,
    ),
    "no ticks": Fault(
        successors.SuccessorGenerator,
        "_with_residuals",
        lambda _: (
            lambda self, rows, residuals, changes: (
                variables.States(rows, residuals),
                np.ones(len(residuals), dtype=np.bool_),
            )
        ),
        checks.check_successors,
        laundry,
    ),
    "hashes without facts": Fault(
        symmetry.Symmetry, "_add_facts", always(None), checks.check_symmetry, laundry
    ),
    "lines and tables taken for each other": Fault(
        symmetry, "symmetric_objects", all_locations_symmetric, checks.check_symmetry, laundry
    ),
    "paths that forget permutations": Fault(
        symmetry.Symmetry,
        "permutation",
        lambda _: lambda self, one, other: list(range(len(one.rows) - 1)),
        checks.check_planner,
        lambda: laundry(robots=2, shirts=2, n_folded=2, order="free"),
    ),
    "states that are never re-opened": Fault(
        astar.ClosedList,
        "_reopen",
        always(np.zeros(0, dtype=np.int32)),
        checks.check_astar,
        lambda: laundry(robots=2, shirts=2, any_agent=True),
    ),
    "the first goal in place of the nearest": Fault(
        astar.AStar,
        "_look_for_goals",
        lambda look: lambda self, places: look(self, places) or (self._open.clear() if self._goal else None),
        checks.check_astar,
        lambda: laundry(robots=2, shirts=2, any_agent=True),
    ),
    "a goal within a step": Fault(
        astar.AStar,
        "_look_for_goals",
        lambda _: lambda self, places: setattr(self, "_goal", int(places[0])) if len(places) else None,
        checks.check_planner,
        laundry,
    ),
    "a wait left out that the goal needs": Fault(
        planner,
        "_reaches_goal",
        always(True),
        cooked,
        lambda: kitchen(["stove patty", "table"], goal=[term("iscooked", ("patty", 1))]),
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_the_fault_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fault = FAULTS[name]
    fault.check(fault.task())
    monkeypatch.setattr(fault.owner, fault.name, fault.plant(getattr(fault.owner, fault.name)))
    with pytest.raises((AssertionError, KeyError, IndexError)):
        fault.check(fault.task())
