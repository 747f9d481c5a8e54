"""What open orders still take, on rows of numbers: ``needs.Needs``, made fast.

Here are, too, the numbers that all compiled functions go by: codes, tiles, where a scenario's constants are.
"""

from __future__ import annotations

from typing import Any

from backburner.arrays.jit import compiled
from backburner.worlds.collab_grid.arrays.needs import ON_DISH

STAY, NORTH, INTERACT, START, FETCH = 0, 1, 5, 6, 7
"""Codes; the directions follow one another, as do the ingredients from ``FETCH`` on."""

FLOOR, COUNTER, INGREDIENTS, DISHES, SERVING, UTENSILS = range(6)
"""Tiles; from ``UTENSILS`` on the utensils."""

DISH = 2
"""An empty dish, as a thing in a place: ``2 * number``, and one more on a dish."""

COMPLETED, STEP_LIMIT = 1, 2
"""How an episode has ended; 0: it has not."""

(
    LIMIT,
    CAPACITY,
    FIRST_ONLY,
    LOST,
    STALLS,
    ONE_PASS,
    DRAWN,
    OPEN,
    BITS,
    SHOWN,
    FOODS,
    KINDS,
    CERTAIN,
    FLOORS,
    SCALE,
) = range(15)
"""The places of a scenario's constants in ``tables.numbers``: steps until play is cut off (-1: never), what a
utensil holds, four rules, whether orders are drawn, how many are open then, the bits of a thing's number,
orders that features show, ingredients, kinds of utensils, whether there is one recipe for each thing, cells
of floor, the work of the longest order."""


# The columns of ``rows.scratch``, in numbers of things; then those of utensils, and how many dishes lack.
DEMAND, LACKING, LOOSE, PLATED, MADE, TO_FILL, LISTS = 0, 1, 2, 3, 4, 5, 6


