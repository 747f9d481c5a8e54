"""What is known of the works of a scenario before anything is done: what each needs, leads to and takes.

A work *needs* what every act that does it needs; the works that need it, and those that need these, come
*after* it. Works, and sets of works and of things, are those of the tables.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.worlds.timearena.arrays.step import Ints, Tables

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
