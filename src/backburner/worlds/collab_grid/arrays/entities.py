"""The grid for a policy that reads the kitchen and its recipes: what each move is good for, in the same
numbers for all dishes and kitchens.

A code is told by what it does, and for each kind of job (see ``jobs``) by how near the nearest one is after
it, whether it brings the cook nearer or farther, and whether it does that job. A context tells which jobs
there are, how near and how urgent, whether the partner is nearer, what both hold, how the utensils get on.

The whole kitchen counts, and the recipes do, whoever has them: nobody speaks, so that a cook without recipes
could not know what to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from backburner.arrays.entities import Entities
from backburner.arrays.jit import compiled
from backburner.worlds.collab_grid.arrays.jobs import (
    FETCH_IT,
    HAND,
    JOBS,
    OUT,
    STARTS,
    WAIT,
    Ints,
    Places,
    aims,
    find,
    handed,
    is_complete,
    wanted,
    which,
)
from backburner.worlds.collab_grid.arrays.needs import HANDOVER_STEPS
from backburner.worlds.collab_grid.arrays.step import act, mask
from backburner.worlds.collab_grid.arrays.tables import Rows, Tables, batch
from backburner.worlds.collab_grid.arrays.take import (
    COMPLETED,
    DISH,
    FETCH,
    FLOOR,
    INTERACT,
    LIMIT,
    LISTS,
    NORTH,
    SCALE,
    START,
    STAY,
    UTENSILS,
    take,
)
from backburner.worlds.collab_grid.game.world import CollabGrid
from backburner.worlds.collab_overcooked.oracle.heuristic import Distances

DEEDS = ("stay", "turn", "go", "interact", "start", "fetch")

CODE_NAMES = (
    *DEEDS,
    *("the partner stands there", "the partner goes there", "runs into the partner"),
    *("urgency of what is done", "fetches what is lacking", "its urgency", "has a place here", "elsewhere"),
    "the most urgent to fetch",
    *(f"{what}: {job}" for what in ("near", "nearer", "done") for job in JOBS),
    *(f"{what}: the most urgent job" for what in ("near", "nearer", "done")),
    *(f"{what}: the nearest job" for what in ("near", "nearer", "done")),
)
"""What the numbers of a code tell. ``near`` is 1 for here and 0 for far, or for no such job; ``nearer`` is
how many steps nearer the code brings."""

IN_THE_WAY, WORTH, NEAR, NEARER, DONE, URGENT, NEAREST = (
    CODE_NAMES.index(name)
    for name in (
        *("the partner stands there", "urgency of what is done"),
        *(f"{what}: {JOBS[0]}" for what in ("near", "nearer", "done")),
        *("near: the most urgent job", "near: the nearest job"),
    )
)

CONTEXT_NAMES = (
    *(f"{what}: {job}" for what in ("is there", "near", "urgency", "the partner is nearer") for job in JOBS),
    *(f"{who} hold {what}" for who in ("I", "they") for what in ("something", "a dish", "food on a dish")),
    *(f"what {who} hold is wanted here" for who in ("I", "they")),
    *("utensils at work", "ready", "steps until the first is ready", "waiting for more", "complete"),
    "steps until it can be taken out",
    *("dishes lacking", "things lacking", "open orders", "steps left", "decides second"),
    *("the partner stays", "the partner walks", "the partner acts", "work done"),
)
"""What the numbers of a context tell."""

HANDS = CONTEXT_NAMES.index("I hold something")
UTENSILS_SEEN = CONTEXT_NAMES.index("utensils at work")
REST_SEEN = CONTEXT_NAMES.index("dishes lacking")
PARTNER_SEEN = CONTEXT_NAMES.index("the partner stays")

FAR = 15
"""Steps; what is farther is as far."""

LONG = 60.0
"""Steps of a chain of work that is as urgent as can be."""

HANDED = 0.5
"""The work that it is to bring a thing to where it can be put in."""

POSES = 1 + 4
"""How a cook may stand after its step: as now, or after each of the directions."""


class Kitchen(NamedTuple):
    """Places and jobs, and room to work in: ``near[pose, job]``, the steps to the nearest job of each kind
    from where the cook may stand after its step; after them, to the most urgent job and to the nearest of
    all. ``kept``: one row, how it was before the partner acted."""

    places: Places
    near: Ints
    kept: Rows


def entities(world: CollabGrid) -> Entities:
    """The entities of a world; raises ``Refused`` as its batch does."""
    made = batch(world)

    def measures(rows: Rows, e: int) -> Mapping[str, float]:
        steps = {"steps": float(rows.steps[e])} if rows.ended[e] == COMPLETED else {}
        return {"success": float(rows.ended[e] == COMPLETED), "delivered": float(rows.delivered[e]), **steps}

    return Entities(
        batch=made,
        context_names=CONTEXT_NAMES,
        code_names=CODE_NAMES,
        tables=Kitchen(_places(world, made.tables), np.zeros((POSES, len(JOBS) + 2), np.int32), made.rows(1)),
        look=look,
        measures=measures,
        metric="SR",
    )


def _places(world: CollabGrid, tables: Tables) -> Places:
    grid = world.compiled.grid
    cells = sorted(grid.reach[0] | grid.reach[1])
    ways = Distances(grid, HANDOVER_STEPS)
    poses = [4 * cell + look for cell, is_floor in enumerate(grid.is_floor) if is_floor for look in range(4)]

    def from_act_to_act(cook: int, one: int, other: int) -> int:
        return min((ways.act(pose, other) for pose in ways.stands(cook, one)), default=FAR)

    between = [[[from_act_to_act(cook, one, other) for other in cells] for one in cells] for cook in (0, 1)]
    spot_at = np.full(len(grid.tiles), -1, np.int32)
    spot_at[cells] = np.arange(len(cells))
    things, utensils = len(tables.thing_item), len(grid.utensils)
    tail = np.clip(tables.in_hands.max(axis=0) / LONG, 0, 1).astype(np.float32)
    return Places(
        cell_of=np.array(cells, np.int32),
        spot_at=spot_at,
        reach=np.array([[cell in reach for cell in cells] for reach in grid.reach], np.int32),
        steps=np.minimum([[ways.act(pose, cell) for cell in cells] for pose in poses], FAR).astype(np.int32),
        between=np.minimum(between, FAR).astype(np.int32),
        tail=tail,
        by_tail=np.argsort(-tail, kind="stable").astype(np.int32),
        aim=np.zeros(utensils, np.int32),
        left=np.zeros(things, np.int32),
        missing=np.zeros((utensils, things), np.int32),
        jobs=np.zeros((len(JOBS), len(cells)), np.float32),
        here=np.zeros((2, 2 * things + 1), np.int32),
        later=np.zeros((2, 2 * things + 1), np.int32),
        served=np.zeros(2 * things + 1, np.int32),
        lacks=np.zeros(things, np.float32),
        onward=np.zeros(len(cells), np.int32),
    )


# --- compiled ------------------------------------------------------------------------------------------


@compiled
def look(
    t: Tables, kitchen: Kitchen, r: Rows, e: int, body: int, chosen: Any, out: Any, context: Any, codes: Any
) -> float:
    """What a cook sees; see ``arrays.entities.Entities``."""
    p = kitchen.places
    mask(t, r, e, body, out)
    _copy(r, e, kitchen.kept, 0)
    theirs = chosen[0] if body == 1 else -1
    started = -1
    if theirs >= INTERACT:
        started, _ = act(t, r, e, 0, theirs)
    work = take(t, r, e, -1)
    aims(t, p, r, e)
    wanted(t, p, r, e)
    find(t, p, r, e, body, started)
    _near(t, kitchen, r, e, body)
    for code in range(len(out)):
        if out[code]:
            _code(t, kitchen, r, e, body, theirs, code, codes[code])
    _context(t, kitchen, r, e, body, theirs, context)
    progress = (work + HANDED * handed(t, p, r, e)) / t.numbers[SCALE]
    context[PARTNER_SEEN + 3] = min(1.0, progress)
    _copy(kitchen.kept, 0, r, e)
    return float(progress)


@compiled
def _copy(source: Rows, of: int, target: Rows, to: int) -> None:
    """What a cook's act may change."""
    for body in range(2):
        target.held[to, body] = source.held[of, body]
    for counter in range(source.counter.shape[1]):
        target.counter[to, counter] = source.counter[of, counter]
    for utensil in range(source.timer.shape[1]):
        for slot in range(source.inside.shape[2]):
            target.inside[to, utensil, slot] = source.inside[of, utensil, slot]
        target.output[to, utensil] = source.output[of, utensil]
        target.timer[to, utensil] = source.timer[of, utensil]
        target.duration[to, utensil] = source.duration[of, utensil]
        target.place[to, utensil] = source.place[of, utensil]
        target.makes[to, utensil] = source.makes[of, utensil]
    for order in range(source.orders.shape[1]):
        target.orders[to, order] = source.orders[of, order]


