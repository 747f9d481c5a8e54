"""Standard errors of figures over episodes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from backburner.kernel.scoring import Measures, Metric


def standard_error(metric: Metric, rows: Sequence[tuple[Hashable, Measures]]) -> float | None:
    """The jackknife's standard error of the metric over (scenario, numbers of an episode).

    Scenarios are left out one at a time with all their episodes: with figures f(i) that remain and their
    mean f, it is the root of (n - 1) / n times the sum of (f(i) - f)²; for the mean of n scenarios, one
    episode each, this is the usual s / √n. ``None`` for fewer than two scenarios, or where the metric is
    not defined without one of them.
    """
    scenarios = dict.fromkeys(scenario for scenario, _ in rows)
    found = [metric.over([numbers for own, numbers in rows if own != left_out]) for left_out in scenarios]
    figures = [figure for figure in found if figure is not None]
    n = len(found)
    if n < 2 or len(figures) < n:
        return None
    mean = sum(figures) / n
    return float(((n - 1) / n * sum((figure - mean) ** 2 for figure in figures)) ** 0.5)
