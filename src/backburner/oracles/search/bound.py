"""Lower bounds on the steps to a goal: projections that add up, tolls, and the least over all goals."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from backburner.oracles.search.factors import Ids
from backburner.oracles.search.mapping import Points
from backburner.oracles.search.overview import Overview
from backburner.oracles.search.projection import Projection
from backburner.oracles.search.space import Space, States
from backburner.oracles.search.wants import Wants
from backburner.oracles.search.ways import FAR, Tolls
from backburner.worlds.robotouille.state import Kitchen

Key = tuple[int, tuple[int | None, ...]]
"""A projection, and the variable that each of its things stands for, if any."""

Way = tuple[Key, ...]
AT_ONCE = 300_000
"""States times goals that are looked at together: what a processor keeps at hand."""


class Parts:
    """Projections with different payers, and the ways in which goal variables fall to their things.

    ``groups``: of projections that share variables all ways together. The least over the ways of a group,
    added up over the groups, is the least over all ways. ``beside`` a projection stand others with the
    same payers; the greatest of their distances counts.
    """

    def __init__(
        self,
        wants: Wants,
        projections: Sequence[Projection],
        beside: Mapping[int, Sequence[Projection]],
        start: Kitchen,
    ) -> None:
        self.wants = wants
        self.overview = wants.overview
        self.projections = list(projections)
        self.groups = [self._ways(members) for members in self._connected()]
        chosen = dict.fromkeys(key for group in self.groups for way in group for key in way)
        self.beside = {key: self._keys_beside(key, beside.get(key[0], ())) for key in chosen}
        self.keys = [*chosen, *dict.fromkeys(key for keys in self.beside.values() for key in keys)]
        """Every projection that counts, with the variables that may fall to its things."""
        self.used = sorted({key[0] for key in self.keys})
        for number in self.used:
            self.projections[number].number(self.projections[number].point_of(start))
            self.projections[number].complete()

    def _keys_beside(self, key: Key, others: Sequence[Projection]) -> list[Key]:
        found: list[Key] = []
        for other in others:
            if other not in self.projections:
                self.projections.append(other)
            roles = (*key[1], *(self.wants.forced[thing] for thing in other.spectators))
            found.append((self.projections.index(other), roles))
        return found

    def points_of(self, kitchen: Kitchen) -> dict[int, int]:
        """Where a kitchen is in each projection that counts."""
        return {
            number: self.projections[number].number(self.projections[number].point_of(kitchen))
            for number in self.used
        }

    def _connected(self) -> list[list[int]]:
        """Projections of which one's variables may fall to the other's things."""
        groups: list[tuple[set[int], set[int]]] = []
        for number, projection in enumerate(tuple(self.projections)):
            variables = {
                variable
                for variables, things in self.wants.classes
                if projection.things & set(things)
                for variable in variables
            }
            if any(map(self.overview.is_foreseen, projection.things)):
                variables |= set(self.wants.made)
            if not variables:
                continue
            joined = ({number}, variables)
            for group in [group for group in groups if group[1] & variables]:
                joined = (joined[0] | group[0], joined[1] | group[1])
                groups.remove(group)
            groups.append(joined)
        return [sorted(members) for members, _ in groups]

    def _ways(self, members: Sequence[int]) -> list[Way]:
        things = [thing for number in members for thing in self.projections[number].things]
        ways: dict[Way, None] = {}
        for given in self.wants.ways(things):
            keys = []
            for number in members:
                projection = self.projections[number]
                scope = (*projection.payers, *projection.spectators)
                keys.append((number, tuple(given.get(thing) for thing in scope)))
            ways[tuple(keys)] = None
        return list(ways)

    def goals_of(self, key: Key, goal: Mapping[int, int]) -> NDArray[np.bool_]:
        """The points of a projection at which what is wanted of its things holds."""
        projection = self.projections[key[0]]
        scope = (*projection.payers, *projection.spectators)
        given = {v: thing for thing, v in zip(scope, key[1], strict=True) if v is not None}
        foreseen = [thing for thing in projection.things if self.overview.is_foreseen(thing)]
        if foreseen:
            given |= dict.fromkeys(self.wants.made, foreseen[0])
        wanted = 0
        for facts in self.wants.facts(given, goal, scope):
            own = projection.scope.all_of(facts)
            if len(own) == 1:
                wanted |= own.pop()
        return projection.holding(wanted)


class GoalBound:
    """The bound for one goal: distances in all projections under tolls."""

    def __init__(self, parts: Parts, goal: Mapping[int, int]) -> None:
        self._parts = parts
        self._goals = {key: parts.goals_of(key, goal) for key in parts.keys}
        self.tolls: Tolls = np.zeros(len(parts.overview.layout.objects) + 1, dtype=np.int32)
        for anchor in parts.overview.anchors - set(goal.values()):
            self.tolls[anchor] = 1
        self.tables: dict[Key, NDArray[np.int32]] = {}
        self.build()

    def build(self) -> None:
        """The distances under the tolls."""
        self.tables = {
            key: self._parts.projections[key[0]].distances(goals, self.tolls)
            for key, goals in self._goals.items()
        }

    def at(self, points: Mapping[int, int], places: Sequence[int]) -> int:
        """The bound where a state is at these points, and free robots at these places."""
        total = sum(min(self._length(way, points) for way in group) for group in self._parts.groups)
        return total - sum(int(self.tolls[place]) for place in places)

    def with_way(
        self, way: Way, group: Sequence[Way], points: Mapping[int, int], places: Sequence[int]
    ) -> int:
        """The bound for plans in which the variables of a group fall to its things in this way."""
        least = min(self._length(one, points) for one in group)
        return self.at(points, places) - least + self._length(way, points)

    def _length(self, way: Way, points: Mapping[int, int]) -> int:
        return sum(
            max(int(self.tables[one][points[one[0]]]) for one in (key, *self._parts.beside[key]))
            for key in way
        )

    def choose_tolls(self, points: Mapping[int, int], places: Sequence[int]) -> frozenset[int]:
        """Changes tolls one by one as long as the bound here grows; gives the anchors of those changed."""
        changed = [
            anchor for anchor in sorted(self._parts.overview.anchors) if self._try([anchor], points, places)
        ]
        return frozenset(changed)

    def try_tolls(self, anchors: Collection[int], points: Mapping[int, int], places: Sequence[int]) -> None:
        """Changes these tolls together if the bound here grows."""
        if anchors:
            self._try(sorted(anchors), points, places)

    def _try(self, anchors: list[int], points: Mapping[int, int], places: Sequence[int]) -> bool:
        before, tables = self.at(points, places), self.tables
        self.tolls[anchors] ^= 1
        self.build()
        if self.at(points, places) > before:
            return True
        self.tolls[anchors] ^= 1
        self.tables = tables
        return False


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
            places = [parts.overview.free_place(robot, space.start.facts) for robot in parts.overview.players]
            self._groups = [
                [
                    way
                    for way in group
                    if any(one.with_way(way, group, start, places) < below for one in bounds)
                ]
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
        self._tolls = np.stack([one.tolls for one in bounds], axis=1).astype(np.int16)
        self._free = [(robot, FreePlaces(space, parts.overview, robot)) for robot in parts.overview.players]
        self._width = max(1, len(bounds))

    def __call__(self, states: States) -> NDArray[np.int64]:
        """The bounds of these states. Raises ``Outside``."""
        points = {number: of(states) for number, of in self._points.items()}
        for number, known in self._known.items():
            if len(self._parts.projections[number].points) != known:
                raise Outside
        found = np.zeros(len(states.rests), dtype=np.int64)
        tables = [self._least_of_each(group, points) for group in self._groups]
        tolls = [(places(states.rows[robot + 1]), self._tolls) for robot, places in self._free]
        size = max(1, AT_ONCE // self._width)
        for begin in range(0, len(found), size):
            part = slice(begin, begin + size)
            total = np.zeros((len(found[part]), self._width), dtype=np.int16)
            for which, table in tables:
                total += table[which[part]]
            for where, table_of_tolls in tolls:
                total -= table_of_tolls[where[part]]
            found[part] = total.min(axis=1)
        return np.maximum(found, 0)

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


class FreePlaces:
    """The anchor where a robot is, by the pattern of its facts; -1 if it holds a mover."""

    def __init__(self, space: Space, overview: Overview, robot: int) -> None:
        self._patterns = space.factors[robot + 1].patterns
        self._overview = overview
        self._robot = robot
        self._table: NDArray[np.int64] = np.zeros(0, dtype=np.int64)

    def __call__(self, ids: Ids) -> NDArray[np.int64]:
        """The anchors for these patterns."""
        known = len(self._table)
        more = [self._overview.free_place(self._robot, facts) for facts in self._patterns[known:]]
        if more:
            self._table = np.concatenate([self._table, np.array(more, dtype=np.int64)])
        return self._table[ids]
