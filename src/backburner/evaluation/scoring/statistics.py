"""95 % intervals and standard errors of figures over episodes, clustered by scenario.

Episodes of one scenario under several seeds are not independent, so the unit is the scenario: the variance
of a figure is the jackknife's, which leaves out one scenario at a time with all its episodes. Which
interval is made of it depends on where the metric can lie (``Metric.lowest``, ``Metric.highest``):

- ``beta``, between two ends, shares above all: Korn and Graubard's interval (Survey Methodology 24, 1998).
  The variance tells how many independent yes-or-no trials would be as uncertain, at least one for each
  scenario, and the interval is Clopper and Pearson's exact one of so many trials. For one episode of each
  scenario it is theirs; more seeds narrow it as far as seeds differ less than scenarios do.
- ``gamma``, above one end, such as times: Fay and Feuer's interval (Statistics in Medicine 16, 1997),
  likewise of the number of Poisson events that would be as uncertain. It is longer upwards, as such figures
  are skewed.
- ``t``, anywhere, such as differences of times: Student's, of the jackknife's pseudo-values.

In ``beta`` and ``gamma`` the number of trials is multiplied by (z / t)², as the variance itself is
estimated from few scenarios. How often each covers the truth is in docs/statistics.md.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from math import fsum, nan
from statistics import NormalDist

from msgspec import Struct

from backburner.evaluation.scoring.distributions import beta_quantile, gamma_quantile, t_quantile
from backburner.kernel.headline import ends
from backburner.kernel.scoring import Estimate, Measured, Measures, Metric

MISSED = 0.05
"""How often an interval may miss the truth."""

Z = NormalDist().inv_cdf(1 - MISSED / 2)

MOST_GROUPS = 200
"""Of more scenarios, groups of them are left out at a time: time would grow with their square."""

SAME = 1e-9
"""Figures that differ by less, beside their size, are equal: sums of floats come out like that."""

METHODS: Mapping[str, str] = {
    "beta": "Clopper and Pearson's exact interval of the effective number of trials (Korn and Graubard)",
    "equal": "where all scenarios are equal, what so few cannot rule out between the metric's two ends",
    "gamma": "the gamma interval of the effective number of events (Fay and Feuer)",
    "t": "Student's t of the jackknife",
}
"""What makes an interval, by the word in ``Estimate.method``."""

NO_INTERVAL: Mapping[str, str] = {
    "one scenario": "a single scenario has the figure",
    "all equal": "all scenarios are equal and the metric has no two ends",
    "undefined": "it is not defined without one of the scenarios",
}
"""Why there is no interval, by the word in ``Estimate.method``."""


FEW = 5
"""With fewer scenarios an interval says little."""

WIDE = 0.8
"""So does one that covers more than this share of the way between a metric's two ends."""


def says_little(figure: Estimate, metric: Metric, scenarios: int) -> str:
    """Why an interval over so many scenarios says next to nothing: ``few`` of them, ``wide``; else empty."""
    if figure.low is None or figure.high is None:
        return ""
    lowest, highest = ends(metric)
    if scenarios < FEW:
        return "few"
    if lowest is None or highest is None:
        return ""
    return "wide" if figure.high - figure.low > WIDE * (highest - lowest) else ""


class Spread(Struct, frozen=True):
    """A figure with its jackknife: ``variance`` is ``None`` where the figure hangs on one scenario.

    ``scenarios``: those that have the figure. ``episodes``: those that have it. ``least``: how many
    independent episodes these are if all of a scenario are alike, (Σ k)² / Σ k² for k episodes of each.
    """

    value: float
    variance: float | None
    scenarios: int
    episodes: int
    least: float


def estimate(metric: Metric, rows: Sequence[tuple[Hashable, Measures]]) -> Estimate:
    """The metric over (scenario, numbers of an episode), with its interval and what made it.

    ``low`` and ``high`` are ``None`` where fewer than two scenarios have the figure, or nothing tells how
    scenarios vary; ``method`` then says why (``NO_INTERVAL``).
    """
    spread = spread_of(metric, rows)
    if spread is None:
        return Estimate(None)
    if spread.scenarios < 2:
        return Estimate(spread.value, method="one scenario")
    if spread.variance is None:
        return Estimate(spread.value, method="undefined")
    if metric.share:
        return _beta(spread, spread.variance, 0.0, 100.0, share=True)
    if metric.lowest is not None and metric.highest is not None:
        return _beta(spread, spread.variance, metric.lowest, metric.highest, share=False)
    if spread.variance == 0:
        return Estimate(spread.value, method="all equal")
    if metric.lowest is not None and spread.value > metric.lowest:
        return _gamma(spread, spread.variance, metric.lowest)
    return _t(spread, spread.variance)


def estimate_of_episodes(metric: Metric, rows: Sequence[Measured]) -> Estimate:
    """The metric over measured episodes, with its interval over their scenarios."""
    return estimate(metric, [(episode.header.id, measures) for episode, measures in rows])


def standard_error(metric: Metric, rows: Sequence[tuple[Hashable, Measures]]) -> float | None:
    """The jackknife's standard error of the metric over (scenario, numbers of an episode).

    For the mean of n scenarios, one episode each, this is the usual s / √n. ``None`` where fewer than two
    scenarios have the figure, or where it is not defined without one of them.
    """
    spread = spread_of(metric, rows)
    if spread is None or spread.scenarios < 2 or spread.variance is None:
        return None
    return float(spread.variance**0.5)


