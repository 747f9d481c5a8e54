"""Draws of Python's ``random.Random``, compiled: worlds whose chance is Python's play the same in batches.

The Mersenne Twister (Matsumoto and Nishimura 1998) as CPython seeds it, by an array of 32-bit words. Of its
state only what the first draws need is made.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backburner.arrays.jit import compiled

WORDS, MIDDLE = 624, 397
BITS_32 = 0xFFFFFFFF

MOST_WORDS = WORDS - MIDDLE
"""Numbers of 32 bits that may be drawn from one seed: those that need one pass over the state."""


def _first_state() -> NDArray[np.int64]:
    """The state before the seed is mixed in (init_genrand of 19650218)."""
    words = [19650218]
    for index in range(1, WORDS):
        words.append((1812433253 * (words[-1] ^ words[-1] >> 30) + index) & BITS_32)
    return np.array(words, np.int64)


FIRST_STATE = _first_state()


@compiled
def seed_state(state: Any, seed: int) -> None:
    """Fill ``state``, 624 words in int64, as ``random.Random(seed)`` does; the seed has 63 bits."""
    for index in range(WORDS):
        state[index] = FIRST_STATE[index]
    high = seed >> 32 & BITS_32
    length = 2 if high else 1
    here, key = 1, 0
    for _ in range(WORDS):
        word = seed & BITS_32 if key == 0 else high
        before = state[here - 1]
        state[here] = ((state[here] ^ ((before ^ before >> 30) * 1664525 & BITS_32)) + word + key) & BITS_32
        here += 1
        key = (key + 1) % length
        if here == WORDS:
            state[0] = state[WORDS - 1]
            here = 1
    for _ in range(WORDS - 1):
        before = state[here - 1]
        state[here] = ((state[here] ^ ((before ^ before >> 30) * 1566083941 & BITS_32)) - here) & BITS_32
        here += 1
        if here == WORDS:
            state[0] = state[WORDS - 1]
            here = 1
    state[0] = 0x80000000


@compiled
def word_of(state: Any, index: int) -> int:
    """The number of 32 bits that is drawn ``index``-th from a seeded state, below ``MOST_WORDS``."""
    mixed = (state[index] & 0x80000000) | (state[index + 1] & 0x7FFFFFFF)
    drawn = state[index + MIDDLE] ^ mixed >> 1
    if mixed & 1:
        drawn ^= 0x9908B0DF
    drawn ^= drawn >> 11
    drawn ^= drawn << 7 & 0x9D2C5680
    drawn ^= drawn << 15 & 0xEFC60000
    return int((drawn ^ drawn >> 18) & BITS_32)


@compiled
def _choices(state: Any, seed: int, among: int, skip: int, out: Any) -> bool:
    """As ``choices`` for one seed; False if more numbers are needed than ``MOST_WORDS``."""
    seed_state(state, seed)
    bits, number, index = 0, 0, 0
    while among >> bits:
        bits += 1
    while number < skip + len(out):
        if index == MOST_WORDS:
            return False
        drawn = word_of(state, index) >> (32 - bits)
        index += 1
        if drawn < among:
            if number >= skip:
                out[number - skip] = drawn
            number += 1
    return True


@compiled
def _all_choices(state: Any, seeds: Any, among: int, skip: int, out: Any) -> None:
    for row in range(len(seeds)):
        if not _choices(state, seeds[row], among, skip, out[row]):
            out[row, 0] = -1


def choices(seeds: Sequence[int], among: int, count: int, skip: int = 0) -> NDArray[np.int32]:
    """For each seed what ``random.Random(seed).choice(range(among))`` gives, ``count`` times after the first
    ``skip``; of shape (seed, draw)."""
    out = np.zeros((len(seeds), count), np.int32)
    if any(not 0 <= seed < 1 << 63 for seed in seeds):
        out[:, 0] = -1
    else:
        _all_choices(np.zeros(WORDS, np.int64), np.array(seeds, np.int64), among, skip, out)
    for row in np.flatnonzero(out[:, 0] < 0).tolist():
        stream = random.Random(seeds[row])
        out[row] = [stream.choice(range(among)) for _ in range(skip + count)][skip:]
    return out
