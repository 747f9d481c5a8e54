"""What is known of the works of a scenario, and when all of them can be finished at the earliest.

A work *needs* what every act that does it needs; the works that need it, and those that need these, come
*after* it. Works, and sets of works and of things, are those of the tables.

The earliest end is a bound that knows who waits for whom and for what. Each work that is not begun has a
*head*, the minutes until it can begin at the earliest, and a *tail*, those that follow it at least. The agent
does one work at a time, and so does each thing. For each of them the shortest plan with interruptions is
found (Jackson's preemptive schedule: of what can begin, always that with the longest tail), and no plan
without is shorter.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.arrays.jit import compiled
from backburner.worlds.timearena.arrays.step import NONE, Ints, Rows, Tables

NEVER = -1
"""Stands for minutes that have no end."""


class Works(NamedTuple):
    """What is known of each work, by its number.

    - ``needs``: the works that it needs, as a set, and, from ``first[work]`` to ``first[work + 1]``, in
      ``earlier``; ``needed_by``: how many works need it; ``order``: all works, each after what it needs
    - ``alone``: the most minutes that go by without the agent in a chain of works that begins with it
    - ``ahead``: the agent's minutes until something that goes on by itself can begin: 0 for what does so
      itself, ``NEVER`` where nothing after it does
    - ``behind``: the agent's minutes in all that comes after it
    - ``uses``: (work, thing) in per cent, of the acts that do the work those that take this thing
    """

    needs: Ints
    first: Ints
    earlier: Ints
    needed_by: Ints
    order: Ints
    alone: Ints
    ahead: Ints
    behind: Ints
    uses: Ints


def works_of(tables: Tables) -> Works:
    """The works of a scenario."""
    acts = [np.flatnonzero(tables.work == work) for work in range(tables.n_works)]
    needs = np.zeros((tables.n_works, tables.needs.shape[1]), np.int64)
    uses = np.zeros((tables.n_works, tables.n_things), np.int64)
    for work, doing in enumerate(acts):
        if len(doing):
            needs[work] = np.bitwise_and.reduce(tables.needs[doing], axis=0)
            uses[work] = 100 * _members(tables.things[doing], tables.n_things).sum(axis=0) // len(doing)
    after = _members(needs, tables.n_works).T
    by_itself = np.array([bool(len(doing)) and bool((tables.slot[doing] >= 0).all()) for doing in acts], bool)
    return Works(
        needs=needs,
        first=np.concatenate(([0], after.sum(axis=0).cumsum())).astype(np.int64),
        earlier=np.nonzero(after.T)[1].astype(np.int64),
        needed_by=after.sum(axis=1).astype(np.int64),
        order=_ordered(after),
        alone=_alone(tables, after),
        ahead=_ahead(tables, after, by_itself),
        behind=_closed(after).astype(np.int64) @ tables.agent_minutes,
        uses=uses,
    )


def _members(sets: Ints, size: int) -> NDArray[np.bool_]:
    """(set, number): whether the number is in the set."""
    numbers = np.arange(size)
    return (sets[:, numbers // 62] >> numbers % 62 & 1).astype(bool)


def _ordered(after: NDArray[np.bool_]) -> Ints:
    """Works behind all that they need; those that need each other in a circle, and can never begin, last."""
    missing, placed = after.sum(axis=0), np.zeros(len(after), bool)
    order: list[int] = []
    while len(free := np.flatnonzero((missing == 0) & ~placed)):
        placed[free] = True
        missing = missing - after[free].sum(axis=0)
        order += free.tolist()
    return np.array([*order, *np.flatnonzero(~placed)], np.int64)


def _alone(tables: Tables, after: NDArray[np.bool_]) -> Ints:
    own = tables.work_duration - tables.agent_minutes
    alone = own
    for _ in own:  # no chain has more works than there are
        longest = own + np.where(after, alone, 0).max(axis=1, initial=0)
        if (longest == alone).all():
            break
        alone = longest
    return alone


def _ahead(tables: Tables, after: NDArray[np.bool_], by_itself: NDArray[np.bool_]) -> Ints:
    far = 1 << 40
    ahead = np.where(by_itself, 0, far)
    for _ in ahead:
        nearest = tables.agent_minutes + np.where(after, ahead, far).min(axis=1, initial=far)
        shorter = np.minimum(ahead, nearest)
        if (shorter == ahead).all():
            break
        ahead = shorter
    return np.where(ahead < far, ahead, NEVER)


def _closed(after: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether one work comes after another by any number of works between."""
    closed = after
    while True:
        wider = closed | (closed.astype(np.float32) @ after.astype(np.float32) > 0)
        if (wider == closed).all():
            return closed
        closed = wider


# --- the earliest end ------------------------------------------------------------------------------------

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
