"""What the open orders of a kitchen need, worked out from the recipes: over rows, compiled.

Orders are taken apart from the most urgent one on, then a spare dish of each kind. What is there already goes
to whoever comes first: dishes on tables, things in hands, products in tools. For what must still be
made, the tool of its kind that holds most of it is taken, and the rest of its inputs is needed in turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.arrays.jit import compiled, padded
from backburner.worlds.cuisineworld.arrays.step import Ints, Rows, Tables
from backburner.worlds.cuisineworld.arrays.tables import Compiler

Floats = NDArray[np.float32]

NEVER = 99.0
"""Steps left where nobody waits for a thing."""

SPARE = 60.0
"""Steps left of a spare dish: longer than any order of an episode waits."""

IN_TOOL = 64
"""How things in tools are counted beside those in hands."""

HORIZON = 50.0
"""Steps: what is due later is not urgent."""

MOST_PARTS = 64
"""Things of an order that are still to be looked at, at once."""

DELIVER, TAKE_OUT, FETCH, MAKE = 1.0, 2.0, 2.0, 3.0
"""Steps of bodies: to put down what is held; to take a product out and put it down; to get an ingredient and
put it down; to start a tool, take the product out and put it down."""


class Recipes(NamedTuple):
    """The recipes of a scenario, beside its ``step.Tables``.

    - of a thing: its ``inputs`` (-1 behind the last), their number, the number of the kind of tool that
      ``makes`` it (-1 for ingredients), how ``deep`` below a dish it is needed, the ``steps`` of bodies in it
    - of a place: its ``kind``, its ``role`` as in ``compiled``, for how long it is ``busy`` when started
    - of a local state: the ``content`` (-1 behind the last), how much that is, whether it is ``ready`` to be
      taken, and the ``product`` if it were started
    - of a dish: its ``thing``
    - ``longest``: the steps that the most patient order waits
    """

    inputs: Ints
    n_inputs: Ints
    makes: Ints
    deep: Ints
    steps: Floats
    kind: Ints
    role: Ints
    busy: Ints
    content: Ints
    n_content: Ints
    ready: Ints
    product: Ints
    thing: Ints
    longest: int


class Needs(NamedTuple):
    """What is needed in one row; these arrays are made once, and filled anew for each.

    - of a thing: how many are ``missing``; ``due``, the steps left of the first order that misses one, and
      the ``work`` that this order still takes; ``claimed``, the steps left of the first order that gets one
      of those that are there
    - of a place: the product that it is to make (``aim``, -1 for none), the steps left of its order and the
      work that this still takes
    """

    missing: Ints
    due: Floats
    work: Floats
    claimed: Floats
    aim: Ints
    aim_due: Floats
    aim_work: Floats


class Stock(NamedTuple):
    """What nobody has claimed yet: ``there``, things in hands and, ``IN_TOOL`` each, in tools; dishes
    ``lying`` on tables. ``parts`` still to be looked at of an order; ``lacking``, what it was the first to
    miss."""

    there: Ints
    lying: Ints
    parts: Ints
    lacking: Ints


def room_for(things: int, places: int, dishes: int) -> tuple[Needs, Stock]:
    """Arrays for a kitchen of this size."""
    ints, floats = np.int32, np.float32
    needs = Needs(
        missing=np.zeros(things, ints),
        due=np.zeros(things, floats),
        work=np.zeros(things, floats),
        claimed=np.zeros(things, floats),
        aim=np.zeros(places, ints),
        aim_due=np.zeros(places, floats),
        aim_work=np.zeros(places, floats),
    )
    lists = (np.zeros(MOST_PARTS, ints), np.zeros(2 * MOST_PARTS, ints))
    return needs, Stock(np.zeros(things, ints), np.zeros(dishes, ints), *lists)


@compiled
def work_out(recipes: Recipes, r: Rows, e: int, needs: Needs, stock: Stock) -> float:
    """Fill in the needs of a row; gives how far its open orders are, 1 for each that is as good as served."""
    _clear(needs)
    _take_stock(recipes, r, e, stock)
    progress = 0.0
    for order in range(r.open[e]):
        dish = r.order_dish[e, order]
        if stock.lying[dish]:
            stock.lying[dish] -= 1
            progress += 1.0
            continue
        thing = recipes.thing[dish]
        work = _take_apart(recipes, r, e, needs, stock, thing, float(r.order_left[e, order]))
        progress += max(0.0, 1.0 - work / recipes.steps[thing])
    for dish in range(len(recipes.thing)):
        if not stock.lying[dish]:
            _take_apart(recipes, r, e, needs, stock, recipes.thing[dish], SPARE)
    return progress


@compiled
def _clear(needs: Needs) -> None:
    needs.missing[:] = 0
    needs.due[:] = NEVER
    needs.work[:] = 0.0
    needs.claimed[:] = NEVER
    needs.aim[:] = -1
    needs.aim_due[:] = NEVER
    needs.aim_work[:] = 0.0


@compiled
def _take_stock(recipes: Recipes, r: Rows, e: int, stock: Stock) -> None:
    there, lying = stock.there, stock.lying
    there[:] = 0
    lying[:] = 0
    for body in range(r.held.shape[1]):
        if r.held[e, body] >= 0:
            there[r.held[e, body]] += 1
    for place in range(r.inside.shape[1]):
        state = r.inside[e, place]
        if recipes.ready[state]:
            there[recipes.content[state, 0]] += IN_TOOL
    for table in range(r.dishes.shape[1]):
        for dish in range(len(lying)):
            lying[dish] += r.dishes[e, table, dish]


@compiled
def _take_apart(
    recipes: Recipes, r: Rows, e: int, needs: Needs, stock: Stock, dish: int, left: float
) -> float:
    """Note what a dish still needs; gives the steps of bodies that it takes."""
    there, parts, lacking = stock.there, stock.parts, stock.lacking
    parts[0] = dish
    count, work, missing = 1, 0.0, 0
    while count:
        count -= 1
        thing = parts[count]
        if there[thing]:
            in_hands = there[thing] % IN_TOOL > 0
            there[thing] -= 1 if in_hands else IN_TOOL
            work += DELIVER if in_hands else TAKE_OUT
            needs.claimed[thing] = min(needs.claimed[thing], left)
            continue
        needs.missing[thing] += 1
        if left < needs.due[thing] and missing < len(lacking):
            needs.due[thing] = left
            lacking[missing] = thing
            missing += 1
        if recipes.makes[thing] < 0:
            work += FETCH
            continue
        work += MAKE
        place = _tool_for(recipes, r, e, needs, thing)
        if place >= 0:
            needs.aim[place] = thing
            needs.aim_due[place] = left
            needs.aim_work[place] = -1.0
        for index in range(recipes.n_inputs[thing]):
            part = recipes.inputs[thing, index]
            inside = place >= 0 and among(recipes.content[r.inside[e, place]], part)
            if not inside and count < MOST_PARTS:
                parts[count] = part
                count += 1
    for index in range(missing):
        needs.work[lacking[index]] = work
    for place in range(len(needs.aim)):
        if needs.aim_work[place] < 0:
            needs.aim_work[place] = work
    return work


@compiled
def _tool_for(recipes: Recipes, r: Rows, e: int, needs: Needs, thing: int) -> int:
    """The free tool in which most of a product's inputs are already, and nothing else; -1 for none."""
    best, most = -1, -1
    for place in range(r.inside.shape[1]):
        if recipes.kind[place] != recipes.makes[thing] or needs.aim[place] >= 0:
            continue
        state = r.inside[e, place]
        if recipes.ready[state] or recipes.n_content[state] <= most:
            continue
        fits = True
        for index in range(recipes.n_content[state]):
            fits = fits and among(recipes.inputs[thing], recipes.content[state, index])
        if fits:
            best, most = place, recipes.n_content[state]
    return best


