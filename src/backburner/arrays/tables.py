"""What tables are made of, in every world: numbers, lists of different lengths, and limits that are none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

FOREVER = 1 << 60
"""Stands for no limit, in int64."""


def limit(most: int | None) -> int:
    """A limit as a number; ``None`` is none."""
    return FOREVER if most is None else most


def numbers(values: Iterable[int]) -> NDArray[np.int64]:
    """Whole numbers or truth values, also where there is none."""
    return np.array(list(values), np.int64)


def padded(lists: Iterable[Sequence[int]]) -> NDArray[np.int32]:
    """Lists of different lengths as rows; -1 behind the last. There is a column also where all are empty."""
    rows = [list(row) for row in lists]
    width = max(1, *map(len, rows)) if rows else 1
    return np.array([row + [-1] * (width - len(row)) for row in rows], np.int32).reshape(-1, width)


def no_draws(seeds: Sequence[int]) -> NDArray[np.int32]:
    """What chance decides where nothing is left to it."""
    return np.zeros((len(seeds), 0), np.int32)
