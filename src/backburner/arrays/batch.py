"""Batches: many episodes of one scenario side by side, in arrays; and which episode is the next.

A world's rules are written in its ``game``. A *batch* of the world is compiled from them: it asks the
exact rules what every local situation leads to and keeps the answers in ``tables``. What an episode is at, a
state, is a row of ``rows``: a named tuple of arrays whose first axis is the number of the episode. The
functions below step one row; each is ``jit.compiled``, over integers and arrays (no objects, no exceptions),
and runs uncompiled too. Who steps thousands of rows at once is ``training.batches``.

A batch is a part of a world's pack (``Pack.batch``): a function of a world that gives its ``Batch``, and
raises ``Refused`` with the option that its tables do not cover. Whatever it gives agrees with the exact
world in every field, mask, feature and score of every step; tests in lockstep hold it to that.

All faces of training draw the seeds of episodes by one rule. Whoever resets an environment, or a row of a
batch, with a seed begins to count episodes at 0. So the same seed gives the same episodes through Gymnasium,
PettingZoo and batches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import index
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from backburner.arrays.encoding import Encoding
from backburner.arrays.jit import compiled
from backburner.kernel import packs
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused, shorten

# --- seeds of episodes -------------------------------------------------------------------------------------


def seed_of(given: Any, what: str = "a seed") -> int:
    """The whole number that was given, such as one of numpy's; raises ``Refused`` for anything else."""
    try:
        return index(given)
    except TypeError:
        raise Refused(f"{what} is a whole number, not {shorten(repr(given))}") from None


def pool_of(seeds: Iterable[int] | None) -> tuple[int, ...] | None:
    """The pool of seeds that was given, if any; raises ``Refused`` for what is none."""
    if seeds is None:
        return None
    if not isinstance(seeds, Iterable):
        raise Refused(f"seeds are a pool, such as range(1000), not {shorten(repr(seeds))}")
    pool = tuple(seed_of(seed, "a seed of the pool") for seed in seeds)
    if not pool:
        raise Refused("seeds: a pool has one seed at least")
    return pool


BITS_32 = 0xFFFFFFFF


def _mixed(seed: int, number: int) -> int:
    """31 bits that two neighbouring seeds or numbers have nothing of in common.

    Each 32-bit word goes through the finalizer of MurmurHash3 (Appleby). No product is looked at beyond its
    low 32 bits, which are the same for Python's integers and for those of 64 bits that overflow.
    """
    word = 0
    for part in (seed, seed >> 32, number):
        word = (word + (part & BITS_32) + 0x9E3779B9) & BITS_32
        word = ((word ^ word >> 16) * 0x85EBCA6B) & BITS_32
        word = ((word ^ word >> 13) * 0xC2B2AE35) & BITS_32
        word ^= word >> 16
    return word >> 1


_mixed_compiled = compiled(_mixed)


def episode_seed(seed: int, number: int, pool: Sequence[int] | None = None) -> int:
    """The world's seed of the ``number``-th episode, from 0, after a reset with ``seed``.

    Without a ``pool`` the first is ``seed`` itself, and the others are of 31 bits; with one, all are its
    members.
    """
    if pool:
        return pool[_mixed(seed, number) % len(pool)]
    return _mixed(seed, number) if number else seed


# --- batches -----------------------------------------------------------------------------------------------


@compiled
def nth_seed(seed: int, number: int, pool: NDArray[Any]) -> int:
    """``episode_seed`` for compiled loops; ``pool`` is of int64, and empty for none."""
    if len(pool):
        return int(pool[_mixed_compiled(seed, number) % len(pool)])
    return _mixed_compiled(seed, number) if number else seed


@compiled
def never(tables: Any, rows: Any, e: int) -> bool:
    """No: for worlds that no limit cuts off."""
    return False


class Batch(Struct, frozen=True):
    """One world compiled into tables.

    ``tables`` and what ``rows`` gives are named tuples of arrays of int32, int64 or float32; tables may hold
    whole numbers as well. All functions are module-level functions of the world's ``arrays`` room; in them
    ``e`` is the row, ``body`` counts all bodies, seat by seat, as ``encoding.bodies`` lists them.

    - ``encoding``: the exact world's numbers, with which all of this agrees
    - ``rows(count)``: that many rows, of any content
    - ``draws(seeds)``: everything that chance decides in the episodes of these seeds, of shape (seed, draw)
    - ``fields(state)``: what the row of an exact state holds, by the names of the arrays of ``rows``; what
      only own rewards remember may be left out
    - ``start(tables, rows, e, drawn)``: the row becomes the first state; ``drawn`` is a row of ``draws``
    - ``step(tables, rows, e, drawn, codes)``: one step, with a code for each body; at the end: nothing
    - ``over(tables, rows, e) -> bool``: whether the episode has ended
    - ``cut_off(tables, rows, e) -> bool``: of an episode that has ended, whether a limit cut it off
    - ``mask(tables, rows, e, body, out)``: writes 1 or 0 for each code into ``out``, uint8
    - ``features(tables, rows, e, body, out)``: writes what the body sees into ``out``, float32
    - ``score(tables, rows, e) -> float`` and ``potential(tables, rows, e) -> float``: as the encoding's
    - ``own_rewards``: by name ``reward(tables, rows, e) -> float``, what the last step was worth
    """

    encoding: Encoding[Any, Any]
    tables: Any
    rows: Callable[[int], Any]
    draws: Callable[[Sequence[int]], NDArray[np.int32]]
    fields: Callable[[Any], Mapping[str, Any]]
    start: Callable[..., None]
    step: Callable[..., None]
    over: Callable[..., bool]
    mask: Callable[..., None]
    features: Callable[..., None]
    score: Callable[..., float]
    potential: Callable[..., float]
    own_rewards: Mapping[str, Callable[..., float]] = {}
    cut_off: Callable[..., bool] = never


FUNCTIONS = ("start", "step", "over", "cut_off", "mask", "features", "score", "potential")
"""The functions of every batch, by name."""


def compiled_batch(compiler: Any, steps: Any, **others: Any) -> Batch:
    """The batch of a ``compiler``'s encoding, tables, rows and fields, and the functions of the module
    ``steps``; ``others`` are what stands elsewhere, by the names that ``Batch`` gives it."""
    own = {name: getattr(compiler, name) for name in ("encoding", "rows", "fields")}
    found = {name: getattr(steps, name) for name in FUNCTIONS if name not in others}
    return Batch(**own, tables=compiler.tables(), **found, **others)


def batch_of(world: World[Any, Any, Any]) -> Batch:
    """The batch of a world; raises ``Refused`` if its pack has none or its scenario is not covered."""
    pack = packs.pack_of(world)
    if not pack.batch:
        raise Refused(f"{world.id}: this world has no batch")
    make: Callable[[Any], Batch] = packs.part(pack.name, pack.batch)
    return make(world)
