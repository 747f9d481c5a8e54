"""Intervals and standard errors of figures over episodes, recomputed another way."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from backburner.evaluation.scoring.statistics import (
    METHODS,
    NO_INTERVAL,
    estimate,
    exact_share,
    standard_error,
)
from backburner.kernel.scoring import Measures, Metric, mean, success
from backburner.worlds.cuisineworld.metrics.score import METRICS as ORDERS
from backburner.worlds.timearena.metrics.score import METRICS

Rows = list[tuple[str, Measures]]


def mean_of_x(rows: Sequence[Measures]) -> float | None:
    return mean(row["x"] for row in rows if "x" in row)


ANY = Metric("any", "mean", "", "higher", mean_of_x, "Σx / N")
TIME = Metric("time", "mean", "", "lower", mean_of_x, "Σx / N", lowest=0)
SCORE = Metric("score", "mean", "", "higher", mean_of_x, "Σx / N", lowest=0, highest=100)
SHARE = Metric("share", "share", "%", "higher", success, "", share=True)
SPEED = next(metric for metric in METRICS if metric.key == "CS")


def values(*figures: float) -> Rows:
    """One episode of each scenario."""
    return [(f"s{number}", {"x": figure}) for number, figure in enumerate(figures)]


def seeds(*scenarios: Sequence[int]) -> Rows:
    """Successes by scenario and seed."""
    return [(f"s{n}", {"success": float(one)}) for n, own in enumerate(scenarios) for one in own]


# --- shares -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("yes", "trials"), [(0, 10), (7, 10), (3, 3), (1, 30)])
def test_one_seed_of_each_scenario_gives_the_exact_interval(yes: int, trials: int) -> None:
    found = estimate(SHARE, seeds(*([1] if number < yes else [0] for number in range(trials))))
    exact = stats.binomtest(yes, trials).proportion_ci(method="exact")
    assert found.method == "beta"
    assert (found.low, found.high) == pytest.approx((100 * exact.low, 100 * exact.high), abs=1e-6)
    assert exact_share(yes / trials, trials) == pytest.approx((100 * exact.low, 100 * exact.high), abs=1e-6)


def test_the_rule_of_three() -> None:
    """0 of 10: the upper end is 1 - 0.025^(1/10) = 30.85 %."""
    assert exact_share(0.0, 10) == (0.0, pytest.approx(30.85, abs=0.01))


def test_seeds_of_one_outcome_count_as_one() -> None:
    """Scenarios that always or never succeed: ten seeds tell no more than one."""
    once, often = (
        estimate(SHARE, seeds([1], [1], [0], [0])),
        estimate(SHARE, seeds(*([n] * 10 for n in (1, 1, 0, 0)))),
    )
    assert (often.low, often.high) == pytest.approx((once.low, once.high))


def test_seeds_that_differ_within_scenarios_narrow_a_share() -> None:
    """10 scenarios x 10 independent seeds at a half: about the 20 points of 100 trials, not the 62 of 10."""
    draw = random.Random(3)
    rows = seeds(*([draw.randrange(2) for _ in range(10)] for _ in range(10)))
    found = estimate(SHARE, rows)
    assert found.low is not None and found.high is not None
    low, high = exact_share((found.value or 0) / 100, 100)
    assert high - low - 1e-9 <= found.high - found.low < 30


def test_seeds_never_count_more_than_independent_ones() -> None:
    """Every scenario has exactly 5 of 10: no variance at all between scenarios, yet only 30 episodes."""
    found = estimate(SHARE, seeds(*([1] * 5 + [0] * 5 for _ in range(3))))
    low, high = exact_share(0.5, 30)
    assert found.low is not None and found.high is not None and found.low < low < high < found.high


def test_the_effective_number_of_trials_by_hand() -> None:
    """Shares 1, 1/2, 1/2, 0: p = 1/2, variance of their mean s²/4 = (1/6)/4, trials (1/4) / (1/24) = 6;
    times (z / t)² with 3 degrees of freedom = 2.2757, and so at least one for each scenario: 4."""
    few = estimate(SHARE, seeds([1, 1], [1, 0], [0, 1], [0, 0]))
    assert (few.low, few.high) == pytest.approx(exact_share(0.5, 4))
    # eight scenarios, twice the same: s² = (4 / 4) / 7 = 1/7, trials (1/4) / (1/56) = 14, t of 7 degrees
    many = estimate(SHARE, seeds(*[[1, 1], [1, 0], [0, 1], [0, 0]] * 2))
    trials = 14 * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 7)) ** 2
    assert trials > 8
    assert (many.low, many.high) == pytest.approx(exact_share(0.5, trials))


# --- figures between two ends, above one, anywhere -------------------------------------------------------


def test_anywhere_it_is_students() -> None:
    figures = (1.0, 2.0, 6.0, -3.0)
    found = estimate(ANY, values(*figures))
    expected = stats.t.interval(0.95, 3, loc=np.mean(figures), scale=stats.sem(figures))
    assert (found.low, found.high, found.method) == (*map(pytest.approx, expected), "t")


def test_between_two_ends_it_stays_there_and_is_near_students_in_the_middle() -> None:
    figures = (48.0, 50.0, 53.0, 47.0, 52.0)
    found = estimate(SCORE, values(*figures))
    expected = stats.t.interval(0.95, 4, loc=np.mean(figures), scale=stats.sem(figures))
    assert (found.low, found.high) == pytest.approx(expected, abs=0.2)
    at_the_end = estimate(SCORE, values(100, 100, 100, 90))
    assert at_the_end.low is not None and at_the_end.high is not None
    assert 0 < at_the_end.low < 97.5 < at_the_end.high <= 100


def test_above_one_end_by_gamma_quantiles() -> None:
    """2, 4, 9: mean 5, variance of it 13/3; size 13/15 · (t/z)², events 5 / size."""
    found = estimate(TIME, values(2, 4, 9))
    size = 13 / 15 * (stats.t.ppf(0.975, 2) / stats.norm.ppf(0.975)) ** 2
    low, high = stats.gamma.ppf(0.025, 5 / size, scale=size), stats.gamma.ppf(0.975, 5 / size + 1, scale=size)
    assert (found.low, found.high, found.method) == (pytest.approx(low), pytest.approx(high), "gamma")
    assert high - 5 > 5 - low


def test_the_end_moves_the_gamma_interval_along() -> None:
    least_1 = Metric("r", "", "", "lower", mean_of_x, "", lowest=1)
    above, shifted = estimate(TIME, values(0.1, 0.4, 0.2)), estimate(least_1, values(1.1, 1.4, 1.2))
    assert above.low is not None and above.high is not None
    assert (shifted.low, shifted.high) == pytest.approx((1 + above.low, 1 + above.high))


@pytest.mark.parametrize("value", [0.0, 40.0, 100.0])
def test_equal_scenarios_are_not_certain_between_two_ends(value: float) -> None:
    """Each end moves as far as the exact interval's does from 0 or all of five: 1 - 0.025^(1/5) = 52.2 %."""
    found = estimate(SCORE, values(*[value] * 5))
    moved = 1 - 0.025**0.2
    assert (found.low, found.high) == pytest.approx((value * (1 - moved), value + (100 - value) * moved))
    assert found.method == "equal"


