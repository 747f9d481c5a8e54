"""Sizes of effects with their 95 % intervals.

Intervals are exact ones for normal values: the noncentrality parameters are looked for under which the
statistic that was found is at the upper and the lower 2.5 %. Those of shares of variance may begin at 0
although the test is below 0.05, since a share cannot be negative: 90 % intervals would agree with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, sqrt
from statistics import fmean, variance

from msgspec import Struct
from scipy.special import nctdtrinc
from statsmodels.stats.oneway import confint_noncentrality

from backburner.evaluation.scoring.statistics import MISSED, SAME
from backburner.kernel.scoring import Estimate


class FTest(Struct, frozen=True):
    """An F test: ``f`` with ``df1`` and ``df2`` degrees of freedom."""

    f: float
    df1: float
    df2: float
    p: float


def share_of_variance(test: FTest) -> Estimate:
    """Partial eta squared, df1 F / (df1 F + df2), in a one-way design eta squared.

    The interval is Steiger's (Psychological Methods 9, 2004): λ / (λ + df1 + df2 + 1) of the noncentrality λ.
    """
    value = test.df1 * test.f / (test.df1 * test.f + test.df2)
    try:
        low, high = confint_noncentrality(test.f, (test.df1, test.df2), alpha=MISSED)
    except (ValueError, ArithmeticError):
        return Estimate(value)
    number = test.df1 + test.df2 + 1
    if not isfinite(low) or not isfinite(high):
        return Estimate(value)
    least, most = max(float(low), 0.0), max(float(high), 0.0)
    return Estimate(value, least / (least + number), most / (most + number), "noncentral F")


def omega_squared(test: FTest) -> float:
    """Omega squared of a one-way design, df1 (F - 1) / (df1 (F - 1) + N): less biased than eta squared.

    N is the number of values, df1 + df2 + 1. It may be below 0 where conditions do not differ.
    """
    above = test.df1 * (test.f - 1)
    return above / (above + test.df1 + test.df2 + 1)


def paired_size(differences: Sequence[float]) -> Estimate:
    """Cohen's d_z of paired differences, corrected for few of them as Hedges did, with its interval.

    Their mean in standard deviations of the differences. Undefined for fewer than two, or equal ones.
    """
    if len(differences) < 2 or alike(differences):
        return Estimate(None)
    spread = sqrt(variance(differences))
    root = sqrt(len(differences))
    return _standardised(fmean(differences) / spread, root, len(differences) - 1)


def independent_size(one: Sequence[float], other: Sequence[float]) -> Estimate:
    """Hedges's g of two independent groups, ``one`` less ``other``, with its interval.

    The difference of their means in pooled standard deviations, corrected for few values. Undefined where no
    group varies.
    """
    freedom = len(one) + len(other) - 2
    if freedom < 1 or not one or not other:
        return Estimate(None)
    squares = sum((len(group) - 1) * variance(group) for group in (one, other) if len(group) > 1)
    if squares <= SAME**2 * max(1.0, *(value * value for value in (*one, *other))):
        return Estimate(None)
    d = (fmean(one) - fmean(other)) / sqrt(squares / freedom)
    return _standardised(d, sqrt(len(one) * len(other) / (len(one) + len(other))), freedom)


def _standardised(d: float, root: float, freedom: int) -> Estimate:
    """d with what t is of it (d times ``root``), corrected by 1 - 3 / (4 df - 1)."""
    correction = 1 - 3 / (4 * freedom - 1)
    low, high = (float(nctdtrinc(freedom, p, d * root)) / root for p in (1 - MISSED / 2, MISSED / 2))
    if not isfinite(low) or not isfinite(high) or not low <= d <= high:
        return Estimate(d * correction)
    return Estimate(d * correction, low * correction, high * correction, "noncentral t")


def alike(values: Sequence[float]) -> bool:
    """Whether values differ by no more than what calculating with them does."""
    return max(values) - min(values) <= SAME * max(1.0, *map(abs, values))