@compiled
def _ahead(t: Tables, cell: int, direction: int) -> int:
    return int(t.ahead[cell, direction])


@compiled
def _pose_after(t: Tables, r: Rows, e: int, cook: int, direction: int) -> int:
    """How a cook stands after going in a direction, or with -1 as now, if it were alone; see ``Places``."""
    cell, facing = r.cell[e, cook], r.facing[e, cook]
    if direction >= 0:
        facing = direction
        if t.tile[_ahead(t, cell, direction)] == FLOOR:
            cell = _ahead(t, cell, direction)
    return int(4 * t.floor_at[cell] + facing)


@compiled
def _together(p: Places, stands: int, other: int, spot: int) -> int:
    """The steps until both cooks have acted at a spot and what is handed over there is put in."""
    return int(max(p.steps[stands, spot], p.steps[other, spot]) + p.onward[spot])


@compiled
def _near(t: Tables, kitchen: Kitchen, r: Rows, e: int, body: int) -> None:
    """Fill ``near``."""
    p, near, jobs = kitchen.places, kitchen.near, len(JOBS)
    near[:, :] = FAR
    urgent, best = -1, 0.0
    here = _pose_after(t, r, e, body, -1)
    other = _pose_after(t, r, e, 1 - body, -1)
    for job in range(jobs):
        for spot in range(p.cell_of.shape[0]):
            if p.jobs[job, spot] <= 0.0 or job == WAIT:
                continue
            closer = p.jobs[job, spot] == best and p.steps[here, spot] < p.steps[here, urgent]
            if p.jobs[job, spot] > best or closer:
                urgent, best = spot, float(p.jobs[job, spot])
    for pose in range(POSES):
        stands = _pose_after(t, r, e, body, pose - 1)
        for spot in range(p.cell_of.shape[0]):
            for job in range(jobs):
                if p.jobs[job, spot] > 0.0:
                    steps = p.steps[stands, spot]
                    if job in (HAND, WAIT):
                        steps = _together(p, stands, other, spot)
                    near[pose, job] = min(near[pose, job], steps)
                    if job != WAIT:
                        near[pose, jobs + 1] = min(near[pose, jobs + 1], steps)
        if urgent >= 0:
            near[pose, jobs] = p.steps[stands, urgent]


