"""What a body of a row may do, and what it sees."""

from __future__ import annotations

from typing import Any

from backburner.arrays.jit import compiled
from backburner.worlds.cuisineworld.arrays.encoding import MANY
from backburner.worlds.cuisineworld.arrays.rows import Rows, Tables
from backburner.worlds.cuisineworld.arrays.step import has_room, over


@compiled
def mask(t: Tables, r: Rows, e: int, body: int, out: Any) -> None:
    """What the menu has for the body."""
    out[:] = 0
    out[0] = 1
    if over(t, r, e) or r.hands_busy[e, body]:
        return
    places, place = r.inside.shape[1], r.at[e, body]
    for other in range(places):
        out[1 + other] = other != place
    if r.busy[e, place]:
        return
    held, state, get = r.held[e, body], r.inside[e, place], 1 + places
    if held >= 0:
        offered = t.offers_put[state, held] > 0
        if offered and t.table_of[place] >= 0:
            offered = has_room(t, r, e, t.dish_of[held])
        out[get + 1] = offered
        return
    out[get] = t.offers[state, 0]
    out[get + 2] = t.offers[state, 1]
    for code in range(get + 3, get + 3 + t.n_ingredients):
        out[code] = t.offers[state, 2]


@compiled
def features(t: Tables, r: Rows, e: int, body: int, out: Any) -> None:
    """What the body sees, in the order of ``encoding.feature_names``."""
    out[:] = 0.0
    bodies, places, things = r.at.shape[1], r.inside.shape[1], t.dish_of.shape[0]
    block = places + things + 1
    for other in range(bodies):
        who, first = (body + other) % bodies, other * block
        out[first + r.at[e, who]] = 1.0
        if r.held[e, who] >= 0:
            out[first + places + r.held[e, who]] = 1.0
        if r.hands_busy[e, who]:
            out[first + block - 1] = 1.0
    _places_seen(t, r, e, out, bodies * block)


@compiled
def _places_seen(t: Tables, r: Rows, e: int, out: Any, begin: int) -> None:
    places, dishes = r.inside.shape[1], r.dishes.shape[2]
    for place in range(places):
        first = t.tool_features[place]
        if first < 0:
            continue
        state = r.inside[e, place]
        for index in range(t.slots.shape[1]):
            if t.slots[state, index] < 0:
                break
            out[begin + first + t.slots[state, index]] = 1.0
        if r.busy[e, place]:
            out[begin + _end_of_tool(t, place) - 1] = 1.0
    begin += int(t.tool_features[places])
    for table in range(r.dishes.shape[1]):
        for dish in range(dishes):
            out[begin + dish] = min(r.dishes[e, table, dish], MANY) / MANY
        begin += dishes
    for order in range(min(r.open[e], t.shown_orders)):
        out[begin + r.order_dish[e, order]] = 1.0
        out[begin + dishes] = min(1.0, r.order_left[e, order] / t.steps)
        begin += dishes + 1
    out[out.shape[0] - 1] = max(0, t.steps - r.steps[e]) / t.steps


@compiled
def _end_of_tool(t: Tables, place: int) -> int:
    """Where the features of the next tool begin."""
    after = place + 1
    while t.tool_features[after] < 0:
        after += 1
    return int(t.tool_features[after])
