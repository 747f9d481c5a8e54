"""95 % confidence intervals and standard errors of figures over episodes."""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from statistics import NormalDist

from backburner.kernel.scoring import Estimate, Measured, Measures, Metric

RESAMPLES = 1000
Z = NormalDist().inv_cdf(0.975)


def estimate(metric: Metric, rows: Sequence[tuple[Hashable, Measures]]) -> Estimate:
    """The metric over (scenario, numbers of an episode), with its interval.

    Shares of episodes get Wilson's interval, which is sensible at 0 and 100 too. Everything else
    gets the percentile bootstrap over *scenarios*: episodes of one scenario with several seeds are
    not independent, so scenarios are drawn with all their episodes. Reproducible: the draws are
    seeded. With a single scenario there is no interval.
    """
    value = metric.over([measures for _, measures in rows])
    clusters: dict[Hashable, list[Measures]] = {}
    for scenario, measures in rows:
        clusters.setdefault(scenario, []).append(measures)
    if value is None or len(clusters) < 2:
        return Estimate(value)
    if metric.share:
        return Estimate(value, *wilson(value / 100, len(clusters)))
    return Estimate(value, *_bootstrap(metric, clusters))


def estimate_of_episodes(metric: Metric, rows: Sequence[Measured]) -> Estimate:
    """The metric over measured episodes, with its interval over their scenarios."""
    return estimate(metric, [(episode.header.id, measures) for episode, measures in rows])


def wilson(share: float, n: int) -> tuple[float, float]:
    """Wilson's score interval of a share, in per cent; ``n`` is the number of independent trials."""
    centre = share + Z * Z / (2 * n)
    spread = Z * (share * (1 - share) / n + Z * Z / (4 * n * n)) ** 0.5
    scale = 100 / (1 + Z * Z / n)
    return max(0.0, (centre - spread) * scale), min(100.0, (centre + spread) * scale)


def _bootstrap(
    metric: Metric, clusters: Mapping[Hashable, Sequence[Measures]]
) -> tuple[float | None, float | None]:
    draw = random.Random(0)
    groups = list(clusters.values())
    values = []
    for _ in range(RESAMPLES):
        drawn = draw.choices(groups, k=len(groups))
        value = metric.over([measures for group in drawn for measures in group])
        if value is not None:
            values.append(value)
    if not values:
        return None, None
    values.sort()
    return values[int(0.025 * len(values))], values[min(len(values) - 1, int(0.975 * len(values)))]


def standard_error(metric: Metric, rows: Sequence[tuple[Hashable, Measures]]) -> float | None:
    """The jackknife's standard error of the metric over (scenario, numbers of an episode).

    Scenarios are left out one at a time with all their episodes: with figures f(i) that remain and their
    mean f, it is the root of (n - 1) / n times the sum of (f(i) - f)²; for the mean of n scenarios, one
    episode each, this is the usual s / √n. ``None`` for fewer than two scenarios, or where the metric is
    not defined without one of them.
    """
    scenarios = dict.fromkeys(scenario for scenario, _ in rows)
    estimates = [metric.over([numbers for own, numbers in rows if own != left_out]) for left_out in scenarios]
    figures = [figure for figure in estimates if figure is not None]
    n = len(estimates)
    if n < 2 or len(figures) < n:
        return None
    mean = sum(figures) / n
    return float(((n - 1) / n * sum((figure - mean) ** 2 for figure in figures)) ** 0.5)
