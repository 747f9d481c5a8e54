"""When everything can be finished at the earliest: a bound that knows who waits for whom and for what.

Each work that is not begun has a *head*, the minutes until it can begin at the earliest, and a *tail*, those
that follow it at least. The agent does one work at a time, and so does each thing. For each of them the
shortest plan with interruptions is found (Jackson's preemptive schedule: of what can begin, always that with
the longest tail), and no plan without is shorter.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from backburner.arrays.jit import compiled
from backburner.worlds.timearena.arrays.step import NONE, Ints, Rows, Tables
from backburner.worlds.timearena.arrays.works import Works

ALWAYS = 100
"""Per cent of the ways to do a work."""


class Room(NamedTuple):
    """Room to work in: of each work its ``head``, the minutes until it is ``done`` at the earliest, what is
    ``left`` of it in a schedule, and its ``tail`` there; of each thing the minutes until it is ``free``."""

    head: Ints
    done: Ints
    left: Ints
    tail: Ints
    free: Ints


def room_for(tables: Tables) -> Room:
    """Room for the works and things of a scenario."""
    head, done, left, tail = (np.zeros(tables.n_works, np.int64) for _ in range(4))
    return Room(head, done, left, tail, np.zeros(tables.n_things, np.int64))


@compiled
def minutes_to_end(t: Tables, works: Works, room: Room, r: Rows, e: int) -> int:
    """No play from here has finished every work in fewer minutes."""
    longest = _heads(t, works, room, r, e)
    for work in range(t.n_works):
        room.left[work] = t.agent_minutes[work] if room.head[work] != NONE else 0
        room.tail[work] = t.chain[work] - t.agent_minutes[work]
    longest = max(longest, _shortest(room))
    for thing in range(t.n_things):
        users = 0
        for work in range(t.n_works):
            uses = room.head[work] != NONE and works.uses[work, thing] == ALWAYS
            room.left[work] = t.work_duration[work] if uses else 0
            room.tail[work] = t.chain[work] - t.work_duration[work]
            users += uses
        if users > 1:
            longest = max(longest, _shortest(room))
    return longest


@compiled
def _heads(t: Tables, works: Works, room: Room, r: Rows, e: int) -> int:
    """Fill in heads, ``NONE`` for works that are begun; returns the longest chain."""
    for thing in range(t.n_things):
        room.free[thing] = 0
    for work in range(t.n_works):
        room.done[work] = 0
    for slot in range(r.ends.shape[1]):
        if r.ends[e, slot]:
            act, left = t.act_of[slot], r.ends[e, slot] - r.minute[e]
            if t.work[act] != NONE:
                room.done[t.work[act]] = left
            for thing in range(t.n_things):
                if t.things[act, thing // 62] >> (thing % 62) & 1:
                    room.free[thing] = left
    longest = 0
    for place in range(t.n_works):
        work = works.order[place]
        room.head[work] = NONE
        if r.finished[e, work // 62] >> (work % 62) & 1:
            continue
        if r.under_way[e, work // 62] >> (work % 62) & 1:
            longest = max(longest, room.done[work] + t.chain[work] - t.work_duration[work])
            continue
        head = 0
        for index in range(works.first[work], works.first[work + 1]):
            head = max(head, room.done[works.earlier[index]])
        for thing in range(t.n_things):
            if works.uses[work, thing] == ALWAYS:
                head = max(head, room.free[thing])
        room.head[work] = head
        room.done[work] = head + t.work_duration[work]
        longest = max(longest, head + t.chain[work])
    return longest


@compiled
def _shortest(room: Room) -> int:
    """The end of the shortest schedule with interruptions of what is ``left``, tails included."""
    now, end = 0, 0
    while True:
        chosen, tail, begins = NONE, NONE, NONE
        for work in range(room.left.shape[0]):
            if room.left[work] == 0:
                continue
            head = room.head[work]
            if head > now:
                begins = head if begins == NONE else min(begins, head)
            elif room.tail[work] > tail:
                chosen, tail = work, room.tail[work]
        if chosen == NONE:
            if begins == NONE:
                return end
            now = begins
            continue
        run = room.left[chosen]
        if begins != NONE:
            run = min(run, begins - now)
        now += run
        room.left[chosen] -= run
        if room.left[chosen] == 0:
            end = max(end, now + tail)
