"""One step of CuisineWorld over tables: a row is changed in place; see ``game.transition`` for what it means.

Rows, places and things are numbers; -1 stands for nothing, or for what the rules refuse. The article's reward
of a row is in hundredths; see ``metrics.measures``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.arrays.jit import compiled

Ints = NDArray[np.int32]

NONE = -1


class Tables(NamedTuple):
    """One scenario. Of each local state ``s`` of a place, body and place being free:

    ``put_to[s, thing]``, ``get_to[s, 1 + ingredient]`` (0: without a name) and ``get_thing`` alike,
    ``activate_to[s]`` with ``place_busy`` and ``body_busy`` steps; what the menu has for it:
    ``offers[s]`` (get, activate, get of an ingredient) and ``offers_put[s, thing]``. ``slots[s]``: which of
    its place's features are 1; ``input_set[s]``: the recipe whose inputs are inside; ``made[s]``: the product
    alone inside; ``inside_value[s]``: the steps behind it.

    Of places: ``first_state`` when empty, ``table_of`` (which serving table it is), ``tool_features`` (where
    they begin; then how many there are), ``in_hands[place, thing]``: the steps behind what is held there, and
    in the last column behind nothing. Of things ``dish_of`` and ``cost``; of dishes ``rank`` by name,
    ``lifetime``, ``dish_cost``, ``wanted_things``, ``wanted_inputs``. ``by_number``: where agent0, agent1 ...
    stand on the axis of bodies.
    """

    n_ingredients: int
    interval: int
    most_open: int
    table_room: int
    expiries_count_once: int
    turns: int
    steps: int
    start: int
    base_ingredients: int
    shown_orders: int
    least_cost: int
    longest_lifetime: int
    by_number: Ints
    first_state: Ints
    table_of: Ints
    put_to: Ints
    get_to: Ints
    get_thing: Ints
    activate_to: Ints
    place_busy: Ints
    body_busy: Ints
    offers_put: Ints
    offers: Ints
    dish_of: Ints
    rank: Ints
    lifetime: Ints
    tool_features: Ints
    slots: Ints
    input_set: Ints
    made: Ints
    wanted_things: Ints
    wanted_inputs: Ints
    cost: Ints
    in_hands: Ints
    inside_value: Ints
    dish_cost: Ints


class Rows(NamedTuple):
    """Episodes; the first axis is theirs.

    Bodies: ``at``, ``held``, ``hands_busy``. Places: ``inside`` (local states), ``busy``; ``dishes`` on each
    serving table by kind. ``order_dish``, ``order_left``: the ``open`` orders, the most urgent first, then 0.
    ``refused``: commands of the last step. The rest of the article's reward: what it will still pay for,
    whom it has paid, and the last step's in hundredths. ``kept`` is room for ``potential``.
    """

    at: Ints
    held: Ints
    hands_busy: Ints
    inside: Ints
    busy: Ints
    dishes: Ints
    order_dish: Ints
    order_left: Ints
    open: Ints
    arrived: Ints
    served: Ints
    expired: Ints
    failed: Ints
    steps: Ints
    refused: Ints
    things_wanted: Ints
    inputs_wanted: Ints
    paid_bodies: Ints
    paid_places: Ints
    cents: Ints
    kept: Ints


EACH_STEP, ALL_SUCCEEDED, SERVED, PER_STEP_LEFT = -5, 2, 5000, 100
HOLDS_INGREDIENT, HOLDS_INPUTS, HOLDS_PRODUCT = 10, 50, 100


@compiled
def reward(t: Tables, r: Rows, e: int) -> float:
    """What the last step was worth by the article's reward."""
    return float(r.cents[e] / 100)


@compiled
def progress(t: Tables, r: Rows, e: int) -> int:
    """What the article pays for progress while an order is open, in its order: bodies, inputs, products."""
    cents = 0
    for number in range(r.held.shape[1]):
        body = t.by_number[number]
        thing = r.held[e, body]
        if 0 <= thing < t.base_ingredients and not r.paid_bodies[e, body] and r.things_wanted[e, thing] > 0:
            r.things_wanted[e, thing] -= 1
            r.paid_bodies[e, body] = 1
            cents += HOLDS_INGREDIENT
    for place in range(r.inside.shape[1]):
        inputs = t.input_set[r.inside[e, place]]
        if inputs >= 0 and not r.paid_places[e, place] and r.inputs_wanted[e, inputs] > 0:
            r.inputs_wanted[e, inputs] -= 1
            r.paid_places[e, place] = 1
            cents += HOLDS_INPUTS
    for place in range(r.inside.shape[1]):
        thing = _alone(t, r, e, place)
        if thing >= 0 and not r.paid_places[e, place] and r.things_wanted[e, thing] > 0:
            r.things_wanted[e, thing] -= 1
            r.paid_places[e, place] = 1
            cents += HOLDS_PRODUCT
    return cents


@compiled
def _alone(t: Tables, r: Rows, e: int, place: int) -> int:
    """The product that is alone in a place, or on a serving table."""
    table = t.table_of[place]
    if table < 0:
        return int(t.made[r.inside[e, place]])
    there, alone = 0, NONE
    for thing in range(t.dish_of.shape[0]):
        if t.dish_of[thing] >= 0:
            there += r.dishes[e, table, t.dish_of[thing]]
            if r.dishes[e, table, t.dish_of[thing]]:
                alone = thing
    return alone if there == 1 else NONE


@compiled
def start(t: Tables, r: Rows, e: int, drawn: Ints) -> None:
    """Everybody stands at the first serving table, with one order open."""
    r.at[e] = t.start
    r.held[e] = NONE
    r.hands_busy[e] = 0
    r.paid_bodies[e] = 0
    for place in range(r.inside.shape[1]):
        r.inside[e, place] = t.first_state[place]
    r.busy[e] = 0
    r.paid_places[e] = 0
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