@compiled
def _count(tables: Any, rows: Any, e: int, cook: int) -> int:
    """Count what is loose and what is being made, as far as a cook sees it (-1: all); returns dishes."""
    things = tables.thing_item.shape[0]
    rows.scratch[e, :] = 0
    dishes = 0
    for place in range(2 + rows.counter.shape[1]):
        if place < 2:
            thing = rows.held[e, place]
        else:
            thing = rows.counter[e, place - 2] if cook < 0 or tables.sees[cook, place - 2] else 0
        number = tables.thing_of[thing // 2]
        dishes += thing == DISH
        if number >= 0:
            rows.scratch[e, (PLATED if thing % 2 else LOOSE) * things + number] += 1
    for utensil in range(rows.timer.shape[1]):
        number = tables.thing_of[rows.output[e, utensil]]
        if rows.timer[e, utensil] and number >= 0:
            rows.scratch[e, MADE * things + number] += 1
    return dishes


@compiled
def fits_in(tables: Any, rows: Any, e: int, utensil: int, number: int) -> bool:
    """Whether a utensil that has not been started holds a part of what a thing is made of."""
    if rows.place[e, utensil] == 0 or rows.timer[e, utensil]:
        return False
    if tables.utensil_kind[utensil] != tables.thing_kind[number]:
        return False
    for slot in range(tables.numbers[CAPACITY]):
        item = rows.inside[e, utensil, slot]
        if item == 0:
            break
        here = there = 0
        for other in range(tables.numbers[CAPACITY]):
            here += rows.inside[e, utensil, other] == item
            each = tables.inputs[number, other]
            there += each >= 0 and tables.thing_item[each] == item
        if here > there:
            return False
    return True


@compiled
def _add(tables: Any, rows: Any, e: int, number: int, times: int) -> None:
    """Demand the inputs of a thing so many times more."""
    for slot in range(tables.inputs.shape[1]):
        if tables.inputs[number, slot] >= 0:
            rows.scratch[e, tables.inputs[number, slot]] += times


@compiled
def take(tables: Any, rows: Any, e: int, cook: int) -> int:
    """Write what the open orders take into the row's scratch; returns the work that has been done."""
    things = tables.thing_item.shape[0]
    utensils = rows.timer.shape[1]
    dishes = _count(tables, rows, e, cook)
    done = to_fill = 0
    for index in range(rows.orders.shape[1]):
        if rows.orders[e, index] == 0:
            break
        number = tables.thing_of[rows.orders[e, index]]
        if tables.on_dish[number] and rows.scratch[e, PLATED * things + number]:
            rows.scratch[e, PLATED * things + number] -= 1
            done += tables.weight[number] + ON_DISH
            continue
        rows.scratch[e, number] += 1
        rows.scratch[e, TO_FILL * things + number] += tables.on_dish[number]
        to_fill += tables.on_dish[number]
    for number in range(things):
        wanted = rows.scratch[e, number]
        if wanted == 0:
            continue
        loose = rows.scratch[e, LOOSE * things + number]
        used = min(wanted - rows.scratch[e, TO_FILL * things + number], loose)
        made = min(wanted - used, rows.scratch[e, MADE * things + number])
        done += used * tables.weight[number] + made * (tables.weight[number] - 1)
        rest = wanted - used - made
        rows.scratch[e, LACKING * things + number] = rest
        if tables.thing_kind[number] < 0:
            continue
        for utensil in range(utensils):
            fits = LISTS * things + utensil
            if rest == 0 or rows.scratch[e, fits] or not fits_in(tables, rows, e, utensil, number):
                continue
            rows.scratch[e, fits] = 1
            _add(tables, rows, e, number, 1)
            count = 0
            for slot in range(tables.numbers[CAPACITY]):
                if rows.inside[e, utensil, slot]:
                    each = tables.thing_of[rows.inside[e, utensil, slot]]
                    rows.scratch[e, each] -= 1
                    done += tables.weight[each] + 1
                    count += 1
            rows.scratch[e, fits + utensils] = count == tables.inputs_size[number]
            rest -= 1
        _add(tables, rows, e, number, rest)
    rows.scratch[e, LISTS * things + 2 * utensils] = max(0, to_fill - dishes)
    return int(done + min(dishes, to_fill))


@compiled
def progress(tables: Any, rows: Any, e: int) -> float:
    """What the last step was worth: orders delivered, and the rise of the work done for the open ones."""
    risen = rows.work[e, 1] / tables.numbers[SCALE] - rows.work[e, 0] / tables.numbers[SCALE]
    return float(rows.delivered[e] - rows.work[e, 2] + risen)


# --- a bound --------------------------------------------------------------------------------------------


@compiled
def _least_steps(tables: Any, rows: Any, e: int, order: int) -> int:
    """No play delivers this order, by its place among all, in fewer steps."""
    things = tables.thing_item.shape[0]
    dishes = _count(tables, rows, e, -1)
    own = tables.order_thing[order]
    on_dish = tables.on_dish[own]
    if not tables.numbers[CERTAIN] or (on_dish and rows.scratch[e, PLATED * things + own]):
        return 1
    for utensil in range(rows.timer.shape[1]):
        for slot in range(tables.numbers[CAPACITY]):
            number = tables.thing_of[rows.inside[e, utensil, slot]]
            if rows.timer[e, utensil] == 0 and number >= 0:
                rows.scratch[e, LACKING * things + number] += 1  # what is inside, for now
    rows.scratch[e, own] = 1
    least = 1 + on_dish * (1 if dishes else 2)
    for number in range(things):
        wanted = rows.scratch[e, number]
        if wanted == 0:
            continue
        loose = 0 if number == own and on_dish else rows.scratch[e, LOOSE * things + number]
        at_hand = loose + rows.scratch[e, LACKING * things + number]
        made = rows.scratch[e, MADE * things + number]
        rest = max(0, wanted - at_hand - made)
        if at_hand < wanted and made:
            least = max(least, _soonest(tables, rows, e, number) + 1 + tables.made[order, number])
        elif at_hand:
            least = max(least, tables.in_hands[order, number])
        if rest and tables.thing_kind[number] < 0:
            least = max(least, tables.fetched[order, number])
        _add(tables, rows, e, number, rest)
    return int(least)


@compiled
def _soonest(tables: Any, rows: Any, e: int, number: int) -> int:
    """After how many steps the first of a thing that is being made is ready."""
    soonest = 1 << 30
    for utensil in range(rows.timer.shape[1]):
        if rows.timer[e, utensil] and rows.output[e, utensil] == tables.thing_item[number]:
            soonest = min(soonest, rows.duration[e, utensil] - rows.timer[e, utensil])
    return int(soonest)


@compiled
def potential(tables: Any, rows: Any, e: int) -> float:
    """The orders that may still be delivered in time; as the encoding's."""
    if rows.ended[e]:
        return 0.0
    limit = tables.numbers[LIMIT]
    left = limit - rows.steps[e]
    within = 0
    for index in range(rows.orders.shape[1]):
        if rows.orders[e, index]:
            order = tables.order_of[tables.thing_of[rows.orders[e, index]]]
            within += limit < 0 or _least_steps(tables, rows, e, order) <= left
    coming = 2 * ((left + 3) // 4) if tables.numbers[DRAWN] else 0
    return float(within + coming)
