"""Lower bounds on the steps to a goal: what projections add up to, and the least over all goals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from backburner.oracles.search.mapping import Points
from backburner.oracles.search.parts import Key, Parts, Way
from backburner.oracles.search.space import Space, States
from backburner.oracles.search.ways import FAR

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
        self, space: Space, parts: Parts, bounds: Sequence[GoalBound], below: int | None = None
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
        self._tables = {
            key: np.stack([np.minimum(one.tables[key], min(FAR, most)) for one in bounds], axis=1).astype(
                np.uint8
            )
            for group in self._groups
            for way in group
            for main in way
            for key in (main, *parts.beside[main])
        }
        self._width = max(1, len(bounds))

    def __call__(self, states: States) -> NDArray[np.int64]:
        """The bounds of these states. Raises ``Outside``."""
        points = {number: of(states) for number, of in self._points.items()}
        for number, known in self._known.items():
            if len(self._parts.projections[number].points) != known:
                raise Outside
        found = np.zeros(len(states.rests), dtype=np.int64)
        tables = [self._least_of_each(group, points) for group in self._groups]
        size = max(1, AT_ONCE // self._width)
        for begin in range(0, len(found), size):
            part = slice(begin, begin + size)
            total = np.zeros((len(found[part]), self._width), dtype=np.int16)
            for which, table in tables:
                total += table[which[part]]
            found[part] = total.min(axis=1)
        return found

    def _least_of_each(
        self, group: Sequence[Way], points: Mapping[int, NDArray[np.int32]]
    ) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """The least over a group's ways for each combination of its points that there is among the
        states, and which combination each state has."""
        keys = {one for way in group for key in way for one in (key, *self._parts.beside[key])}
        numbers = sorted({key[0] for key in keys})
        if not numbers:
            return np.zeros(len(next(iter(points.values()), ())), dtype=np.int64), np.zeros((1, 1), np.uint8)
        which = points[numbers[0]].astype(np.int64)
        for number in numbers[1:]:
            which = np.unique(which, return_inverse=True)[1] * self._known[number] + points[number]
        _, first, which = np.unique(which, return_index=True, return_inverse=True)
        size = max(1, AT_ONCE // self._width)
        parts = [first[begin : begin + size] for begin in range(0, len(first), size)]
        least = [
            self._least_way(group, {number: points[number][part] for number in numbers}) for part in parts
        ]
        return which, np.concatenate(least) if least else np.zeros((0, self._width), dtype=np.uint8)

    def _least_way(self, group: Sequence[Way], points: Mapping[int, NDArray[np.int32]]) -> NDArray[np.uint8]:
        """The least over ways; what one begins with as the one before it did is added up once."""
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
                    looked_up[key] = self._distances(key, points)
                part = looked_up[key]
                sums.append((key, sums[-1][1] + part if sums else part))
            least = sums[-1][1] if least is None else np.minimum(least, sums[-1][1])
        return np.zeros(1, dtype=np.uint8) if least is None else least

    def _distances(self, key: Key, points: Mapping[int, NDArray[np.int32]]) -> NDArray[np.uint8]:
        greatest = self._tables[key][points[key[0]]]
        for other in self._parts.beside[key]:
            greatest = np.maximum(greatest, self._tables[other][points[other[0]]])
        return greatest
