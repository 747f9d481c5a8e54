"""States that a search has seen, each once: a hash table for whole batches.

Two states are taken for the same if their codes are, which have 128 bits: among a hundred million states
the chance that two others ever agree is below one in 10 to the 22nd.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.planning.factors import Ids
from backburner.planning.space import Numbers, States
from backburner.planning.symmetry import Codes, Symmetry

Places = NDArray[np.int32]
CODED_AT_ONCE = 100_000


class Added(NamedTuple):
    """``places`` of the states that are new, ``new`` which of the batch those are, and the ``shorter``
    places: states known before, to which the batch has a shorter way."""

    places: Places
    new: NDArray[np.bool_]
    shorter: Places


class Table:
    """Seen states by place: their numbers, the steps to each, and where it was come from."""

    def __init__(self, width: int, symmetry: Symmetry) -> None:
        size = 1 << 12
        self._symmetry = symmetry
        self.count = 0
        self.rows: Ids = np.zeros((size, width), dtype=np.uint16)
        self.rests: Numbers = np.zeros(size, dtype=np.int32)
        self.steps: NDArray[np.uint16] = np.zeros(size, dtype=np.uint16)
        self.parents: Places = np.full(size, -1, dtype=np.int32)
        self.codes: Codes = np.zeros((size, 2), dtype=np.uint64)
        self._slots: Places = np.full(2 * size, -1, dtype=np.int32)

    def states(self, places: Places) -> States:
        """The states at these places."""
        return States(np.ascontiguousarray(self.rows[places].T), self.rests[places])

    def way(self, place: int) -> list[int]:
        """The places from the first state to this one."""
        places = [place]
        while self.parents[places[-1]] >= 0:
            places.append(int(self.parents[places[-1]]))
        return places[::-1]

    def add(self, states: States, steps: Numbers, parents: Places) -> Added:
        """Takes in a batch."""
        number, begin = len(states.rests), self.count
        self._make_room(begin + number, len(states.rows))
        fresh = slice(begin, begin + number)
        self.rows[fresh] = states.rows.T
        self.rests[fresh] = states.rests
        self.steps[fresh] = steps
        self.parents[fresh] = parents
        self.codes[fresh] = self._symmetry.codes(states)
        same_as, slots = self._look_up(np.arange(begin, begin + number, dtype=np.int32))
        new = same_as < 0
        shorter = self._shorten(same_as, begin)
        moved = self._close_up(begin, np.nonzero(new)[0], slots)
        behind = shorter >= begin
        shorter[behind] = moved[shorter[behind] - begin]
        return Added(np.arange(begin, self.count, dtype=np.int32), new, shorter)

    def _look_up(self, places: Places) -> tuple[Places, NDArray[np.int64]]:
        """For each place one with the same state, or -1 and the slot that it now has."""
        codes = self.codes[places]
        last = len(self._slots) - 1
        slots = (codes[:, 0] & np.uint64(last)).astype(np.int64)
        same_as = np.full(len(places), -1, dtype=np.int32)
        todo = np.arange(len(places))
        while len(todo):
            held = self._slots[slots[todo]]
            free = todo[held < 0]
            self._slots[slots[free]] = places[free]
            held = self._slots[slots[todo]]
            waiting = held != places[todo]
            todo, held = todo[waiting], held[waiting]
            same = (self.codes[held] == codes[todo]).all(axis=1)
            same_as[todo[same]] = held[same]
            todo = todo[~same]
            slots[todo] = (slots[todo] + 1) & last
        return same_as, slots

    def _shorten(self, same_as: Places, begin: int) -> Places:
        """Puts shorter ways in place of longer ones, and with them the states that they lead to: equal
        things may be others there."""
        known = np.nonzero(same_as >= 0)[0]
        steps = self.steps[begin : begin + len(same_as)]
        better = known[steps[known] < self.steps[same_as[known]]]
        better = better[np.argsort(-steps[better].astype(np.int32), kind="stable")]
        where = same_as[better]
        # The shortest of several ways to a state comes last, and stays.
        for column in (self.rows, self.rests, self.steps, self.parents):
            column[where] = column[begin + better]
        return np.unique(where)

    def _close_up(self, begin: int, new: NDArray[np.int64], slots: NDArray[np.int64]) -> Places:
        """Moves the new states of a batch together; gives the new place of each."""
        old = new + begin
        end = begin + len(new)
        moved = np.full(len(slots), -1, dtype=np.int32)
        moved[new] = np.arange(begin, end, dtype=np.int32)
        self._slots[slots[new]] = moved[new]
        for column in (self.rows, self.rests, self.steps, self.parents, self.codes):
            column[begin:end] = column[old]
        self.count = end
        return moved

    def _make_room(self, number: int, width: int) -> None:
        if width > self.rows.shape[1]:
            more = np.zeros((len(self.rows), width - self.rows.shape[1]), dtype=np.uint16)
            self.rows = np.concatenate([self.rows, more], axis=1)
        if self._symmetry.make_room(width):
            self._code_anew()
        size = len(self.rows)
        while size < number:
            size += size if size < 1 << 22 else size // 2
        if size > len(self.rows):
            for name in ("rows", "rests", "steps", "parents", "codes"):
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

    def _code_anew(self) -> None:
        for begin in range(0, self.count, CODED_AT_ONCE):
            places = np.arange(begin, min(begin + CODED_AT_ONCE, self.count), dtype=np.int32)
            self.codes[places] = self._symmetry.codes(self.states(places))
        self._slots[:] = -1
        self._look_up(np.arange(self.count, dtype=np.int32))
