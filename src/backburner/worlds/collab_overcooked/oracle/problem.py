"""One kitchen and its open orders, made ready for searches in one decision space."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.state import Kitchen
from backburner.worlds.collab_overcooked.oracle.astar import AStar, Lead
from backburner.worlds.collab_overcooked.oracle.bound import Bound
from backburner.worlds.collab_overcooked.oracle.calls_space import CallsSpace, Node
from backburner.worlds.collab_overcooked.oracle.codes import Codes
from backburner.worlds.collab_overcooked.oracle.distances import FAR, Distances
from backburner.worlds.collab_overcooked.oracle.floors import Floor
from backburner.worlds.collab_overcooked.oracle.known_calls import IDLE
from backburner.worlds.collab_overcooked.oracle.moves_space import MovesSpace
from backburner.worlds.collab_overcooked.oracle.needs import Foods, Needs
from backburner.worlds.collab_overcooked.oracle.steps import Steps

Space = Literal["calls", "moves"]
"""The article's calls, each cook deciding when its call is done; or the moves of the grid."""

Under = tuple[Call | None, Call | None]
"""The calls that the cooks are at."""

FETCHED = {
    "lean": "nothing fetched in vain",
    "own": "only foods of the orders, and dishes, fetched",
    "all": "any food fetched",
}


def space_name(space: Space, foods: Foods) -> str:
    """What is searched, in words. In the space of moves nothing is ever gained by what is not needed."""
    return "moves" if space == "moves" else f"calls, {FETCHED[foods]}"


class Problem:
    """Searches from kitchens with these orders. They share what they have worked out."""

    def __init__(
        self, ware: Kitchenware, orders: tuple[str, ...], space: Space = "calls", foods: Foods = "lean"
    ) -> None:
        self.codes = Codes(ware)
        self.needs = Needs(ware, self.codes, orders, foods)
        self._steps = Steps(ware, self.codes, self.needs.fetched)
        handover_steps = (1, 1) if space == "calls" else (0, 1)
        distances = Distances(ware.grid, handover_steps)
        self._bound = Bound(ware.grid, self.codes, self.needs, distances)
        self._known_bounds: dict[Floor, int] = {}
        self.calls = CallsSpace(ware, self.codes, self.needs, self._steps)
        self._moves = MovesSpace(ware, self.codes, self.needs, self._steps)
        self.space = space

    def bound(self, floor: Floor) -> int:
        """No plan from here takes fewer steps; ``FAR`` if there is none."""
        known = self._known_bounds.get(floor)
        if known is None:
            known = self._known_bounds[floor] = self._bound.steps(floor)
        return known

    def floor(self, kitchen: Kitchen) -> Floor:
        """A kitchen of the world in numbers, everything still to be fetched."""
        return self._steps.kitchen(kitchen, self.needs.budget)

    def node(self, kitchen: Kitchen, under: Under = (None, None)) -> Node:
        """The same with the calls that the cooks are at."""
        first, second = (IDLE if call is None else self.calls.known.number(call) for call in under)
        return Node(self.floor(kitchen), first, second)

    def search(self, kitchen: Kitchen, under: Under = (None, None), below: int = FAR) -> AStar[Any]:
        """A search for the shortest plan of less than ``below`` steps."""
        if self.space == "moves":
            moves: Callable[[Any], Iterator[Lead]] = self._moves.moves
            return AStar(self.floor(kitchen), moves, self.bound, _met, below)
        node = self.node(kitchen, under)
        return AStar(node, self.calls.moves, self._bound_of_node, _met_at_node, below)

    def _bound_of_node(self, node: Node) -> int:
        return self.bound(node.floor)


def _met(floor: Floor) -> bool:
    return not floor.orders


def _met_at_node(node: Node) -> bool:
    return not node.floor.orders
