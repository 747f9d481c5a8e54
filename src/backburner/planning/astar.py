"""A* in batches over an open list of buckets: a proven optimum, or a lower bound when a limit is met.

States with the least f = g + h (decisions so far, and the heuristic) are expanded first, among them those
with the greatest g. When the least f is the length of a known path to a goal, none is shorter. A search that
has paused goes on where it stopped. Heuristics may be inconsistent: a state to which a shorter path turns up
is re-opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from backburner.kernel.oracle import Allowance
from backburner.planning.successors import SuccessorGenerator
from backburner.planning.symmetry import Hashes, Symmetry
from backburner.planning.variables import Numbers, States, ValueIds

Places = NDArray[np.int32]
"""Where in the closed list states are."""

Evaluate = Callable[[States], NDArray[np.int64]]
"""A heuristic: for each of these states a lower bound on the decisions to a goal; 0 at a goal."""

IsGoal = Callable[[States, int], bool]

BATCH = 4_000
"""Small enough to reach a goal early among many states with the same f."""

HASHED_AT_ONCE = 100_000


STATES_OF_EFFORT = 300_000
"""Successors that a search makes in about a second."""


class Limits(Struct, frozen=True):
    """When a search pauses: after so many seconds, or instead of those after an effort, which counts
    successors (``STATES_OF_EFFORT`` for 1); or with so many states seen (some 100 bytes each)."""

    seconds: float = 60.0
    states: int = 30_000_000
    effort: float | None = None

    def allowance(self) -> Allowance:
        """What may be spent from now on."""
        return Allowance(self.seconds, self.effort, STATES_OF_EFFORT)


class Result(Struct, frozen=True):
    """What a search knows: the decisions on the best path that it has found, by number, and a lower bound.

    ``status`` is ``paused`` while a shorter path may be left, ``none`` where there is no path.
    """

    status: Literal["proven", "paused", "none"]
    bound: int
    path: tuple[int, ...] | None = None


class Added(NamedTuple):
    """``places`` of the states that are new, ``new`` which of the batch those are, and the ``reopened``
    places: states known before, to which the batch has a shorter path."""

    places: Places
    new: NDArray[np.bool_]
    reopened: Places


class ClosedList:
    """The states seen, each once, in columns by place: values, residual, g, and the place of the parent.

    Two states are the same if their hashes are, which have 128 bits: among a hundred million states the
    chance that two others ever agree is below one in 10 to the 22nd.
    """

    def __init__(self, width: int, symmetry: Symmetry) -> None:
        size = 1 << 12
        self._symmetry = symmetry
        self.count = 0
        self.rows: ValueIds = np.zeros((size, width), dtype=np.uint16)
        self.residuals: Numbers = np.zeros(size, dtype=np.int32)
        self.g: NDArray[np.uint16] = np.zeros(size, dtype=np.uint16)
        self.parents: Places = np.full(size, -1, dtype=np.int32)
        self.hashes: Hashes = np.zeros((size, 2), dtype=np.uint64)
        self._slots: Places = np.full(2 * size, -1, dtype=np.int32)

    def states(self, places: Places) -> States:
        """The states at these places."""
        return States(np.ascontiguousarray(self.rows[places].T), self.residuals[places])

    def path(self, place: int) -> list[int]:
        """The places from the first state to this one."""
        places = [place]
        while self.parents[places[-1]] >= 0:
            places.append(int(self.parents[places[-1]]))
        return places[::-1]

    def add(self, states: States, g: Numbers, parents: Places) -> Added:
        """Takes in a batch."""
        number, begin = len(states.residuals), self.count
        self._make_room(begin + number, len(states.rows))
        batch = slice(begin, begin + number)
        self.rows[batch] = states.rows.T
        self.residuals[batch] = states.residuals
        self.g[batch] = g
        self.parents[batch] = parents
        self.hashes[batch] = self._symmetry.hashes(states)
        same_as, slots = self._look_up(np.arange(begin, begin + number, dtype=np.int32))
        new = same_as < 0
        reopened = self._reopen(same_as, begin)
        moved = self._close_up(begin, np.nonzero(new)[0], slots)
        in_batch = reopened >= begin
        reopened[in_batch] = moved[reopened[in_batch] - begin]
        return Added(np.arange(begin, self.count, dtype=np.int32), new, reopened)

    def _look_up(self, places: Places) -> tuple[Places, NDArray[np.int64]]:
        """For each place one with the same state, or -1 and the slot that it now has."""
        hashes = self.hashes[places]
        last = len(self._slots) - 1
        slots = (hashes[:, 0] & np.uint64(last)).astype(np.int64)
        same_as = np.full(len(places), -1, dtype=np.int32)
        todo = np.arange(len(places))
        while len(todo):
            held = self._slots[slots[todo]]
            free = todo[held < 0]
            self._slots[slots[free]] = places[free]
            held = self._slots[slots[todo]]
            waiting = held != places[todo]
            todo, held = todo[waiting], held[waiting]
            same = (self.hashes[held] == hashes[todo]).all(axis=1)
            same_as[todo[same]] = held[same]
            todo = todo[~same]
            slots[todo] = (slots[todo] + 1) & last
        return same_as, slots

    def _reopen(self, same_as: Places, begin: int) -> Places:
        """Puts shorter paths in place of longer ones. The states stay as they are, so that each was reached
        from its parent but for a permutation of symmetric objects."""
        known = np.nonzero(same_as >= 0)[0]
        g = self.g[begin : begin + len(same_as)]
        better = known[g[known] < self.g[same_as[known]]]
        better = better[np.argsort(-g[better].astype(np.int32), kind="stable")]
        where = same_as[better]
        # The shortest of several paths to a state comes last, and stays.
        for column in (self.g, self.parents):
            column[where] = column[begin + better]
        return np.unique(where)

    def _close_up(self, begin: int, new: NDArray[np.int64], slots: NDArray[np.int64]) -> Places:
        """Moves the new states of a batch together; gives the new place of each."""
        old = new + begin
        end = begin + len(new)
        moved = np.full(len(slots), -1, dtype=np.int32)
        moved[new] = np.arange(begin, end, dtype=np.int32)
        self._slots[slots[new]] = moved[new]
        for column in (self.rows, self.residuals, self.g, self.parents, self.hashes):
            column[begin:end] = column[old]
        self.count = end
        return moved

    def _make_room(self, number: int, width: int) -> None:
        if width > self.rows.shape[1]:
            more = np.zeros((len(self.rows), width - self.rows.shape[1]), dtype=np.uint16)
            self.rows = np.concatenate([self.rows, more], axis=1)
        if self._symmetry.make_room(width):
            self._hash_anew()
        size = len(self.rows)
        while size < number:
            size += size if size < 1 << 22 else size // 2
        if size > len(self.rows):
            for name in ("rows", "residuals", "g", "parents", "hashes"):
                column = getattr(self, name)
                longer = np.zeros((size, *column.shape[1:]), dtype=column.dtype)
                longer[: self.count] = column[: self.count]
                setattr(self, name, longer)
        if 2 * number > len(self._slots):
            slots = len(self._slots)
            while slots < 2 * number:
                slots *= 2
            self._slots = np.full(slots, -1, dtype=np.int32)
            self._look_up(np.arange(self.count, dtype=np.int32))

    def _hash_anew(self) -> None:
        for begin in range(0, self.count, HASHED_AT_ONCE):
            places = np.arange(begin, min(begin + HASHED_AT_ONCE, self.count), dtype=np.int32)
            self.hashes[places] = self._symmetry.hashes(self.states(places))
        self._slots[:] = -1
        self._look_up(np.arange(self.count, dtype=np.int32))


def decisions_to(
    generator: SuccessorGenerator, closed: ClosedList, symmetry: Symmetry, place: int
) -> Iterator[int]:
    """The decisions on the path to a place.

    A state that is kept is a successor of its parent, or one of the same orbit. ``names`` maps its
    objects to those that they are on the path from the first state on.
    """
    space, places = generator.space, closed.path(place)
    names = list(range(len(space.variables) - 1))
    for before, after in pairwise(places):
        found = generator.successors(closed.states(np.array([before])))
        same = (symmetry.hashes(found.states) == closed.hashes[after]).all(axis=1)
        which = int(np.argmax(same))
        yield space.renamed(int(found.decisions[which]), found.states.residuals[which], names)
        kept = closed.states(np.array([after]))
        reached = found.states.pick(np.array([which]))
        permutation = symmetry.permutation(space.widened(kept), space.widened(reached))
        names += range(len(names), len(permutation))
        names = [names[thing] for thing in permutation]


class AStar:
    """A search from a space's first state; only paths with fewer decisions than ``below`` are of interest.

    ``symmetry`` says which states are the same. A heuristic that looks at one of several symmetric goals
    needs a symmetry that leaves the objects of those goals fixed.
    """

    def __init__(
        self,
        generator: SuccessorGenerator,
        heuristic: Evaluate,
        is_goal: IsGoal,
        symmetry: Symmetry,
        below: int | None = None,
    ) -> None:
        self._generator = generator
        self._heuristic = heuristic
        self._is_goal = is_goal
        self._below = below
        self._goal: int | None = None
        first = generator.space.widened(generator.space.first)
        self._symmetry = symmetry
        self._closed = ClosedList(len(first.rows), self._symmetry)
        self._open: dict[int, dict[int, list[Places]]] = {}
        """Places by f, then by g."""
        self.expanded = 0
        self._take_in(first, np.zeros(1, dtype=np.int32), np.full(1, -1, dtype=np.int32), 0)

    @property
    def seen(self) -> int:
        """The number of different states."""
        return self._closed.count

    def run(self, limits: Limits, allowance: Allowance | None = None) -> Result:
        """Searches until the answer is proven or a limit is met; ``allowance``: what is left of the
        limits."""
        allowance = allowance or limits.allowance()
        while self._open:
            f = min(self._open)
            if self._below is not None and f >= self._below:
                break
            if allowance.is_over or self._closed.count > limits.states:
                return self._result("paused", f)
            allowance.count(self._expand(self._pop(f), f))
        if self._goal is not None:
            return self._result("proven", int(self._closed.g[self._goal]))
        return Result("none", self._below or 0)

    def _result(self, status: Literal["proven", "paused"], bound: int) -> Result:
        if self._goal is None:
            return Result(status, bound)
        path = decisions_to(self._generator, self._closed, self._symmetry, self._goal)
        return Result(status, bound, tuple(path))

    def _pop(self, f: int) -> Places:
        """A batch of places with this f, those with the greatest g first."""
        by_g = self._open[f]
        popped: list[Places] = []
        room = BATCH
        while by_g and room > 0:
            g = max(by_g)
            places = by_g[g].pop()
            if len(places) > 2 * room:
                by_g[g].append(places[room:])
                places = places[:room]
            if not by_g[g]:
                del by_g[g]
            # Those with another g have been re-opened since.
            popped.append(places[self._closed.g[places] == g])
            room -= len(popped[-1])
        if not by_g:
            del self._open[f]
        return np.concatenate(popped)

    def _expand(self, places: Places, f: int) -> int:
        """How many successors these have."""
        if not len(places):
            return 0
        self.expanded += len(places)
        after = self._generator.successors(self._closed.states(places))
        parents = places[after.parents]
        g = self._closed.g[parents].astype(np.int32) + 1
        self._take_in(after.states, g, parents, f)
        return len(g)

    def _take_in(self, states: States, g: Numbers, parents: Places, least: int) -> None:
        """Keeps what may be on a shorter path than the best one; ``least``: f of the parents, which is a
        lower bound for what comes behind them, too (pathmax)."""
        if not len(g):
            return
        h = self._heuristic(states)
        f = np.maximum(g + h, least)
        if self._below is not None:
            useful = f < self._below
            states, g, h = states.pick(useful), g[useful], h[useful]
            parents, f = parents[useful], f[useful]
            if not len(g):
                return
        added = self._closed.add(states, g, parents)
        if len(added.reopened):
            again = added.reopened
            so_far = self._closed.g[again].astype(np.int32)
            self._push(again, so_far, np.maximum(so_far + self._heuristic(self._closed.states(again)), least))
        self._push(added.places, g[added.new], f[added.new])
        self._look_for_goals(added.places[h[added.new] == 0])
        self._look_for_goals(added.reopened)

    def _look_for_goals(self, places: Places) -> None:
        states = self._closed.states(places)
        for which, place in enumerate(places):
            g = int(self._closed.g[place])
            if (self._below is None or g < self._below) and self._is_goal(states, which):
                self._below, self._goal = g, int(place)

    def _push(self, places: Places, g: Numbers, f: NDArray[np.int64]) -> None:
        for of_f in np.unique(f):
            with_f = f == of_f
            for of_g in np.unique(g[with_f]):
                those = places[with_f & (g == of_g)]
                self._open.setdefault(int(of_f), {}).setdefault(int(of_g), []).append(those)
