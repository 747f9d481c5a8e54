"""How many orders of a CuisineWorld episode can be served at the most, by any play.

All orders are known, as they arrive by the clock alone. Three relaxations say what serving costs at the
least (``dish_work`` proves the numbers); each forgets everything else:

* an order cannot be served that ends before its dish can lie on a table for the first time;
* the dishes served in steps up to *t* take no more steps of bodies than *t* times the bodies;
* and no more steps of a kind of tool than its tools have from when the first of them can be activated to
  when the last must be done. Cooking ahead is allowed throughout.

So each is the problem of the most jobs on time on one machine, all there from the start
(``scheduling.on_time``). The least of the answers bounds ``served``. The same over the orders that run out
within the episode bounds ``failed`` from below; where expiries of one step count once, all orders of that
step are one job. As served / (served + failed) grows with the one and falls with the other, it is bounded
too.

It holds for play in which time passes in every turn: under the released rules, an answer without commands
stops the clock, and whoever stops it after the first dish has failed at nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from backburner.kernel import registry
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.headline import Best
from backburner.kernel.scoring import Measures
from backburner.scheduling.on_time import DueWork, most_on_time
from backburner.worlds import order_bounds
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.cuisineworld.oracle.dish_work import DishWork, dish_work
from backburner.worlds.order_bounds import StreamedOrder


class OrderBound(order_bounds.OrderBound, frozen=True):
    """``impossible``: orders too early for anybody; ``limit`` tells what binds: ``time``, ``bodies`` or a
    kind of tool.
    """

    impossible: int
    limit: str


def bounds_of(episode: Episode) -> Measures:
    """``MOST_SERVED`` and ``LEAST_FAILED`` of a recorded episode.

    Empty where the orders that arrive depend on play.
    """
    return order_bounds.bounds_of(episode, order_bound)


def best(id: str) -> Best:
    """The best share of orders that can be served in a published episode, by its id.

    The orders of a published episode are the same whatever seed it is played with.
    """
    world: Any = registry.world(id)
    return order_bound(world).best


def order_stream(world: CuisineWorld, seed: int = 0) -> tuple[StreamedOrder, ...]:
    """The orders that arrive in an episode.

    Raises ``Refused`` if episodes have no end, or if so many orders may be open that others stay away,
    which then depends on play.
    """
    scenario, horizon = world.scenario, world.limits.turns
    if horizon is None:
        raise Refused(f"{world.id}: no bound without an end of play; give limits with turns")
    stream = seed if scenario.seed is None else scenario.seed
    orders: list[StreamedOrder] = []
    for number, arrived in enumerate(range(0, horizon + 1, scenario.interval)):
        new = world.rulebook.clock.drawn(stream, number)
        last = arrived + new.left
        if sum(order.last >= arrived for order in orders) >= scenario.most_open:
            raise Refused(
                f"{world.id}: the list of orders can be full, so that who plays decides what arrives"
            )
        orders.append(StreamedOrder(new.dish, arrived, last, last < horizon))
    return tuple(orders)


def order_bound(world: CuisineWorld, seed: int = 0) -> OrderBound:
    """The bounds of one episode; raises what ``order_stream`` raises."""
    orders = order_stream(world, seed)
    relaxations = _Relaxations(world)
    possible = [order for order in orders if relaxations.in_time(order)]
    served = {name: most_on_time(jobs) for name, jobs in relaxations.jobs(possible)}
    limit = min(served, key=lambda name: served[name])
    failed = max(relaxations.failures(orders))
    impossible = sum(order.expires for order in orders) - sum(order.expires for order in possible)
    return OrderBound(served[limit], failed, impossible, limit if served[limit] < len(possible) else "time")


class _Relaxations:
    """What the orders of a world cost at the least: one machine for bodies, one for each kind of tool."""

    def __init__(self, world: CuisineWorld) -> None:
        scenario = world.scenario
        self.horizon = world.limits.turns or 0
        self.bodies = scenario.bodies
        self.once = world.rules.expiries_count_once
        self.work = tuple(dish_work(scenario.book, dish, scenario.bodies) for dish in scenario.dishes)
        self.tools: dict[str, int] = {}
        for kind in world.compiled.kinds:
            self.tools[kind.name] = self.tools.get(kind.name, 0) + 1
        used = [kind for kind in self.tools if any(work.tool_steps.get(kind) for work in self.work)]
        self.head = {kind: _least(kind, [work.heads for work in self.work]) for kind in used}
        self.tail = {kind: _least(kind, [work.tails for work in self.work]) for kind in used}

    def deadline(self, order: StreamedOrder) -> int:
        return min(order.last, self.horizon)

    def in_time(self, order: StreamedOrder) -> bool:
        """Whether the dish can be made at all, and lie on a table by then."""
        work: DishWork = self.work[order.dish]
        earliest = max(work.first_step, order.arrived + 1)
        return earliest <= self.deadline(order) and all(kind in self.tools for kind in work.heads)

    def jobs(self, orders: Sequence[StreamedOrder]) -> Iterable[tuple[str, list[DueWork]]]:
        """The orders as jobs of each machine."""
        yield "bodies", [self._body_job([order]) for order in orders]
        for kind in self.head:
            yield kind, [self._tool_job(kind, [order]) for order in orders]

    def failures(self, orders: Sequence[StreamedOrder]) -> Iterable[int]:
        """The least number of failures that each machine allows."""
        groups: dict[int, list[StreamedOrder]] = {}
        for number, order in enumerate(orders):
            if order.expires:
                groups.setdefault(order.last if self.once else -number, []).append(order)
        possible = [group for group in groups.values() if all(map(self.in_time, group))]
        yield len(groups) - most_on_time([self._body_job(group) for group in possible])
        for kind in self.head:
            yield len(groups) - most_on_time([self._tool_job(kind, group) for group in possible])

    def _body_job(self, group: Sequence[StreamedOrder]) -> DueWork:
        length = sum(self.work[order.dish].body_steps for order in group)
        return DueWork(length, self.bodies * self.deadline(group[0]))

    def _tool_job(self, kind: str, group: Sequence[StreamedOrder]) -> DueWork:
        length = sum(self.work[order.dish].tool_steps.get(kind, 0) for order in group)
        open_steps = self.deadline(group[0]) - self.head[kind] - self.tail[kind]
        # An order that needs no such tool is never late for it.
        return DueWork(length, self.tools[kind] * max(0, open_steps))


def _least(kind: str, steps_by_dish: Sequence[Mapping[str, int]]) -> int:
    return min(steps[kind] for steps in steps_by_dish if kind in steps)
