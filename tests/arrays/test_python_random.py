"""Python's random numbers, compiled."""

from __future__ import annotations

import random

import pytest

from backburner.arrays.jit import choices

SEEDS = [
    0,
    1,
    2,
    19650218,
    (1 << 31) - 1,
    (1 << 32) - 1,
    1 << 32,
    (1 << 40) + 7,
    (1 << 63) - 1,
    *range(50, 80),
]


def by_python(seed: int, among: int, count: int) -> list[int]:
    stream = random.Random(seed)
    return [stream.choice(range(among)) for _ in range(count)]


@pytest.mark.parametrize("among", [1, 2, 3, 5, 8, 100])
def test_choices_are_those_of_python(among: int) -> None:
    drawn = choices(SEEDS, among, 20, skip=7).tolist()
    assert drawn == [by_python(seed, among, 27)[7:] for seed in SEEDS]


def test_more_draws_and_larger_seeds_than_are_compiled_are_python_s_own() -> None:
    assert choices([3], 3, 500).tolist() == [by_python(3, 3, 500)]
    assert choices([3, 1 << 80], 3, 5).tolist() == [by_python(3, 3, 5), by_python(1 << 80, 3, 5)]
