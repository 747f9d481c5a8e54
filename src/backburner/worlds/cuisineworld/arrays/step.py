"""One step of CuisineWorld over tables: a row is changed in place; see ``game.rules`` for what it means."""

from __future__ import annotations

from typing import Any

from backburner.arrays.jit import compiled
from backburner.worlds.cuisineworld.arrays.article import (
    ALL_SUCCEEDED,
    EACH_STEP,
    PER_STEP_LEFT,
    SERVED,
    progress,
)
from backburner.worlds.cuisineworld.arrays.rows import NONE, Ints, Rows, Tables


@compiled
def start(t: Tables, r: Rows, e: int, drawn: Ints) -> None:
    """Everybody stands at the first serving table, with one order open."""
    for body in range(r.at.shape[1]):
        r.at[e, body] = t.start
        r.held[e, body] = NONE
        r.hands_busy[e, body] = 0
        r.paid_bodies[e, body] = 0
    for place in range(r.inside.shape[1]):
        r.inside[e, place] = t.first_state[place]
        r.busy[e, place] = 0
        r.paid_places[e, place] = 0
    r.dishes[e] = 0
    r.order_dish[e] = 0
    r.order_left[e] = 0
    r.things_wanted[e] = 0
    r.inputs_wanted[e] = 0
    r.open[e] = 0
    r.arrived[e] = 0
    r.served[e] = 0
    r.expired[e] = 0
    r.failed[e] = 0
    r.steps[e] = 0
    r.refused[e] = 0
    r.cents[e] = 0
    _arrive(t, r, e, drawn)


@compiled
def step(t: Tables, r: Rows, e: int, drawn: Ints, codes: Any) -> None:
    """Each body carries out its code, in turn; then tools, orders and their clock."""
    if over(t, r, e):
        return
    refused = 0
    for body in range(r.at.shape[1]):
        if not act(t, r, e, body, codes[body]):
            refused += 1
    r.refused[e] = refused
    for body in range(r.at.shape[1]):
        if r.hands_busy[e, body]:
            r.hands_busy[e, body] -= 1
    for place in range(r.busy.shape[1]):
        if r.busy[e, place]:
            r.busy[e, place] -= 1
    cents = EACH_STEP + _check_orders(t, r, e)
    if not refused:
        cents += ALL_SUCCEEDED
    r.steps[e] += 1
    for order in range(r.open[e]):
        r.order_left[e, order] -= 1
    if r.steps[e] % t.interval == 0 and r.open[e] < t.most_open:
        _arrive(t, r, e, drawn)
    if r.open[e]:
        cents += progress(t, r, e)
    r.cents[e] = cents


@compiled
def over(t: Tables, r: Rows, e: int) -> bool:
    """Whether all turns have passed; each of them takes a step here."""
    return bool(r.steps[e] >= t.turns)


@compiled
def act(t: Tables, r: Rows, e: int, body: int, code: int) -> bool:
    """Whether the body does what the code says; it may be refused."""
    places = r.inside.shape[1]
    if code == 0:
        return True
    if code <= places:
        if r.hands_busy[e, body]:
            return False
        r.at[e, body] = code - 1
        return True
    place = r.at[e, body]
    if r.hands_busy[e, body] or r.busy[e, place]:
        return False
    held, state, at_hand = r.held[e, body], r.inside[e, place], code - places - 1
    if at_hand == 1:
        return held >= 0 and _put(t, r, e, body, place)
    if held >= 0:
        return False
    if at_hand == 2:
        return _activate(t, r, e, body, place)
    named = 0 if at_hand == 0 else at_hand - 2
    after = t.get_to[state, named]
    if after < 0:
        return False
    r.held[e, body] = t.get_thing[state, named]
    r.inside[e, place] = after
    r.paid_bodies[e, body] = 0
    r.paid_places[e, place] = 0
    return True


@compiled
def _put(t: Tables, r: Rows, e: int, body: int, place: int) -> bool:
    thing = r.held[e, body]
    after = t.put_to[r.inside[e, place], thing]
    if after < 0:
        return False
    table = t.table_of[place]
    if table >= 0:
        if not has_room(t, r, e, t.dish_of[thing]):
            return False
        r.dishes[e, table, t.dish_of[thing]] += 1
    r.inside[e, place] = after
    r.held[e, body] = NONE
    r.paid_bodies[e, body] = 0
    r.paid_places[e, place] = 0
    return True


@compiled
def _activate(t: Tables, r: Rows, e: int, body: int, place: int) -> bool:
    state = r.inside[e, place]
    if t.activate_to[state] < 0:
        return False
    r.inside[e, place] = t.activate_to[state]
    r.busy[e, place] = t.place_busy[state]
    r.hands_busy[e, body] = t.body_busy[state]
    r.paid_places[e, place] = 0
    return True


@compiled
def has_room(t: Tables, r: Rows, e: int, dish: int) -> bool:
    """Whether somebody waits for one more such dish, or there is room for one for nobody."""
    spare = 0
    for other in range(r.dishes.shape[2]):
        lying = 0
        for table in range(r.dishes.shape[1]):
            lying += r.dishes[e, table, other]
        waiting = 0
        for order in range(r.open[e]):
            if r.order_dish[e, order] == other and r.order_left[e, order] > 0:
                waiting += 1
        if other == dish and lying < waiting:
            return True
        spare += max(0, lying - waiting)
    return bool(spare < t.table_room)


@compiled
def _check_orders(t: Tables, r: Rows, e: int) -> int:
    """Serve what can be served, let go what has run out; what the article pays for it."""
    cents, kept, expired = 0, 0, 0
    for order in range(r.open[e]):
        dish, left = r.order_dish[e, order], r.order_left[e, order]
        if left == 0:
            expired += 1
        elif _take_off(r, e, dish):
            r.served[e] += 1
            cents += SERVED + PER_STEP_LEFT * left
        else:
            r.order_dish[e, kept] = dish
            r.order_left[e, kept] = left
            kept += 1
    for order in range(kept, r.open[e]):
        r.order_dish[e, order] = 0
        r.order_left[e, order] = 0
    r.open[e] = kept
    r.expired[e] += expired
    r.failed[e] += min(expired, 1) if t.expiries_count_once else expired
    return cents


@compiled
def _take_off(r: Rows, e: int, dish: int) -> bool:
    """Whether a table has such a dish, which leaves the first one that has."""
    for table in range(r.dishes.shape[1]):
        if r.dishes[e, table, dish]:
            r.dishes[e, table, dish] -= 1
            return True
    return False


@compiled
def _arrive(t: Tables, r: Rows, e: int, drawn: Ints) -> None:
    """One more order joins; the most urgent stand first, and of those the first by name."""
    dish = drawn[r.arrived[e]]
    left = t.lifetime[dish]
    order = r.open[e]
    while order > 0 and (
        r.order_left[e, order - 1] > left
        or (r.order_left[e, order - 1] == left and t.rank[r.order_dish[e, order - 1]] > t.rank[dish])
    ):
        r.order_dish[e, order] = r.order_dish[e, order - 1]
        r.order_left[e, order] = r.order_left[e, order - 1]
        order -= 1
    r.order_dish[e, order] = dish
    r.order_left[e, order] = left
    r.open[e] += 1
    r.arrived[e] += 1
    for thing in range(t.wanted_things.shape[1]):
        r.things_wanted[e, thing] += t.wanted_things[dish, thing]
    for inputs in range(t.wanted_inputs.shape[1]):
        r.inputs_wanted[e, inputs] += t.wanted_inputs[dish, inputs]
