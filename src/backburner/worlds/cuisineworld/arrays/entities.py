"""CuisineWorld for a policy that reads the recipes: what each code is good for, in the same numbers at all
levels.

A code is told by its verb, by the place where it leads or is done, and by the thing that it moves: whether
orders miss this thing, how soon, how much work they still take (see ``needs``), whether the tool there is to
make something of it. A context tells what the body holds and who waits for that, where it is, the time, the
orders, the other bodies, the tools, what is still missing.

For how long a tool is still at work is among these numbers: whoever has watched it start knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from backburner.arrays.entities import Entities
from backburner.arrays.jit import compiled
from backburner.worlds.cuisineworld.arrays.encoding import mask
from backburner.worlds.cuisineworld.arrays.needs import (
    NEVER,
    SPARE,
    Needs,
    Recipes,
    Stock,
    among,
    missing_ingredients,
    recipes_of,
    room_for,
    slack,
    urgency,
    work_out,
)
from backburner.worlds.cuisineworld.arrays.step import Rows, Tables, act
from backburner.worlds.cuisineworld.arrays.tables import Compiler, batch
from backburner.worlds.cuisineworld.game.compiled import STORAGE, TABLE, TOOL
from backburner.worlds.cuisineworld.game.world import CuisineWorld

CONTEXT_NAMES = (
    *("holds", "holds a dish", "claimed", "urgency of the claim", "claimed for an order", "busy"),
    *("at a storage", "at a serving table", "at a tool", "at a tool at work", "at a tool that is ready"),
    *("steps left", "few steps left", "open orders", "urgency of the first", "urgency of the second"),
    *("slack of the first", "others hold", "others hold for orders", "spare dishes"),
    *("tools at work", "tools ready", "tools startable", "tools with something", "tools empty"),
    *("missing ingredients", "decides as", "decides last", "bodies", "lifetime", "pace"),
    "until the next order",
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


VERBS = ("wait", "goto", "get", "put", "activate", "fetch")

CODE_NAMES = (
    *VERBS,
    *("storage", "serving table", "tool", "at work", "steps at work", "ready", "content", "others there"),
    *("startable", "started for an order", "urgency of that", "that order and no spare"),
    *("tool has an aim", "urgency of the aim", "aim of an order", "slack of the aim", "work of the tool"),
    *("moves a thing", "missing", "urgency of the missing", "missing for an order", "slack of the missing"),
    *("claimed", "urgency of the claim", "claimed for an order", "is a dish", "depth", "held by others"),
    *("can be put", "is wanted there", "urgency there", "for an order there"),
    *("the last input", "inputs left", "missing ingredients"),
)
"""What the numbers of a code tell. Urgencies are between 0, none, and 1, now; slack is the time left less the
work left."""

(STORE_AT, AT_WORK, CONTENT, START, AIM, THING, MISSING, CLAIM, DISH, FIT, FETCHED) = (
    CODE_NAMES.index(name)
    for name in (
        *("storage", "at work", "content", "startable", "tool has an aim", "moves a thing", "missing"),
        *("claimed", "is a dish", "can be put", "missing ingredients"),
    )
)

ROLE_STORAGE, ROLE_TABLE = STORAGE, TABLE


class Kitchen(NamedTuple):
    """The recipes, and room to work in: ``needs`` and ``stock`` of the row that is looked at, and in ``kept``
    (as ``step.Rows``, with one row) how the row was."""

    recipes: Recipes
    needs: Needs
    stock: Stock
    kept: Rows


def entities(world: CuisineWorld) -> Entities:
    """The entities of a world; raises ``Refused`` with the option that its batch does not cover."""
    tau = world.scenario.tau or 0.0
    compiler = Compiler(world)
    made = batch(world)

    def measures(rows: Rows, e: int) -> Mapping[str, float]:
        return {"completed": float(rows.served[e]), "failed": float(rows.failed[e]), "tau": tau}

    return Entities(
        batch=made,
        context_names=CONTEXT_NAMES,
        code_names=CODE_NAMES,
        tables=Kitchen(
            recipes_of(compiler),
            *room_for(len(compiler.encoding.things), compiler.n_places, compiler.n_dishes),
            made.rows(1),
        ),
        look=look,
        measures=measures,
        metric="CoS",
    )


# --- compiled ------------------------------------------------------------------------------------------


@compiled
def look(
    t: Tables, kitchen: Kitchen, r: Rows, e: int, body: int, chosen: Any, out: Out, context: Out, codes: Out
) -> float:
    """What a body sees; see ``arrays.entities.Entities``."""
    recipes, needs = kitchen.recipes, kitchen.needs
    _copy(r, e, kitchen.kept, 0)
    for other in range(body):
        if chosen[other] >= 0:
            act(t, r, e, other, chosen[other])
    progress = work_out(recipes, r, e, needs, kitchen.stock)
    mask(t, r, e, body, out)
    for code in range(len(out)):
        if out[code]:
            _code(t, recipes, r, e, body, needs, code, codes[code])
    tell_context(t, recipes, r, e, body, needs, context)
    _copy(kitchen.kept, 0, r, e)
    return progress


@compiled
def _copy(source: Rows, of: int, target: Rows, to: int) -> None:
    """What a body's act may change."""
    for body in range(source.at.shape[1]):
        target.at[to, body] = source.at[of, body]
        target.held[to, body] = source.held[of, body]
        target.hands_busy[to, body] = source.hands_busy[of, body]
        target.paid_bodies[to, body] = source.paid_bodies[of, body]
    for place in range(source.inside.shape[1]):
        target.inside[to, place] = source.inside[of, place]
        target.busy[to, place] = source.busy[of, place]
        target.paid_places[to, place] = source.paid_places[of, place]
    for table in range(source.dishes.shape[1]):
        for dish in range(source.dishes.shape[2]):
            target.dishes[to, table, dish] = source.dishes[of, table, dish]


