"""Everything that plans of at most so many steps can come by, and how far it is from there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from backburner.worlds.collab_overcooked.oracle.calls_space import Move, Node


class Reached:
    """The nodes and moves that may lie on a plan of at most ``most`` steps from a node."""

    def __init__(
        self, start: Node, moves: Callable[[Node], Iterator[Move]], bound: Callable[[Node], int], most: int
    ) -> None:
        self._bound = bound
        self.moves: dict[Node, list[Move]] = {}
        self._taken = {start: 0}
        waiting: list[list[Node]] = [[] for _ in range(most + 1)]
        if bound(start) <= most:
            waiting[0].append(start)
        for taken, nodes in enumerate(waiting):
            for node in nodes:
                if self._taken[node] == taken and node not in self.moves:
                    self._reach(node, taken, list(moves(node)) if node.floor.orders else [], most, waiting)
        self.to_go = self._distances(most)
        """The fewest steps from a node until the orders are met; nodes that lead nowhere are left out."""

    def _reach(self, node: Node, taken: int, moves: list[Move], most: int, waiting: list[list[Node]]) -> None:
        kept = self.moves[node] = []
        for move in moves:
            at = taken + move.steps
            if at + self._bound(move.node) <= most:
                kept.append(move)
                if at < self._taken.get(move.node, most + 1):
                    self._taken[move.node] = at
                    waiting[at].append(move.node)

    def _distances(self, most: int) -> dict[Node, int]:
        """Backwards from where the orders are met, in the order of the steps to go."""
        before: dict[Node, list[tuple[Node, int]]] = {}
        for node, moves in self.moves.items():
            for move in moves:
                before.setdefault(move.node, []).append((node, move.steps))
        found: dict[Node, int] = {}
        waiting: list[list[Node]] = [[] for _ in range(most + 1)]
        waiting[0] = [node for node in self.moves if not node.floor.orders]
        for steps, nodes in enumerate(waiting):
            for node in nodes:
                if node not in found:
                    found[node] = steps
                    for earlier, taken in before.get(node, ()):
                        if earlier not in found and steps + taken <= most:
                            waiting[steps + taken].append(earlier)
        return found
