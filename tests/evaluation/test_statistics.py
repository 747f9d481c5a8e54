"""Intervals and standard errors of figures over episodes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backburner.evaluation.statistics import estimate, standard_error, wilson
from backburner.kernel.scoring import Measures, Metric
from backburner.worlds.timearena.metrics.score import METRICS

MEAN = Metric("m", "mean", "", "higher", lambda rows: sum(r["x"] for r in rows) / len(rows), "Σx / N")
RATE = next(metric for metric in METRICS if metric.key == "CR")


def test_wilson_against_hand_computed_values() -> None:
    # 0 of 10: centre z²/2n, spread the same, so the upper end is z²/(n + z²) = 3.8415 / 13.8415
    low, high = wilson(0.0, 10)
    assert low == pytest.approx(0.0, abs=1e-9)
    assert high == pytest.approx(27.753, abs=1e-3)
    # 7 of 10 (Newcombe 1998 gives such intervals): 39.7 to 89.2
    assert wilson(0.7, 10) == pytest.approx((39.68, 89.22), abs=0.01)


def test_shares_count_scenarios_not_episodes() -> None:
    """Ten seeds of two scenarios are two independent trials."""
    rows = [(scenario, {"P": 100.0, "T": 5.0}) for scenario in ("a", "b") for _ in range(10)]
    found = estimate(RATE, rows)
    assert (found.value, found.high) == (100.0, 100.0)
    assert found.low == pytest.approx(wilson(1.0, 2)[0])


def test_one_scenario_has_no_interval() -> None:
    assert estimate(MEAN, [("a", {"x": 1.0}), ("a", {"x": 3.0})]) == estimate(MEAN, [("a", {"x": 2.0})])


def test_a_figure_that_is_not_defined_has_no_interval() -> None:
    time = next(metric for metric in METRICS if metric.key == "CT")
    found = estimate(time, [("a", {"P": 50.0, "T": 9.0}), ("b", {"P": 0.0, "T": 1.0})])
    assert (found.value, found.low, found.high) == (None, None, None)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=12))
def test_the_bootstrap_stays_within_the_data_and_is_reproducible(values: list[float]) -> None:
    rows = [(number, {"x": value}) for number, value in enumerate(values)]
    found = estimate(MEAN, rows)
    assert found == estimate(MEAN, rows)
    assert found.low is not None and found.high is not None
    slack = 1e-9 * max(1.0, *map(abs, values))
    assert min(values) - slack <= found.low <= found.high <= max(values) + slack


def mean(rows: list[Measures]) -> float | None:
    return sum(row["x"] for row in rows) / len(rows) if rows else None


MEAN = Metric("x", "x", "", "higher", lambda rows: mean(list(rows)), "mean of x")


def test_of_a_mean_it_is_the_usual_one() -> None:
    # 1, 2, 6: mean 3, s² = (4 + 1 + 9) / 2 = 7, s / √3 = √(7/3)
    rows = [("a", {"x": 1.0}), ("b", {"x": 2.0}), ("c", {"x": 6.0})]
    assert standard_error(MEAN, rows) == pytest.approx((7 / 3) ** 0.5)


def test_episodes_of_a_scenario_are_left_out_together() -> None:
    # Two scenarios, figures without one of them 5 and 1, their mean 3: √(1/2 · (4 + 4)) = 2
    rows = [("a", {"x": 0.0}), ("a", {"x": 2.0}), ("b", {"x": 5.0}), ("b", {"x": 5.0})]
    assert standard_error(MEAN, rows) == pytest.approx(2.0)


@pytest.mark.parametrize("rows", [[], [("a", {"x": 1.0})], [("a", {"x": 1.0}), ("a", {"x": 3.0})]])
def test_there_is_none_with_fewer_than_two_scenarios(rows: list[tuple[str, Measures]]) -> None:
    assert standard_error(MEAN, rows) is None


def test_there_is_none_where_the_figure_hangs_on_one_scenario() -> None:
    def of_completed(rows: object) -> float | None:
        return mean([row for row in rows if row["done"]])  # type: ignore[attr-defined]

    metric = Metric("x", "x", "", "higher", of_completed, "mean of x of those done")
    rows = [("a", {"x": 1.0, "done": 1.0}), ("b", {"x": 2.0, "done": 0.0})]
    assert standard_error(metric, rows) is None
