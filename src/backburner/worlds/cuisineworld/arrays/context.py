"""What a body of CuisineWorld holds, and how things stand around it, in the same numbers at all levels.

They go beside the numbers of what it could do (``entities``): what it holds and who waits for that, where it
is, the time, the orders, the other bodies, the tools, what is still missing.
"""

from __future__ import annotations

from typing import Any

from backburner.arrays.jit import compiled
from backburner.worlds.cuisineworld.arrays.needs import (
    NEVER,
    SPARE,
    Needs,
    Recipes,
    missing_ingredients,
    slack,
    urgency,
)
from backburner.worlds.cuisineworld.arrays.rows import Rows, Tables
from backburner.worlds.cuisineworld.game.compiled import TOOL

CONTEXT_NAMES = (
    *("holds", "holds a dish", "claimed", "urgency of the claim", "claimed for an order", "busy"),
    *("at a storage", "at a serving table", "at a tool", "at a tool at work", "at a tool that is ready"),
    *("steps left", "few steps left", "open orders", "urgency of the first", "urgency of the second"),
    *("slack of the first", "others hold", "others hold for orders", "spare dishes"),
    *("tools at work", "tools ready", "tools startable", "tools with something", "tools empty"),
    *(
        "missing ingredients",
        "decides as",
        "decides last",
        "bodies",
        "lifetime",
        "pace",
        "until the next order",
    ),
)
"""What the numbers of a context tell."""

ORDERS_SEEN = CONTEXT_NAMES.index("steps left")
OTHERS_SEEN = CONTEXT_NAMES.index("others hold")
TOOLS_SEEN = CONTEXT_NAMES.index("tools at work")
REST_SEEN = CONTEXT_NAMES.index("missing ingredients")

ROLE_TOOL = TOOL

Out = Any


@compiled
def tell_context(t: Tables, recipes: Recipes, r: Rows, e: int, body: int, needs: Needs, out: Out) -> None:
    """Fill in the numbers of a body's context, in the order of ``CONTEXT_NAMES``."""
    out[:] = 0.0
    place, held, bodies = r.at[e, body], r.held[e, body], r.at.shape[1]
    if held >= 0:
        out[0] = 1.0
        out[1] = recipes.deep[held] == 0
        if needs.claimed[held] < NEVER:
            out[2] = 1.0
            out[3] = urgency(needs.claimed[held])
            out[4] = needs.claimed[held] < SPARE
    out[5] = r.hands_busy[e, body] > 0
    out[6 + recipes.role[place]] = 1.0
    out[9] = r.busy[e, place] > 0
    out[10] = recipes.ready[r.inside[e, place]]
    _orders(t, recipes, r, e, needs, bodies, out)
    _others(recipes, r, e, body, needs, out)
    _tools(recipes, r, e, out)
    out[REST_SEEN] = min(10, missing_ingredients(t, needs)) / 10.0
    out[REST_SEEN + 1] = min(body, 4) / 4.0
    out[REST_SEEN + 2] = body == bodies - 1
    out[REST_SEEN + 3] = min(bodies, 4) / 4.0
    out[REST_SEEN + 4] = min(recipes.longest, 50) / 50.0
    out[REST_SEEN + 5] = min(t.interval, 20) / 20.0
    out[REST_SEEN + 6] = min(t.interval - r.steps[e] % t.interval, 20) / 20.0


@compiled
def _orders(t: Tables, recipes: Recipes, r: Rows, e: int, needs: Needs, bodies: int, out: Out) -> None:
    left = max(0, t.steps - r.steps[e])
    out[ORDERS_SEEN] = min(1.0, left / 60.0)
    out[ORDERS_SEEN + 1] = min(1.0, left / 10.0)
    out[ORDERS_SEEN + 2] = min(r.open[e], 6) / 6.0
    if r.open[e] > 0:
        first = recipes.thing[r.order_dish[e, 0]]
        out[ORDERS_SEEN + 3] = urgency(float(r.order_left[e, 0]))
        out[ORDERS_SEEN + 5] = slack(float(r.order_left[e, 0]), float(needs.work[first]), bodies)
    if r.open[e] > 1:
        out[ORDERS_SEEN + 4] = urgency(float(r.order_left[e, 1]))


@compiled
def _others(recipes: Recipes, r: Rows, e: int, body: int, needs: Needs, out: Out) -> None:
    for other in range(r.at.shape[1]):
        thing = r.held[e, other]
        if other != body and thing >= 0:
            out[OTHERS_SEEN] += 0.25
            if needs.claimed[thing] < SPARE:
                out[OTHERS_SEEN + 1] += 0.25
    out[OTHERS_SEEN] = min(1.0, out[OTHERS_SEEN])
    out[OTHERS_SEEN + 1] = min(1.0, out[OTHERS_SEEN + 1])
    spare = 0
    for table in range(r.dishes.shape[1]):
        for dish in range(r.dishes.shape[2]):
            spare += r.dishes[e, table, dish]
    out[OTHERS_SEEN + 2] = min(spare, 6) / 6.0


@compiled
def _tools(recipes: Recipes, r: Rows, e: int, out: Out) -> None:
    for place in range(r.inside.shape[1]):
        if recipes.role[place] != ROLE_TOOL:
            continue
        state = r.inside[e, place]
        if r.busy[e, place]:
            which = 0
        elif recipes.ready[state]:
            which = 1
        elif recipes.product[state] >= 0:
            which = 2
        elif recipes.n_content[state]:
            which = 3
        else:
            which = 4
        out[TOOLS_SEEN + which] = min(1.0, out[TOOLS_SEEN + which] + 0.2)
