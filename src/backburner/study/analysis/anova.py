"""Whether conditions differ, and by how much: analyses of variance, tests by ranks, sizes of effects.

F and p are those of statsmodels. Its repeated measures know no correction for lack of sphericity: Greenhouse
and Geisser's and Huynh and Feldt's epsilons and Mauchly's test are computed here from the covariances of
orthonormal contrasts, and compared in tests with published values. Tests by ranks assume less.

Intervals of sizes are exact ones for normal values: the noncentrality parameters are looked for under which
the statistic that was found is at the upper and the lower 2.5 %. Those of shares of variance may begin at 0
although the test is below 0.05, since a share cannot be negative: 90 % intervals would agree with it.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from math import isfinite, log, sqrt
from statistics import fmean, variance
from typing import Any

import numpy as np
import pandas
from msgspec import Struct
from scipy import stats
from scipy.linalg import helmert
from scipy.special import nctdtrinc
from statsmodels.stats.anova import AnovaRM
from statsmodels.stats.oneway import anova_oneway, confint_noncentrality

from backburner.evaluation.scoring.statistics import MISSED, SAME
from backburner.kernel.scoring import Estimate

Groups = Sequence[Sequence[float]]
"""The values of each condition."""

MOST_SHAPIRO = 5000
"""Shapiro and Wilk's p is not known for more values."""


class FTest(Struct, frozen=True):
    """An F test: ``f`` with ``df1`` and ``df2`` degrees of freedom."""

    f: float
    df1: float
    df2: float
    p: float


class Check(Struct, frozen=True):
    """A check of an assumption: ``p`` is small where the assumption does not hold."""

    assumption: str
    test: str
    statistic: float
    p: float


class OneWay(Struct, frozen=True):
    """Analysis of variance that takes all values for independent ones.

    ``welch``: the same without equal variances. ``eta``: eta squared.
    """

    test: FTest
    welch: FTest | None
    eta: Estimate
    omega: float
    checks: tuple[Check, ...]


class Repeated(Struct, frozen=True):
    """Analysis of variance in which each unit has a value in every condition.

    ``partial_eta``: the conditions' share of what is no difference between units. ``eta``: their share of
    all variance, which is generalised eta squared too. ``greenhouse_geisser``, ``huynh_feldt``: the test with
    both degrees of freedom multiplied by that epsilon, which is at most 1. ``checks``: with Mauchly's test
    where there are more than two conditions and enough units.
    """

    units: int
    test: FTest
    epsilon_greenhouse_geisser: float
    epsilon_huynh_feldt: float
    greenhouse_geisser: FTest
    huynh_feldt: FTest
    partial_eta: Estimate
    eta: float
    omega: float
    checks: tuple[Check, ...]


def one_way(groups: Groups) -> OneWay | None:
    """The one-way analysis; ``None`` where no test is possible: fewer than two conditions, or values that do
    not vary within them."""
    groups = [group for group in groups if group]
    number = sum(map(len, groups))
    if len(groups) < 2 or number <= len(groups) or not _vary(groups):
        return None
    test = _oneway(groups, "equal")
    if test is None:
        return None
    enough = all(len(group) > 1 and _vary([group]) for group in groups)
    residuals = [value - np.mean(group) for group in groups for value in group]
    checks = [_normality(residuals), _homogeneity(groups)]
    return OneWay(
        test,
        _oneway(groups, "unequal") if enough else None,
        share_of_variance(test),
        omega_squared(test),
        tuple(check for check in checks if check is not None),
    )


def _oneway(groups: Groups, variances: str) -> FTest | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a condition with one value has no variance of its own
        values = [np.array(group) for group in groups]
        found = anova_oneway(values, use_var=variances, welch_correction=True)
    df1, df2 = (float(df) for df in found.df)
    test = FTest(float(found.statistic), df1, df2, float(found.pvalue))
    return test if isfinite(test.f) and isfinite(test.p) else None


def repeated(rows: Groups) -> Repeated | None:
    """The analysis of units by conditions, a row for each unit; ``None`` where no test is possible: fewer
    than two of either, or values of which units and conditions tell all."""
    if len(rows) < 2 or len(rows[0]) < 2:
        return None
    values = np.array(rows, dtype=float)
    residuals = _residuals(values)
    if np.abs(residuals).max() <= SAME * max(1.0, np.abs(values).max()):
        return None
    units, conditions = values.shape
    f = _repeated_f(values)
    if not isfinite(f):
        return None
    df1, df2 = conditions - 1, (conditions - 1) * (units - 1)
    test = FTest(f, df1, df2, float(stats.f.sf(f, df1, df2)))
    geisser, feldt = epsilons(values)
    squares = _sums_of_squares(values)
    checks = [_normality(residuals.ravel()), mauchly(values)]
    return Repeated(
        units,
        test,
        geisser,
        feldt,
        corrected(test, geisser),
        corrected(test, feldt),
        share_of_variance(test),
        squares["conditions"] / squares["total"],
        _repeated_omega(squares, units, conditions),
        tuple(check for check in checks if check is not None),
    )


def corrected(test: FTest, epsilon: float) -> FTest:
    """The test with both degrees of freedom multiplied by epsilon."""
    df1, df2 = epsilon * test.df1, epsilon * test.df2
    return FTest(test.f, df1, df2, float(stats.f.sf(test.f, df1, df2)))


