"""The serving table: orders are served and expire, dishes may spoil, room may be short."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backburner.worlds.cuisineworld.game.kitchen import Kitchen
from backburner.worlds.cuisineworld.game.state import Order


class Checked(Struct, frozen=True, gc=False):
    """What a check of the orders found: orders still open, those served (with the table), those expired."""

    left: tuple[Order, ...]
    served: tuple[tuple[Order, int], ...]
    expired: tuple[Order, ...]


def check_orders(
    kitchen: Kitchen,
    orders: Sequence[Order],
    inside: list[tuple[int, ...]],
    since: list[tuple[int, ...]],
) -> Checked:
    """Look at each order, the most urgent first; what is served leaves ``inside``, the oldest dish first.

    An order with no step left expires, even if its dish is on the table now. The first table that holds
    the dish serves it, and one dish serves one order. ``since`` goes with ``inside`` where dishes spoil.
    """
    left, served, expired = [], [], []
    for order in orders:
        if not order.left:
            expired.append(order)
            continue
        thing = kitchen.dish_things[order.dish]
        for table in kitchen.tables:
            if thing in inside[table]:
                place = inside[table].index(thing)
                inside[table] = _without(inside[table], place)
                if since:
                    since[table] = _without(since[table], place)
                served.append((order, table))
                break
        else:
            left.append(order)
    return Checked(tuple(left), tuple(served), tuple(expired))


def spoil(
    inside: list[tuple[int, ...]], since: list[tuple[int, ...]], spoil_steps: int | None, now: int
) -> int:
    """Take away the dishes that were put on a table so many steps ago; returns how many."""
    if spoil_steps is None:
        return 0
    count, before = 0, now - spoil_steps
    for table, put in enumerate(since):
        while put and put[0] <= before:
            put, inside[table] = put[1:], inside[table][1:]
            count += 1
        since[table] = put
    return count


def table_has_room(
    kitchen: Kitchen, inside: Sequence[tuple[int, ...]], orders: Sequence[Order], thing: int, room: int
) -> bool:
    """Whether somebody waits for one more such dish, or fewer than ``room`` lie there for nobody."""
    waiting = [kitchen.dish_things[order.dish] for order in orders if order.left]
    lying = [dish for table in kitchen.tables for dish in inside[table]]
    if lying.count(thing) < waiting.count(thing):
        return True
    spare = sum(max(0, lying.count(dish) - waiting.count(dish)) for dish in set(lying))
    return spare < room


def _without(row: tuple[int, ...], place: int) -> tuple[int, ...]:
    return row[:place] + row[place + 1 :]
