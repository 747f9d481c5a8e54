"""Which conditions differ: every pair, and contrasts that are named beforehand.

Two families of tests stand side by side. Tukey's honestly significant difference takes all values for
independent ones, as the one-way analysis does. Within subjects each unit is its own control: paired t-tests,
of all pairs corrected by Holm's method; between subjects Welch's t-tests.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from itertools import combinations
from math import isfinite, sqrt
from statistics import fmean, variance
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from scipy import stats

from backburner.evaluation.scoring.significance import MOST_EXACT, holm, sign_flip_p
from backburner.evaluation.scoring.statistics import MISSED, SAME
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.scoring import Estimate
from backburner.study.analysis.anova import alike, independent_size, paired_size
from backburner.study.analysis.variables import Cells, Design, Variable


class Direct(Struct, frozen=True):
    """A t-test of a difference with its interval and degrees of freedom; ``corrected``: p by Holm's method.

    ``size``: d_z of paired values, Hedges's g of independent ones. ``rank_p``: of Wilcoxon's signed-rank test
    or Mann and Whitney's; ``rank_corrected``: by Holm's method.
    """

    difference: Estimate
    number: int
    t: float | None = None
    df: float | None = None
    p: float | None = None
    corrected: float | None = None
    size: Estimate = Estimate(None)
    rank_p: float | None = None
    rank_corrected: float | None = None


class Tukey(Struct, frozen=True):
    """Tukey's test of a pair: the difference with its simultaneous interval, p, and Hedges's g."""

    difference: Estimate
    p: float | None
    g: Estimate


class Pair(Struct, frozen=True):
    """Two conditions, ``one`` less ``other``."""

    one: str
    other: str
    tukey: Tukey | None
    direct: Direct


class Contrast(Struct, frozen=True):
    """The mean of some conditions less that of others, asked for beforehand: not corrected."""

    name: str
    ones: tuple[str, ...]
    others: tuple[str, ...]
    direct: Direct


def pairs_of(variable: Variable, design: Design) -> list[Pair]:
    """Every pair of the variable's conditions, a later one less an earlier one."""
    tukeys = _tukey(variable)
    pairs = []
    for other, one in combinations(variable.conditions, 2):
        direct = _direct(variable, design, (one,), (other,))
        pairs.append(Pair(one, other, tukeys.get((one, other)), direct))
    corrected = holm([pair.direct.p for pair in pairs])
    ranks = holm([pair.direct.rank_p for pair in pairs])
    return [
        replace(pair, direct=replace(pair.direct, corrected=p, rank_corrected=rank))
        for pair, p, rank in zip(pairs, corrected, ranks, strict=True)
    ]


class Simple(Struct, frozen=True):
    """A simple effect: two levels of a factor, ``one`` less ``other``, where all else is as ``at`` says."""

    factor: str
    at: str
    one: str
    other: str
    direct: Direct


def simple_effects(variable: Variable, cells: Cells, between: Sequence[str]) -> list[Simple]:
    """Every pair of levels of each factor at each level of the others, corrected by Holm's method."""
    found = []
    for factor in next(iter(cells.values())):
        for other, one in combinations(variable.conditions, 2):
            rest = {name: level for name, level in cells[one].items() if name != factor}
            if rest.items() <= cells[other].items():
                direct = _direct(variable, "between" if factor in between else "within", (one,), (other,))
                levels = (cells[one][factor], cells[other][factor])
                found.append(Simple(factor, ", ".join(rest.values()), *levels, direct))
    corrected = holm([each.direct.p for each in found])
    return [
        replace(each, direct=replace(each.direct, corrected=p))
        for each, p in zip(found, corrected, strict=True)
    ]


def contrast_of(
    variable: Variable, design: Design, name: str, ones: Sequence[str], others: Sequence[str]
) -> Contrast | None:
    """A contrast; ``None`` where the variable has no value in one of its conditions."""
    if not {*ones, *others} <= set(variable.conditions):
        return None
    return Contrast(name, tuple(ones), tuple(others), _direct(variable, design, ones, others))


def read_contrast(text: str, conditions: Sequence[str]) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """(name, ones, others) out of ``a,b/c``, or ``name=a,b/c``.

    Raises ``Refused`` for another form, and ``UnknownName`` for a condition that there is not.
    """
    name, _, sides = text.rpartition("=")
    parts = [tuple(key.strip() for key in side.split(",") if key.strip()) for side in sides.split("/")]
    if len(parts) != 2 or not all(parts) or set(parts[0]) & set(parts[1]):
        raise Refused(f"--contrast {text}: write conditions as A,B/C: the mean of A and B less that of C")
    for key in (*parts[0], *parts[1]):
        if key not in conditions:
            raise UnknownName("condition", key, conditions)
    return name.strip() or sides.strip(), parts[0], parts[1]


