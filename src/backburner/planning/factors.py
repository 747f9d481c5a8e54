"""Facts of one thing as one small number: patterns of bits, numbered as they turn up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.uint16]
Flags = NDArray[np.bool_]
Change = tuple[int, int]
"""Bits that become set, and bits that become clear."""


class Factor:
    """The facts within ``mask``, of which a state has one pattern. Pattern 0 is that of no facts."""

    def __init__(self, mask: int) -> None:
        self.mask = mask
        self.patterns: list[int] = [0]
        self._ids = {0: 0}
        self._tests: dict[tuple[int, int], Flags] = {}
        self._changes: dict[Change, NDArray[np.int32]] = {}

    def id(self, facts: int) -> int:
        """The number of the pattern that these facts have here."""
        pattern = facts & self.mask
        known = self._ids.get(pattern)
        if known is None:
            known = self._ids[pattern] = len(self.patterns)
            self.patterns.append(pattern)
        return known

    def test(self, on: int, off: int) -> Flags:
        """For each pattern, whether all of ``on`` is set in it and nothing of ``off``."""
        known = self._tests.get((on, off))
        begin = 0 if known is None else len(known)
        if known is None or begin < len(self.patterns):
            more = np.array([p & on == on and not p & off for p in self.patterns[begin:]], dtype=np.bool_)
            known = more if known is None else np.concatenate([known, more])
            self._tests[on, off] = known
        return known

    def changed(self, ids: Ids, change: Change) -> Ids:
        """The patterns that these become."""
        table = self._table(change)
        new = table[ids]
        if new.size and new.min() < 0:
            on, off = change
            for pattern in np.unique(ids[new < 0]):
                number = self.id(self.patterns[pattern] & ~off | on)
                table = self._table(change)
                table[pattern] = number
            new = table[ids]
        return new.astype(np.uint16)

    def _table(self, change: Change) -> NDArray[np.int32]:
        known = self._changes.get(change)
        size = len(self.patterns)
        if known is None or len(known) < size:
            table = np.full(2 * size + 16, -1, dtype=np.int32)
            if known is not None:
                table[: len(known)] = known
            self._changes[change] = known = table
        return known
