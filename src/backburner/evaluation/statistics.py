"""95 % confidence intervals for figures over episodes."""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from statistics import NormalDist

from msgspec import Struct

from backburner.kernel.scoring import Measures, Metric

RESAMPLES = 1000
Z = NormalDist().inv_cdf(0.975)


class Estimate(Struct, frozen=True):
    """A figure with its 95 % interval; ``low`` and ``high`` are ``None`` where there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None


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
