"""Admissible heuristics: maxima of sums of pattern databases, minimised over goal assignments.

For one location goal, h of a state is the sum over components of the least sum of distances over the
assignments in it; each distance is the maximum over a pattern database and its alternatives. Where agents
have turns of their own, the turn-taking bound of one object may be more than that sum, and the greater of
the two counts. The heuristic is the minimum over all location goals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.planning.abstract_state_lookup import AbstractStateLookup
from backburner.planning.goals import GoalAssignments
from backburner.planning.grounding import GroundTask
from backburner.planning.mutexes import Mutexes
from backburner.planning.pattern_database import UNREACHABLE, TooLarge
from backburner.planning.patterns import Key, PatternCollection, PatternSelection, Summands
from backburner.planning.turn_taking import TurnTakingBound
from backburner.planning.variables import States, StateSpace

AT_ONCE = 300_000
"""States times goals that are evaluated together: what a processor keeps at hand."""

MOST_GOALS = 2000
"""Location goals that are told apart; with more the search is blind."""

FEW_GOALS = 600
"""So many location goals are all evaluated; of more one represents those that are symmetric."""

INFINITE = UNREACHABLE // 2
"""Sums from here on contain a distance that is infinite."""


class GoalHeuristic:
    """The heuristic for one location goal, of single states given by their numbers in the projections."""

    def __init__(self, collection: PatternCollection, location_goal: Mapping[int, int]) -> None:
        self._collection = collection
        self.location_goal = location_goal
        self.tables = {key: collection.distances(key, location_goal) for key in collection.keys}

    def at(self, numbers: Mapping[int, int]) -> int:
        """h of a state."""
        components = self._collection.components
        return sum(min(self._sum(summands, numbers) for summands in one) for one in components)

    def with_summands(
        self, chosen: Summands, component: Sequence[Summands], numbers: Mapping[int, int]
    ) -> int:
        """h for plans with a certain assignment in one component."""
        least = min(self._sum(summands, numbers) for summands in component)
        return self.at(numbers) - least + self._sum(chosen, numbers)

    def _sum(self, summands: Summands, numbers: Mapping[int, int]) -> int:
        return sum(
            max(int(self.tables[one][numbers[one[0]]]) for one in (key, *self._collection.alternatives[key]))
            for key in summands
        )


class OutsideProjection(Exception):
    """A state's abstract state is not in a projection, which then proves nothing."""


