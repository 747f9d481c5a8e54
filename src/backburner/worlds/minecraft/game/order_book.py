"""The orders of an episode as it goes on: they come, wait, are served out of the chest, or run out.

An order is served as soon as the chest holds one more of its dish than was ever counted for others, so that
what is there before it is ordered serves the next order for it. Of several for a dish the one that runs out
first is served first.
"""

from __future__ import annotations

from typing import NamedTuple

from backburner.worlds.dispatch.orders import draw
from backburner.worlds.minecraft.game.compiled import Compiled
from backburner.worlds.minecraft.game.state import Order, State, count_of


class Closed(NamedTuple):
    """An order that was served, or ran out, at a tick."""

    tick: int
    order: Order
    served: bool


def arriving(compiled: Compiled, stream: int, number: int, now: int) -> Order:
    """The order of this number, as it joins."""
    rules, dish = compiled.rules, draw(stream, len(compiled.dishes), number)
    lost = int(rules.orders_by_step and rules.later_orders_lose_a_step and number > 0)
    return Order(dish, now + compiled.lifetime - lost, number)


class OrderBook:
    """Begins with a state's orders; ``closed``: which were served or ran out since.

    ``until``: the tick after which nothing counts any more, if there is one.
    """

    def __init__(self, compiled: Compiled, state: State, until: int | None) -> None:
        self.compiled = compiled
        self.by_step = compiled.rules.orders_by_step
        self.until = until
        self.stream = state.stream
        self.orders = list(state.orders)
        self.arrived = state.arrived
        self.served = list(state.served)
        self.closed: list[Closed] = []
        self.tick = state.ticks
        self.spare = [
            count_of(state.chest, dish) + count_of(state.missing, dish) - self.served.count(number)
            for number, dish in enumerate(compiled.dishes)
        ]

    def add(self, item: str, tick: int) -> None:
        """An item comes into the chest at a tick."""
        if item in self.compiled.dishes and (self.until is None or tick <= self.until):
            self.advance(tick)
            self.spare[self.compiled.dishes.index(item)] += 1
            if not self.by_step:
                self._serve(tick)

    def advance(self, tick: int) -> None:
        """Where orders go by ticks: what comes and runs out until then."""
        if self.by_step:
            return
        tick = tick if self.until is None else min(tick, self.until)
        interval = self.compiled.interval
        while self.tick < tick:
            coming = (self.tick // interval + 1) * interval
            now = min(coming, tick)
            self._expire(now)
            self.tick = now
            if now == coming:
                self.orders.append(arriving(self.compiled, self.stream, self.arrived, now))
                self.arrived += 1
                self._serve(now)

    def end_step(self, steps: int, tick: int) -> None:
        """Where orders go by steps: what is served, runs out and comes with the end of a step."""
        if not self.by_step:
            return
        for order in [order for order in self.orders if order.due < steps]:
            self._close(order, tick, served=False)
        self._serve(tick)
        if steps % self.compiled.interval == 0:
            self.orders.append(arriving(self.compiled, self.stream, self.arrived, steps))
            self.arrived += 1

    def _expire(self, now: int) -> None:
        for order in sorted(self.orders, key=lambda order: order.due):
            if order.due < now:
                self._close(order, order.due, served=False)

    def _serve(self, tick: int) -> None:
        for order in self.sorted():
            if self.spare[order.dish] > 0:
                self.spare[order.dish] -= 1
                self.served.append(order.dish)
                self._close(order, tick, served=True)

    def _close(self, order: Order, tick: int, *, served: bool) -> None:
        self.orders.remove(order)
        self.closed.append(Closed(tick, order, served))

    def sorted(self) -> tuple[Order, ...]:
        """The open orders, the most urgent first."""
        return tuple(sorted(self.orders, key=lambda order: (order.due, order.number)))
