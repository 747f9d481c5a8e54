"""States that differ only in orders that a seat has not seen."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from backburner.kernel.values import Seat
from backburner.worlds.cuisineworld.game import CuisineWorld
from backburner.worlds.cuisineworld.game.state import State
from backburner.worlds.dispatch.orders import Order


def hidden_variants(world: CuisineWorld, state: State, seat: Seat) -> Sequence[State]:
    """The state with another dish in each unseen order, and without any of them."""
    sight = world.sight
    known = sight.known_orders(state, seat)
    if len(known) == len(state.orders):
        return ()
    fewer = replace(state, orders=known)
    dishes = len(sight.compiled.dishes)
    if dishes == 1:
        return (fewer,)
    others = tuple(
        order if order in known else Order((order.dish + 1) % dishes, order.left, order.number)
        for order in state.orders
    )
    return replace(state, orders=others), fewer
