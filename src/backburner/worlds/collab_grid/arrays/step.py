"""Steps of the grid on rows of numbers: the world's own (``collab_overcooked.game.transition``), made fast.

A thing in a place is ``2 * number + 1`` on a dish, ``2 * number`` without, 0 for nothing. Utensils are in
the order of the kitchen; ``place`` is that of their contents among all contents, from 1, as the rules go by
the order in which utensils were first put something into. ``tables`` says what all else stands for.
"""

from __future__ import annotations

from typing import Any

from backburner.arrays.jit import compiled
from backburner.worlds.collab_grid.arrays.take import (
    CAPACITY,
    COMPLETED,
    COUNTER,
    DISH,
    DISHES,
    DRAWN,
    FETCH,
    FIRST_ONLY,
    FLOOR,
    FOODS,
    INGREDIENTS,
    INTERACT,
    LIMIT,
    LOST,
    NORTH,
    ONE_PASS,
    OPEN,
    STALLS,
    START,
    STAY,
    STEP_LIMIT,
    UTENSILS,
    take,
)


@compiled
def start(tables: Any, rows: Any, e: int, drawn: Any) -> None:
    """The row becomes the first state of an episode."""
    for body in range(2):
        rows.cell[e, body] = tables.starts[body]
        rows.facing[e, body] = 0
        rows.held[e, body] = 0
    rows.counter[e, :] = 0
    rows.inside[e, :, :] = 0
    for utensil in range(rows.place.shape[1]):
        _empty(rows, e, utensil)
        rows.ruined[e, utensil] = 0
    rows.orders[e, :] = 0
    rows.drawn[e] = 0
    own = tables.first_orders.shape[0]
    for index in range(own):
        rows.orders[e, index] = tables.first_orders[index]
    if tables.numbers[DRAWN]:
        for index in range(own, tables.numbers[OPEN]):
            rows.orders[e, index] = drawn[index - own]
            rows.drawn[e] += 1
    rows.steps[e] = 0
    rows.delivered[e] = 0
    rows.ended[e] = 0
    rows.work[e, :] = 0


@compiled
def over(tables: Any, rows: Any, e: int) -> bool:
    """Whether the episode has ended."""
    return bool(rows.ended[e] != 0)


@compiled
def cut_off(tables: Any, rows: Any, e: int) -> bool:
    """Whether the limit ended the episode."""
    return bool(rows.ended[e] == STEP_LIMIT)


@compiled
def score(tables: Any, rows: Any, e: int) -> float:
    """Orders delivered."""
    return float(rows.delivered[e])


@compiled
def _empty(rows: Any, e: int, utensil: int) -> None:
    """Nothing is in a utensil."""
    rows.inside[e, utensil, :] = 0
    rows.output[e, utensil] = 0
    rows.timer[e, utensil] = 0
    rows.duration[e, utensil] = 0
    rows.place[e, utensil] = 0
    rows.makes[e, utensil] = 0


@compiled
def _remove(rows: Any, e: int, utensil: int) -> None:
    """The contents of a utensil are gone; those behind them in the order move up."""
    gone = rows.place[e, utensil]
    _empty(rows, e, utensil)
    for other in range(rows.place.shape[1]):
        if rows.place[e, other] > gone:
            rows.place[e, other] -= 1


@compiled
def _faced(tables: Any, rows: Any, e: int, body: int) -> int:
    return int(tables.ahead[rows.cell[e, body], rows.facing[e, body]])


# --- what may be done -----------------------------------------------------------------------------------


@compiled
def meets(tables: Any, rows: Any, e: int, thing: int) -> bool:
    """Whether a thing, on a dish or not, is what an open order wants."""
    number = thing // 2
    if tables.needs_dish[number] != thing % 2:
        return False
    last = 1 if tables.numbers[FIRST_ONLY] else rows.orders.shape[1]
    wanted = False
    for index in range(last):
        wanted = wanted or rows.orders[e, index] == number
    return bool(wanted)


@compiled
def _may_use(tables: Any, rows: Any, e: int, held: int, utensil: int, starts: bool) -> bool:
    """Whether to start a utensil, or to interact with it, comes to anything."""
    filled, timer = rows.place[e, utensil] > 0, rows.timer[e, utensil]
    if starts:
        return bool(filled and timer == 0)
    if held == 0 or held == DISH:
        return bool(timer > 0 and timer == rows.duration[e, utensil])
    return bool(timer == 0 and rows.inside[e, utensil, tables.numbers[CAPACITY] - 1] == 0)


