"""A* over nodes whose moves take whole steps."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from typing import Any, Generic, Protocol, TypeVar

N = TypeVar("N", bound=Hashable)

OFTEN = 256
"""Nodes between two looks at the clock."""


class Lead(Protocol):
    """A move, as far as the search looks at it."""

    @property
    def steps(self) -> int:
        """The steps that it takes."""

    @property
    def node(self) -> Any:
        """What it leads to."""


class AStar(Generic[N]):
    """The shortest way from a node; ``run`` may be called again to go on.

    ``bound``: steps that a node takes at least. Ways of ``below`` steps or more are not looked for.
    """

    def __init__(
        self,
        start: N,
        moves: Callable[[N], Iterator[Lead]],
        bound: Callable[[N], int],
        is_goal: Callable[[N], bool],
        below: int,
    ) -> None:
        self._moves, self._bound, self._is_goal, self._below = moves, bound, is_goal, below
        self._best: dict[N, int] = {start: 0}
        self._from: dict[N, tuple[N, Any]] = {}
        self._open: dict[int, list[tuple[int, N]]] = {}
        self._least = 0
        self._expanded = 0
        self.goal: N | None = None
        self.exhausted = False
        self._push(start, 0)

    @property
    def bound(self) -> int:
        """No way takes fewer steps."""
        return self._least

    @property
    def seen(self) -> int:
        """The number of nodes met."""
        return len(self._best)

    def _push(self, node: N, taken: int) -> None:
        least = taken + self._bound(node)
        if least < self._below:
            self._open.setdefault(least, []).append((taken, node))

    def run(self, seconds: float) -> None:
        """Searches until the goal is reached, nothing is left, or the time is over."""
        until = time.monotonic() + seconds
        while self.goal is None and self._open:
            self._least = max(self._least, min(self._open))
            nodes = self._open[min(self._open)]
            if not self._work_off(nodes, until):
                return
            self._open = {least: waiting for least, waiting in self._open.items() if waiting}
        if self.goal is None:
            self.exhausted, self._least = True, self._below

    def _work_off(self, nodes: list[tuple[int, N]], until: float) -> bool:
        """Expands the nodes of one bound; false if the goal is found or the time is over."""
        while nodes:
            taken, node = nodes.pop()
            if taken > self._best[node]:
                continue
            if self._is_goal(node):
                self.goal, self._least = node, taken
                return False
            self._expand(node, taken)
            self._expanded += 1
            if not self._expanded % OFTEN and time.monotonic() > until:
                return False
        return True

    def _expand(self, node: N, taken: int) -> None:
        best = self._best
        for move in self._moves(node):
            after, steps = move.node, taken + move.steps
            known = best.get(after)
            if known is None or steps < known:
                best[after] = steps
                self._from[after] = (node, move)
                self._push(after, steps)

    def way(self) -> list[Any]:
        """The moves that lead to the goal."""
        found: list[Any] = []
        node = self.goal
        while node is not None and node in self._from:
            node, move = self._from[node]
            found.append(move)
        return found[::-1]
