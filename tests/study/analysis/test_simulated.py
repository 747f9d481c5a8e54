"""Simulated people whose truth is known: how often tests are wrong where nothing differs, intervals hold the
truth, and studies find what the power calculation says. Each count has its own margin: four standard
errors."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

pytest.importorskip("statsmodels")

from backburner.study.analysis.anova import FTest, one_way, paired_size, repeated, share_of_variance
from backburner.study.analysis.models import mixed
from backburner.study.analysis.power import (
    Effect,
    effect_found,
    effect_of_f_test,
    effect_of_means,
    p_values,
    people_needed,
    power_by_f,
    power_by_simulation,
    simulated,
)
from backburner.study.analysis.variables import Value, Variable, cronbach

RUNS = 4000


def near(share: float, truth: float, runs: int = RUNS) -> bool:
    return abs(share - truth) < 4 * sqrt(truth * (1 - truth) / runs)


def variable(values: list[Value]) -> Variable:
    conditions = tuple(sorted({value.condition for value in values}))
    return Variable("v", "v", "", "measure", None, None, conditions, tuple(values))


# --- tests where nothing differs ---------------------------------------------------------------------------


def test_one_way_is_wrong_in_five_of_a_hundred_studies_between_subjects() -> None:
    values = np.random.default_rng(0).normal(size=(RUNS, 12, 5))
    assert near(float((p_values("between", values) < 0.05).mean()), 0.05)


def test_within_subjects_one_way_finds_too_little_and_repeated_measures_are_right() -> None:
    """Of people who differ the one-way test takes differences for error: it is hardly ever wrong, and finds
    little; uncorrected repeated measures are right under sphericity, corrected ones a little careful."""
    effect = Effect("within", 5, 1e-9, correlation=0.6)
    values = simulated(effect, 12, RUNS, np.random.default_rng(1))
    assert float((p_values("between", values) < 0.05).mean()) < 0.02
    assert near(float((p_values("within", values, corrected=False) < 0.05).mean()), 0.05)
    assert 0.03 < float((p_values("within", values) < 0.05).mean()) < 0.055


def test_without_sphericity_only_corrected_tests_are_right() -> None:
    """One condition varies ten times as much as the others."""
    values = np.random.default_rng(2).normal(size=(RUNS, 12, 5)) * np.array([1, 1, 1, 1, 10])
    assert float((p_values("within", values, corrected=False) < 0.05).mean()) > 0.08
    corrected = float((p_values("within", values) < 0.05).mean())
    assert 0.03 < corrected < 0.07


def test_many_studies_at_once_are_tested_as_one_by_one() -> None:
    values = np.random.default_rng(3).normal(size=(20, 9, 4)) + np.arange(4) / 3
    for study, within, between in zip(
        values, p_values("within", values), p_values("between", values), strict=True
    ):
        own, apart = repeated(study.tolist()), one_way(study.T.tolist())
        assert own is not None and apart is not None
        assert within == pytest.approx(own.greenhouse_geisser.p)
        assert between == pytest.approx(apart.test.p)


def test_mixed_models_of_missing_values_are_wrong_in_five_of_a_hundred_studies() -> None:
    """A tenth of the values is missing, so that repeated measures would lose a third of the people."""
    random = np.random.default_rng(4)
    runs, wrong = 120, 0
    for _ in range(runs):
        people = random.normal(size=(12, 1))
        values = people + random.normal(size=(12, 4))
        there = random.random((12, 4)) > 0.1
        there[0, 0] = False
        rows = [Value(f"p{i}", f"c{j}", values[i, j]) for i, j in np.ndindex(values.shape) if there[i, j]]
        found = mixed(variable(rows), "within")
        assert found is not None
        wrong += found.terms[0].test.p < 0.05
    assert near(wrong / runs, 0.05, runs)


def test_mixed_models_of_several_episodes_do_not_take_them_for_people() -> None:
    """Five episodes of each person in each condition, in which people differ by condition: without a
    variance of that, every other study would find what is not there."""
    random = np.random.default_rng(5)
    runs, wrong = 24, 0
    for _ in range(runs):
        cells = random.normal(size=(8, 1)) + random.normal(size=(8, 3))
        rows = [
            Value(f"p{i}", f"c{j}", cells[i, j] + random.normal(0, 0.5))
            for i, j in np.ndindex(cells.shape)
            for _ in range(5)
        ]
        found = mixed(variable(rows), "within")
        assert found is not None
        wrong += found.terms[0].test.p < 0.05
    assert wrong <= 5


# --- intervals ---------------------------------------------------------------------------------------------


def test_intervals_of_d_z_hold_the_truth() -> None:
    """True differences of 0.8 standard deviations. What is reported is corrected for few units, and so is its
    interval: it holds the corrected truth in 95 of 100 studies."""
    random = np.random.default_rng(6)
    correction, held = 1 - 3 / (4 * 11 - 1), 0
    for row in random.normal(0.8, 1, size=(RUNS, 12)).tolist():
        found = paired_size(row)
        assert found.low is not None and found.high is not None
        held += found.low <= 0.8 * correction <= found.high
    assert near(held / RUNS, 0.95)


def test_intervals_of_eta_squared_hold_the_truth() -> None:
    """Five conditions with f 0.5, so that the noncentrality is 60 · 0.25 = 15 of 60 values: 15 / 75 = 0.2."""
    values = simulated(Effect("between", 5, 0.5), 60, 1000, np.random.default_rng(7))
    held = 0
    for study in values:
        found = one_way(study.T.tolist())
        assert found is not None and found.eta.low is not None and found.eta.high is not None
        held += found.eta.low <= 0.2 <= found.eta.high
    assert near(held / 1000, 0.95, 1000)


def test_intervals_of_alpha_hold_the_truth() -> None:
    """Four items with a common part of half the variance: alpha is 4 · 0.5 / (1 + 3 · 0.5) = 0.8."""
    random = np.random.default_rng(8)
    held = 0
    for _ in range(RUNS):
        found = cronbach(random.normal(size=(30, 1)) + random.normal(size=(30, 4)))
        assert found.low is not None and found.high is not None
        held += found.low <= 0.8 <= found.high
    assert near(held / RUNS, 0.95)


# --- power -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("effect", "people"),
    [
        (Effect("within", 3, 0.25), 28),
        (Effect("within", 4, 0.25), 24),
        (Effect("within", 2, 0.25), 34),
        (Effect("between", 3, 0.25), 159),
        (Effect("between", 5, 0.25), 200),
        (Effect("between", 4, 0.4), 76),
    ],
)
def test_people_needed_are_those_of_g_power(effect: Effect, people: int) -> None:
    """80 % on the level of 5 %, correlation 0.5."""
    assert people_needed(effect, 0.8) == people
    step = effect.conditions if effect.design == "between" else 1
    assert power_by_f(effect, people - step) < 0.8 <= power_by_f(effect, people)


@pytest.mark.parametrize(
    ("effect", "people"),
    [
        (Effect("within", 5, 0.25), 20),
        (Effect("within", 5, 0.3, correlation=0.1), 25),
        (Effect("within", 3, 0.3, correlation=-0.2), 30),
        (Effect("between", 5, 0.4), 60),
        (Effect("between", 3, 0.5, means=(0, 0, 1)), 45),
    ],
)
def test_simulated_studies_find_what_noncentral_f_says(effect: Effect, people: int) -> None:
    share = power_by_simulation(effect, people, RUNS, seed=9, corrected=False).value
    assert share is not None and near(share, power_by_f(effect, people))


def test_the_smallest_effect_found_has_the_power() -> None:
    effect = Effect("within", 5, 0.1)
    smallest = effect_found(effect, 12, 0.8)
    assert smallest is not None
    assert power_by_f(Effect("within", 5, smallest), 12) == pytest.approx(0.8, abs=1e-6)


def test_an_effect_out_of_means_and_out_of_a_printed_test() -> None:
    """Means 0, 1 and 2 with a standard deviation of 2: √(2/3) / 2. F(4, 55) = 28.11: √(28.11 · 4 / 55)."""
    assert effect_of_means((0, 1, 2), 2) == pytest.approx(sqrt(2 / 3) / 2)
    found = effect_of_f_test(FTest(28.11, 4, 55, 0))
    assert found.value == pytest.approx(sqrt(28.11 * 4 / 55))
    eta = share_of_variance(FTest(28.11, 4, 55, 0))
    assert eta.low is not None and found.low == pytest.approx(sqrt(eta.low / (1 - eta.low)), rel=1e-6)


def test_rounded_ratings_find_less() -> None:
    fine, coarse = Effect("within", 4, 0.3), Effect("within", 4, 0.3, points=5, spread=0.6)
    shares = [power_by_simulation(effect, 15, RUNS).value for effect in (fine, coarse)]
    assert shares[0] is not None and shares[1] is not None and shares[1] < shares[0]
