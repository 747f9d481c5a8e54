"""Best-first search in any graph of states that are equal if their futures are; iterative when memory ends.

What a state has come to so far, such as the time, follows from the state, so that the first way to it is as
good as any other, and a bound need not be consistent. States with the least bound are expanded first, among
them the latest; nothing goes by the order of a set or by hashes, so that with an effort the search is the
same on every machine. When as many states are stored as may be, what lies below the open ones is searched
depth first, again and again with the next greater bound (IDA*, Korf 1985), and stores nothing: no state that
is stored need be entered, as another open one leads to all that follows from it.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import count
from math import inf
from typing import Any, NamedTuple, Protocol

from backburner.kernel.oracle import Allowance

DIVE = 0.1
"""The share of what may be spent that is spent on a first end."""


class Graph(Protocol):
    """What is searched. Costs and bounds are numbers; less is better."""

    def steps(self, state: Any) -> Iterator[tuple[Any, Any]]:
        """(what is decided, the state that follows), in a fixed order; none from an end."""

    def is_end(self, state: Any) -> bool:
        """Whether nothing follows."""

    def bound(self, state: Any) -> Any:
        """No end that follows costs less; of an end, what it costs, ``inf`` if it is none that is wanted."""


class Found(NamedTuple):
    """The decisions to the best end that was found, what it ``costs``, and what no end costs less than.

    The end is best where the two meet; there is none where the bound is ``inf``.
    """

    path: tuple[Any, ...] | None
    cost: float
    bound: float

    @property
    def proven(self) -> bool:
        """Whether nothing is left to search."""
        return self.bound >= self.cost


class Search:
    """One search from one state; ``most_states`` are stored."""

    def __init__(self, graph: Graph, start: Any, allowance: Allowance, most_states: int) -> None:
        self._graph, self._allowance, self._most_states = graph, allowance, most_states
        self._parents: dict[Any, tuple[Any, Any] | None] = {start: None}
        self._order = count(0, -1)
        self._open: list[tuple[float, int, Any]] = []
        self._path: tuple[Any, ...] | None = None
        self._cost = inf
        self._add(start)

    def run(self) -> Found:
        """What is found until nothing better can be left, or the allowance is over."""
        self._dive()
        while self._open and (bound := self._open[0][0]) < self._cost:
            if self._allowance.is_over:
                return self._found(bound)
            if len(self._parents) >= self._most_states:
                return self._found(self._deepened(bound))
            state = heapq.heappop(self._open)[2]
            for decided, after in self._new(state):
                self._parents[after] = (state, decided)
                self._add(after)
        return self._found(self._cost)

    def _add(self, state: Any) -> None:
        least = self._graph.bound(state)
        if self._graph.is_end(state):
            self._end(least, state, ())
        elif least < self._cost:
            heapq.heappush(self._open, (least, next(self._order), state))

    def _new(self, state: Any) -> Iterator[tuple[Any, Any]]:
        """The steps from a state to those that are not stored."""
        for decided, after in self._graph.steps(state):
            self._allowance.count()
            if after not in self._parents:
                yield decided, after

    def _end(self, cost: float, state: Any, beyond: tuple[Any, ...]) -> None:
        """An end that costs so much: these decisions after a state that is stored."""
        if cost >= self._cost:
            return
        path: list[Any] = []
        while (parent := self._parents[state]) is not None:
            state, decided = parent
            path.append(decided)
        self._cost, self._path = cost, (*reversed(path), *beyond)

    def _dive(self) -> None:
        """A first end, found depth first with the first decisions: nothing that costs more is looked at."""
        if self._open:
            whole, self._allowance = self._allowance, self._allowance.part(DIVE)
            self._below(self._open[0][2], inf, dives=True)
            self._allowance = whole

    def _found(self, bound: float) -> Found:
        return Found(self._path, self._cost, min(bound, self._cost))

    # --- without storing any more ---------------------------------------------------------------------------

    def _deepened(self, bound: float) -> float:
        """What no end costs less than, from all open states, with greater and greater bounds."""
        roots = sorted(self._open, key=lambda entry: entry[:2])
        while bound < self._cost:
            following = self._cost
            for least, _, root in roots:
                if self._allowance.is_over:
                    return bound
                following = min(following, least if least > bound else self._below(root, bound))
            bound = following if not self._allowance.is_over else bound
        return bound

    def _below(self, root: Any, bound: float, dives: bool = False) -> float:
        """Depth first through all that may cost no more than the bound; gives the least that costs more.

        A dive is over with the first end, and enters no state twice.
        """
        beyond, on_the_way = inf, {root}
        moves: list[Any] = []
        trail = [(root, self._new(root))]
        while trail and not self._allowance.is_over and not (dives and self._path is not None):
            here, steps = trail[-1]
            if (step := next(steps, None)) is None:
                trail.pop()
                on_the_way -= {here} if not dives else set()
                del moves[-1:]
                continue
            decided, after = step
            least = self._graph.bound(after)
            if self._graph.is_end(after):
                self._end(least, root, (*moves, decided))
            elif least > bound:
                beyond = min(beyond, least)
            elif after not in on_the_way and least < self._cost:
                moves.append(decided)
                on_the_way.add(after)
                trail.append((after, self._new(after)))
        return beyond