@pytest.mark.parametrize("metric", [ANY, TIME])
def test_equal_scenarios_show_no_interval_where_there_is_no_end(metric: Metric) -> None:
    found = estimate(metric, values(0.1 + 0.2, 0.3, 0.3))
    assert (found.value, found.low, found.high, found.method) == (pytest.approx(0.3), None, None, "all equal")


def test_a_figure_of_one_scenario_has_no_interval() -> None:
    found = estimate(SCORE, [("a", {"x": 1.0}), ("a", {"x": 3.0})])
    assert (found.value, found.low, found.high, found.method) == (2.0, None, None, "one scenario")


def test_nor_has_a_figure_that_only_one_scenario_has() -> None:
    found = estimate(SCORE, [("a", {"x": 1.0}), ("b", {}), ("c", {})])
    assert (found.value, found.low, found.high, found.method) == (1.0, None, None, "one scenario")
    served = next(metric for metric in ORDERS if metric.unit == "" and metric.key.endswith("1.0"))
    orders = [(f"s{tau}", {"tau": tau, "completed": 1.0, "failed": 2.0}) for tau in (1.0, 1.5, 2.0)]
    assert (estimate(served, orders).value, estimate(served, orders).low) == (pytest.approx(1 / 3), None)


def test_a_figure_that_is_not_defined_has_no_interval() -> None:
    time = next(metric for metric in METRICS if metric.key == "CT")
    found = estimate(time, [("a", {"P": 50.0, "T": 9.0}), ("b", {"P": 0.0, "T": 1.0})])
    assert (found.value, found.low, found.high, found.method) == (None, None, None, "")


