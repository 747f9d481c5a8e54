"""TimeArena for a policy of all its scenarios: what each act is good for, in the same numbers everywhere.

An act is told by what the rules know of it: its minutes, whether it goes on by itself, the longest chain of
works that begins with it, what needs it. Whoever plays by these numbers knows more than the agent is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.arrays.entities import Entities
from backburner.arrays.jit import compiled
from backburner.worlds.timearena.arrays.step import NONE, RUNNING, Rows, Tables, mask, minutes_left
from backburner.worlds.timearena.arrays.tables import batch
from backburner.worlds.timearena.game import TimeArena
from backburner.worlds.timearena.game.catalogue import known_optimum

CODE_NAMES = (
    *("wait", "work of a task", "something else", "goes on by itself", "minutes", "minutes of the agent"),
    *(
        "longest chain",
        "share of the longest chain left",
        "progress",
        "works that need it",
        "nothing needs it",
    ),
    *(
        "open acts that go on by themselves",
        "ends too late",
        "minutes until something ends",
        "something goes on",
    ),
)
"""What the numbers of a code tell; minutes in parts of ``LONG``."""

CONTEXT_NAMES = (
    *("minutes left", "progress", "works that go on", "minutes until something ends", "minutes at least"),
    *("longest chain left", "open works", "open works that go on by themselves", "works left"),
    *("slack", "errors in a row"),
)
"""What the numbers of a context tell."""

LONG = 20.0
"""Minutes: longer works are as these."""

MANY = 10.0


class Acts(NamedTuple):
    """How many works ``need`` the work of each act."""

    needed_by: NDArray[np.int64]


def entities(world: TimeArena) -> Entities:
    """The entities of a world; raises ``Refused`` under rules that its batch does not cover."""
    made = batch(world)
    tables: Tables = made.tables
    known = known_optimum(world.id)
    optimum = known.minutes if known is not None and known.status == "optimal" else 0

    def measures(rows: Rows, e: int) -> Mapping[str, float]:
        return {"P": float(rows.score[e]), "T": max(1.0, float(rows.minute[e])), "optimum": float(optimum)}

    return Entities(
        batch=made,
        context_names=CONTEXT_NAMES,
        code_names=CODE_NAMES,
        tables=Acts(_needed_by(tables)),
        look=look,
        measures=measures,
        metric="AS*",
    )


def _needed_by(tables: Tables) -> NDArray[np.int64]:
    """For each act how many works have acts that need its work."""
    counts = np.zeros(len(tables.work), np.int64)
    for act, work in enumerate(tables.work.tolist()):
        if work == NONE:
            continue
        word, bit = work // 62, 1 << work % 62
        needing = {int(tables.work[other]) for other in range(len(counts)) if tables.needs[other, word] & bit}
        counts[act] = len(needing - {NONE})
    return counts


@compiled
def look(
    t: Tables, acts: Acts, r: Rows, e: int, body: int, chosen: Any, out: Any, context: Any, codes: Any
) -> float:
    """What the agent may do; see ``arrays.entities.Entities``."""
    mask(t, r, e, body, out)
    ends, going = _next_end(r, e)
    longest = _longest(t, r, e)
    by_itself, open_works = 0, 0
    for act in range(t.work.shape[0]):
        if out[1 + act] and t.work[act] != NONE:
            open_works += 1
            by_itself += t.slot[act] != NONE
    least = minutes_left(t, r, e)
    left = max(t.horizon - r.minute[e], 0)
    for code in range(len(out)):
        if not out[code]:
            continue
        numbers = codes[code]
        for index in range(len(numbers)):
            numbers[index] = 0.0
        numbers[11] = min(by_itself, MANY) / MANY
        if code:
            _act(t, acts, code - 1, longest, left, numbers)
        else:
            numbers[0] = 1.0
            numbers[13] = min(ends, LONG) / LONG
            numbers[14] = going > 0
    context[0] = min(left / 60.0, 1.0)
    context[1] = r.score[e] / 100.0
    context[2] = min(going, MANY) / MANY
    context[3] = min(ends, LONG) / LONG
    context[4] = min(least / 60.0, 1.0)
    context[5] = min(longest / 60.0, 1.0)
    context[6] = min(open_works, MANY) / MANY
    context[7] = numbers_of(by_itself)
    context[8] = min(_works_left(t, r, e) / 30.0, 1.0)
    context[9] = min(max((left - least) / 20.0, -1.0), 1.0)
    context[10] = min(r.errors[e] / 5.0, 1.0)
    if r.ended[e] != RUNNING:
        return 0.0
    return 1.0 - least / t.horizon


@compiled
def numbers_of(count: int) -> float:
    """A count within 0 and 1."""
    return min(count, MANY) / MANY


@compiled
def _act(t: Tables, acts: Acts, act: int, longest: int, left: int, out: Any) -> None:
    work = t.work[act]
    if work == NONE:
        out[2] = 1.0
        out[4] = min(t.duration[act], LONG) / LONG
        return
    out[1] = 1.0
    out[3] = t.slot[act] != NONE
    out[4] = min(t.duration[act], LONG) / LONG
    out[5] = min(t.agent_minutes[work], LONG) / LONG
    out[6] = min(t.chain[work] / 60.0, 1.0)
    out[7] = t.chain[work] / max(longest, 1)
    out[8] = t.earned[act] / max(t.total, 1)
    out[9] = numbers_of(acts.needed_by[act])
    out[10] = t.last[work]
    out[12] = t.chain[work] > left


@compiled
def _next_end(r: Rows, e: int) -> tuple[int, int]:
    """Minutes until something that goes on ends, and how many do; 0 where nothing does."""
    ends, going = 0, 0
    for slot in range(r.ends.shape[1]):
        if r.ends[e, slot]:
            minutes = r.ends[e, slot] - r.minute[e]
            ends = minutes if not going else min(ends, minutes)
            going += 1
    return ends, going


@compiled
def _longest(t: Tables, r: Rows, e: int) -> int:
    """The longest chain that is not begun."""
    longest = 0
    for work in range(t.n_works):
        word, bit = work // 62, 1 << (work % 62)
        if not (r.finished[e, word] | r.under_way[e, word]) & bit:
            longest = max(longest, t.chain[work])
    return longest


@compiled
def _works_left(t: Tables, r: Rows, e: int) -> int:
    count = 0
    for work in range(t.n_works):
        count += not (r.finished[e, work // 62] >> (work % 62)) & 1
    return count
