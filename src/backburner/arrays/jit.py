"""Compiling: functions over numbers and arrays, by numba where it is installed.

Compiled or not, a function gives the same numbers: without numba, or with ``NUMBA_DISABLE_JIT=1``, it
runs as the plain Python that it is, a few hundred times slower.

Compiled functions count no references. Where they did, each call, and each look at an array of a named
tuple, would count those of all arrays in it: a step of CuisineWorld took 19 microseconds instead of 27
nanoseconds. So they make no arrays, take no slices other than to fill them or pass them on, and call no
methods of arrays such as ``sum``: they loop, and write into what they are given. Numba says "NRT required" of
what does more.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

F = TypeVar("F", bound=Callable[..., object])
Rows = TypeVar("Rows", bound=tuple[Any, ...])

try:
    import numba
    from numba.core import config
except ImportError:
    COMPILES = False
else:
    COMPILES = not config.DISABLE_JIT  # type: ignore[attr-defined]  # set when numba reads the environment

OPTIONS: Mapping[str, Any] = {"cache": True, "nogil": True, "_nrt": False, "no_cfunc_wrapper": True}
"""``nogil``: threads of Python may run several at once."""


def compiled(function: F) -> F:
    """The function, compiled when it is first called; the machine code is kept beside its module.

    It may call other compiled functions, and takes numbers, arrays and named tuples of them.
    """
    if not COMPILES:
        return function
    return cast(F, numba.njit(forceinline=True, **OPTIONS)(function))


def bound(loop: FunctionType, functions: Mapping[str, Callable[..., Any]]) -> Any:
    """The loop with these functions under the names by which it calls them, compiled.

    Its machine code is kept under a name that stands for the functions and for the sources of the packages
    that they are from: they are part of it, and numba itself would look at the loop's source alone.
    """
    made = FunctionType(loop.__code__, {**loop.__globals__, **functions}, loop.__name__)
    if not COMPILES:
        return made
    named = sorted(f"{name} {part.__module__} {part.__qualname__}" for name, part in functions.items())
    folders = {Path(inspect.getfile(_plain(part))).parent for part in functions.values()}
    sources = [file.read_bytes() for folder in sorted(folders) for file in sorted(folder.glob("*.py"))]
    told = blake2b(b"\0".join([*map(str.encode, named), *sources]), digest_size=8).hexdigest()
    made.__qualname__ = f"{loop.__name__}_{told}"
    made.__module__ = loop.__module__
    return numba.njit(**OPTIONS)(made)


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    return cast(Callable[..., Any], getattr(function, "py_func", function))


# --- what tables are made of -------------------------------------------------------------------------------


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


def zero_rows(kind: type[Rows], count: int, shapes: Mapping[str, tuple[int, ...]]) -> Rows:
    """That many rows of zeros, as a named tuple has them; a field without a shape has a number for each."""
    fields: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]  # of every named tuple
    return kind(*(np.zeros((count, *shapes.get(name, ())), np.int32) for name in fields))


def no_draws(seeds: Sequence[int]) -> NDArray[np.int32]:
    """What chance decides where nothing is left to it."""
    return np.zeros((len(seeds), 0), np.int32)


# --- draws of Python's random.Random -----------------------------------------------------------------------


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