def _direct(variable: Variable, design: Design, ones: Sequence[str], others: Sequence[str]) -> Direct:
    if design == "within":
        cells = variable.cells().values()
        return _paired(
            [
                fmean(mine[key] for key in ones) - fmean(mine[key] for key in others)
                for mine in cells
                if all(key in mine for key in (*ones, *others))
            ]
        )
    groups = variable.by_condition()
    if len(ones) == len(others) == 1:
        return _independent(groups[ones[0]], groups[others[0]])
    weights = {key: 1 / len(ones) for key in ones} | {key: -1 / len(others) for key in others}
    return _of_means([(groups[key], weight) for key, weight in weights.items()])


def _paired(differences: Sequence[float]) -> Direct:
    """Student's t of the differences; equal ones have a mean and nothing else."""
    number = len(differences)
    if number < 2 or alike(differences):
        mean = fmean(differences) if differences else None
        same = number > 1 and not any(abs(each) > SAME for each in differences)
        ranks = signed_rank_p(differences)
        return Direct(Estimate(mean), number, p=1.0 if same else None, rank_p=ranks)
    ranks = signed_rank_p([0.0 if abs(each) <= SAME else each for each in differences])
    found = stats.ttest_1samp(differences, 0.0)
    return _tested(found, fmean(differences), number, paired_size(differences), ranks)


def _independent(one: Sequence[float], other: Sequence[float]) -> Direct:
    """Welch's t of two groups."""
    number = len(one) + len(other)
    difference = fmean(one) - fmean(other)
    ranks = rank_sum_p(one, other)
    if min(len(one), len(other)) < 2 or (alike(one) and alike(other)):
        return Direct(Estimate(difference), number, rank_p=ranks)
    found = stats.ttest_ind(one, other, equal_var=False)
    return _tested(found, difference, number, independent_size(one, other), ranks)


def _tested(found: Any, difference: float, number: int, size: Estimate, ranks: float | None) -> Direct:
    """What scipy's t-test says of a difference."""
    low, high = (float(end) for end in found.confidence_interval(1 - MISSED))
    t, df, p = float(found.statistic), float(found.df), float(found.pvalue)
    return Direct(Estimate(difference, low, high, "t"), number, t, df, p, size=size, rank_p=ranks)


def _of_means(weighted: Sequence[tuple[Sequence[float], float]]) -> Direct:
    """Welch's t of a weighted sum of independent means, with Satterthwaite's degrees of freedom."""
    number = sum(len(group) for group, _ in weighted)
    difference = sum(weight * fmean(group) for group, weight in weighted)
    parts = [
        weight**2 * variance(group) / len(group) if len(group) > 1 else float("nan")
        for group, weight in weighted
    ]
    total = sum(parts)
    if not isfinite(total) or total <= 0:
        return Direct(Estimate(difference), number)
    df = total**2 / sum(part**2 / (len(group) - 1) for part, (group, _) in zip(parts, weighted, strict=True))
    t, reach = difference / sqrt(total), float(stats.t.ppf(1 - MISSED / 2, df)) * sqrt(total)
    estimate = Estimate(difference, difference - reach, difference + reach, "t")
    p = 2 * float(stats.t.sf(abs(t), df))
    return Direct(estimate, number, t, df, p)


def _tukey(variable: Variable) -> dict[tuple[str, str], Tukey]:
    """Tukey and Kramer's test of all pairs of conditions that have at least two values; by (one, other)."""
    groups = {key: values for key, values in variable.by_condition().items() if len(values) > 1}
    if len(groups) < 2 or all(map(alike, groups.values())):
        return {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found: Any = stats.tukey_hsd(*groups.values())
        interval = found.confidence_interval(1 - MISSED)
    places = {key: place for place, key in enumerate(groups)}
    return {
        (one, other): Tukey(
            Estimate(
                fmean(groups[one]) - fmean(groups[other]),
                float(interval.low[places[one], places[other]]),
                float(interval.high[places[one], places[other]]),
                "Tukey",
            ),
            float(found.pvalue[places[one], places[other]]),
            independent_size(groups[one], groups[other]),
        )
        for one in groups
        for other in groups
        if one != other
    }


# --- by ranks -----------------------------------------------------------------------------------------------


def signed_rank_p(differences: Sequence[float]) -> float | None:
    """Wilcoxon's signed-rank test of paired differences; 1 where none differ, ``None`` for fewer than two.

    Differences of 0 take part as Pratt ranks them. Exact for up to ``MOST_EXACT`` of them, ties included:
    every pattern of signs of the ranks is gone through, which takes scipy seconds. Beyond that scipy's.
    """
    if len(differences) < 2:
        return None
    if not any(differences):
        return 1.0
    if len(differences) <= MOST_EXACT:
        ranks = stats.rankdata([abs(each) for each in differences])
        signed = [
            0.0 if not each else float(rank) if each > 0 else -float(rank)
            for rank, each in zip(ranks, differences, strict=True)
        ]
        return sign_flip_p(signed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        p = float(stats.wilcoxon(differences, zero_method="pratt").pvalue)
    return p if isfinite(p) else None


def rank_sum_p(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Mann and Whitney's test of two independent groups; ``None`` where one is empty."""
    if not one or not other:
        return None
    p = float(stats.mannwhitneyu(one, other).pvalue)
    return p if isfinite(p) else 1.0