@compiled
def _code(t: Tables, kitchen: Kitchen, r: Rows, e: int, body: int, theirs: int, code: int, out: Any) -> None:
    p, jobs = kitchen.places, len(JOBS)
    out[:] = 0.0
    pose, here, other = 0, r.cell[e, body], r.cell[e, 1 - body]
    faced = _ahead(t, here, r.facing[e, body])
    if code == STAY:
        out[0] = 1.0
    elif code < INTERACT:
        to = _ahead(t, here, code - NORTH)
        goes = t.tile[to] == FLOOR
        out[2 if goes else 1] = 1.0
        pose = 1 + code - NORTH
        if goes:
            pose = _met(t, r, e, other, theirs, here, to, pose, out)
    else:
        out[3 if code == INTERACT else 4 if code == START else 5] = 1.0
        _worth(t, kitchen, r, e, body, code, p.spot_at[faced], out)
    for job in range(jobs + 2):
        now, then = kitchen.near[0, job], kitchen.near[pose, job]
        at = NEAR + job if job < jobs else URGENT if job == jobs else NEAREST
        step = jobs if job < jobs else 1
        out[at] = 1.0 - min(then, FAR) / FAR
        out[at + step] = max(-1, min(1, now - then))


@compiled
def _met(t: Tables, r: Rows, e: int, other: int, theirs: int, here: int, to: int, pose: int, out: Any) -> int:
    """Tell of the partner on the way to a cell; returns the pose, or that of now if the cooks collide."""
    out[IN_THE_WAY] = to == other
    if theirs < 0:
        return pose
    goes = other
    if NORTH <= theirs < INTERACT and t.tile[_ahead(t, other, theirs - NORTH)] == FLOOR:
        goes = _ahead(t, other, theirs - NORTH)
    out[IN_THE_WAY + 1] = to == goes
    if to == goes or (to == other and goes == here):
        out[IN_THE_WAY + 2] = 1.0
        return 0
    return pose