@compiled
def _code(t: Tables, recipes: Recipes, r: Rows, e: int, body: int, needs: Needs, code: int, out: Out) -> None:
    out[:] = 0.0
    places, place, held = r.inside.shape[1], r.at[e, body], r.held[e, body]
    if code == 0:
        verb = 0
    elif code <= places:
        verb, place = 1, code - 1
    else:
        verb = min(code - places + 1, 5)
    out[verb] = 1.0
    state = r.inside[e, place]
    _place(recipes, r, e, body, needs, place, out)
    thing = -1
    if verb == 5:
        thing = t.get_thing[state, code - places - 3]
    elif verb == 4:
        thing = recipes.product[state]
    elif held >= 0:
        thing = held
    elif recipes.role[place] == ROLE_STORAGE:
        thing = _most_wanted(t, needs)
    elif verb == 2 or recipes.ready[state]:  # of a tool at work what will come out
        thing = t.get_thing[state, 0]
    if thing >= 0:
        _thing(recipes, r, e, body, needs, thing, out)
        if thing == held:
            _fit(t, recipes, r, e, needs, place, held, out)
    if verb == 1 and recipes.role[place] == ROLE_STORAGE and held < 0:
        out[FETCHED] = min(5, missing_ingredients(t, needs)) / 5.0


@compiled
def _place(recipes: Recipes, r: Rows, e: int, body: int, needs: Needs, place: int, out: Out) -> None:
    """The place itself."""
    state, bodies = r.inside[e, place], r.at.shape[1]
    out[STORE_AT + recipes.role[place]] = 1.0
    if r.busy[e, place]:
        out[AT_WORK] = 1.0
        out[AT_WORK + 1] = min(r.busy[e, place], 4) / 4.0
    if recipes.ready[state]:
        out[AT_WORK + 2] = 1.0
    else:
        out[CONTENT] = min(recipes.n_content[state], 5) / 5.0
    others = 0
    for other in range(bodies):
        others += other != body and r.at[e, other] == place
    out[CONTENT + 1] = min(others, 2) / 2.0
    aim = needs.aim[place]
    if recipes.product[state] >= 0:
        out[START] = 1.0
        if aim == recipes.product[state]:
            out[START + 1] = 1.0
            out[START + 2] = urgency(needs.aim_due[place])
            out[START + 3] = needs.aim_due[place] < SPARE
    if aim >= 0:
        out[AIM] = 1.0
        out[AIM + 1] = urgency(needs.aim_due[place])
        out[AIM + 2] = needs.aim_due[place] < SPARE
        out[AIM + 3] = slack(needs.aim_due[place], needs.aim_work[place], bodies)
    out[AIM + 4] = min(recipes.busy[place], 5) / 5.0


@compiled
def _thing(recipes: Recipes, r: Rows, e: int, body: int, needs: Needs, thing: int, out: Out) -> None:
    """The thing that is moved."""
    bodies = r.at.shape[1]
    out[THING] = 1.0
    if needs.missing[thing]:
        out[MISSING] = min(needs.missing[thing], 3) / 3.0
        out[MISSING + 1] = urgency(needs.due[thing])
        out[MISSING + 2] = needs.due[thing] < SPARE
        out[MISSING + 3] = slack(needs.due[thing], needs.work[thing], bodies)
    if needs.claimed[thing] < NEVER:
        out[CLAIM] = 1.0
        out[CLAIM + 1] = urgency(needs.claimed[thing])
        out[CLAIM + 2] = needs.claimed[thing] < SPARE
    out[DISH] = recipes.deep[thing] == 0
    out[DISH + 1] = min(recipes.deep[thing], 4) / 4.0
    others = 0
    for other in range(bodies):
        others += other != body and r.held[e, other] == thing
    out[DISH + 2] = min(others, 2) / 2.0


@compiled
def _fit(t: Tables, recipes: Recipes, r: Rows, e: int, needs: Needs, place: int, held: int, out: Out) -> None:
    """Whether what is held belongs there."""
    state, aim = r.inside[e, place], needs.aim[place]
    out[FIT] = t.offers_put[state, held] > 0
    if recipes.role[place] == ROLE_TABLE and t.dish_of[held] >= 0:
        out[FIT + 1] = 1.0
        out[FIT + 2] = urgency(needs.claimed[held])
        out[FIT + 3] = needs.claimed[held] < SPARE
    if aim < 0 or not among(recipes.inputs[aim], held) or among(recipes.content[state], held):
        return
    left = recipes.n_inputs[aim] - recipes.n_content[state]
    out[FIT + 1] = 1.0
    out[FIT + 2] = urgency(needs.aim_due[place])
    out[FIT + 3] = needs.aim_due[place] < SPARE
    out[FIT + 4] = left == 1
    out[FIT + 5] = min(left, 5) / 5.0


@compiled
def _most_wanted(t: Tables, needs: Needs) -> int:
    """The ingredient that is missed first; -1 for none."""
    best, due = -1, NEVER
    for thing in range(t.n_ingredients):
        if needs.missing[thing] and needs.due[thing] < due:
            best, due = thing, float(needs.due[thing])
    return best
