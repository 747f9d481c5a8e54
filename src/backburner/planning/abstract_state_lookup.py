"""From many states at once to the numbers of their abstract states in a projection.

What a projection keeps of a state is read variable by variable, and put together. Each reading, and each
putting together of two, is a table that grows with what has been seen. So a batch of states is looked up at
once, and Python works on nothing but what is new.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.planning.abstract_operators import KeptAgents
from backburner.planning.pattern_database import ANYTHING, Projection
from backburner.planning.variables import States, StateSpace, ValueIds

Table = NDArray[np.int32]


class AbstractStateLookup:
    """The numbers of a space's states in one projection, by tables that grow with what has been seen."""

    def __init__(self, space: StateSpace, projection: Projection) -> None:
        self._space = space
        self._projection = projection
        variables = space.variables
        self._agents = [
            (agent, _Function(variables[agent + 1].values, self._reads_agent(agent)))
            for agent in projection.ground.agents
        ]
        self._active = _Function(space.residuals, lambda residual: projection.effects.active(residual.active))
        self._objects: list[tuple[int, _Function]] = []
        self._joins: list[_Join] = []
        self._n_variables = 0
        self._take_in_variables()

    def _take_in_variables(self) -> None:
        """Tables for the objects of the pattern, those created since included."""
        ground, things = self._projection.ground, self._projection.pattern.objects
        follows_created = any(map(ground.is_created, things))
        for number in range(max(1, self._n_variables), len(self._space.variables)):
            thing = number - 1
            if thing in things or (thing >= ground.n_objects and follows_created):
                values = self._space.variables[number].values
                self._objects.append((number, _Function(values, self._reads_object(thing))))
        self._n_variables = len(self._space.variables)
        links = len(self._objects) + len(self._agents)
        self._joins = [_Join(_together) for _ in range(links)] + [_Join(self._number)]

    def _reads_agent(self, agent: int) -> Callable[[int], _Read]:
        return lambda facts: _Read(agents=self._projection.agents.of(agent, facts))

    def _reads_object(self, thing: int) -> Callable[[int], _Read]:
        projection, ground = self._projection, self._projection.ground
        is_created = thing >= ground.n_objects or ground.is_created(thing)
        created = projection.pattern.created if is_created else 0

        def read(facts: int) -> _Read:
            abstract = projection.pattern.read(self._space.largest_table, facts)
            return _Read(abstract, (), projection.tended(thing, facts), int(bool(abstract & created)))

        return read

    def _number(self, read: _Read, active: Any) -> int:
        if read.n_created > 1:
            return self._projection.number(ANYTHING)
        return self._projection.number_with(read.facts, read.agents, read.tended, active)

    def __call__(self, states: States) -> Table:
        """The number of each state's abstract state."""
        if len(self._space.variables) != self._n_variables:
            self._take_in_variables()
        joins = iter(self._joins)
        which: Table = np.zeros(len(states.residuals), dtype=np.int32)
        results: Sequence[Any] = [_Read()]
        for number, function in self._objects:
            which, results = next(joins)(which, results, *function(states.rows[number]))
        for agent, function in self._agents:
            which, results = next(joins)(which, results, *function(states.rows[agent + 1]))
        which, numbers = next(joins)(which, results, *self._active(states.residuals))
        return np.asarray(numbers, dtype=np.int32)[which]


class _Read(NamedTuple):
    """What is read off some variables: abstract facts, agents, the positions where they may tend an owner,
    and how many created objects the pattern keeps something of."""

    facts: int = 0
    agents: KeptAgents = ()
    tended: int = 0
    n_created: int = 0


def _together(one: _Read, other: _Read) -> _Read:
    return _Read(
        one.facts | other.facts,
        tuple(sorted((*one.agents, *other.agents))),
        one.tended | other.tended,
        one.n_created + other.n_created,
    )


class _Function:
    """A function of numbered arguments as a table that grows with them; equal results share a number."""

    def __init__(self, arguments: Sequence[Any], function: Callable[[Any], Any]) -> None:
        self._arguments = arguments
        self._function = function
        self._table: Table = np.zeros(0, dtype=np.int32)
        self._results: dict[Any, int] = {}

    def __call__(self, ids: ValueIds | Table) -> tuple[Table, list[Any]]:
        """The numbers of the results for these arguments, and the results by number."""
        begin = len(self._table)
        if begin < len(self._arguments):
            new = [self._function(argument) for argument in self._arguments[begin:]]
            more = [self._results.setdefault(result, len(self._results)) for result in new]
            self._table = np.concatenate([self._table, np.array(more, dtype=np.int32)])
        return self._table[ids], list(self._results)


class _Join:
    """A function of two numbered arguments as a table that is filled in as pairs turn up."""

    def __init__(self, join: Callable[[Any, Any], Any]) -> None:
        self._join = join
        self._table: Table = np.full((8, 8), -1, dtype=np.int32)
        self._numbers: dict[Any, int] = {}
        self._results: list[Any] = []

    def __call__(
        self, left: Table, lefts: Sequence[Any], right: Table, rights: Sequence[Any]
    ) -> tuple[Table, list[Any]]:
        """The numbers of the results, and the results by number."""
        self._make_room(len(lefts), len(rights))
        which = self._table[left, right]
        if which.size and which.min() < 0:
            unknown = which < 0
            width = self._table.shape[1]
            for pair in np.unique(left[unknown].astype(np.int64) * width + right[unknown]):
                row, column = divmod(int(pair), width)
                result = self._join(lefts[row], rights[column])
                number = self._numbers.setdefault(result, len(self._numbers))
                if number == len(self._results):
                    self._results.append(result)
                self._table[row, column] = number
            which = self._table[left, right]
        return which, self._results

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
