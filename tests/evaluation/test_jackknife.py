"""Standard errors with the arithmetic."""

from __future__ import annotations

import pytest

from backburner.evaluation.statistics import standard_error
from backburner.kernel.scoring import Measures, Metric


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
