"""Which episode is the next: the one rule by which all faces of training draw the seeds of episodes.

Whoever resets an environment, or a row of a batch, with a seed begins to count episodes at 0. So the same
seed gives the same episodes through Gymnasium, PettingZoo and batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from backburner.arrays.jit import compiled

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
