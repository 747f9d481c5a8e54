"""The grid's batch: a scenario under its rules as tables, rows of episodes, functions over them, features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.arrays.batch import Batch, compiled_batch
from backburner.arrays.jit import compiled, zero_rows
from backburner.worlds.collab_grid.arrays import step
from backburner.worlds.collab_grid.arrays.encoding import (
    MANY,
    MOST_SHOWN,
    PROGRESS,
    TILES,
    CollabGridEncoding,
    encoding,
)
from backburner.worlds.collab_grid.arrays.step import meets
from backburner.worlds.collab_grid.arrays.take import (
    BITS,
    CAPACITY,
    COMPLETED,
    DISH,
    FLOORS,
    FOODS,
    KINDS,
    LACKING,
    LIMIT,
    LISTS,
    SHOWN,
    STEP_LIMIT,
    UTENSILS,
    potential,
    progress,
    take,
)
from backburner.worlds.collab_grid.game.state import State
from backburner.worlds.collab_grid.game.world import CollabGrid
from backburner.worlds.collab_overcooked.game.transition import drawn_order

Ints = NDArray[np.int32]


class Tables(NamedTuple):
    """A scenario under its rules, in numbers. Items are those of ``encoding``, things those of ``needs``.

    ``ahead``: the cell that lies in each direction of a cell. ``tile``: see ``take``. ``counter_at``,
    ``floor_at``: which counter, or cell of floor, a cell is; -1 for none. ``needs_dish``: of each item that
    may be ordered, -1 for others. ``recipe_*``: recipes with inputs as items, 0 for none. ``thing_of``: the
    thing that an item is, -1 for none; ``inputs``: things, -1 for none. ``order_of``, ``order_thing``: which
    order a thing is, -1 for none, and back. ``sees``: what each cook sees of counters.
    """

    numbers: Ints
    ahead: Ints
    tile: Ints
    counter_at: Ints
    floor_at: Ints
    starts: Ints
    first_orders: Ints
    needs_dish: Ints
    utensil_kind: Ints
    recipe_kind: Ints
    recipe_output: Ints
    recipe_steps: Ints
    recipe_size: Ints
    recipe_inputs: Ints
    thing_item: Ints
    thing_of: Ints
    thing_kind: Ints
    inputs: Ints
    inputs_size: Ints
    on_dish: Ints
    weight: Ints
    goes_into: Ints
    in_hands: Ints
    made: Ints
    fetched: Ints
    order_of: Ints
    order_thing: Ints
    sees: Ints
    informed: Ints


class Rows(NamedTuple):
    """Episodes. ``held``, ``counter``: things in places, see ``step``. ``inside``, ``output``, ``orders``:
    items; ``makes``: the recipe, from 1, for what is inside. ``work``: done for the open orders before
    the last step and after it, and how many were delivered before it. ``scratch``: nothing between calls."""

    cell: Ints
    facing: Ints
    held: Ints
    counter: Ints
    inside: Ints
    output: Ints
    timer: Ints
    duration: Ints
    place: Ints
    makes: Ints
    ruined: Ints
    orders: Ints
    steps: Ints
    delivered: Ints
    drawn: Ints
    ended: Ints
    work: Ints
    scratch: Ints


OF_UTENSILS = ("output", "timer", "duration", "place", "makes")
"""Arrays of rows that say something of each utensil's contents."""


def _ints(values: Any, *shape: int) -> Ints:
    """An array of numbers; of this shape where it may be empty."""
    return np.array(values, np.int32).reshape(shape) if shape else np.array(values, np.int32)


def _padded(lists: Sequence[Sequence[int]], width: int, filler: int) -> Ints:
    return _ints([[*one, *[filler] * (width - len(one))] for one in lists], len(lists), width)


