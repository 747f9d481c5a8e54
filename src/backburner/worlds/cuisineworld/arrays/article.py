"""The article's reward of a row, in hundredths; see ``metrics.measures``."""

from __future__ import annotations

from backburner.arrays.jit import compiled
from backburner.worlds.cuisineworld.arrays.rows import NONE, Rows, Tables

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
