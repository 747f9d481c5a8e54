"""Orders that keep coming (MindAgent, arXiv 2309.09971), for worlds whose orders count in steps.

One order is open at the start, and one more joins at the end of every ``interval``-th step, unless
``most_open`` are open. An order waits as many steps as its dish's lifetime says: one that joins at the end
of step *k* with a lifetime of 8 can be served in steps *k* + 1 to *k* + 8, and expires in the next. How
an order is served is the world's business.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct

FEWEST = 64
"""Draws that are made at once, where so few will do."""


class Order(Struct, frozen=True, gc=False):
    """An open order: the index of its dish, steps left, and its number in the episode, from 0."""

    dish: int
    left: int
    number: int


@lru_cache(maxsize=64)
def _draws(seed: int, choices: int, count: int) -> tuple[int, ...]:
    stream = random.Random(seed)
    return tuple(stream.choice(range(choices)) for _ in range(count))


def draw(seed: int, choices: int, number: int) -> int:
    """The ``number``-th draw, from 0, of the released stream: ``Random(seed).choice`` again and again."""
    return _draws(seed, choices, max(FEWEST, 1 << number.bit_length()))[number]


class OrderClock:
    """When orders of an episode arrive, for which of the ``dishes``, and how long they wait.

    ``first_draw``: the draw of the stream with which the episode begins; episodes may share a stream.
    """

    def __init__(
        self,
        dishes: Sequence[str],
        lifetimes: Sequence[int],
        interval: int,
        most_open: int,
        first_draw: int = 0,
    ) -> None:
        by_name = sorted(dishes)
        self._rank = tuple(by_name.index(dish) for dish in dishes)
        self._lifetimes = lifetimes
        self._interval = interval
        self._most_open = most_open
        self._first_draw = first_draw

    def drawn(self, seed: int, number: int) -> Order:
        """The order of this number, as it joins."""
        dish = draw(seed, len(self._lifetimes), self._first_draw + number)
        return Order(dish, self._lifetimes[dish], number)

    def tick(
        self, orders: Iterable[Order], seed: int, arrived: int, steps: int
    ) -> tuple[tuple[Order, ...], int]:
        """The open orders after step ``steps``, the most urgent first, and how many have arrived by then.

        Of equally urgent orders the one whose dish comes first by name stands first.
        """
        waiting = tuple([Order(order.dish, order.left - 1, order.number) for order in orders])
        if steps % self._interval or len(waiting) >= self._most_open:
            return waiting, arrived
        waiting = (*waiting, self.drawn(seed, arrived))
        rank = self._rank
        return tuple(sorted(waiting, key=lambda o: (o.left, rank[o.dish], o.number))), arrived + 1


class TrackedOrder(Struct, frozen=True):
    """An order from ``arrived`` (a step's end) on: ``closed`` when it was ``served`` or ran out, if ever."""

    dish: int
    number: int
    arrived: int
    runs_out: int
    closed: int | None
    served: bool


def track_orders(moments: Iterable[tuple[int, Sequence[Order]]]) -> list[TrackedOrder]:
    """Every order of an episode by when it arrived; ``moments``: (steps passed, open orders), from the start.

    An order that is gone was served if it had steps left, and ran out if it had none.
    """
    tracked: dict[int, TrackedOrder] = {}
    before: dict[int, Order] = {}
    for steps, orders in moments:
        now = {order.number: order for order in orders}
        for number, order in before.items():
            if number not in now:
                old = tracked[number]
                tracked[number] = TrackedOrder(
                    old.dish, number, old.arrived, old.runs_out, steps, served=order.left > 0
                )
        for number, order in now.items():
            if number not in tracked:
                runs_out = steps + order.left
                tracked[number] = TrackedOrder(order.dish, number, steps, runs_out, None, served=False)
        before = now
    return list(tracked.values())