@compiled
def _worth(t: Tables, kitchen: Kitchen, r: Rows, e: int, body: int, code: int, spot: int, out: Any) -> None:
    """What an act at a spot is good for: which jobs it does, and how urgent they are."""
    p = kitchen.places
    stands, other = _pose_after(t, r, e, body, -1), _pose_after(t, r, e, 1 - body, -1)
    if spot < 0:
        return
    if code >= FETCH:
        number = t.thing_of[2 + code - FETCH]
        urgent = float(p.lacks[number]) if number >= 0 else 0.0
        out[WORTH] = out[WORTH + 2] = urgent
        if urgent > 0.0:
            out[WORTH + 1] = 1.0
            out[WORTH + 3] = p.here[body, number]
            out[WORTH + 4] = p.here[1 - body, number]
            out[WORTH + 5] = urgent >= p.jobs[FETCH_IT, spot]
            out[DONE + FETCH_IT] = out[URGENT + 2] = out[NEAREST + 2] = 1.0
        return
    for job in range(len(JOBS)):
        if job != WAIT and p.jobs[job, spot] > 0.0 and (job == STARTS) == (code == START):
            out[DONE + job] = out[URGENT + 2] = out[NEAREST + 2] = 1.0
            out[WORTH] = max(out[WORTH], p.jobs[job, spot])
            if job == HAND and _together(p, stands, other, spot) > kitchen.near[0, job]:
                out[DONE + job] = 0.5  # another counter is on a shorter way


@compiled
def _context(t: Tables, kitchen: Kitchen, r: Rows, e: int, body: int, theirs: int, out: Any) -> None:
    p, jobs = kitchen.places, len(JOBS)
    out[:] = 0.0
    stands = _pose_after(t, r, e, 1 - body, -1)
    for job in range(jobs):
        for spot in range(p.cell_of.shape[0]):
            if p.jobs[job, spot] > 0.0:
                out[job] = 1.0
                out[2 * jobs + job] = max(out[2 * jobs + job], p.jobs[job, spot])
                if p.reach[1 - body, spot] and p.steps[stands, spot] < kitchen.near[0, job]:
                    out[3 * jobs + job] = 1.0
                if job == OUT:
                    utensil = t.tile[p.cell_of[spot]] - UTENSILS
                    out[REST_SEEN - 1] = min(10, r.duration[e, utensil] - r.timer[e, utensil]) / 10.0
        out[jobs + job] = 1.0 - min(kitchen.near[0, job], FAR) / FAR
    for who in range(2):
        cook = body if who == 0 else 1 - body
        thing = r.held[e, cook]
        out[HANDS + 3 * who] = thing > 0
        out[HANDS + 3 * who + 1] = thing == DISH
        out[HANDS + 3 * who + 2] = thing > DISH and thing % 2
        wants = which(t, thing)
        out[HANDS + 6 + who] = thing > 0 and wants >= 0 and p.here[cook, wants] > 0
    _utensils(p, r, e, out)
    _rest(t, p, r, e, body, out)
    if theirs >= 0:
        out[PARTNER_SEEN + (0 if theirs == STAY else 1 if theirs < INTERACT else 2)] = 1.0


@compiled
def _utensils(p: Places, r: Rows, e: int, out: Any) -> None:
    first = FAR
    for utensil in range(r.timer.shape[1]):
        left = r.duration[e, utensil] - r.timer[e, utensil]
        if r.timer[e, utensil]:
            out[UTENSILS_SEEN + (0 if left else 1)] += 0.25
            first = min(first, left)
        elif is_complete(p, r, e, utensil):
            out[UTENSILS_SEEN + 4] += 0.25
        elif r.place[e, utensil]:
            out[UTENSILS_SEEN + 3] += 0.25
    out[UTENSILS_SEEN + 2] = 1.0 - first / FAR
    for index in range(5):
        out[UTENSILS_SEEN + index] = min(1.0, out[UTENSILS_SEEN + index])


@compiled
def _rest(t: Tables, p: Places, r: Rows, e: int, body: int, out: Any) -> None:
    things = t.thing_item.shape[0]
    out[REST_SEEN] = min(3, r.scratch[e, LISTS * things + 2 * r.timer.shape[1]]) / 3.0
    lacking = 0
    for number in range(things):
        lacking += p.lacks[number] > 0.0
    out[REST_SEEN + 1] = min(4, lacking) / 4.0
    orders = 0
    for order in range(r.orders.shape[1]):
        orders += r.orders[e, order] > 0
    out[REST_SEEN + 2] = min(4, orders) / 4.0
    limit = t.numbers[LIMIT]
    out[REST_SEEN + 3] = 1.0 if limit < 0 else max(0, limit - r.steps[e]) / limit
    out[REST_SEEN + 4] = body == 1