@compiled
def may(tables: Any, rows: Any, e: int, body: int, code: int) -> bool:
    """Whether the world accepts a code of a body now; see ``game.legality``."""
    if code < 0 or code >= FETCH + tables.numbers[FOODS]:
        return False
    if code == STAY:
        return True
    cell = _faced(tables, rows, e, body)
    tile = tables.tile[cell]
    if code < INTERACT:
        return bool(tile == FLOOR or code - NORTH != rows.facing[e, body])
    held = rows.held[e, body]
    if tile == INGREDIENTS:
        return bool(code >= FETCH and held == 0)
    if tile == FLOOR or code >= FETCH or (code == START and tile < UTENSILS):
        return False
    if tile == DISHES:
        return bool(held == 0)
    if body == 1 and cell == _faced(tables, rows, e, 0):
        return True
    if tile >= UTENSILS:
        return bool(_may_use(tables, rows, e, held, tile - UTENSILS, code == START))
    if tile == COUNTER:
        return bool((held == 0) != (rows.counter[e, tables.counter_at[cell]] == 0))
    if held == 0 or held == DISH:
        return False
    return bool(tables.numbers[LOST] != 0 or meets(tables, rows, e, held))


@compiled
def mask(tables: Any, rows: Any, e: int, body: int, out: Any) -> None:
    """1 for each code that the world accepts of a body now."""
    out[:] = 0
    out[STAY] = 1
    if rows.ended[e]:
        return
    for code in range(NORTH, FETCH + 1):
        if may(tables, rows, e, body, code):
            out[code] = 1
    if out[FETCH]:
        out[FETCH:] = 1


# --- a step ---------------------------------------------------------------------------------------------


@compiled
def step(tables: Any, rows: Any, e: int, drawn: Any, codes: Any) -> None:
    """One step of the kitchen; what is not accepted is to stay."""
    if rows.ended[e]:
        return
    rows.work[e, 0] = rows.work[e, 1]
    rows.work[e, 2] = rows.delivered[e]
    first = second = STAY
    for body in range(2):
        if may(tables, rows, e, body, codes[body]):
            first, second = (codes[0], second) if body == 0 else (first, codes[1])
    rows.ruined[e, :] = 0
    met = 0
    started0 = started1 = -1
    for body in range(2):
        code = first if body == 0 else second
        if code >= INTERACT:
            started, served = act(tables, rows, e, body, code)
            started0, started1 = (started, started1) if body == 0 else (started0, started)
            met += served
    _move(tables, rows, e, first - NORTH, second - NORTH)
    _operate(tables, rows, e, started0, -1 if started1 == started0 else started1)
    rows.steps[e] += 1
    rows.delivered[e] += met
    if tables.numbers[DRAWN]:
        for _ in range(met):
            _append(rows, e, drawn[rows.drawn[e]])
            rows.drawn[e] += 1
    limit = tables.numbers[LIMIT]
    if rows.orders[e, 0] == 0:
        rows.ended[e] = COMPLETED
    elif limit >= 0 and rows.steps[e] >= limit:
        rows.ended[e] = STEP_LIMIT
    rows.work[e, 1] = 0 if rows.ended[e] else take(tables, rows, e, -1)


@compiled
def _append(rows: Any, e: int, order: int) -> None:
    index = 0
    while rows.orders[e, index]:
        index += 1
    rows.orders[e, index] = order


@compiled
def act(tables: Any, rows: Any, e: int, body: int, code: int) -> tuple[int, int]:
    """A cook interacts with what it faces; returns the utensil that it starts, or -1, and orders met."""
    cell = _faced(tables, rows, e, body)
    tile, held = tables.tile[cell], rows.held[e, body]
    if tile >= UTENSILS:
        return _at_utensil(tables, rows, e, body, tile - UTENSILS, code), 0
    if tile == COUNTER:
        counter = tables.counter_at[cell]
        there = rows.counter[e, counter]
        if held == 0 or there == 0:
            rows.held[e, body] = there
            rows.counter[e, counter] = held
    elif tile == DISHES:
        rows.held[e, body] = DISH
    elif tile == INGREDIENTS:
        rows.held[e, body] = DISH + 2 * (1 + code - FETCH)
    elif held != 0 and held != DISH:
        return -1, _serve(tables, rows, e, body)
    return -1, 0


