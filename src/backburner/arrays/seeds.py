"""Which episode is the next: the one rule by which all faces of training draw the seeds of episodes.

Whoever resets an environment, or a row of a batch, with a seed begins to count episodes at 0. So the same
seed gives the same episodes through Gymnasium, PettingZoo and batches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index
from typing import Any

from numpy.typing import NDArray

from backburner.arrays.jit import compiled
from backburner.kernel.errors import Refused, shorten


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


@compiled
def nth_seed(seed: int, number: int, pool: NDArray[Any]) -> int:
    """``episode_seed`` for compiled loops; ``pool`` is of int64, and empty for none."""
    if len(pool):
        return int(pool[_mixed_compiled(seed, number) % len(pool)])
    return _mixed_compiled(seed, number) if number else seed
