"""The stream from which orders are drawn."""

from __future__ import annotations

import random
from functools import lru_cache

CHUNK = 64
"""Draws that are made at once."""


@lru_cache(maxsize=64)
def _draws(seed: int, choices: int, count: int) -> tuple[int, ...]:
    stream = random.Random(seed)
    return tuple(stream.choice(range(choices)) for _ in range(count))


def draw(seed: int, choices: int, number: int) -> int:
    """The ``number``-th draw, from 0, of the released stream: ``Random(seed).choice`` again and again."""
    return _draws(seed, choices, (number // CHUNK + 1) * CHUNK)[number]
