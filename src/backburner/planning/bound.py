"""Lower bounds on the steps to a goal: what projections add up to, and the least over all goals.

Where each robot has its turn, those that pass while one thing is dealt with (``chains``) may be more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.planning.chains import Chains
from backburner.planning.mapping import Points
from backburner.planning.parts import Key, Parts, Way
from backburner.planning.space import Space, States
from backburner.planning.ways import FAR

AT_ONCE = 300_000
"""States times goals that are looked at together: what a processor keeps at hand."""


class GoalBound:
    """The bound for one goal: distances in all projections."""

    def __init__(self, parts: Parts, goal: Mapping[int, int]) -> None:
        self._parts = parts
        self.tables = {key: parts.distances(key, goal) for key in parts.keys}

    def at(self, points: Mapping[int, int]) -> int:
        """The bound where a state is at these points."""
        return sum(min(self._length(way, points) for way in group) for group in self._parts.groups)

    def with_way(self, way: Way, group: Sequence[Way], points: Mapping[int, int]) -> int:
        """The bound for plans in which the variables of a group fall to its things in this way."""
        least = min(self._length(one, points) for one in group)
        return self.at(points) - least + self._length(way, points)

    def _length(self, way: Way, points: Mapping[int, int]) -> int:
        return sum(
            max(int(self.tables[one][points[one[0]]]) for one in (key, *self._parts.beside[key]))
            for key in way
        )


class Outside(Exception):
    """A state lies outside of the points of a projection, which then proves nothing."""


class LeastBound:
    """The least bound over goals, for many states.

    With ``below``, ways that need at least as many steps from the start are left out.
    """

    def __init__(
        self,
        space: Space,
        parts: Parts,
        bounds: Sequence[GoalBound],
        chains: Chains,
        below: int | None = None,
    ) -> None:
        self._parts = parts
        self._points = {number: Points(space, parts.projections[number]) for number in parts.used}
        self._known = {number: len(parts.projections[number].points) for number in parts.used}
        self._groups = [sorted(group, key=str) for group in parts.groups]
        if below is not None:
            start = parts.points_of(space.start)
            self._groups = [
                [way for way in group if any(one.with_way(way, group, start) < below for one in bounds)]
                for group in self._groups
            ]
        most = 255 // max(1, max((len(way) for group in self._groups for way in group), default=1))
        deeds = {
            key: np.stack([np.minimum(one.tables[key], min(FAR, most)) for one in bounds], axis=1).astype(
                np.uint8
            )
            for group in self._groups
            for way in group
            for main in way
            for key in (main, *parts.beside[main])
        }
        self._measures = [_Measure(np.add, deeds)]
        if chains.tell_more:
            turns = {key: chains.turns(key, table) for key, table in deeds.items()}
            self._measures.append(_Measure(np.maximum, turns))
        self._width = max(1, len(bounds))

    def __call__(self, states: States) -> NDArray[np.int64]:
        """The bounds of these states. Raises ``Outside``."""
        points = {number: of(states) for number, of in self._points.items()}
        for number, known in self._known.items():
            if len(self._parts.projections[number].points) != known:
                raise Outside
        found = np.zeros(len(states.rests), dtype=np.int64)
        groups = [self._least_of_each(group, points) for group in self._groups]
        size = max(1, AT_ONCE // self._width)
        for begin in range(0, len(found), size):
            part = slice(begin, begin + size)
            greatest = np.zeros((len(found[part]), self._width), dtype=np.int16)
            for number, measure in enumerate(self._measures):
                total = np.zeros_like(greatest)
                for which, tables in groups:
                    measure.together(total, tables[number][which[part]], out=total)
                np.maximum(greatest, total, out=greatest)
            found[part] = greatest.min(axis=1)
        return found

    def _least_of_each(
        self, group: Sequence[Way], points: Mapping[int, NDArray[np.int32]]
    ) -> tuple[NDArray[np.int64], list[NDArray[np.uint8]]]:
        """Which combination of a group's points each state has, and for each combination that there is
        among the states the least over the group's ways, in each measure."""
        keys = {one for way in group for key in way for one in (key, *self._parts.beside[key])}
        numbers = sorted({key[0] for key in keys})
        if not numbers:
            each = np.zeros(len(next(iter(points.values()), ())), dtype=np.int64)
            return each, [np.zeros((1, 1), np.uint8) for _ in self._measures]
        which = points[numbers[0]].astype(np.int64)
        for number in numbers[1:]:
            which = np.unique(which, return_inverse=True)[1] * self._known[number] + points[number]
        _, first, which = np.unique(which, return_index=True, return_inverse=True)
        size = max(1, AT_ONCE // self._width)
        parts = [first[begin : begin + size] for begin in range(0, len(first), size)]
        taken = [{number: points[number][part] for number in numbers} for part in parts]
        nothing = np.zeros((0, self._width), dtype=np.uint8)
        return which, [
            np.concatenate([nothing, *(_least_way(measure, self._parts, group, one) for one in taken)])
            for measure in self._measures
        ]


class _Measure(NamedTuple):
    """How the numbers of a way's projections are taken ``together``, and those numbers, by point and goal."""

    together: np.ufunc
    tables: Mapping[Key, NDArray[np.uint8]]

    def of(self, parts: Parts, key: Key, points: Mapping[int, NDArray[np.int32]]) -> NDArray[np.uint8]:
        """The greatest of a projection and those beside it."""
        greatest = self.tables[key][points[key[0]]]
        for other in parts.beside[key]:
            greatest = np.maximum(greatest, self.tables[other][points[other[0]]])
        return greatest


def _least_way(
    measure: _Measure, parts: Parts, group: Sequence[Way], points: Mapping[int, NDArray[np.int32]]
) -> NDArray[np.uint8]:
    """The least over ways; what one begins with as the one before it did is taken together once."""
    looked_up: dict[Key, NDArray[np.uint8]] = {}
    sums: list[tuple[Key, NDArray[np.uint8]]] = []
    least: NDArray[np.uint8] | None = None
    for way in group:
        same = 0
        while same < len(sums) and sums[same][0] == way[same]:
            same += 1
        del sums[same:]
        for key in way[same:]:
            if key not in looked_up:
                looked_up[key] = measure.of(parts, key, points)
            part = looked_up[key]
            sums.append((key, measure.together(sums[-1][1], part) if sums else part))
        least = sums[-1][1] if least is None else np.minimum(least, sums[-1][1])
    return np.zeros(1, dtype=np.uint8) if least is None else least