def exact_share(share: float, trials: float) -> tuple[float, float]:
    """Clopper and Pearson's interval of a share (0 to 1) of independent trials, in per cent."""
    yes, no = share * trials, (1 - share) * trials
    low = 0.0 if yes <= 0 else beta_quantile(MISSED / 2, yes, no + 1)
    high = 1.0 if no <= 0 else beta_quantile(1 - MISSED / 2, yes + 1, no)
    return 100 * low, 100 * high


# --- the jackknife -------------------------------------------------------------------------------------


def spread_of(metric: Metric, rows: Sequence[tuple[Hashable, Measures]]) -> Spread | None:
    """The figure and how it varies over scenarios; ``None`` where it is not defined.

    With figures f(i) that remain without the i-th of n scenarios and their mean f, the variance is
    (n - 1) / n · Σ (f(i) - f)². Scenarios that have no episode with the figure do not count.
    """
    value = metric.over([measures for _, measures in rows])
    if value is None:
        return None
    alone = [metric.over([measures]) for _, measures in rows]
    known = [(*row, figure) for row, figure in zip(rows, alone, strict=True) if figure is not None]
    if metric.over([measures for _, measures, _ in known]) != value:  # episodes have it together alone
        known = [(*row, nan if figure is None else figure) for row, figure in zip(rows, alone, strict=True)]
    clusters: dict[Hashable, list[tuple[Measures, float]]] = {}
    for scenario, measures, figure in known:
        clusters.setdefault(scenario, []).append((measures, figure))
    sizes = [len(cluster) for cluster in clusters.values()]
    remaining = _remaining(metric, list(clusters.values()), value) if len(clusters) > 1 else []
    return Spread(
        value,
        _variance(remaining, value),
        len(clusters),
        len(known),
        sum(sizes) ** 2 / sum(size * size for size in sizes),
    )


def _remaining(
    metric: Metric, clusters: Sequence[Sequence[tuple[Measures, float]]], value: float
) -> list[float | None]:
    """The figures without each cluster, or without each of at most ``MOST_GROUPS`` groups of them.

    Which clusters make a group is drawn, as neighbours in a suite are alike; always the same ones.
    """
    mixed = random.Random(0).sample(clusters, len(clusters)) if len(clusters) > MOST_GROUPS else clusters
    groups = [
        [row for cluster in mixed[start::MOST_GROUPS] for row in cluster]
        for start in range(min(len(clusters), MOST_GROUPS))
    ]
    sums = [fsum(figure for _, figure in group) for group in groups]
    total, number = fsum(sums), sum(map(len, groups))
    if _same(total / number, value):  # the mean of the episodes' own figures
        return [(total - own) / (number - len(group)) for own, group in zip(sums, groups, strict=True)]
    return [
        metric.over([measures for group in groups if group is not left_out for measures, _ in group])
        for left_out in groups
    ]


def _variance(remaining: Sequence[float | None], value: float) -> float | None:
    figures = [figure for figure in remaining if figure is not None]
    n = len(remaining)
    if n < 2 or len(figures) < n:
        return None
    if _same(min(figures), max(figures)):
        return 0.0
    mean = fsum(figures) / n
    return (n - 1) / n * fsum((figure - mean) ** 2 for figure in figures)


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= SAME * max(1.0, abs(one), abs(other))


# --- intervals of a figure and its variance ---------------------------------------------------------------


def _widened(scenarios: int) -> float:
    """(t / z)² with a degree of freedom less than scenarios: by what variances of so few are too small."""
    return float((t_reach(scenarios - 1) / Z) ** 2)


def t_reach(freedom: float) -> float:
    """How many standard errors Student's interval reaches to either side."""
    return t_quantile(1 - MISSED / 2, freedom)


def _beta(spread: Spread, variance: float, lowest: float, highest: float, *, share: bool) -> Estimate:
    """Between two ends. Of a share the variance is at least that of independent episodes.

    Where all scenarios are equal, each end moves towards the metric's as far as Clopper and Pearson's does
    from a share of 0 or 100: by 1 - 0.025^(1/n) of the way.
    """
    width = highest - lowest
    middle = min(max((spread.value - lowest) / width, 0.0), 1.0)
    within = middle * (1 - middle)
    v = variance / width**2
    if share:
        v = max(v, within / spread.episodes)
    if v <= 0 or within <= 0:
        moved = 1 - (MISSED / 2) ** (1 / spread.least)
        low, high = middle * (1 - moved), middle + (1 - middle) * moved
        return Estimate(
            spread.value, lowest + low * width, lowest + high * width, "beta" if share else "equal"
        )
    trials = max(within / v / _widened(spread.scenarios), spread.least)
    low, high = (end / 100 for end in exact_share(middle, trials))
    return Estimate(spread.value, lowest + low * width, lowest + high * width, "beta")


def _gamma(spread: Spread, variance: float, lowest: float) -> Estimate:
    """Above one end: the value as a number of Poisson events, each of the size variance / value."""
    above = spread.value - lowest
    size = variance * _widened(spread.scenarios) / above
    events = above / size
    low = gamma_quantile(MISSED / 2, events) * size
    high = gamma_quantile(1 - MISSED / 2, events + 1) * size
    return Estimate(spread.value, lowest + low, lowest + high, "gamma")


def _t(spread: Spread, variance: float) -> Estimate:
    half = t_reach(spread.scenarios - 1) * variance**0.5
    return Estimate(spread.value, spread.value - half, spread.value + half, "t")