class _Compiler:
    """The tables of one encoding, and rows of its states."""

    def __init__(self, numbers: CollabGridEncoding) -> None:
        self.encoding = numbers
        self.world = numbers.world
        self.grid = self.world.compiled.grid
        self.layout = self.world.compiled.layout
        self.recipes = {(r.utensil, tuple(sorted(r.inputs))): i for i, r in enumerate(self.layout.recipes, 1)}

    def tables(self) -> Tables:
        """Everything that never changes in play."""
        numbers, needs, grid = self.encoding, self.encoding.needs, self.grid
        item, kinds, capacity = numbers.item_number, numbers.kinds, self.layout.capacity
        cells, recipes = len(grid.tiles), self.layout.recipes
        orders = [needs.number[order] for order in needs.orders]
        kind_sets = numbers.goes_into
        return Tables(
            numbers=_ints(self._constants()),
            ahead=_ints([[(cell + delta) % cells for delta in grid.deltas] for cell in range(cells)]),
            tile=_ints([self._tile(cell) for cell in range(cells)]),
            counter_at=_ints(_places(grid.counters, cells)),
            floor_at=_ints(_places(numbers.floor, cells)),
            starts=_ints(grid.starts),
            first_orders=_ints([item[order] for order in self.world.scenario.orders]),
            needs_dish=_ints([int(self.layout.needs_dish.get(name, -1)) for name in numbers.items]),
            utensil_kind=_ints(needs.utensil_kinds, len(grid.utensils)),
            recipe_kind=_ints([kinds.index(recipe.utensil) for recipe in recipes], len(recipes)),
            recipe_output=_ints([item[recipe.output] for recipe in recipes], len(recipes)),
            recipe_steps=_ints([recipe.steps for recipe in recipes], len(recipes)),
            recipe_size=_ints([len(recipe.inputs) for recipe in recipes], len(recipes)),
            recipe_inputs=_padded([[item[name] for name in r.inputs] for r in recipes], capacity, 0),
            thing_item=_ints([item[thing] for thing in needs.things]),
            thing_of=_ints([needs.number.get(name, -1) for name in numbers.items]),
            thing_kind=_ints(needs.kinds),
            inputs=_padded(needs.inputs, capacity, -1),
            inputs_size=_ints([len(inputs) for inputs in needs.inputs]),
            on_dish=_ints(needs.on_dish),
            weight=_ints(needs.weights),
            goes_into=_ints([[kind in into for kind in range(len(kinds))] for into in kind_sets]),
            in_hands=_ints(needs.in_hands),
            made=_ints(needs.made),
            fetched=_ints(needs.fetched),
            order_of=_ints([orders.index(n) if n in orders else -1 for n in range(len(needs.things))]),
            order_thing=_ints(orders),
            sees=_ints(
                [[cell in sees for cell in grid.counters] for sees in numbers.sees], 2, len(grid.counters)
            ),
            informed=_ints(numbers.informed),
        )

    def _constants(self) -> list[int]:
        """In the order of the constants of ``take``."""
        numbers, rules, scenario = self.encoding, self.world.rules, self.world.scenario
        limit = self.world.limits.steps
        return [
            -1 if limit is None else limit,
            self.layout.capacity,
            rules.first_order_only,
            rules.food_is_lost,
            rules.starting_stalls_timers,
            rules.starts_found_in_one_pass,
            bool(scenario.order_weights),
            scenario.open_orders,
            numbers.bits,
            min(numbers.most_open, MOST_SHOWN),
            len(self.layout.ingredients),
            len(numbers.kinds),
            numbers.needs.certain,
            len(numbers.floor),
            numbers.needs.scale,
        ]

    def _tile(self, cell: int) -> int:
        utensil = self.grid.utensil_at.get(cell)
        return TILES.index(self.grid.tiles[cell]) if utensil is None else UTENSILS + utensil

    def rows(self, count: int) -> Rows:
        """So many episodes, of no content."""
        utensils, things = len(self.grid.utensils), len(self.encoding.needs.things)
        shapes = {
            **dict.fromkeys(("cell", "facing", "held"), (2,)),
            **dict.fromkeys((*OF_UTENSILS, "ruined"), (utensils,)),
            "counter": (len(self.grid.counters),),
            "inside": (utensils, self.layout.capacity),
            "orders": (self.encoding.most_open,),
            "work": (3,),
            "scratch": (LISTS * things + 2 * utensils + 1,),
        }
        return zero_rows(Rows, count, shapes)

    def draws(self, seeds: Sequence[int]) -> Ints:
        """The orders that are drawn, as many as there can be: a cook delivers one in four steps at most."""
        scenario, limit = self.world.scenario, self.world.limits.steps
        if not scenario.order_weights or limit is None:
            return np.zeros((len(seeds), 0), np.int32)
        most, item = scenario.open_orders + 2 * (limit // 4 + 1), self.encoding.item_number
        drawn = [[item[drawn_order(scenario, seed, number)] for number in range(most)] for seed in seeds]
        return _ints(drawn, len(seeds), most)

    def fields(self, state: State) -> Mapping[str, Any]:
        """What the row of a state holds, but for ``work`` and ``scratch``."""
        kitchen, item = state.kitchen, self.encoding.item_number
        utensils, capacity = len(self.grid.utensils), self.layout.capacity
        counters = {cell: index for index, cell in enumerate(self.grid.counters)}
        row: dict[str, Any] = {
            "cell": [body.cell for body in kitchen.bodies],
            "facing": [body.facing for body in kitchen.bodies],
            "held": [2 * item[body.held] + body.plated for body in kitchen.bodies],
            "counter": [0] * len(counters),
            "inside": [[0] * capacity for _ in range(utensils)],
            **{name: [0] * utensils for name in OF_UTENSILS},
            "ruined": [int(utensil in kitchen.ruined) for utensil in range(utensils)],
            "orders": [item[order] for order in kitchen.orders],
            "steps": kitchen.steps,
            "delivered": state.delivered,
            "drawn": state.drawn,
            "ended": {"": 0, "completed": COMPLETED, "step_limit": STEP_LIMIT}[state.ended],
        }
        row["orders"] += [0] * (self.encoding.most_open - len(kitchen.orders))
        for lying in kitchen.lying:
            row["counter"][counters[lying.cell]] = 2 * item[lying.item] + lying.plated
        for place, content in enumerate(kitchen.contents, 1):
            utensil = content.utensil
            for slot, name in enumerate(content.items):
                row["inside"][utensil][slot] = item[name]
            row["output"][utensil], row["timer"][utensil] = item[content.output], content.timer
            row["duration"][utensil], row["place"][utensil] = content.steps, place
            key = self.grid.utensils[utensil].kind, tuple(sorted(content.items))
            row["makes"][utensil] = self.recipes.get(key, 0)
        return {name: _ints(value) for name, value in row.items()}


def _places(cells: Sequence[int], count: int) -> list[int]:
    """For each cell its place among ``cells``, or -1."""
    places = {cell: place for place, cell in enumerate(cells)}
    return [places.get(cell, -1) for cell in range(count)]


# --- what a cook sees, compiled -------------------------------------------------------------------------


@compiled
def features(tables: Any, rows: Any, e: int, body: int, out: Any) -> None:
    """What a cook sees; see ``encoding``."""
    out[:] = 0.0
    informed = tables.informed[body]
    if informed:
        take(tables, rows, e, body)
    limit = tables.numbers[LIMIT]
    out[0] = body == 0
    out[1] = informed
    out[2] = 1.0 if limit < 0 else max(0, limit - rows.steps[e]) / limit
    at = 3
    floors = tables.numbers[FLOORS]
    for who in range(2):
        cook = body if who == 0 else 1 - body
        out[at + tables.floor_at[rows.cell[e, cook]]] = 1.0
        out[at + floors + rows.facing[e, cook]] = 1.0
        at += floors + 4
    tile = tables.tile[tables.ahead[rows.cell[e, body], rows.facing[e, body]]]
    out[at + (tile if tile < UTENSILS else UTENSILS + tables.utensil_kind[tile - UTENSILS])] = 1.0
    at += UTENSILS + tables.numbers[KINDS]
    for place in range(2 + rows.counter.shape[1]):
        if place < 2:
            thing = rows.held[e, body if place == 0 else 1 - body]
        else:
            thing = rows.counter[e, place - 2] if tables.sees[body, place - 2] else 0
        at = _thing(tables, rows, e, informed, thing, out, at)
    for utensil in range(rows.timer.shape[1]):
        at = _utensil(tables, rows, e, informed, utensil, out, at)
    for index in range(tables.numbers[SHOWN]):
        out[at] = rows.orders[e, index] > 0
        at = _bits(tables, rows.orders[e, index], out, at + 1)
    if informed:
        _lacking(tables, rows, e, out, at)


@compiled
def _bits(tables: Any, number: int, out: Any, at: int) -> int:
    """The bits of a thing's number; returns the place behind them, as the functions below do."""
    bits = tables.numbers[BITS]
    for bit in range(bits):
        out[at + bit] = number >> bit & 1
    return int(at + bits)


@compiled
def _thing(tables: Any, rows: Any, e: int, informed: int, thing: int, out: Any, at: int) -> int:
    """Something in a place; 0: nothing."""
    kinds = tables.numbers[KINDS]
    if thing == 0:
        return int(at + 5 + kinds + tables.numbers[BITS])
    out[at] = 1.0
    out[at + 1] = thing == DISH
    out[at + 2] = thing % 2
    out[at + 3] = meets(tables, rows, e, thing)
    number = tables.thing_of[thing // 2]
    if informed and number >= 0 and rows.scratch[e, number] > 0:
        out[at + 4] = 1.0
        for kind in range(kinds):
            out[at + 5 + kind] = tables.goes_into[number, kind]
    return int(_bits(tables, thing // 2, out, at + 5 + kinds))


@compiled
def _utensil(tables: Any, rows: Any, e: int, informed: int, utensil: int, out: Any, at: int) -> int:
    timer, duration = rows.timer[e, utensil], rows.duration[e, utensil]
    capacity = tables.numbers[CAPACITY]
    count = 0
    if timer == 0:
        while count < capacity and rows.inside[e, utensil, count]:
            count += 1
    out[at] = count / capacity
    out[at + 1] = 0 < timer < duration
    out[at + 2] = 0 < timer == duration
    out[at + 3] = (duration - timer) / duration if timer else 0.0
    out[at + 4] = count > 0 and rows.makes[e, utensil] > 0
    if informed:
        fits = LISTS * tables.thing_item.shape[0] + utensil
        out[at + 5] = rows.scratch[e, fits]
        out[at + 6] = rows.scratch[e, fits + rows.timer.shape[1]]
    at = _thing(tables, rows, e, informed, 2 * rows.output[e, utensil], out, at + 7)
    for slot in range(capacity):
        at = _bits(tables, rows.inside[e, utensil, slot] if slot < count else 0, out, at)
    return int(at)


@compiled
def _lacking(tables: Any, rows: Any, e: int, out: Any, at: int) -> None:
    """How many dishes, and of each ingredient, open orders lack."""
    things = tables.thing_item.shape[0]
    out[at] = min(rows.scratch[e, LISTS * things + 2 * rows.timer.shape[1]], MANY) / MANY
    for food in range(tables.numbers[FOODS]):
        number = tables.thing_of[2 + food]
        if number >= 0:
            out[at + 1 + food] = min(rows.scratch[e, LACKING * things + number], MANY) / MANY


# --- the batch ------------------------------------------------------------------------------------------


def batch(world: CollabGrid) -> Batch:
    """The batch of a world; raises ``Refused`` where there is no encoding. It covers all scenarios and
    rules."""
    compiler = _Compiler(encoding(world))
    found = {"features": features, "potential": potential, "own_rewards": {PROGRESS: progress}}
    return compiled_batch(compiler, step, draws=compiler.draws, **found)