class Heuristic:
    """The minimum over location goals, for many states.

    With ``below``, assignments that need at least as many decisions from the initial state are left out.
    """

    def __init__(
        self,
        space: StateSpace,
        collection: PatternCollection,
        goals: Sequence[GoalHeuristic],
        turn_taking: TurnTakingBound,
        below: int | None = None,
    ) -> None:
        self._collection = collection
        projections = collection.projections
        self._lookups = {one: AbstractStateLookup(space, projections[one]) for one in collection.used}
        self._known = {number: len(projections[number].states) for number in collection.used}
        self._components = [sorted(component, key=str) for component in collection.components]
        if below is not None:
            initial = collection.numbers_of(space.task.initial)
            self._components = [
                [
                    summands
                    for summands in component
                    if any(goal.with_summands(summands, component, initial) < below for goal in goals)
                ]
                for component in self._components
            ]
        counts = (len(summands) for component in self._components for summands in component)
        most = 255 // max(1, max(counts, default=1))
        costs = {
            key: np.stack([np.minimum(one.tables[key], most) for one in goals], axis=1).astype(np.uint8)
            for component in self._components
            for summands in component
            for main in summands
            for key in (main, *collection.alternatives[main])
        }
        self._measures = [_Measure(np.add, costs)]
        if turn_taking.is_useful:
            decisions = {
                key: turn_taking.decisions(projections[key[0]].pattern.owners, key[1][0], table)
                for key, table in costs.items()
            }
            self._measures.append(_Measure(np.maximum, decisions))
        self._width = max(1, len(goals))

    def __call__(self, states: States) -> NDArray[np.int64]:
        """h of these states. Raises ``OutsideProjection``."""
        numbers = {projection: lookup(states) for projection, lookup in self._lookups.items()}
        for projection, known in self._known.items():
            if len(self._collection.projections[projection].states) != known:
                raise OutsideProjection
        h = np.zeros(len(states.residuals), dtype=np.int64)
        components = [self._least_of_each(component, numbers) for component in self._components]
        size = max(1, AT_ONCE // self._width)
        for begin in range(0, len(h), size):
            part = slice(begin, begin + size)
            greatest = np.zeros((len(h[part]), self._width), dtype=np.int16)
            for which, measure in enumerate(self._measures):
                total = np.zeros_like(greatest)
                for combinations, tables in components:
                    measure.combine(total, tables[which][combinations[part]], out=total)
                np.maximum(greatest, total, out=greatest)
            h[part] = greatest.min(axis=1)
        return h

    def _least_of_each(
        self, component: Sequence[Summands], numbers: Mapping[int, NDArray[np.int32]]
    ) -> tuple[NDArray[np.int64], list[NDArray[np.uint8]]]:
        """Which combination of a component's abstract states each state has, and for each combination that
        there is the least over the component's assignments, in each measure."""
        alternatives = self._collection.alternatives
        keys = {one for summands in component for key in summands for one in (key, *alternatives[key])}
        used = sorted({key[0] for key in keys})
        if not used:
            each = np.zeros(len(next(iter(numbers.values()), ())), dtype=np.int64)
            return each, [np.zeros((1, 1), np.uint8) for _ in self._measures]
        which = numbers[used[0]].astype(np.int64)
        for projection in used[1:]:
            which = np.unique(which, return_inverse=True)[1] * self._known[projection] + numbers[projection]
        _, first, which = np.unique(which, return_index=True, return_inverse=True)
        size = max(1, AT_ONCE // self._width)
        parts = [first[begin : begin + size] for begin in range(0, len(first), size)]
        taken = [{projection: numbers[projection][part] for projection in used} for part in parts]
        nothing = np.zeros((0, self._width), dtype=np.uint8)
        return which, [
            np.concatenate([nothing, *(_least(measure, self._collection, component, one) for one in taken)])
            for measure in self._measures
        ]


class _Measure(NamedTuple):
    """How the numbers of several pattern databases ``combine`` (added up, or their maximum), and those
    numbers: tables[key][abstract state, location goal]."""

    combine: np.ufunc
    tables: Mapping[Key, NDArray[np.uint8]]

    def of(
        self, collection: PatternCollection, key: Key, numbers: Mapping[int, NDArray[np.int32]]
    ) -> NDArray[np.uint8]:
        """The maximum of a pattern database and its alternatives."""
        greatest = self.tables[key][numbers[key[0]]]
        for other in collection.alternatives[key]:
            greatest = np.maximum(greatest, self.tables[other][numbers[other[0]]])
        return greatest


def _least(
    measure: _Measure,
    collection: PatternCollection,
    component: Sequence[Summands],
    numbers: Mapping[int, NDArray[np.int32]],
) -> NDArray[np.uint8]:
    """The least over assignments; what one begins with as the one before it did is combined once."""
    looked_up: dict[Key, NDArray[np.uint8]] = {}
    sums: list[tuple[Key, NDArray[np.uint8]]] = []
    least: NDArray[np.uint8] | None = None
    for summands in component:
        same = 0
        while same < len(sums) and sums[same][0] == summands[same]:
            same += 1
        del sums[same:]
        for key in summands[same:]:
            if key not in looked_up:
                looked_up[key] = measure.of(collection, key, numbers)
            part = looked_up[key]
            sums.append((key, measure.combine(sums[-1][1], part) if sums else part))
        least = sums[-1][1] if least is None else np.minimum(least, sums[-1][1])
    return np.zeros(1, dtype=np.uint8) if least is None else least


class BlindHeuristic:
    """0 for each state."""

    def __call__(self, states: States) -> NDArray[np.int64]:
        """0 for each of these states."""
        return np.zeros(len(states.residuals), dtype=np.int64)


class HeuristicFactory:
    """The heuristics of a task, for plans below various lengths.

    Where a task has none of the structure that projections rely on, or is ``blind``, h is 0.
    """

    def __init__(self, space: StateSpace, blind: bool = False) -> None:
        self._space = space
        self.goals: list[tuple[int, GoalHeuristic]] = []
        """Location goals that can be reached, with the initial h for each, the least first."""
        self.is_unsolvable = False
        """Whether it is certain that no goal can be reached."""
        self.fixed_objects: frozenset[int] = frozenset()
        """Locations one of which represents others in goals: they must not be permuted once more."""
        self.initial_h = 0
        self.least_operators = 0
        """No plan has fewer, however much of it is idle."""
        self.collection: PatternCollection | None = None
        self.turn_taking: TurnTakingBound | None = None
        if not blind:
            self._build(space)

    @property
    def work(self) -> float:
        """What it takes to build the tables: about so many successors could a search make meanwhile."""
        projections = self.collection.projections if self.collection else ()
        states = sum(len(projection.states) for projection in projections)
        distances = sum(len(table) for _, goal in self.goals for table in goal.tables.values())
        return 25 * states + distances / 8

    def _build(self, space: StateSpace) -> None:
        ground = GroundTask(space.task, space.subset)
        if not ground.has_agent_groups or len(ground.created_types) > 1:
            return
        assignments = GoalAssignments(ground)
        if assignments.is_unsolvable:
            self.is_unsolvable = True
            return
        location_goals = list(islice(assignments.location_goals(), FEW_GOALS + 1))
        if len(location_goals) > FEW_GOALS:
            symmetries = assignments.location_symmetries() if space.subset.is_complete else []
            self.fixed_objects = frozenset(location for group in symmetries for location in group)
            location_goals = list(islice(assignments.location_goals(symmetries), MOST_GOALS + 1))
        if len(location_goals) > MOST_GOALS:
            return
        mutexes = Mutexes(ground)
        try:
            selection = PatternSelection(ground, mutexes, assignments, space.task.initial)
            collection = PatternCollection(selection, assignments, mutexes)
        except TooLarge:
            return
        self.collection = collection
        self.turn_taking = TurnTakingBound(assignments, selection.succession, space.task.turns)
        initial = collection.numbers_of(space.task.initial)
        goals = [GoalHeuristic(collection, goal) for goal in location_goals]
        self.goals = [(h, goal) for goal in goals if (h := goal.at(initial)) < INFINITE]
        self.goals.sort(key=lambda one: one[0])
        self.is_unsolvable = not self.goals
        if self.goals:
            self.initial_h = self.least_operators = max(0, self.goals[0][0])
        if self.goals and self.turn_taking.is_useful:
            self.initial_h = max(self.initial_h, int(self.below(None)(space.widened(space.first))[0]))

    def below(self, decisions: int | None) -> Heuristic | BlindHeuristic:
        """The heuristic for plans with fewer decisions: location goals that need as many are left out."""
        if self.collection is None or self.turn_taking is None:
            return BlindHeuristic()
        goals = [goal for h, goal in self.goals if decisions is None or h < decisions]
        if not goals:
            return BlindHeuristic()
        return Heuristic(self._space, self.collection, goals, self.turn_taking, decisions)

    def any_below(self, decisions: int) -> bool:
        """Whether some goal may be reached with fewer decisions."""
        return self.collection is None or self.initial_h < decisions