@compiled
def _serve(tables: Any, rows: Any, e: int, body: int) -> int:
    held = rows.held[e, body]
    if not meets(tables, rows, e, held):
        if tables.numbers[LOST]:
            rows.held[e, body] = 0
        return 0
    rows.held[e, body] = 0
    last = rows.orders.shape[1] - 1
    index = 0
    while rows.orders[e, index] != held // 2:
        index += 1
    for place in range(index, last):
        rows.orders[e, place] = rows.orders[e, place + 1]
    rows.orders[e, last] = 0
    return 1


@compiled
def _at_utensil(tables: Any, rows: Any, e: int, body: int, utensil: int, code: int) -> int:
    """Start, fill a dish, put in, or take out; returns the utensil if it starts, else -1."""
    held, timer = rows.held[e, body], rows.timer[e, utensil]
    filled = rows.place[e, utensil] > 0
    ready = timer > 0 and timer == rows.duration[e, utensil]
    if code == START and filled and timer == 0:
        return utensil
    if held == DISH or held == 0:
        if ready:
            rows.held[e, body] = 2 * rows.output[e, utensil] + (1 if held == DISH else 0)
            _remove(rows, e, utensil)
    elif timer == 0 and rows.inside[e, utensil, tables.numbers[CAPACITY] - 1] == 0:
        slot = 0
        while rows.inside[e, utensil, slot]:
            slot += 1
        rows.inside[e, utensil, slot] = held // 2
        if not filled:
            most = 0
            for other in range(rows.place.shape[1]):
                most = max(most, rows.place[e, other])
            rows.place[e, utensil] = most + 1
        rows.makes[e, utensil] = _made_of(tables, rows, e, utensil, slot + 1)
        rows.held[e, body] = 0
    return -1


@compiled
def _made_of(tables: Any, rows: Any, e: int, utensil: int, count: int) -> int:
    """The recipe, from 1, for exactly what is in a utensil; 0 for none."""
    for recipe in range(tables.recipe_kind.shape[0]):
        if tables.recipe_kind[recipe] != tables.utensil_kind[utensil] or tables.recipe_size[recipe] != count:
            continue
        fits = True
        for slot in range(count):
            item = rows.inside[e, utensil, slot]
            here = there = 0
            for other in range(count):
                here += rows.inside[e, utensil, other] == item
                there += tables.recipe_inputs[recipe, other] == item
            fits = fits and here == there
        if fits:
            return recipe + 1
    return 0


@compiled
def _move(tables: Any, rows: Any, e: int, first: int, second: int) -> None:
    """Both go at once, in directions 0 to 3; other numbers stay."""
    goes0, goes1 = 0 <= first < 4, 0 <= second < 4
    cell0, cell1 = rows.cell[e, 0], rows.cell[e, 1]
    to0 = tables.ahead[cell0, first] if goes0 else cell0
    to1 = tables.ahead[cell1, second] if goes1 else cell1
    if tables.tile[to0] != FLOOR:
        to0 = cell0
    if tables.tile[to1] != FLOOR:
        to1 = cell1
    collide = to0 == to1 or (to0 == cell1 and to1 == cell0)
    if goes0:
        rows.facing[e, 0] = first
        if not collide:
            rows.cell[e, 0] = to0
    if goes1:
        rows.facing[e, 1] = second
        if not collide:
            rows.cell[e, 1] = to1


@compiled
def _operate(tables: Any, rows: Any, e: int, started0: int, started1: int) -> None:
    """Operations start and timers tick; see ``transition``."""
    one_pass, stalls = tables.numbers[ONE_PASS] != 0, tables.numbers[STALLS] != 0
    utensils = rows.place.shape[1]
    last = utensils  # contents behind this place do not tick
    marked = 0  # the place of the last contents that match no recipe
    for utensil in (started0, started1):
        if utensil < 0:
            continue
        place, recipe = rows.place[e, utensil], rows.makes[e, utensil]
        if recipe:
            rows.output[e, utensil] = tables.recipe_output[recipe - 1]
            rows.timer[e, utensil] = 1
            rows.duration[e, utensil] = tables.recipe_steps[recipe - 1]
            last = min(last, place) if stalls else last
        else:
            marked = max(marked, place)
    for utensil in range(utensils):
        ticks = utensil not in (started0, started1) and rows.place[e, utensil] <= last
        if ticks and 0 < rows.timer[e, utensil] < rows.duration[e, utensil]:
            rows.timer[e, utensil] += 1
    for utensil in (started0, started1):
        ruins = utensil >= 0 and rows.makes[e, utensil] == 0
        if ruins and (rows.place[e, utensil] == marked or not one_pass):
            _remove(rows, e, utensil)
            rows.ruined[e, utensil] = 1
