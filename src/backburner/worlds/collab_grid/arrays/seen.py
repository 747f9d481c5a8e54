"""What a cook sees, written from rows of numbers: the encoding's features, made fast."""

from __future__ import annotations

from typing import Any

from backburner.arrays.jit import compiled
from backburner.worlds.collab_grid.arrays.constants import (
    BITS,
    CAPACITY,
    DISH,
    FLOORS,
    FOODS,
    KINDS,
    LIMIT,
    SHOWN,
    UTENSILS,
)
from backburner.worlds.collab_grid.arrays.encoding import MANY
from backburner.worlds.collab_grid.arrays.step import meets
from backburner.worlds.collab_grid.arrays.take import LACKING, LISTS, take


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