def test_a_ratio_of_sums_is_left_out_of_one_by_one() -> None:
    """ΣP / ΣT of 100/10, 50/20, 0/5 is 150/35; without each: 50/25, 100/15, 150/30."""
    rows = [("a", {"P": 100.0, "T": 10.0}), ("b", {"P": 50.0, "T": 20.0}), ("c", {"P": 0.0, "T": 5.0})]
    without = np.array([50 / 25, 100 / 15, 150 / 30])
    expected = np.sqrt(2 / 3 * np.sum((without - without.mean()) ** 2))
    assert standard_error(SPEED, rows) == pytest.approx(expected)


def test_every_method_is_explained() -> None:
    metrics = (ANY, TIME, SCORE)
    samples = (values(1), values(2, 2), values(1, 2), [])
    found = {estimate(metric, rows).method for metric in metrics for rows in samples} - {""}
    assert found == {"beta", "equal", "gamma", "t", "one scenario", "all equal"}
    assert found <= METHODS.keys() | NO_INTERVAL.keys()


@given(st.lists(st.floats(0, 100), min_size=2, max_size=12))
def test_an_interval_holds_its_figure_and_stays_between_the_ends(figures: list[float]) -> None:
    for metric in (ANY, TIME, SCORE):
        found = estimate(metric, values(*figures))
        assert found == estimate(metric, values(*figures))
        if found.low is None or found.high is None or found.value is None:
            continue
        slack = 1e-9 * max(1.0, *map(abs, figures))
        assert found.low - slack <= found.value <= found.high + slack
        assert metric.lowest is None or found.low >= metric.lowest - slack
        assert metric.highest is None or found.high <= metric.highest + slack


def test_a_thousand_scenarios_are_left_out_in_groups() -> None:
    draw = np.random.default_rng(5)
    rows = [(f"s{n}", {"P": float(p), "T": 1.0 + n % 7}) for n, p in enumerate(draw.uniform(0, 100, 1000))]
    p, t = (np.array([row[key] for _, row in rows]) for key in "PT")
    linear = (p - p.sum() / t.sum() * t) / t.mean()
    assert standard_error(SPEED, rows) == pytest.approx(stats.sem(linear), rel=0.15)


# --- standard errors -----------------------------------------------------------------------------------


def test_of_a_mean_it_is_the_usual_one() -> None:
    # 1, 2, 6: mean 3, s² = (4 + 1 + 9) / 2 = 7, s / √3 = √(7/3)
    assert standard_error(ANY, values(1, 2, 6)) == pytest.approx((7 / 3) ** 0.5)


def test_episodes_of_a_scenario_are_left_out_together() -> None:
    # Two scenarios, figures without one of them 5 and 1, their mean 3: √(1/2 · (4 + 4)) = 2
    rows = [("a", {"x": 0.0}), ("a", {"x": 2.0}), ("b", {"x": 5.0}), ("b", {"x": 5.0})]
    assert standard_error(ANY, rows) == pytest.approx(2.0)


@pytest.mark.parametrize("rows", [[], [("a", {"x": 1.0})], [("a", {"x": 1.0}), ("a", {"x": 3.0}), ("b", {})]])
def test_there_is_none_with_fewer_than_two_scenarios(rows: Rows) -> None:
    assert standard_error(ANY, rows) is None


def test_there_is_none_where_the_figure_hangs_on_one_scenario() -> None:
    """Defined for all together alone: two scenarios and no fewer."""

    def of_both(rows: Sequence[Measures]) -> float | None:
        return mean_of_x(rows) if len(rows) > 1 else None

    metric = Metric("x", "x", "", "higher", of_both, "")
    assert standard_error(metric, values(1, 2)) is None
    assert estimate(metric, values(1, 2)).method == "undefined"