def _repeated_f(values: Any) -> float:

    units, conditions = values.shape
    table = pandas.DataFrame(
        {
            "unit": np.repeat(np.arange(units), conditions),
            "condition": np.tile(np.arange(conditions), units),
            "value": values.ravel(),
        }
    )
    found = AnovaRM(table, "value", "unit", within=["condition"]).fit()
    return float(found.anova_table["F Value"].iloc[0])


def _residuals(values: Any) -> Any:
    """What units and conditions do not tell."""
    by_unit, by_condition = values.mean(axis=1, keepdims=True), values.mean(axis=0, keepdims=True)
    return values - by_unit - by_condition + values.mean()


def _sums_of_squares(values: Any) -> dict[str, float]:
    units, conditions = values.shape
    grand = values.mean()
    return {
        "conditions": float(units * ((values.mean(axis=0) - grand) ** 2).sum()),
        "units": float(conditions * ((values.mean(axis=1) - grand) ** 2).sum()),
        "rest": float((_residuals(values) ** 2).sum()),
        "total": float(((values - grand) ** 2).sum()),
    }


def _repeated_omega(squares: dict[str, float], units: int, conditions: int) -> float:
    """Omega squared of repeated measures: df (MS - MS rest) / (SS total + MS units)."""
    df, df_rest = conditions - 1, (conditions - 1) * (units - 1)
    above = squares["conditions"] - df * squares["rest"] / df_rest
    return above / (squares["total"] + squares["units"] / (units - 1))


# --- sphericity ----------------------------------------------------------------------------------------


def _contrast_covariance(values: Any) -> Any:
    """The covariances of orthonormal contrasts of the conditions: under sphericity a multiple of 1."""
    contrasts = helmert(values.shape[1])
    return contrasts @ np.atleast_2d(np.cov(values.T)) @ contrasts.T


def epsilons(values: Any) -> tuple[float, float]:
    """Greenhouse and Geisser's epsilon, and Huynh and Feldt's, each at most 1.

    The first is (tr S)² / (p tr S²) for the covariances S of p orthonormal contrasts, and at least 1 / p; the
    second (n p ε - 2) / (p (n - 1 - p ε)).
    """
    covariance = _contrast_covariance(values)
    n, p = len(values), len(covariance)
    geisser = epsilon_of(covariance)
    rest = p * (n - 1 - p * geisser)
    feldt = (n * p * geisser - 2) / rest if rest > 0 else 1.0
    return geisser, min(max(feldt, geisser), 1.0)


def epsilon_of(covariance: Any) -> float:
    """Greenhouse and Geisser's epsilon of the covariances of orthonormal contrasts."""
    p = len(covariance)
    found = float(np.trace(covariance) ** 2 / (p * np.trace(covariance @ covariance)))
    return min(max(found, 1 / p), 1.0)


def mauchly(values: Any) -> Check | None:
    """Mauchly's test of sphericity; ``None`` for two conditions, or too few units for the covariances.

    W = det S / (tr S / p)^p. Its p is from Box's series with two terms (Anderson, An Introduction to
    Multivariate Statistical Analysis), as in R; SAS stops after the first.
    """
    covariance = _contrast_covariance(values)
    n, p = len(values) - 1, len(covariance)
    if p < 2 or n < p:
        return None
    sign, log_det = np.linalg.slogdet(covariance)
    mean = float(np.trace(covariance)) / p
    if sign <= 0 or mean <= 0:
        return None
    log_w = float(log_det) - p * log(mean)
    rho = 1 - (2 * p * p + p + 2) / (6 * p * n)
    second = (p + 2) * (p - 1) * (p - 2) * (2 * p**3 + 6 * p**2 + 3 * p + 2) / (288 * (n * p * rho) ** 2)
    z, freedom = -n * rho * log_w, p * (p + 1) / 2 - 1
    first, later = (float(stats.chi2.sf(z, df)) for df in (freedom, freedom + 4))
    p_value = min(max(first + second * (later - first), 0.0), 1.0)
    return Check("sphericity", "Mauchly's W", float(np.exp(log_w)), p_value)


# --- normality and homogeneity -----------------------------------------------------------------------------


def _normality(residuals: Any) -> Check | None:
    """Shapiro and Wilk's test of what is left over."""
    if not 3 <= len(residuals) <= MOST_SHAPIRO or np.ptp(residuals) <= SAME:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = stats.shapiro(residuals)
    if not isfinite(found.statistic) or not isfinite(found.pvalue):
        return None
    return Check("normal residuals", "Shapiro-Wilk W", float(found.statistic), float(found.pvalue))


def _homogeneity(groups: Groups) -> Check | None:
    """Levene's test about medians (Brown and Forsythe)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = stats.levene(*groups, center="median")
    if not isfinite(found.statistic) or not isfinite(found.pvalue):
        return None
    return Check("equal variances", "Levene F", float(found.statistic), float(found.pvalue))


def _vary(groups: Groups) -> bool:
    """Whether values vary within a group."""
    return any(not alike(group) for group in groups if group)


# --- by ranks ---------------------------------------------------------------------------------------------


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


# --- sizes of effects ------------------------------------------------------------------------------------


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
