"""The seeds of episodes: one rule, for plain Python and for compiled loops."""

from __future__ import annotations

import numpy as np
import pytest

from backburner.arrays.batch import episode_seed, nth_seed

POOL = [11, 5, 99]
PINNED = [0, 907804715, 1844753677, 1803936415]


def test_the_first_episode_has_the_seed_itself() -> None:
    assert episode_seed(7, 0) == 7
    assert episode_seed(7, 0, POOL) in POOL


def test_episodes_of_neighbouring_seeds_are_different_ones() -> None:
    """As vector environments have seeds s, s + 1, s + 2 ..., no two may walk through the same episodes."""
    drawn = {episode_seed(seed, number) for seed in range(100) for number in range(1, 101)}
    assert len(drawn) > 9_990
    assert all(0 <= seed < 1 << 31 for seed in drawn)


def test_all_members_of_a_pool_are_drawn_about_equally_often() -> None:
    drawn = [episode_seed(0, number, POOL) for number in range(3_000)]
    assert all(900 < drawn.count(member) < 1_100 for member in POOL)


@pytest.mark.parametrize("pool", [[], POOL])
def test_compiled_loops_draw_the_same(pool: list[int]) -> None:
    array = np.array(pool, np.int64)
    for seed in (0, 1, 12345, (1 << 31) - 1, (1 << 32) + 5, (1 << 62) + 9):
        for number in (0, 1, 2, 1_000, (1 << 33) + 3):
            assert nth_seed(seed, number, array) == episode_seed(seed, number, pool), (seed, number)


def test_the_rule_stays() -> None:
    """Figures of trained agents rest on it."""
    assert [episode_seed(0, number) for number in range(4)] == PINNED
    assert episode_seed(10**30, 3) == episode_seed(10**30 % (1 << 64), 3)
