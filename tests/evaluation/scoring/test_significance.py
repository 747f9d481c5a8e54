"""P-values, corrections, effect sizes and sample sizes, recomputed another way."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from backburner.evaluation.scoring.significance import (
    Variation,
    difference_found,
    effect_size,
    holm,
    power_of,
    scenarios_needed,
    sign_flip_p,
    variation,
)


def test_the_permutation_test_by_hand() -> None:
    """1, 2, 3: of eight patterns only all signs alike are as far from 0. 0, 0, 3: half of them twice: all."""
    assert sign_flip_p([1, 2, 3]) == pytest.approx(2 / 8)
    assert sign_flip_p([0, 0, 3]) == pytest.approx(1.0)
    assert sign_flip_p([5, 5, 5, 5, 5]) == pytest.approx(2 / 32)
    assert sign_flip_p([0.0, 1e-12]) == 1.0
    assert sign_flip_p([3.0]) is None


@settings(max_examples=25)
@given(st.lists(st.integers(-50, 50), min_size=2, max_size=9))
def test_it_counts_all_patterns_of_signs(differences: list[int]) -> None:
    sums = [
        abs(sum(map(int.__mul__, differences, signs))) for signs in product((1, -1), repeat=len(differences))
    ]
    assert sign_flip_p(differences) == pytest.approx(np.mean(np.array(sums) >= abs(sum(differences))))


def test_many_scenarios_are_drawn_and_always_alike() -> None:
    draw = np.random.default_rng(1)
    sample = list(draw.normal(0.3, 1, 40))
    found = sign_flip_p(sample)
    assert found == sign_flip_p(sample) == pytest.approx(stats.ttest_1samp(sample, 0).pvalue, abs=0.02)


@pytest.mark.parametrize("number", [5, 14, 15, 40])
def test_it_is_scipy_s(number: int) -> None:
    sample = np.random.default_rng(number).normal(0.2, 1, number)
    theirs = stats.permutation_test((sample,), np.mean, permutation_type="samples", rng=0, n_resamples=20000)
    assert sign_flip_p(list(sample)) == pytest.approx(theirs.pvalue, abs=1e-12 if number <= 14 else 0.02)


def test_under_the_null_it_is_wrong_as_often_as_it_says() -> None:
    draw = np.random.default_rng(2)
    wrong = sum((sign_flip_p(list(draw.laplace(size=8))) or 1) <= 0.05 for _ in range(300))
    assert wrong <= 25  # 5 % are 15


def test_holm_by_hand() -> None:
    """0.01 · 4, 0.02 · 3, 0.03 · 2, then 0.5; none falls below the one before it; what is no test stays."""
    assert holm([0.02, None, 0.01, 0.5, 0.03]) == [pytest.approx(0.06), None, 0.04, 0.5, pytest.approx(0.06)]
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_the_effect_size_by_hand() -> None:
    """1, 2, 3: mean 2, s 1, times 1 - 3/7."""
    assert effect_size([1, 2, 3]) == pytest.approx(2 * 4 / 7)
    assert effect_size([2, 2, 2]) is None and effect_size([1]) is None


def test_variation_of_scenarios_and_seeds() -> None:
    draw = np.random.default_rng(3)
    sample = [list(own + draw.normal(0, 2, 5)) for own in draw.normal(0, 3, 400)]
    found = variation(sample)
    assert found is not None
    assert found.scenarios == pytest.approx(9, rel=0.2) and found.seeds == pytest.approx(4, rel=0.1)
    assert variation([[1.0], [3.0]]) == Variation(2.0, 0.0)
    assert variation([[1.0, 2.0]]) is None


def test_a_textbook_sample_size() -> None:
    """A paired t-test finds half a standard deviation in 8 of 10 from 34 pairs on, a whole one from 10."""
    assert scenarios_needed(Variation(1.0, 0.0), 0.5) == 34
    assert scenarios_needed(Variation(1.0, 0.0), -1.0) == 10
    # seeds take their own part of the variance away, and no more: 1 + 3 in four seeds is 1.75
    assert scenarios_needed(Variation(1.0, 3.0), 1.0, seeds=4) == scenarios_needed(Variation(1.75, 0.0), 1.0)


def test_as_many_as_needed_find_it_in_eight_of_ten_experiments() -> None:
    needed = scenarios_needed(Variation(4.0, 6.0), 2.0, seeds=3)
    assert needed is not None
    draw = np.random.default_rng(4)
    sample = draw.normal(2, 2, (4000, needed)) + draw.normal(0, (6 / 3) ** 0.5, (4000, needed))
    assert np.mean(stats.ttest_1samp(sample, 0, axis=1).pvalue < 0.05) == pytest.approx(0.8, abs=0.04)


@pytest.mark.parametrize(("difference", "needed"), [(0.0, None), (1e-9, None)])
def test_what_no_number_of_scenarios_shows(difference: float, needed: int | None) -> None:
    assert scenarios_needed(Variation(1.0, 1.0), difference) is needed
    with pytest.raises(ValueError, match="0 seeds"):
        scenarios_needed(Variation(1.0, 1.0), 1.0, seeds=0)


@given(st.floats(0.1, 100), st.floats(0, 100), st.integers(2, 200), st.integers(1, 10), st.floats(0.5, 0.95))
@settings(max_examples=40)
def test_the_smallest_difference_is_the_one_that_so_many_scenarios_find(
    between: float, within: float, scenarios: int, seeds: int, power: float
) -> None:
    found = Variation(between, within)
    difference = difference_found(found, scenarios, seeds, power)
    assert difference is not None
    assert power_of(found, difference, scenarios, seeds) == pytest.approx(power, abs=1e-6)
    needed = scenarios_needed(found, 1.001 * difference, seeds, power)
    assert needed is not None and needed <= scenarios
    assert difference_found(found, 1) is None and difference_found(Variation(0, 0), 5) == 0


@pytest.mark.parametrize("scenarios", [2, 3, 6, 30, 200])
@pytest.mark.parametrize("shift", [0.0, 0.5, 2.0, 5.0, 10.0])
def test_power_is_that_of_the_noncentral_t_distribution(scenarios: int, shift: float) -> None:
    """Where scipy knows it: for 5 degrees of freedom and a shift of 10 it has no number."""
    found = power_of(Variation(1.0, 0.0), shift / scenarios**0.5, scenarios)
    critical = stats.t.ppf(0.975, scenarios - 1)
    known = stats.nct.sf(critical, scenarios - 1, shift) + stats.nct.cdf(-critical, scenarios - 1, shift)
    assert found == pytest.approx(known, abs=1e-6) or np.isnan(known)
    assert 0.05 - 1e-6 <= found <= 1
