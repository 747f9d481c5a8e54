"""Success under any time limit, in both countings, and the steps to completion."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backburner.worlds.collab_overcooked.metrics.measures import (
    Completion,
    limit,
    mean_and_deviation,
    success_rate,
)


@pytest.mark.parametrize(("level", "most_steps"), [(1, 25), (2, 35), (3, 53), (4, 49), (5, 83), (6, 97)])
def test_the_released_limits_allow_so_many_steps_and_no_more(level: int, most_steps: int) -> None:
    """Indices 24, 34.5, 52.5, 48, 82.5 and 96 with gamma 1.5; a step more is too late."""
    assert Completion(most_steps, level).success(1.5, "released") is True
    assert Completion(most_steps + 1, level).success(1.5, "released") is False


def test_steps_are_compared_with_an_optimum_in_steps() -> None:
    # 1.5 · 17 = 25.5
    assert Completion(25, optimum_steps=17).success(1.5) is True
    assert Completion(26, optimum_steps=17).success(1.5) is False
    assert Completion(None, optimum_steps=17).success(1.5) is False


def test_the_limit_is_exact() -> None:
    assert 1.16 * 25 < 29  # in binary
    assert limit(25, 1.16) == 29


def test_without_an_optimum_nothing_is_said() -> None:
    assert Completion(10, level=1).success(1.5) is None
    assert Completion(10, level=0, optimum_steps=9).success(1.5, "released") is None
    assert success_rate([Completion(10)], 1.5) is None


def test_a_curve_over_gamma() -> None:
    completions = [
        Completion(20, optimum_steps=20),
        Completion(30, optimum_steps=20),
        Completion(None, None, 20),
    ]
    rates = [success_rate(completions, gamma) for gamma in (0.9, 1, 1.5, 9)]
    assert rates == [0, 1 / 3, 2 / 3, 2 / 3]


@given(
    st.lists(st.builds(Completion, st.none() | st.integers(1, 90), st.integers(1, 6), st.integers(1, 40))),
    st.floats(0.5, 4),
    st.floats(0.5, 4),
)
def test_more_time_never_lowers_success(completions: list[Completion], one: float, other: float) -> None:
    for counting in ("steps", "released"):
        low, high = (success_rate(completions, gamma, counting) for gamma in sorted((one, other)))
        assert (low is None) == (high is None)
        assert low is None or high is None or low <= high


def test_mean_and_deviation() -> None:
    # (20 + 30) / 2; each is 5 away
    assert mean_and_deviation([20, 30]) == (25, 5)
    assert mean_and_deviation([]) is None
