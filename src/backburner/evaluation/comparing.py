"""Paired differences: two agents, or two runs, over the scenarios and seeds that both played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from msgspec import Struct

from backburner.evaluation.pairing import Pair, Side, by_scenario, pairs_of
from backburner.evaluation.scores import WorldScores
from backburner.evaluation.statistics import estimate
from backburner.kernel.errors import Refused
from backburner.kernel.scoring import Estimate, Measures, Metric, grouped

SAME = 1e-9
"""Figures that differ by less are equal: sums of floats come out like that."""


class Difference(Struct, frozen=True):
    """One metric, ``one`` less ``other``.

    Of each scenario its seeds together give a figure for either side; ``one`` and ``other`` are the means of
    these over the ``scenarios``, ``difference`` is the mean of their differences with its 95 % interval.
    ``pairs``: episodes of one side that have the figure, with an episode of the other that has it too.
    ``better``, ``equal``, ``worse``: per cent of scenarios, ``None`` where the metric has no better end.
    """

    metric: str
    unit: str
    one: float | None
    other: float | None
    difference: Estimate
    pairs: int
    scenarios: int
    better: float | None
    equal: float
    worse: float | None


class Comparison(Struct, frozen=True):
    """Two sides in one world under one rule set."""

    world: str
    rules: str
    one: str
    other: str
    pairs: int
    scenarios: int
    differences: tuple[Difference, ...]


def compare(scores: Sequence[WorldScores], one: Side, other: Side) -> list[Comparison]:
    """The differences, world by world and rule set by rule set.

    Raises ``Refused`` if both played a scenario, but under different rules, limits or versions of the world;
    if a side played one twice; or if they have no scenario and seed in common.
    """
    found = []
    for world in scores:
        pairs = pairs_of(world.measured, one, other)
        by_rules = grouped(pairs, lambda pair: pair[0][0].header.rules_name)
        for rules, mine in sorted(by_rules.items()):
            differences = tuple(_differences(world.metrics, mine))
            scenarios = len(by_scenario(mine))
            found.append(
                Comparison(world.world, rules, one.name, other.name, len(mine), scenarios, differences)
            )
    if not found:
        raise Refused(f"{one.name} and {other.name} have no scenario and seed in common")
    return found


def _differences(metrics: Sequence[Metric], pairs: Sequence[Pair]) -> Iterator[Difference]:
    """Every metric that some pair has on both sides."""
    for metric in metrics:
        known = [pair for pair in pairs if all(metric.over([measures]) is not None for _, measures in pair)]
        figures = []
        for scenario, mine in by_scenario(known).items():
            one, other = (metric.over([pair[side][1] for pair in mine]) for side in (0, 1))
            if one is not None and other is not None:
                figures.append((scenario, one, other))
        if figures:
            yield _difference(metric, figures, len(known))


def _difference(metric: Metric, figures: Sequence[tuple[str, float, float]], pairs: int) -> Difference:
    deltas = [(scenario, one - other) for scenario, one, other in figures]
    higher = 100 * fmean(delta > SAME for _, delta in deltas)
    lower = 100 * fmean(delta < -SAME for _, delta in deltas)
    better, worse = (higher, lower) if metric.better == "higher" else (lower, higher)
    ranked = metric.better != "neither"
    return Difference(
        metric.key,
        metric.unit,
        fmean(one for _, one, _ in figures),
        fmean(other for _, _, other in figures),
        estimate(MEAN, [(scenario, {DELTA: delta}) for scenario, delta in deltas]),
        pairs,
        len(figures),
        better if ranked else None,
        100 * fmean(abs(delta) <= SAME for _, delta in deltas),
        worse if ranked else None,
    )


DELTA = "difference"


def _mean(rows: Sequence[Measures]) -> float | None:
    return fmean(row[DELTA] for row in rows) if rows else None


MEAN = Metric(DELTA, "mean difference", "", "neither", _mean, "mean of the scenarios' differences")
"""``estimate`` bootstraps it over scenarios, as it does the metrics themselves."""
