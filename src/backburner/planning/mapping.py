"""Many states' points of a projection at once, by tables of what has been seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.planning.factors import Ids
from backburner.planning.holding import Holds
from backburner.planning.projection import ANYTHING, Projection
from backburner.planning.space import Space, States

Table = NDArray[np.int32]


class Points:
    """The points of one projection for states of a space."""

    def __init__(self, space: Space, projection: Projection) -> None:
        self._space = space
        self._projection = projection
        overview = projection.overview
        self._holds = [
            (robot, _Each(space.factors[robot + 1].patterns, self._hold_of(robot)))
            for robot in overview.players
        ]
        self._pending = _Each(space.rests, lambda rest: projection.pending.running(rest.effects))
        self._things: list[tuple[int, _Each]] = []
        self._chain: list[_Both] = []
        self._n_factors = 0
        self._take_in_factors()

    def _take_in_factors(self) -> None:
        """Tables for the things of the projection, those made since included."""
        overview, projection = self._projection.overview, self._projection
        for factor in range(max(1, self._n_factors), len(self._space.factors)):
            thing = factor - 1
            mine = thing in projection.things or (
                thing >= overview.n_things and any(overview.is_foreseen(one) for one in projection.things)
            )
            if mine:
                self._things.append(
                    (factor, _Each(self._space.factors[factor].patterns, self._facts_of(thing)))
                )
        self._n_factors = len(self._space.factors)
        links = len(self._things) + len(self._holds)
        self._chain = [_Both(_joined) for _ in range(links)] + [_Both(self._number)]

    def _hold_of(self, robot: int) -> Callable[[int], _Seen]:
        return lambda facts: _Seen(holds=self._projection.robots.of(robot, facts))

    def _facts_of(self, thing: int) -> Callable[[int], _Seen]:
        projection, overview = self._projection, self._projection.overview
        made = projection.scope.made if thing >= overview.n_things or overview.is_foreseen(thing) else 0

        def seen(facts: int) -> _Seen:
            layout = max(self._space.layouts, key=lambda one: len(one.objects))
            own = projection.scope.read(layout, facts)
            return _Seen(own, (), projection.attended(thing, facts), int(bool(own & made)))

        return seen

    def _number(self, one: _Seen, pending: Any) -> int:
        if one.n_made > 1:
            return self._projection.number(ANYTHING)
        return self._projection.seen(one.facts, one.holds, one.attended, pending)

    def __call__(self, states: States) -> Table:
        """The number of each state's point."""
        if len(self._space.factors) != self._n_factors:
            self._take_in_factors()
        links = iter(self._chain)
        which: Table = np.zeros(len(states.rests), dtype=np.int32)
        values: Sequence[Any] = [_Seen()]
        for factor, each in self._things:
            which, values = next(links)(which, values, *each(states.rows[factor]))
        for robot, each in self._holds:
            which, values = next(links)(which, values, *each(states.rows[robot + 1]))
        which, numbers = next(links)(which, values, *self._pending(states.rests))
        return np.asarray(numbers, dtype=np.int32)[which]


class _Seen(NamedTuple):
    """What some factors tell: facts, robots, where they may do something, and how much has been made."""

    facts: int = 0
    holds: Holds = ()
    attended: int = 0
    n_made: int = 0


def _joined(one: _Seen, other: _Seen) -> _Seen:
    return _Seen(
        one.facts | other.facts,
        tuple(sorted((*one.holds, *other.holds))),
        one.attended | other.attended,
        one.n_made + other.n_made,
    )


class _Each:
    """A function of numbered things, as a table that grows with them; equal values have one number."""

    def __init__(self, things: Sequence[Any], value: Callable[[Any], Any]) -> None:
        self._things = things
        self._value = value
        self._table: Table = np.zeros(0, dtype=np.int32)
        self._values: dict[Any, int] = {}

    def __call__(self, ids: Ids | Table) -> tuple[Table, list[Any]]:
        """The numbers of these things' values, and the values by number."""
        begin = len(self._table)
        if begin < len(self._things):
            new = [self._value(thing) for thing in self._things[begin:]]
            more = [self._values.setdefault(value, len(self._values)) for value in new]
            self._table = np.concatenate([self._table, np.array(more, dtype=np.int32)])
        return self._table[ids], list(self._values)


class _Both:
    """A function of two numbered values, as a table that is filled in as pairs turn up."""

    def __init__(self, join: Callable[[Any, Any], Any]) -> None:
        self._join = join
        self._table: Table = np.full((8, 8), -1, dtype=np.int32)
        self._values: dict[Any, int] = {}
        self._in_order: list[Any] = []

    def __call__(
        self, one: Table, ones: Sequence[Any], other: Table, others: Sequence[Any]
    ) -> tuple[Table, list[Any]]:
        """The numbers of the joined values, and those by number."""
        self._make_room(len(ones), len(others))
        found = self._table[one, other]
        if found.size and found.min() < 0:
            unknown = found < 0
            width = self._table.shape[1]
            for pair in np.unique(one[unknown].astype(np.int64) * width + other[unknown]):
                row, column = divmod(int(pair), width)
                value = self._join(ones[row], others[column])
                number = self._values.setdefault(value, len(self._values))
                if number == len(self._in_order):
                    self._in_order.append(value)
                self._table[row, column] = number
            found = self._table[one, other]
        return found, self._in_order

    def _make_room(self, rows: int, columns: int) -> None:
        height, width = self._table.shape
        if rows > height or columns > width:
            shape = (
                max(height, 2 * rows if rows > height else 0),
                max(width, 2 * columns if columns > width else 0),
            )
            table: Table = np.full(shape, -1, dtype=np.int32)
            table[:height, :width] = self._table
            self._table = table