@compiled
def among(things: Ints, thing: int) -> bool:
    """Whether a thing is among those of a row, which are inputs of a product, or what is inside."""
    for index in range(len(things)):  # noqa: SIM110  # compiled
        if things[index] == thing:
            return True
    return False


@compiled
def missing_ingredients(t: Tables, needs: Needs) -> int:
    """How many ingredients the open orders and spare dishes still miss."""
    count = 0
    for thing in range(t.n_ingredients):
        count += needs.missing[thing]
    return count


@compiled
def urgency(left: float) -> float:
    """1 for now, 0 for what nobody waits for."""
    return max(0.0, 1.0 - left / HORIZON)


@compiled
def slack(left: float, work: float, bodies: int) -> float:
    """The steps left less those that the work takes if all bodies share it; within -1 and 1."""
    return min(1.0, max(-1.0, (left - work / bodies) / 20.0))


def recipes_of(compiler: Compiler) -> Recipes:
    """The recipes of a scenario in the numbers of its tables."""
    world, number = compiler.world, compiler.number
    compiled_, things = world.compiled, compiler.encoding.things
    kinds = sorted({kind.name for kind in compiled_.kinds})
    made = {number[compiled_.thing_number[recipe.product]]: recipe for recipe in compiled_.recipes}
    inputs = {
        thing: [number[compiled_.thing_number[name]] for name in recipe.inputs]
        for thing, recipe in made.items()
    }
    dishes = [number[thing] for thing in compiled_.dish_things]
    states = compiler.local.states
    contents = [[number[thing] for thing in content] for _, content, _ in states]
    products = [
        -1 if to < 0 else contents[to][0] if contents[to] else -1
        for to in (row.activated for row in compiler.local.rows)
    ]
    return Recipes(
        inputs=padded([inputs.get(thing, []) for thing in range(len(things))]),
        n_inputs=_ints([len(inputs.get(thing, [])) for thing in range(len(things))]),
        makes=_ints(
            [
                kinds.index(made[thing].tool) if thing in made and made[thing].tool in kinds else -1
                for thing in range(len(things))
            ]
        ),
        deep=_ints(_depths(dishes, inputs, len(things))),
        steps=np.array([_steps(thing, inputs) for thing in range(len(things))], np.float32),
        kind=_ints([kinds.index(kind.name) for kind in compiled_.kinds]),
        role=_ints(compiled_.roles),
        busy=_ints(compiled_.busy_steps),
        content=padded(contents),
        n_content=_ints([len(content) for content in contents]),
        ready=_ints([int(ready) for _, _, ready in states]),
        product=_ints(products),
        thing=_ints(dishes),
        longest=max(world.scenario.lifetimes),
    )


def _depths(dishes: list[int], inputs: Mapping[int, list[int]], things: int) -> list[int]:
    """How many recipes a thing is from the nearest dish."""
    depths = [things] * things
    todo = [(dish, 0) for dish in dishes]
    while todo:
        thing, depth = todo.pop()
        if depth < depths[thing]:
            depths[thing] = depth
            todo += [(part, depth + 1) for part in inputs.get(thing, [])]
    return depths


def _steps(thing: int, inputs: Mapping[int, list[int]]) -> float:
    """The steps of bodies in a thing, as ``needs`` counts them; recipes have no circle."""
    if thing not in inputs:
        return 2.0
    return 3.0 + sum(_steps(part, inputs) for part in inputs[thing])


def _ints(values: Any) -> NDArray[np.int32]:
    return np.array(values, np.int32)
