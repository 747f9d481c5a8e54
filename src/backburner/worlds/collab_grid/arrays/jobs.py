"""What there is to do for each cook, and where: jobs at the tiles of a kitchen, for rows of numbers.

``take`` says what the open orders lack. Here each utensil gets an aim, the thing that it is to make next, and
each tile its jobs for a cook: to put in what it holds, to hand it over on a counter that both reach, to start
a utensil, to fetch what is lacking, to wait where it may be handed something. A job is as urgent as the chain
of work is long that waits for it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.arrays.jit import compiled
from backburner.worlds.collab_grid.arrays.step import meets
from backburner.worlds.collab_grid.arrays.take import (
    CAPACITY,
    COUNTER,
    DEMAND,
    DISH,
    DISHES,
    FIRST_ONLY,
    INGREDIENTS,
    LACKING,
    LISTS,
    SERVING,
    TO_FILL,
    UTENSILS,
    fits_in,
)

JOBS = (
    *("put in", "hand over", "put away", "start", "take out", "take"),
    *("fetch", "fetch a dish", "deliver", "wait"),
)
"""``take out``: of a utensil, onto a dish where it is served on one; ``take``: from a counter; ``wait``: at a
counter that both cooks reach."""

PUT, HAND, AWAY, STARTS, OUT, TAKE, FETCH_IT, FETCH_DISH, DELIVER, WAIT = range(len(JOBS))

LITTLE, DISH_NOW, DISH_LATER = 0.05, 0.5, 0.25
"""How urgent it is to clear what nobody wants, and a dish for what is being made, or is not yet."""

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]


class Places(NamedTuple):
    """A kitchen's distances, and room for the jobs in a row.

    Spots are the tiles that some cook can face, by number; ``cell_of`` their cells, ``spot_at`` the spot of
    each cell (-1: none). ``reach[cook, spot]``. ``steps[pose, spot]``: the steps until a cook has acted there
    that stands on the cell ``pose // 4`` of floor (as ``Tables.floor_at`` counts) and looks ``pose % 4``;
    ``FAR`` if it cannot; ``between[cook, spot, spot]`` those of a cook that has just acted at the first until
    it has at the second. ``tail``: how urgent a thing is. ``by_tail``: things, the most urgent first.

    ``aim``: what each utensil is to make, -1 for nothing. ``left``: how many of each thing no utensil is to
    make yet. ``missing[utensil, thing]``: what it lacks for its aim. ``jobs[job, spot]``: how urgent it is;
    0: no such job. ``here[cook, which]``: whether the cook reaches a place where a thing is wanted now, and
    ``later`` where it may be wanted later; ``which`` is the number of a thing, then one for a dish, then
    those of things on dishes; ``served``: what is delivered. ``lacks``: how urgent it is to fetch each thing;
    0: not at all.
    ``onward[spot]``: where something is handed over, the steps from there on of whoever takes it.
    """

    cell_of: Ints
    spot_at: Ints
    reach: Ints
    steps: Ints
    between: Ints
    tail: Floats
    by_tail: Ints
    aim: Ints
    left: Ints
    missing: Ints
    jobs: Floats
    here: Ints
    later: Ints
    served: Ints
    lacks: Floats
    onward: Ints


@compiled
def aims(t: Any, p: Places, r: Any, e: int) -> None:
    """Give each utensil its aim: what is in it decides, then the longest chain. After ``take``."""
    things, utensils = t.thing_item.shape[0], r.timer.shape[1]
    for number in range(things):
        p.left[number] = r.scratch[e, LACKING * things + number]
    p.missing[:, :] = 0
    for utensil in range(utensils):
        p.aim[utensil] = -1
        if r.timer[e, utensil]:
            made = t.thing_of[r.output[e, utensil]]
            if made >= 0 and r.scratch[e, DEMAND * things + made] > 0:
                p.aim[utensil] = made
        elif r.place[e, utensil]:
            for index in range(things):
                number = p.by_tail[index]
                if p.aim[utensil] < 0 and p.left[number] > 0 and fits_in(t, r, e, utensil, number):
                    _aim(t, p, r, e, utensil, number)
    for index in range(things):
        number = p.by_tail[index]
        for utensil in range(utensils):
            empty = r.place[e, utensil] == 0 and p.aim[utensil] < 0
            if empty and p.left[number] > 0 and t.utensil_kind[utensil] == t.thing_kind[number]:
                _aim(t, p, r, e, utensil, number)


@compiled
def _aim(t: Any, p: Places, r: Any, e: int, utensil: int, number: int) -> None:
    p.aim[utensil] = number
    p.left[number] -= 1
    for slot in range(t.inputs.shape[1]):
        if t.inputs[number, slot] >= 0:
            p.missing[utensil, t.inputs[number, slot]] += 1
    for slot in range(t.numbers[CAPACITY]):
        item = r.inside[e, utensil, slot]
        if item:
            p.missing[utensil, t.thing_of[item]] -= 1


@compiled
def is_complete(p: Places, r: Any, e: int, utensil: int) -> bool:
    """Whether a utensil lacks nothing for its aim and has not been started."""
    lacking = p.aim[utensil] < 0 or r.timer[e, utensil] > 0 or r.place[e, utensil] == 0
    for number in range(p.missing.shape[1]):
        lacking = lacking or p.missing[utensil, number] > 0
    return bool(not lacking)


@compiled
def fills_dish(t: Any, p: Places, r: Any, e: int, utensil: int) -> bool:
    """Whether what a utensil makes, or is to make, is served on a dish."""
    things = t.thing_item.shape[0]
    return bool(p.aim[utensil] >= 0 and r.scratch[e, TO_FILL * things + p.aim[utensil]] > 0)


@compiled
def which(t: Any, thing: int) -> int:
    """The place of a thing in ``here`` and ``later``; -1 for what no order takes."""
    number, things = t.thing_of[thing // 2], t.thing_item.shape[0]
    if thing == DISH:
        return int(things)
    if number < 0:
        return -1
    return int(things + 1 + number if thing % 2 else number)


@compiled
def wanted(t: Any, p: Places, r: Any, e: int) -> None:
    """Fill ``here``, ``later`` and ``lacks``. After ``aims``."""
    things = t.thing_item.shape[0]
    p.here[:, :] = 0
    p.later[:, :] = 0
    p.served[:] = 0
    for spot in range(p.cell_of.shape[0]):
        tile = t.tile[p.cell_of[spot]]
        if tile == SERVING:
            _served(t, p, r, e, spot)
        elif tile >= UTENSILS:
            _put_in(t, p, r, e, spot, tile - UTENSILS)
    for number in range(things):
        p.lacks[number] = 0.0
        if t.thing_kind[number] < 0 and r.scratch[e, LACKING * things + number] > 0:
            has_place = p.here[0, number] or p.here[1, number]
            p.lacks[number] = max(LITTLE, float(p.tail[number])) * (1.0 if has_place else 0.5)


@compiled
def _served(t: Any, p: Places, r: Any, e: int, spot: int) -> None:
    last = 1 if t.numbers[FIRST_ONLY] else r.orders.shape[1]
    for index in range(last):
        item = r.orders[e, index]
        if item:
            place = which(t, 2 * item + t.on_dish[t.thing_of[item]])
            p.served[place] = 1
            for cook in range(2):
                if p.reach[cook, spot]:
                    p.here[cook, place] = 1


@compiled
def _put_in(t: Any, p: Places, r: Any, e: int, spot: int, utensil: int) -> None:
    things, kind = t.thing_item.shape[0], t.utensil_kind[utensil]
    filled = r.timer[e, utensil] > 0 and fills_dish(t, p, r, e, utensil)
    for cook in range(2):
        if not p.reach[cook, spot]:
            continue
        if filled:
            p.here[cook, things] = 1
        for number in range(things):
            if p.missing[utensil, number] > 0:
                p.here[cook, number] = 1
            if r.scratch[e, DEMAND * things + number] > 0 and t.goes_into[number, kind]:
                p.later[cook, number] = 1
            if t.thing_kind[number] == kind and r.scratch[e, TO_FILL * things + number] > 0:
                p.later[cook, things] = 1


@compiled
def urgency(t: Any, p: Places, thing: int) -> float:
    """How urgent a thing is, between 0 and 1."""
    number = t.thing_of[thing // 2]
    if thing == DISH:
        return DISH_NOW
    return max(LITTLE, float(p.tail[number])) if number >= 0 else LITTLE


@compiled
def find(t: Any, p: Places, r: Any, e: int, cook: int, started: int) -> None:
    """Write a cook's jobs into ``p.jobs``; ``started``: the utensil that the partner starts now, or -1."""
    p.jobs[:, :] = 0.0
    p.onward[:] = 0
    held = r.held[e, cook]
    own = urgency(t, p, held)
    wants = which(t, held) if held else -1
    free = _free(t, p, r, e)
    for spot in range(p.cell_of.shape[0]):
        tile = t.tile[p.cell_of[spot]]
        if not p.reach[cook, spot]:
            continue
        if tile >= UTENSILS:
            _at_utensil(t, p, r, e, held, own, spot, tile - UTENSILS, started)
        elif held == 0 and tile == COUNTER:
            _at_counter(t, p, r, e, cook, spot, free)
        elif held == 0 and tile == INGREDIENTS:
            for number in range(p.lacks.shape[0]):
                p.jobs[FETCH_IT, spot] = max(p.jobs[FETCH_IT, spot], p.lacks[number])
        elif held == 0 and tile == DISHES:
            p.jobs[FETCH_DISH, spot] = _dish_lacking(t, p, r, e, cook, free)
        elif tile == SERVING and held > DISH and meets(t, r, e, held):
            p.jobs[DELIVER, spot] = own
    if held and (wants < 0 or not p.here[cook, wants]):
        _rid(t, p, r, e, cook, wants, own, free)
    if held == 0:
        _meet(t, p, r, e, cook)


