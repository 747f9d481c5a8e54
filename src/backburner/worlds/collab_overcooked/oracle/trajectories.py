"""All minimal reference trajectories: what each cook does, waits left out, in every plan that is short.

A trajectory is minimal if no other one among them is left of it when calls are taken away. Nothing is
fetched in vain in any of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from backburner.kernel.errors import Refused
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.references import Calls
from backburner.worlds.collab_overcooked.oracle.calls_space import Node
from backburner.worlds.collab_overcooked.oracle.known_calls import IDLE
from backburner.worlds.collab_overcooked.oracle.needs import Foods
from backburner.worlds.collab_overcooked.oracle.problem import Problem
from backburner.worlds.collab_overcooked.oracle.reached import Reached

Numbers = tuple[int, ...]


class Pair(NamedTuple):
    """What the cooks do from some moment on: calls by number."""

    first: Numbers
    second: Numbers


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
    foods: Foods = "lean",
    most: int = 1000,
    time_limit_seconds: float = 60.0,
) -> Trajectories:
    """The minimal trajectories of all plans that take at most ``slack_steps`` more than the shortest.

    ``most``: how many are gone on with from any moment; beyond it some are left out. Raises ``Refused``
    where orders are drawn for ever, or no shortest plan is found in the time.
    """
    if world.scenario.order_weights:
        raise Refused(f"{world.id}: new orders come in for ever; no plan meets them all")
    kitchen = world.ware.stepper.start(world.scenario.orders)
    problem = Problem(world.ware, kitchen.orders, foods=foods)
    search = problem.search(kitchen)
    search.run(time_limit_seconds)
    if search.goal is None:
        raise Refused(f"{world.id}: no plan was found in {time_limit_seconds:g} s")
    start, longest = problem.node(kitchen), search.bound + slack_steps
    reached = Reached(start, problem.calls.moves, lambda node: problem.bound(node.floor), longest)
    tellers = _Teller(reached, most)
    fewest: dict[Pair, int] = {}
    for steps in range(search.bound, longest + 1):
        for pair in tellers.told(start, steps):
            fewest.setdefault(pair, steps)
    kept = minimal(fewest) if slack_steps else set(fewest)
    found = [
        Trajectory(
            steps,
            tuple(problem.calls.known.call(call).text for call in pair.first),
            tuple(problem.calls.known.call(call).text for call in pair.second),
        )
        for pair, steps in fewest.items()
        if pair in kept
    ]
    return Trajectories(search.bound, longest, tuple(sorted(found)), tellers.complete)


class _Teller:
    """What the cooks can still do from each moment on within so many steps."""

    def __init__(self, reached: Reached, most: int) -> None:
        self._reached = reached
        self._most = most
        self._known: dict[tuple[Node, int], frozenset[Pair]] = {}
        self.complete = True

    def told(self, node: Node, left: int) -> frozenset[Pair]:
        """The minimal pairs from a node within so many steps."""
        if not node.floor.orders:
            return frozenset((Pair((), ()),))
        key = (node, left)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._fewest(self._all(node, left))
        return known

    def _all(self, node: Node, left: int) -> set[Pair]:
        found: set[Pair] = set()
        to_go = self._reached.to_go
        for move in self._reached.moves[node]:
            after = left - move.steps
            if to_go.get(move.node, after + 1) <= after:
                first, second = ((call,) if call != IDLE else () for call in move.ended)
                for pair in self.told(move.node, after):
                    found.add(Pair(first + pair.first, second + pair.second))
        return found

    def _fewest(self, found: set[Pair]) -> frozenset[Pair]:
        kept = sorted(minimal(found))
        if len(kept) > self._most:
            self.complete = False
        return frozenset(kept[: self._most])


def minimal(pairs: Iterable[Pair]) -> set[Pair]:
    """The pairs of which nothing can be taken away to get another of them."""
    kept: list[Pair] = []
    for pair in sorted(pairs, key=lambda pair: len(pair.first) + len(pair.second)):
        if not any(_within(one, pair) for one in kept):
            kept.append(pair)
    return set(kept)


def _within(one: Pair, other: Pair) -> bool:
    return _is_part(one.first, other.first) and _is_part(one.second, other.second)


def _is_part(part: Numbers, whole: Numbers) -> bool:
    """Whether these calls occur among those in this order."""
    rest = iter(whole)
    return all(call in rest for call in part)
