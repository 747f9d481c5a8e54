"""All minimal reference trajectories: what each cook does, waits left out, in every short plan.

The set that ships (``data/trajectories.json``) is made by ``write_trajectories``. A trajectory is minimal if
no other one is left when calls are taken away from it. Nothing is fetched in vain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.kernel.files import write_entries
from backburner.kernel.oracle import Allowance
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.references import Calls, OrderTrajectories, Reference
from backburner.worlds.collab_overcooked.oracle.heuristic import FoodSpace
from backburner.worlds.collab_overcooked.oracle.packing import IDLE
from backburner.worlds.collab_overcooked.oracle.search import Problem
from backburner.worlds.collab_overcooked.oracle.solver import solve_cooks
from backburner.worlds.collab_overcooked.oracle.successors import CallEdge, CallNode

CallSequence = tuple[int, ...]
"""Calls by their codes."""


class Pair(NamedTuple):
    """What the two cooks do from some node on."""

    first: CallSequence
    second: CallSequence


class Trajectory(NamedTuple):
    """What each cook does, and the fewest steps in which both can have done it."""

    steps: int
    chef: Calls
    assistant: Calls


class Trajectories(NamedTuple):
    """The minimal trajectories of the plans of at most ``most_steps``, shortest first.

    ``complete``: none was left out because there were too many.
    """

    fewest_steps: int
    most_steps: int
    found: tuple[Trajectory, ...]
    complete: bool


def trajectories(
    world: CollabOvercooked,
    *,
    slack_steps: int = 0,
    foods: FoodSpace = "lean",
    most: int = 1000,
    time_limit_seconds: float = 60.0,
) -> Trajectories:
    """The minimal trajectories of all plans that take at most ``slack_steps`` more than the shortest.

    From each node at most ``most`` continuations are kept. Raises ``Refused`` where orders are drawn for
    ever, or no shortest plan is found in the time.
    """
    if world.scenario.order_weights:
        raise Refused(f"{world.id}: new orders come in for ever; no plan meets them all")
    kitchen = world.compiled.stepper.start(world.scenario.orders)
    problem = Problem(world.compiled, kitchen.orders, foods=foods)
    search = problem.search(kitchen)
    search.run(Allowance(time_limit_seconds))
    if search.goal is None:
        raise Refused(f"{world.id}: no plan was found in {time_limit_seconds:g} s")
    start, longest = problem.node(kitchen), search.bound + slack_steps
    graph = ShortPlans(start, problem.call_edges, problem.node_heuristic, longest)
    continuations = _Continuations(graph, most)
    fewest: dict[Pair, int] = {}
    for steps in range(search.bound, longest + 1):
        for pair in continuations.of(start, steps):
            fewest.setdefault(pair, steps)
    kept = minimal(fewest) if slack_steps else set(fewest)
    call = problem.call_codes.call
    found = [
        Trajectory(
            steps,
            tuple(call(code).text for code in pair.first),
            tuple(call(code).text for code in pair.second),
        )
        for pair, steps in fewest.items()
        if pair in kept
    ]
    return Trajectories(search.bound, longest, tuple(sorted(found)), continuations.complete)


class ShortPlans:
    """The graph of the nodes and edges that may lie on a plan of at most ``most`` steps from a node.

    ``steps_to_go``: the fewest steps from a node until the orders are met; dead ends are left out.
    """

    def __init__(
        self,
        start: CallNode,
        edges: Callable[[CallNode], Iterator[CallEdge]],
        heuristic: Callable[[CallNode], int],
        most: int,
    ) -> None:
        self._heuristic = heuristic
        self._most = most
        self.edges: dict[CallNode, list[CallEdge]] = {}
        self._taken = {start: 0}
        waiting: list[list[CallNode]] = [[] for _ in range(most + 1)]
        if heuristic(start) <= most:
            waiting[0].append(start)
        for taken, nodes in enumerate(waiting):
            for node in nodes:
                if self._taken[node] == taken and node not in self.edges:
                    self._expand(node, taken, edges(node) if node.kitchen.orders else (), waiting)
        self.steps_to_go = self._backwards()

    def _expand(
        self, node: CallNode, taken: int, edges: Iterable[CallEdge], waiting: list[list[CallNode]]
    ) -> None:
        kept = self.edges[node] = []
        for edge in edges:
            at = taken + edge.steps
            if at + self._heuristic(edge.node) <= self._most:
                kept.append(edge)
                if at < self._taken.get(edge.node, self._most + 1):
                    self._taken[edge.node] = at
                    waiting[at].append(edge.node)

    def _backwards(self) -> dict[CallNode, int]:
        """The steps to go, from the nodes at which the orders are met backwards."""
        predecessors: dict[CallNode, list[tuple[CallNode, int]]] = {}
        for node, edges in self.edges.items():
            for edge in edges:
                predecessors.setdefault(edge.node, []).append((node, edge.steps))
        to_go: dict[CallNode, int] = {}
        waiting: list[list[CallNode]] = [[] for _ in range(self._most + 1)]
        waiting[0] = [node for node in self.edges if not node.kitchen.orders]
        for steps, nodes in enumerate(waiting):
            for node in nodes:
                if node not in to_go:
                    to_go[node] = steps
                    for earlier, taken in predecessors.get(node, ()):
                        if earlier not in to_go and steps + taken <= self._most:
                            waiting[steps + taken].append(earlier)
        return to_go


class _Continuations:
    """What the cooks can still do from each node on within so many steps."""

    def __init__(self, graph: ShortPlans, most: int) -> None:
        self._graph = graph
        self._most = most
        self._known: dict[tuple[CallNode, int], frozenset[Pair]] = {}
        self.complete = True

    def of(self, node: CallNode, left: int) -> frozenset[Pair]:
        """The minimal pairs from a node that meet the orders within so many steps."""
        if not node.kitchen.orders:
            return frozenset((Pair((), ()),))
        key = (node, left)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._first_of(minimal(self._all(node, left)))
        return known

    def _all(self, node: CallNode, left: int) -> set[Pair]:
        pairs: set[Pair] = set()
        steps_to_go = self._graph.steps_to_go
        for edge in self._graph.edges[node]:
            after = left - edge.steps
            if steps_to_go.get(edge.node, after + 1) <= after:
                first, second = ((call,) if call != IDLE else () for call in edge.ended)
                for pair in self.of(edge.node, after):
                    pairs.add(Pair(first + pair.first, second + pair.second))
        return pairs

    def _first_of(self, pairs: set[Pair]) -> frozenset[Pair]:
        if len(pairs) > self._most:
            self.complete = False
        return frozenset(sorted(pairs)[: self._most])


def minimal(pairs: Iterable[Pair]) -> set[Pair]:
    """The pairs from which no calls can be taken away so that another of them is left."""
    kept: list[Pair] = []
    for pair in sorted(pairs, key=lambda pair: len(pair.first) + len(pair.second)):
        if not any(_within(other, pair) for other in kept):
            kept.append(pair)
    return set(kept)


def _within(part: Pair, whole: Pair) -> bool:
    return _is_subsequence(part.first, whole.first) and _is_subsequence(part.second, whole.second)


def _is_subsequence(part: CallSequence, whole: CallSequence) -> bool:
    remaining = iter(whole)
    return all(call in remaining for call in part)


NEAR_STEPS = 2
"""How many steps more than the shortest the plans of the set ``near`` may take."""


def order_trajectories(world: CollabOvercooked, *, most: int = 1000) -> OrderTrajectories:
    """The trajectories of a world of one published order."""
    scenario = world.scenario
    if scenario.level is None:
        raise Refused(f"{world.id}: trajectories are shipped for the published orders")
    shortest = trajectories(world, most=most)
    near = trajectories(world, slack_steps=NEAR_STEPS, most=most)
    complete = shortest.complete and near.complete
    in_vain: tuple[Reference, ...] = ()
    solution = solve_cooks(world)
    if solution.objective is not None and solution.objective < shortest.fewest_steps:
        shorter = trajectories(world, foods="own", most=most)
        in_vain, complete = _named("in_vain", shorter), complete and shorter.complete
    return OrderTrajectories(
        scenario.orders[0],
        scenario.level,
        complete,
        _named("shortest", shortest),
        _named("near", near),
        in_vain,
    )


def _named(set_name: str, searched: Trajectories) -> tuple[Reference, ...]:
    return tuple(
        Reference(f"{set_name}_{number}", trajectory.steps, trajectory.chef, trajectory.assistant)
        for number, trajectory in enumerate(searched.found, 1)
    )


def write_trajectories(path: Path, names: Sequence[str], *, most: int = 1000) -> list[OrderTrajectories]:
    """The trajectories of published orders into a file like the shipped one, one order on each line."""
    found = []
    for id in dict.fromkeys(id for name in names for id in registry.expand(name)):
        world = registry.world(id, limits="none")
        if not isinstance(world, CollabOvercooked):
            raise Refused(f"{id}: this file is about collab_overcooked")
        found.append(order_trajectories(world, most=most))
    source = (
        f"all minimal trajectories, searched by tests/support/collab_overcooked/trajectories.py for "
        f"{' '.join(names)}; at most {most} from any moment"
    )
    write_entries(path, source, found, field="orders")
    return found
