"""Ways to play, and which of them serves most orders in the steps to come."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from backburner.worlds.cuisineworld.agents.dispatch import by_urgency, moves_of
from backburner.worlds.cuisineworld.agents.situation import Move, Situation
from backburner.worlds.cuisineworld.agents.work import Work
from backburner.worlds.cuisineworld.game.state import NOTHING

STEPS = 25
"""Steps that are looked ahead."""

AHEAD = 2
"""Spare dishes of each kind that are worth having."""

SPARE = 0.3
"""What a spare dish is worth at the end of the look ahead, against one that is served."""

LATER = 0.003
"""What a served dish loses with each step."""


class Style(Struct, frozen=True):
    """A way to play. ``first``: the dish whose order comes before all others; they are sorted by deadline.

    ``ahead``: spare dishes of each kind that are cooked ahead. ``patience`` and ``fetch`` as in
    ``dispatch.by_urgency``.
    """

    first: int = NOTHING
    ahead: int = AHEAD
    patience: int = 1
    fetch: bool = True


def work_of(now: Situation, style: Style) -> Work:
    """The tasks of all open orders, then of spare dishes, the rarest first."""
    work, dishes = Work(now), now.book.dishes
    orders = [dish for dish, _ in now.orders if dish in dishes]
    for dish in sorted(orders, key=lambda dish: dish != style.first):
        work.demand(dish)
    stock = {dish: now.lying(dish) for dish in dishes}
    room = now.book.table_room
    spare = style.ahead * len(dishes) if room is None else room - sum(stock.values())
    for _ in range(spare):
        dish = min(stock, key=lambda dish: stock[dish])
        if stock[dish] >= style.ahead or work.plenty:
            break
        stock[dish] += 1
        work.demand(dish)
    return work


def play_step(now: Situation, style: Style, groups: Sequence[Collection[int]]) -> list[Move]:
    """The commands of the next step in this way to play; ``now`` follows them."""

    def assign(now: Situation) -> Iterable[Move]:
        return by_urgency(now, work_of(now, style), style.patience, style.fetch)

    return moves_of(now, assign, groups)


def best_style(now: Situation, used: Style, most_ahead: int, groups: Sequence[Collection[int]]) -> Style:
    """The way to play that is worth most from here; the one in use wherever no other is worth more."""
    found, most = used, _worth(now.copy(), used, groups)
    for style in _others(now, used, most_ahead):
        worth = _worth(now.copy(), style, groups)
        if worth > most:
            found, most = style, worth
    return found


def _others(now: Situation, used: Style, most_ahead: int) -> Iterable[Style]:
    usual = Style(ahead=most_ahead)
    dishes = dict.fromkeys(dish for dish, _ in now.orders if dish in now.book.dishes)
    styles = [usual, *(Style(dish, most_ahead) for dish in list(dishes)[1:])]
    for ahead in dict.fromkeys((0, most_ahead)):
        styles += [
            Style(ahead=ahead),
            Style(ahead=ahead, patience=2),
            Style(ahead=ahead, fetch=False),
            Style(ahead=ahead, patience=2, fetch=False),
        ]
    return (style for style in dict.fromkeys(styles) if style != used)


def _worth(now: Situation, style: Style, groups: Sequence[Collection[int]]) -> float:
    """Orders served, less those that run out, if nothing more were ordered; spare dishes count a little."""
    worth = 0.0
    for step in range(min(STEPS, now.steps_left)):
        play_step(now, style, groups)
        served, expired = now.pass_step()
        worth += served * (1 - LATER * step) - expired
    return worth + SPARE * sum(min(AHEAD, now.lying(dish)) for dish in now.book.dishes)