@compiled
def _free(t: Any, p: Places, r: Any, e: int) -> int:
    """How many of the counters are empty that both cooks reach."""
    free = 0
    for spot in range(p.cell_of.shape[0]):
        counter = t.counter_at[p.cell_of[spot]]
        free += counter >= 0 and p.reach[0, spot] and p.reach[1, spot] and r.counter[e, counter] == 0
    return int(free)


@compiled
def _at_utensil(
    t: Any, p: Places, r: Any, e: int, held: int, own: float, spot: int, utensil: int, started: int
) -> None:
    aim, short = p.aim[utensil], False
    for number in range(p.left.shape[0]):  # something that finds no utensil of this kind
        short = short or (t.thing_kind[number] == t.utensil_kind[utensil] and p.left[number] > 0)
    urgent = max(LITTLE, float(p.tail[aim])) if aim >= 0 else LITTLE if short else 0.0
    if r.timer[e, utensil]:
        if held == (DISH if fills_dish(t, p, r, e, utensil) else 0):
            p.jobs[OUT, spot] = urgent
        return
    if held > DISH and held % 2 == 0:
        number = t.thing_of[held // 2]
        if number >= 0 and p.missing[utensil, number] > 0:
            p.jobs[PUT, spot] = own
    spoilt = aim < 0 and r.place[e, utensil] > 0
    if utensil != started and (spoilt or is_complete(p, r, e, utensil)):
        p.jobs[STARTS, spot] = urgent


@compiled
def _at_counter(t: Any, p: Places, r: Any, e: int, cook: int, spot: int, free: int) -> None:
    """Jobs of empty hands at a counter; where both reach, one that is needed for handing over is cleared."""
    thing = r.counter[e, t.counter_at[p.cell_of[spot]]]
    wants, other = which(t, thing), 1 - cook
    if p.reach[other, spot]:
        p.jobs[WAIT, spot] = LITTLE
        if thing and free == 0 and (wants < 0 or not p.here[other, wants]):
            p.jobs[TAKE, spot] = LITTLE
    if thing == 0 or wants < 0:
        return
    later = p.later[other, wants] > 0 and p.later[cook, wants] == 0
    over = p.here[other, wants] > 0 or (later and free > 1)
    if p.here[cook, wants] or (over and not p.reach[other, spot]):
        p.jobs[TAKE, spot] = urgency(t, p, thing)


@compiled
def _dish_lacking(t: Any, p: Places, r: Any, e: int, cook: int, free: int) -> float:
    things = t.thing_item.shape[0]
    if r.scratch[e, LISTS * things + 2 * r.timer.shape[1]] <= 0:
        return 0.0
    if p.here[0, things] or p.here[1, things]:
        return DISH_NOW
    return DISH_LATER if free > 1 or p.later[cook, things] else 0.0


@compiled
def _rid(t: Any, p: Places, r: Any, e: int, cook: int, wants: int, own: float, free: int) -> None:
    """Jobs at empty counters: to hand over what the cook holds, or to put it out of the way.

    What is wanted later alone leaves a counter free for what is wanted now.
    """
    other, over, private = 1 - cook, False, False
    if wants >= 0:
        later = p.later[other, wants] > 0 and p.later[cook, wants] == 0
        over = p.here[other, wants] > 0 or (later and free > 1)
    for turn in range(2):
        for spot in range(p.cell_of.shape[0]):
            cell = p.cell_of[spot]
            if not p.reach[cook, spot] or t.tile[cell] != COUNTER or r.counter[e, t.counter_at[cell]]:
                continue
            shared = p.reach[other, spot] > 0
            if turn == 0:
                private = private or not shared
            elif over and shared:
                p.jobs[HAND, spot] = own
                p.onward[spot] = _onward(t, p, r, e, other, wants, spot)
            elif not over and not (shared and private):
                p.jobs[AWAY, spot] = LITTLE


@compiled
def _meet(t: Any, p: Places, r: Any, e: int, cook: int) -> None:
    """Where empty hands wait for what the partner holds for them."""
    thing = r.held[e, 1 - cook]
    wants = which(t, thing)
    if thing == 0 or wants < 0 or p.here[1 - cook, wants] or not p.here[cook, wants]:
        return
    for spot in range(p.cell_of.shape[0]):
        counter = t.counter_at[p.cell_of[spot]]
        if p.jobs[WAIT, spot] > 0.0 and r.counter[e, counter]:
            p.jobs[WAIT, spot] = 0.0
        elif p.jobs[WAIT, spot] > 0.0:
            p.jobs[WAIT, spot] = urgency(t, p, thing)
            p.onward[spot] = _onward(t, p, r, e, cook, wants, spot)


@compiled
def _onward(t: Any, p: Places, r: Any, e: int, cook: int, wants: int, spot: int) -> int:
    """The steps of a cook from taking a thing at a spot until it is where it is wanted; 0 if nowhere yet."""
    things = t.thing_item.shape[0]
    fewest = 0
    for goal in range(p.cell_of.shape[0]):
        tile = t.tile[p.cell_of[goal]]
        if not p.reach[cook, goal]:
            continue
        there = tile == SERVING and p.served[wants] > 0
        if tile >= UTENSILS and wants == things:
            there = r.timer[e, tile - UTENSILS] > 0 and fills_dish(t, p, r, e, tile - UTENSILS)
        elif tile >= UTENSILS and wants < things:
            there = p.missing[tile - UTENSILS, wants] > 0
        if there and (fewest == 0 or p.between[cook, spot, goal] < fewest):
            fewest = p.between[cook, spot, goal]
    return int(fewest)


@compiled
def handed(t: Any, p: Places, r: Any, e: int) -> int:
    """How many loose things are where a cook can have them that reaches a place for them."""
    count = 0
    for cook in range(2):
        wants = which(t, r.held[e, cook])
        count += r.held[e, cook] > 0 and wants >= 0 and p.here[cook, wants] > 0
    for spot in range(p.cell_of.shape[0]):
        counter = t.counter_at[p.cell_of[spot]]
        thing = r.counter[e, counter] if counter >= 0 else 0
        wants = which(t, thing)
        if thing and wants >= 0:
            first = p.reach[0, spot] > 0 and p.here[0, wants] > 0
            count += first or (p.reach[1, spot] > 0 and p.here[1, wants] > 0)
    return int(count)
