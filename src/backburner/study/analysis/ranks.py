"""Tests by ranks, which assume no distribution: the companions of the others for ratings."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from math import isfinite

from msgspec import Struct
from scipy import stats

from backburner.evaluation.scoring.significance import MOST_EXACT, sign_flip_p

Groups = Sequence[Sequence[float]]


class RankTest(Struct, frozen=True):
    """A test by ranks over all conditions. ``size``: Kendall's W of Friedman's test, epsilon squared of
    Kruskal and Wallis's, each from 0 to 1; ``number``: of units, or of values."""

    name: str
    chi2: float
    df: int
    p: float
    size: float
    size_name: str
    number: int


def friedman(rows: Groups) -> RankTest | None:
    """Friedman's test of units by conditions, a row for each unit; ``None`` for fewer than three conditions,
    fewer than two units, or where nobody tells conditions apart."""
    if len(rows) < 2 or len(rows[0]) < 3 or all(len(set(row)) == 1 for row in rows):
        return None
    found = stats.friedmanchisquare(*zip(*rows, strict=True))
    units, conditions = len(rows), len(rows[0])
    chi2 = float(found.statistic)
    size = chi2 / (units * (conditions - 1))
    return RankTest("Friedman", chi2, conditions - 1, float(found.pvalue), size, "Kendall's W", units)


def kruskal(groups: Groups) -> RankTest | None:
    """Kruskal and Wallis's test of independent values; ``None`` where there is nothing to compare."""
    groups = [group for group in groups if group]
    number = sum(map(len, groups))
    if len(groups) < 2 or number < 3 or len({value for group in groups for value in group}) < 2:
        return None
    found = stats.kruskal(*groups)
    h = float(found.statistic)
    return RankTest(
        "Kruskal-Wallis", h, len(groups) - 1, float(found.pvalue), h / (number - 1), "epsilon²", number
    )


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
