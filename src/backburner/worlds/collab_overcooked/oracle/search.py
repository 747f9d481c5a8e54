"""A* for the shortest plan of one kitchen and its open orders, in one decision space."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from typing import Any, Generic, Protocol, TypeVar

from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.kernel.oracle import Allowance, Onward
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.catalogue import Space
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.state import Kitchen
from backburner.worlds.collab_overcooked.oracle.heuristic import (
    FAR,
    Distances,
    FoodSpace,
    Heuristic,
    Requirements,
)
from backburner.worlds.collab_overcooked.oracle.packing import (
    IDLE,
    CallCodes,
    CallRules,
    PackedKitchen,
    Packing,
)
from backburner.worlds.collab_overcooked.oracle.successors import (
    CallNode,
    CallSuccessors,
    Dynamics,
    MoveSuccessors,
)

N = TypeVar("N", bound=Hashable)

NODES_PER_CLOCK_CHECK = 256

UnderWay = tuple[Call | None, Call | None]
"""The call that each cook is carrying out."""

FETCHED = {
    "lean": "nothing fetched in vain",
    "own": "only foods of the orders, and dishes, fetched",
    "all": "any food fetched",
}


def space_name(space: Space, foods: FoodSpace) -> str:
    """The decision space in words. In the space of moves, food that no order takes never saves a step."""
    return "moves" if space == "moves" else f"calls, {FETCHED[foods]}"


class Edge(Protocol):
    """What the search needs to know of a joint decision."""

    @property
    def steps(self) -> int:
        """The steps that it takes."""

    @property
    def node(self) -> Any:
        """The node that it leads to."""


class AStar(Generic[N]):
    """A search for the shortest plan from ``start``; ``run`` may be called again to go on.

    ``heuristic`` is admissible. Plans of ``below`` steps or more are not looked for.
    """

    def __init__(
        self,
        start: N,
        edges: Callable[[N], Iterator[Edge]],
        heuristic: Callable[[N], int],
        is_goal: Callable[[N], bool],
        below: int,
    ) -> None:
        self._edges, self._heuristic, self._is_goal, self._below = edges, heuristic, is_goal, below
        self._taken: dict[N, int] = {start: 0}
        self._parents: dict[N, tuple[N, Any]] = {}
        self._open: dict[int, list[tuple[int, N]]] = {}
        self._lower_bound = 0
        self._expanded = 0
        self._most_nodes: int | None = None
        self.goal: N | None = None
        self.exhausted = False
        self._push(start, 0)

    @property
    def bound(self) -> int:
        """No plan takes fewer steps; the length of the plan once a goal is found."""
        return self._lower_bound

    @property
    def seen(self) -> int:
        """The number of nodes generated so far."""
        return len(self._taken)

    def _push(self, node: N, taken: int) -> None:
        total = taken + self._heuristic(node)
        if total < self._below:
            self._open.setdefault(total, []).append((taken, node))

    def run(self, allowance: Allowance, most_nodes: int | None = None) -> None:
        """Search until a goal is reached, no node is left, or the allowance is over, of which each node that
        is expanded takes a unit; with ``most_nodes``, or so many have been expanded."""
        self._most_nodes = most_nodes
        while self.goal is None and self._open:
            self._lower_bound = max(self._lower_bound, min(self._open))
            nodes = self._open[min(self._open)]
            if not self._expand_all(nodes, allowance):
                return
            self._open = {total: waiting for total, waiting in self._open.items() if waiting}
        if self.goal is None:
            self.exhausted, self._lower_bound = True, self._below

    def _expand_all(self, nodes: list[tuple[int, N]], allowance: Allowance) -> bool:
        """Expand the open nodes of one f value; false when a goal is found or a limit is met."""
        while nodes:
            taken, node = nodes.pop()
            if taken > self._taken[node]:
                continue
            if self._is_goal(node):
                self.goal, self._lower_bound = node, taken
                return False
            self._expand(node, taken)
            allowance.count()
            self._expanded += 1
            if self._expanded == self._most_nodes:
                return False
            if not self._expanded % NODES_PER_CLOCK_CHECK and allowance.is_over:
                return False
        return True

    def _expand(self, node: N, taken: int) -> None:
        """Generate the successors of a node; one that was reached later before is re-opened."""
        for edge in self._edges(node):
            after, steps = edge.node, taken + edge.steps
            known = self._taken.get(after)
            if known is None or steps < known:
                self._taken[after] = steps
                self._parents[after] = (node, edge)
                self._push(after, steps)

    def plan(self) -> list[Any]:
        """The edges that lead to the goal."""
        edges: list[Any] = []
        node = self.goal
        while node is not None and node in self._parents:
            node, edge = self._parents[node]
            edges.append(edge)
        return edges[::-1]


class Problem:
    """Searches from kitchens with these open orders. They share codes, heuristic values and ways."""

    def __init__(
        self, compiled: Compiled, orders: tuple[str, ...], space: Space = "calls", foods: FoodSpace = "lean"
    ) -> None:
        self.space = space
        self.packing = Packing(compiled)
        self._requirements = Requirements(compiled, self.packing, orders, foods)
        fetched = self._requirements.fetched
        dynamics = Dynamics(compiled, self.packing, fetched)
        distances = Distances(compiled.grid, (1, 1) if space == "calls" else (0, 1))
        self.heuristic = Heuristic(compiled.grid, self.packing, self._requirements, distances)
        self.call_codes = CallCodes(compiled, self.packing, fetched)
        rules = CallRules(compiled, self.packing, self.call_codes, self._requirements.served)
        self.call_edges = CallSuccessors(rules, dynamics, compiled.rules.calls_never_end).edges
        self._move_edges = MoveSuccessors(compiled.grid, self.packing, dynamics, fetched).edges

    def pack(self, kitchen: Kitchen) -> PackedKitchen:
        """A kitchen of the world, from which everything is still to be fetched."""
        return self.packing.pack(kitchen, self._requirements.budget)

    def node(self, kitchen: Kitchen, under_way: UnderWay = (None, None)) -> CallNode:
        """A kitchen of the world and the calls that the cooks are carrying out."""
        first, second = (IDLE if call is None else self.call_codes.code(call) for call in under_way)
        return CallNode(self.pack(kitchen), first, second)

    def node_heuristic(self, node: CallNode) -> int:
        """The heuristic in the space of calls."""
        return self.heuristic.steps(node.kitchen)

    def search(self, kitchen: Kitchen, under_way: UnderWay = (None, None), below: int = FAR) -> AStar[Any]:
        """A search for the shortest plan of less than ``below`` steps."""
        if self.space == "moves":
            first, steps = self.pack(kitchen), self.heuristic.steps
            return AStar(first, self._move_edges, steps, lambda kitchen: not kitchen.orders, below)
        start = self.node(kitchen, under_way)
        return AStar(start, self.call_edges, self.node_heuristic, lambda node: not node.kitchen.orders, below)


class StepsToGo:
    """The fewest steps from any kitchen of a scenario to the end of its orders: the perfect heuristic."""

    def __init__(self, compiled: Compiled, space: Space = "calls", foods: FoodSpace = "lean") -> None:
        self._compiled, self._space, self._foods = compiled, space, foods
        self._problems: dict[tuple[str, ...], Problem] = {}
        self._known: dict[tuple[Kitchen, UnderWay], int | None] = {}

    def of(
        self,
        kitchen: Kitchen,
        under_way: UnderWay = (None, None),
        *,
        time_limit_seconds: float = 60.0,
        most_nodes: int | None = None,
    ) -> int | None:
        """The steps to go; ``None`` if the orders cannot be met any more.

        ``under_way``: the calls that the cooks carry on with; a cook without one may begin anything. In the
        space of moves it is not looked at. Raises ``Refused`` if the time, or ``most_nodes`` to be expanded,
        do not suffice.
        """
        key = replace(kitchen, steps=0), under_way
        if key not in self._known:
            self._known[key] = self._searched(kitchen, under_way, time_limit_seconds, most_nodes)
        return self._known[key]

    def onward(self, kitchen: Kitchen, nodes: int, under_way: UnderWay = (None, None)) -> Onward:
        """What follows from a kitchen, as far as so many nodes, one at least, tell it."""
        now = kitchen.steps
        try:
            steps = self.of(kitchen, under_way, time_limit_seconds=math.inf, most_nodes=max(1, nodes))
        except Refused:
            return Onward("unknown", now, None)
        return Onward("infeasible", now, None) if steps is None else Onward("optimal", now, now + steps)

    def _searched(
        self, kitchen: Kitchen, under_way: UnderWay, seconds: float, most_nodes: int | None
    ) -> int | None:
        problem = self._problems.get(kitchen.orders)
        if problem is None:
            problem = Problem(self._compiled, kitchen.orders, self._space, self._foods)
            self._problems[kitchen.orders] = problem
        search = problem.search(kitchen, under_way)
        search.run(Allowance(seconds), most_nodes)
        if search.goal is None and not search.exhausted:
            given = f"{seconds:g} s" if most_nodes is None else f"{most_nodes} nodes"
            raise Refused(f"the steps to go are at least {search.bound}; not found in {given}")
        return None if search.goal is None else search.bound
