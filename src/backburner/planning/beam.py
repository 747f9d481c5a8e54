"""Beam search: good plans of tasks with several agents, soon and without proof.

Of all successors of a layer's states only the most promising go on: those with the least h and the fewest
goal variables that are not *settled*. Patterns of single objects see where things are, and not what lies on
what: a tower that is built in the wrong order looks finished to them, and is a dead end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.kernel.oracle import Allowance
from backburner.planning.astar import ClosedList, Evaluate, IsGoal, decisions_to
from backburner.planning.heuristic import INFINITE
from backburner.planning.successors import SuccessorGenerator
from backburner.planning.symmetry import Symmetry
from backburner.planning.variables import States, StateSpace


class Support(NamedTuple):
    """A fact that lets one object stand for a goal variable: that it stands on ``below``."""

    thing: int
    below: int
    variable: int
    """The variable of the state that tells it."""
    fact: int


Towers = dict[int, tuple[int, list[Support]]]
"""From the bottom up: goal variables, each with the one below it and what settles it."""


class Unsettled:
    """Counts the goal variables that no object has settled, for the best of some location goals.

    An object settles a variable if the goal's binary literals about it hold, with objects that have settled
    theirs: a tower counts from the bottom up. A location goal says where it stands. Other literals, and
    objects that are created in play, do not count.
    """

    def __init__(self, space: StateSpace, location_goals: Sequence[Mapping[int, int]]) -> None:
        self._space = space
        self._towers = [_towers(space, one) for one in location_goals]

    def __call__(self, states: States) -> NDArray[np.int64]:
        """How many there are in each of these states."""
        counts = [self._count(states, towers) for towers in self._towers]
        return np.minimum.reduce(counts) if counts else np.zeros(len(states.residuals), dtype=np.int64)

    def _count(self, states: States, towers: Towers) -> NDArray[np.int64]:
        nobody = np.zeros(len(states.residuals), dtype=np.bool_)
        count = np.zeros(len(nobody), dtype=np.int64)
        settled: dict[tuple[int, int], NDArray[np.bool_]] = {}
        for variable, (under, supports) in towers.items():
            by_any = nobody
            for one in supports:
                of_state = self._space.variables[one.variable]
                holds = of_state.test(one.fact, 0)[states.rows[one.variable]]
                if under in towers:
                    holds = holds & settled.get((under, one.below), nobody)
                settled[variable, one.thing] = settled.get((variable, one.thing), nobody) | holds
                by_any = by_any | holds
            count += ~by_any
        return count


def _towers(space: StateSpace, location_goal: Mapping[int, int]) -> Towers:
    goal, table = space.task.goal, space.task.table(space.task.initial.created)
    candidates = [
        (location_goal[variable],) if variable in location_goal else tuple(goal.candidates(table, variable))
        for variable in range(len(goal.variables))
    ]
    below = {
        one.variables[0]: (one.predicate, one.variables[1])
        for one in goal.literals
        if len(one.variables) == 2
    }
    towers: Towers = {}
    for variable in _bottom_up({one: under for one, (_, under) in below.items()}):
        predicate, under = below[variable]
        towers[variable] = (
            under,
            [
                Support(thing, other, number, fact)
                for thing in candidates[variable]
                for other in candidates[under]
                if thing != other
                for fact in (table.bit(predicate, (thing, other)),)
                for number, of_state in enumerate(space.variables)
                if fact & of_state.mask
            ],
        )
    return {variable: tower for variable, tower in towers.items() if tower[1]}


def _bottom_up(below: Mapping[int, int]) -> list[int]:
    """Goal variables after those that stand below them; one that stands below itself is left out."""
    order: list[int] = []
    waiting = list(below)
    while waiting:
        ready = [one for one in waiting if below[one] not in waiting]
        if not ready:
            break
        order += ready
        waiting = [one for one in waiting if one not in ready]
    return order


def beam_search(
    generator: SuccessorGenerator,
    heuristic: Evaluate,
    unsettled: Callable[[States], NDArray[np.int64]],
    is_goal: IsGoal,
    symmetry: Symmetry,
    *,
    width: int,
    below: int,
    allowance: Allowance,
) -> tuple[int, ...] | None:
    """The decisions, by number, of a path to a goal with fewer than ``below``; ``None`` if none is found.

    ``width`` states of each layer go on; ``heuristic`` is admissible. Raises ``OutsideProjection``.
    """
    first = generator.space.widened(generator.space.first)
    closed = ClosedList(len(first.rows), symmetry)
    layer = closed.add(first, np.zeros(1, dtype=np.int32), np.full(1, -1, dtype=np.int32)).places
    for g in range(1, below):
        after = generator.successors(closed.states(layer))
        allowance.count(len(after.parents))
        h = heuristic(after.states)
        useful = (g + h < below) & (h < INFINITE)
        states, h, parents = after.states.pick(useful), h[useful], layer[after.parents[useful]]
        if allowance.is_over or not len(h):
            return None
        added = closed.add(states, np.full(len(h), g, dtype=np.int32), parents)
        layer, h = added.places, h[added.new]
        ends = layer[h == 0]
        found = closed.states(ends)
        for which, place in enumerate(ends):
            if is_goal(found, which):
                return tuple(decisions_to(generator, closed, symmetry, int(place)))
        rank = h + unsettled(states.pick(added.new))
        layer = layer[np.argsort(rank, kind="stable")[:width]]
    return None
