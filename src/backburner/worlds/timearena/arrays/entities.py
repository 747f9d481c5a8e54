"""TimeArena for a policy of all its scenarios: what each act is good for, in the same numbers everywhere.

An act is told by what the rules know of it: its minutes, whether it goes on by itself, the longest chain of
works that begins with it, what it opens, how long others want its things, and how much later all can be
finished at the earliest once it is done (``works``). Who plays by these numbers knows more than the agent is
told, as the order of the released oracle script does: how long everything takes, and what needs it.

The learned player is a network that scores every act by these numbers; how it was trained stands beside its
weights (``data/learned``).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from backburner.arrays.entities import Entities
from backburner.arrays.jit import compiled
from backburner.arrays.network import Network, read_network
from backburner.arrays.player import InformedPlayer, shipped
from backburner.worlds.timearena.arrays.step import NONE, Ints, Rows, Tables, mask, rise, step
from backburner.worlds.timearena.arrays.tables import batch
from backburner.worlds.timearena.arrays.works import NEVER, Room, Works, minutes_to_end, room_for, works_of
from backburner.worlds.timearena.game import TimeArena
from backburner.worlds.timearena.game.catalogue import known_optimum
from backburner.worlds.timearena.game.rule_set import STANDARD

CODE_NAMES = (
    *("wait", "something goes on", "minutes until something ends", "something can be started"),
    *("minutes the end moves", "the end stays"),
    *("work of a task", "goes on by itself", "minutes", "minutes of the agent", "progress"),
    *("longest chain", "share of the longest chain left", "slack", "ends too late"),
    *("minutes alone in its chain", "agent's minutes after it", "nothing needs it", "works that need it"),
    *("works that it opens", "opens what goes on by itself", "leads to what goes on by itself"),
    *("agent's minutes until that", "minutes that want its things"),
)
"""What the numbers of a code tell; all between -1 and 1."""

WAIT, END, WORK, CHAIN, AFTER, OPENS, LEADS, WANTED = (
    CODE_NAMES.index(name)
    for name in (
        *("wait", "minutes the end moves", "work of a task", "longest chain", "minutes alone in its chain"),
        *("works that it opens", "leads to what goes on by itself", "minutes that want its things"),
    )
)

CONTEXT_NAMES = (
    *("minutes left", "progress", "works that go on", "minutes until something ends", "minutes to the end"),
    *("longest chain left", "agent's minutes left", "chain longer than the agent's minutes", "spare minutes"),
    *("startable works", "startable works that go on by themselves", "works left", "errors in a row"),
)
"""What the numbers of a context tell; all between -1 and 1."""

FEW, LONG, HOUR, MANY = 10.0, 20.0, 60.0, 10.0
"""Minutes are told in parts of these, and counts of ``MANY``; what is more counts as these."""


class Knowledge(NamedTuple):
    """What is known of the works, and room to work in: for bounds; ``wanted``, a number of each thing; and a
    row ``kept`` and a ``code``, where a step is tried."""

    works: Works
    room: Room
    wanted: Ints
    kept: Rows
    code: Ints


def entities(world: TimeArena) -> Entities:
    """The entities of a world; raises ``Refused`` under rules that its batch does not cover."""
    made = batch(world)
    tables: Tables = made.tables
    known = known_optimum(world.id) if world.rules == STANDARD else None
    optimum = known.minutes if known is not None and known.status == "optimal" else 0

    def measures(rows: Rows, e: int) -> Mapping[str, float]:
        return {"P": float(rows.score[e]), "T": max(1.0, float(rows.risen[e])), "optimum": float(optimum)}

    return Entities(
        batch=made,
        context_names=CONTEXT_NAMES,
        code_names=CODE_NAMES,
        tables=Knowledge(
            works_of(tables),
            room_for(tables),
            np.zeros(tables.n_things, np.int64),
            made.rows(1),
            np.zeros(1, np.int64),
        ),
        look=look,
        measures=measures,
        metric="AS*",
    )


@compiled
def look(
    t: Tables, known: Knowledge, r: Rows, e: int, body: int, chosen: Any, out: Any, context: Any, codes: Any
) -> float:
    """What the agent may do; see ``arrays.entities.Entities``.

    Acts that carry no progress are left out: they are as good as waiting. Returns by how much the score can
    still rise, as the encoding's potential does, by the bound of ``ends``.
    """
    mask(t, r, e, body, out)
    for act in range(t.work.shape[0]):
        if t.work[act] == NONE:
            out[1 + act] = 0
    least = minutes_to_end(t, known.works, known.room, r, e)
    left = max(t.horizon - r.minute[e], 0)
    ends, _ = _next_end(r, e)
    longest = _context(t, known, r, e, out, least, left, context)
    for code in range(len(out)):
        if not out[code]:
            continue
        numbers = codes[code]
        for index in range(len(numbers)):
            numbers[index] = 0.0
        _try(t, known, r, e, code, least, numbers)
        if code:
            _act(t, known, r, e, code - 1, longest, least, left, numbers)
        else:
            numbers[WAIT] = 1.0
            numbers[WAIT + 1] = ends > 0
            numbers[WAIT + 2] = part(ends, FEW)
            numbers[WAIT + 3] = context[9] > 0
    return rise(t, r, e, least)


@compiled
def part(value: int, whole: float) -> float:
    """A number in parts of a whole, from -1 to 1."""
    return max(min(value / whole, 1.0), -1.0)


@compiled
def _context(
    t: Tables, known: Knowledge, r: Rows, e: int, out: Any, least: int, left: int, context: Any
) -> int:
    """Fill in the context; returns the longest chain of works that are not begun."""
    startable, by_itself = 0, 0
    for act in range(t.work.shape[0]):
        if out[1 + act]:
            startable += 1
            by_itself += t.slot[act] != NONE
    ends, going = _next_end(r, e)
    longest, agent, unfinished = _want(t, known, r, e)
    context[0] = part(left, HOUR)
    context[1] = r.score[e] / 100.0
    context[2] = part(going, MANY)
    context[3] = part(ends, FEW)
    context[4] = part(least, HOUR)
    context[5] = part(longest, HOUR)
    context[6] = part(agent, HOUR)
    context[7] = part(longest - agent, LONG)
    context[8] = part(left - least, LONG)
    context[9] = part(startable, MANY)
    context[10] = part(by_itself, MANY)
    context[11] = part(unfinished, 3 * MANY)
    context[12] = part(r.errors[e], MANY / 2)
    return longest


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
def _is_in(sets: Ints, row: int, number: int) -> bool:
    return bool(sets[row, number // 62] >> (number % 62) & 1)


@compiled
def _want(t: Tables, known: Knowledge, r: Rows, e: int) -> tuple[int, int, int]:
    """Of the works that are not begun: their longest chain, and the agent's minutes in them. Third, how many
    works are not finished. ``wanted`` gets the minutes for which the former want each thing, times 100."""
    longest, agent, unfinished = 0, 0, 0
    for thing in range(t.n_things):
        known.wanted[thing] = 0
    for work in range(t.n_works):
        if _is_in(r.finished, e, work):
            continue
        unfinished += 1
        if _is_in(r.under_way, e, work):
            continue
        longest = max(longest, t.chain[work])
        agent += t.agent_minutes[work]
        for thing in range(t.n_things):
            known.wanted[thing] += known.works.uses[work, thing] * t.work_duration[work]
    return longest, agent, unfinished


# --- codes -----------------------------------------------------------------------------------------------


@compiled
def _try(t: Tables, known: Knowledge, r: Rows, e: int, code: int, least: int, out: Any) -> None:
    """How much later all can be finished at the earliest, once this is done."""
    kept = known.kept
    _copy(r, e, kept)
    known.code[0] = code
    step(t, kept, 0, known.code, known.code)
    after = kept.minute[0] + minutes_to_end(t, known.works, known.room, kept, 0)
    later = after - r.minute[e] - least
    out[END] = part(later, FEW)
    out[END + 1] = later <= 0


@compiled
def _copy(r: Rows, e: int, to: Rows) -> None:
    to.minute[0] = r.minute[e]
    to.earned[0] = r.earned[e]
    to.score[0] = r.score[e]
    to.errors[0] = r.errors[e]
    to.refused[0] = r.refused[e]
    to.paired[0] = r.paired[e]
    to.ended[0] = r.ended[e]
    to.risen[0] = r.risen[e]
    for word in range(r.finished.shape[1]):
        to.finished[0, word] = r.finished[e, word]
        to.under_way[0, word] = r.under_way[e, word]
    for word in range(r.busy.shape[1]):
        to.busy[0, word] = r.busy[e, word]
    for slot in range(r.ends.shape[1]):
        to.ends[0, slot] = r.ends[e, slot]


@compiled
def _act(
    t: Tables, known: Knowledge, r: Rows, e: int, act: int, longest: int, least: int, left: int, out: Any
) -> None:
    works, work = known.works, t.work[act]
    out[WORK] = 1.0
    out[WORK + 1] = t.slot[act] != NONE
    out[WORK + 2] = part(t.duration[act], FEW)
    out[WORK + 3] = part(t.agent_minutes[work], FEW)
    out[WORK + 4] = t.earned[act] / max(t.total, 1)
    out[CHAIN] = part(t.chain[work], HOUR)
    out[CHAIN + 1] = t.chain[work] / max(longest, 1)
    out[CHAIN + 2] = part(least - t.chain[work], LONG)
    out[CHAIN + 3] = t.chain[work] > left
    out[AFTER] = part(works.alone[work], LONG)
    out[AFTER + 1] = part(works.behind[work], LONG)
    out[AFTER + 2] = t.last[work]
    out[AFTER + 3] = part(works.needed_by[work], MANY)
    _opens(t, works, r, e, work, out)
    if works.ahead[work] != NEVER:
        out[LEADS] = 1.0
        out[LEADS + 1] = part(works.ahead[work], FEW)
    wanted = 0
    for thing in range(t.n_things):
        if _is_in(t.things, act, thing):
            wanted += known.wanted[thing] - works.uses[work, thing] * t.work_duration[work]
    out[WANTED] = part(wanted, 100 * LONG)


@compiled
def _opens(t: Tables, works: Works, r: Rows, e: int, work: int, out: Any) -> None:
    """The works that need nothing else any more, and whether one of them goes on by itself."""
    opens, by_itself = 0, False
    for other in range(t.n_works):
        if not _is_in(works.needs, other, work):
            continue
        missing = False
        for word in range(works.needs.shape[1]):
            own = 1 << (work % 62) if word == work // 62 else 0
            missing = missing or (works.needs[other, word] & ~r.finished[e, word] & ~own) != 0
        if not missing:
            opens += 1
            by_itself = by_itself or works.ahead[other] == 0
    out[OPENS] = part(opens, MANY)
    out[OPENS + 1] = by_itself


# --- learned play ---------------------------------------------------------------------------------------


def learned(world: TimeArena) -> InformedPlayer:
    """Who starts, in each minute, what the network that ships scores highest."""
    network = shipped("backburner.worlds.timearena", "data/learned/policy.safetensors")
    return _player(world, network, "learned")


def player(world: TimeArena, file: Path) -> InformedPlayer:
    """Whoever plays by the weights of a file; raises ``BadFile``, ``Refused``."""
    return _player(world, read_network(file), f"weights:{file}")


def _player(world: TimeArena, network: Network, name: str) -> InformedPlayer:
    return InformedPlayer(name, "timearena", entities(world), network)
