"""States that a search has seen, each once: a hash table for whole batches.

Two states are taken for the same only if their rows are equal number by number; equal hashes alone
prove nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.oracles.search.factors import Ids
from backburner.oracles.search.space import Numbers, States

Places = NDArray[np.int32]
Hashes = NDArray[np.uint64]


class Added(NamedTuple):
    """``places`` of the states that are new, ``new`` which of the batch those are, and the ``shorter``
    places: states known before, to which the batch has a shorter way."""

    places: Places
    new: NDArray[np.bool_]
    shorter: Places


class Table:
    """Seen states by place: their numbers, the steps to each, and how it was come by."""

    def __init__(self, width: int) -> None:
        size = 1 << 12
        self.count = 0
        self.rows: Ids = np.zeros((size, width), dtype=np.uint16)
        self.rests: Numbers = np.zeros(size, dtype=np.int32)
        self.steps: NDArray[np.uint16] = np.zeros(size, dtype=np.uint16)
        self.parents: Places = np.full(size, -1, dtype=np.int32)
        self.choices: Numbers = np.full(size, -1, dtype=np.int32)
        self._hashes: Hashes = np.zeros(size, dtype=np.uint64)
        self._slots: Places = np.full(2 * size, -1, dtype=np.int32)
        self._codes = _Codes()

    def states(self, places: Places) -> States:
        """The states at these places."""
        return States(np.ascontiguousarray(self.rows[places].T), self.rests[places])

    def way(self, place: int) -> list[int]:
        """The choices from the first state to this one."""
        choices = []
        while self.parents[place] >= 0:
            choices.append(int(self.choices[place]))
            place = int(self.parents[place])
        return choices[::-1]

    def add(self, states: States, steps: Numbers, parents: Places, choices: Numbers) -> Added:
        """Takes in a batch."""
        number, begin = len(states.rests), self.count
        self._make_room(begin + number, len(states.rows))
        fresh = slice(begin, begin + number)
        rows = np.ascontiguousarray(states.rows.T)
        self.rows[fresh] = rows
        self.rests[fresh] = states.rests
        self.steps[fresh] = steps
        self.parents[fresh] = parents
        self.choices[fresh] = choices
        self._hashes[fresh] = self._codes.of(states)
        same_as, slots = self._look_up(np.arange(begin, begin + number, dtype=np.int32))
        new = same_as < 0
        shorter = self._shorten(same_as, steps, parents, choices)
        moved = self._close_up(begin, np.nonzero(new)[0], slots)
        behind = shorter >= begin
        shorter[behind] = moved[shorter[behind] - begin]
        return Added(np.arange(begin, self.count, dtype=np.int32), new, shorter)

    def _look_up(self, places: Places) -> tuple[Places, NDArray[np.int64]]:
        """For each place one with the same state, or -1 and the slot that it now has."""
        hashes = self._hashes[places]
        last = len(self._slots) - 1
        slots = (hashes & np.uint64(last)).astype(np.int64)
        same_as = np.full(len(places), -1, dtype=np.int32)
        todo = np.arange(len(places))
        while len(todo):
            held = self._slots[slots[todo]]
            free = todo[held < 0]
            self._slots[slots[free]] = places[free]
            held = self._slots[slots[todo]]
            waiting = held != places[todo]
            todo, held = todo[waiting], held[waiting]
            alike = np.nonzero(self._hashes[held] == hashes[todo])[0]
            if len(alike):
                mine, other = places[todo[alike]], held[alike]
                equal = (self.rows[mine] == self.rows[other]).all(axis=1)
                equal &= self.rests[mine] == self.rests[other]
                same_as[todo[alike[equal]]] = other[equal]
                todo = np.delete(todo, alike[equal])
            slots[todo] = (slots[todo] + 1) & last
        return same_as, slots

    def _shorten(self, same_as: Places, steps: Numbers, parents: Places, choices: Numbers) -> Places:
        """Puts shorter ways in place of longer ones."""
        known = np.nonzero(same_as >= 0)[0]
        better = known[steps[known] < self.steps[same_as[known]]]
        better = better[np.argsort(-steps[better], kind="stable")]
        where = same_as[better]
        # The shortest of several ways to a state comes last, and stays.
        self.steps[where] = steps[better]
        self.parents[where] = parents[better]
        self.choices[where] = choices[better]
        return np.unique(where)

    def _close_up(self, begin: int, new: NDArray[np.int64], slots: NDArray[np.int64]) -> Places:
        """Moves the new states of a batch together; gives the new place of each."""
        old = new + begin
        end = begin + len(new)
        moved = np.full(len(slots), -1, dtype=np.int32)
        moved[new] = np.arange(begin, end, dtype=np.int32)
        self._slots[slots[new]] = moved[new]
        for column in (self.rows, self.rests, self.steps, self.parents, self.choices, self._hashes):
            column[begin:end] = column[old]
        self.count = end
        return moved

    def _make_room(self, number: int, width: int) -> None:
        if width > self.rows.shape[1]:
            more = np.zeros((len(self.rows), width - self.rows.shape[1]), dtype=np.uint16)
            self.rows = np.concatenate([self.rows, more], axis=1)
        size = len(self.rows)
        while size < number:
            size += size if size < 1 << 22 else size // 2
        if size > len(self.rows):
            for name in ("rows", "rests", "steps", "parents", "choices", "_hashes"):
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


class _Codes:
    """Random numbers for patterns and rests; a state's hash is all of its own, joined by exclusive or."""

    def __init__(self) -> None:
        self._random = np.random.default_rng(1)
        self._of_factor: list[Hashes] = []
        self._of_rest: Hashes = np.zeros(0, dtype=np.uint64)

    def of(self, states: States) -> Hashes:
        """The hashes of these states."""
        if not len(states.rests):
            return np.zeros(0, dtype=np.uint64)
        self._of_rest = self._extended(self._of_rest, int(states.rests.max()) + 1)
        hashes = self._of_rest[states.rests]
        for place, patterns in enumerate(states.rows):
            if place == len(self._of_factor):
                self._of_factor.append(np.zeros(1, dtype=np.uint64))
            # Pattern 0 counts nothing, so that a factor not yet there makes no difference.
            self._of_factor[place] = self._extended(self._of_factor[place], int(patterns.max()) + 1)
            hashes = hashes ^ self._of_factor[place][patterns]
        return hashes

    def _extended(self, codes: Hashes, size: int) -> Hashes:
        if size <= len(codes):
            return codes
        more = self._random.integers(0, 1 << 63, 2 * size - len(codes), dtype=np.uint64)
        return np.concatenate([codes, more])
