"""Whether two agents differ: a paired test, its correction for many of them, effect sizes, how much to play.

The unit is the scenario: each gives one difference, all of its seeds together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, exp, fsum, lgamma, log
from statistics import NormalDist, fmean, stdev
from typing import Any

from msgspec import Struct

from backburner.evaluation.scoring.statistics import SAME, t_reach

DRAWS = 9999
"""Of sign patterns, where there are too many to go through."""

MOST_EXACT = 14
"""Scenarios of which every pattern of signs is gone through."""

POWER = 0.8
"""How likely a difference of the size asked about should be found."""

MOST_SCENARIOS = 100_000


def sign_flip_p(differences: Sequence[float]) -> float | None:
    """The two-sided p-value of the paired permutation test (Fisher and Pitman) of scenarios' differences.

    If the two agents were alike, each difference might as well have the other sign: p is the share of all
    2^n patterns of signs, or of ``DRAWS`` drawn ones, whose mean is as far from 0 as the one that was found.
    Exact, without assuming a distribution; with n scenarios it is never below 2 / 2^n, so five cannot show a
    difference on the level of 5 %. ``None`` for fewer than two scenarios.
    """
    if len(differences) < 2:
        return None
    flat = [0.0 if abs(difference) <= SAME else difference for difference in differences]
    if not any(flat):
        return 1.0
    import numpy as np

    sums = np.abs(_signs(len(flat)) @ np.array(flat))
    as_far = int(np.count_nonzero(sums >= abs(sum(flat)) - SAME * max(map(abs, flat))))
    drawn = len(flat) > MOST_EXACT
    return (as_far + drawn) / (len(sums) + drawn)


@lru_cache(maxsize=8)
def _signs(number: int) -> Any:
    """Patterns of signs, a row each: all of those that begin with +, as the others are their mirror images,
    or ``DRAWS`` drawn ones. Our own: scipy's ``permutation_test`` makes them anew for each pair, which takes
    twenty times as long."""
    import numpy as np

    if number > MOST_EXACT:
        return np.random.default_rng(0).choice([-1.0, 1.0], (DRAWS, number))
    bits = np.arange(2 ** (number - 1))[:, None] >> np.arange(number)
    return 1.0 - 2.0 * (bits & 1)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """P-values corrected for as many tests as there are, by Holm's step-down method.

    The chance that any of those below 5 % is wrong is at most 5 %, however the tests depend on each other.
    ``None`` is no test, and stays ``None``.
    """
    order = sorted((p, index) for index, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    least = 0.0
    for rank, (p, index) in enumerate(order):
        least = max(least, min(1.0, (len(order) - rank) * p))
        corrected[index] = least
    return corrected


def effect_size(differences: Sequence[float]) -> float | None:
    """Hedges's g of paired differences: their mean in standard deviations, corrected for few scenarios.

    ``None`` for fewer than two scenarios, or where all differ by the same.
    """
    if len(differences) < 2:
        return None
    spread = stdev(differences)
    if spread <= SAME * max(1.0, *map(abs, differences)):
        return None
    return fmean(differences) / spread * (1 - 3 / (4 * (len(differences) - 1) - 1))


class Variation(Struct, frozen=True):
    """How paired differences vary: from scenario to scenario, and from seed to seed of one, as variances."""

    scenarios: float
    seeds: float


def variation(by_scenario: Sequence[Sequence[float]]) -> Variation | None:
    """The two variances of differences of seeds by scenario (analysis of variance of one random factor).

    With one seed for each scenario all of it is that of scenarios. ``None`` for fewer than two scenarios.
    """
    groups = [group for group in by_scenario if group]
    if len(groups) < 2:
        return None
    number, sizes = sum(map(len, groups)), list(map(len, groups))
    within_freedom = number - len(groups)
    means = [fmean(group) for group in groups]
    squares = sum((x - mean) ** 2 for group, mean in zip(groups, means, strict=True) for x in group)
    within = squares / within_freedom if within_freedom else 0.0
    grand = sum(size * mean for size, mean in zip(sizes, means, strict=True)) / number
    weighted = sum(size * (mean - grand) ** 2 for size, mean in zip(sizes, means, strict=True))
    usual = (number - sum(size * size for size in sizes) / number) / (len(groups) - 1)
    between = (weighted / (len(groups) - 1) - within) / usual
    return Variation(max(0.0, between), within)


def scenarios_needed(found: Variation, difference: float, seeds: int = 1, power: float = POWER) -> int | None:
    """The fewest scenarios with which a paired t-test finds such a difference so often as ``power`` says.

    ``seeds``: episodes of each scenario. ``None`` for a difference of 0, or if ``MOST_SCENARIOS`` are too
    few. Raises ``ValueError`` for less than one seed.
    """
    variance = _variance(found, seeds)
    if difference == 0:
        return None
    if variance == 0:
        return 2
    low, high = 1, min(MOST_SCENARIOS, ceil(100 + 40 * variance / difference**2))
    if power_of(found, difference, high, seeds) < power:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        enough = power_of(found, difference, middle, seeds) >= power
        low, high = (low, middle) if enough else (middle, high)
    return high


def difference_found(found: Variation, scenarios: int, seeds: int = 1, power: float = POWER) -> float | None:
    """The smallest difference that a paired t-test finds with so many scenarios, so often as ``power`` says.

    ``None`` for fewer than two scenarios. Raises ``ValueError`` for less than one seed.
    """
    variance = _variance(found, seeds)
    if scenarios < 2 or variance == 0:
        return None if scenarios < 2 else 0.0
    low, high = 0.0, 1000 * float(variance**0.5)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if power_of(found, middle, scenarios, seeds) >= power else (middle, high)
    return high


def _variance(found: Variation, seeds: int) -> float:
    if seeds < 1:
        raise ValueError(f"{seeds} seeds; at least 1 is needed")
    return found.scenarios + found.seeds / seeds


def power_of(found: Variation, difference: float, scenarios: int, seeds: int = 1) -> float:
    """The chance that the two-sided paired t-test on the level of 5 % finds the difference.

    The mean is taken over the sample's standard deviation, of which each half of a normal curve's tail is
    known. Our own, as scipy's ``nctdtr`` is not a number for some differences and few scenarios.
    """
    if scenarios < 2:
        return 0.0
    freedom = scenarios - 1
    shift = abs(difference) * (scenarios / _variance(found, seeds)) ** 0.5
    reach, below = t_reach(freedom), NormalDist().cdf
    chances = fsum(
        chance * (below(shift - reach * spread) + below(-shift - reach * spread))
        for spread, chance in _spreads(freedom)
    )
    return min(chances, 1.0)


@lru_cache(maxsize=64)
def _spreads(freedom: int) -> tuple[tuple[float, float], ...]:
    """Standard deviations that a sample may show, in true ones, and their chances: the density of chi at the
    places of Gauss and Legendre, ten deviations to either side of 1, where next to nothing lies beyond."""
    far = 10 / (2 * freedom) ** 0.5
    low, high = max(0.0, 1 - far), 1 + far
    scale = log(high - low) + freedom / 2 * log(freedom / 2) - lgamma(freedom / 2)
    found = []
    for place, weight in _quadrature():
        spread = low + (high - low) * (place + 1) / 2
        chance = exp(scale + (freedom - 1) * log(spread) - freedom * spread * spread / 2)
        found.append((spread, weight * chance))
    return tuple(found)


@lru_cache(maxsize=1)
def _quadrature() -> tuple[tuple[float, float], ...]:
    import numpy as np

    places, weights = np.polynomial.legendre.leggauss(400)
    return tuple(zip(places.tolist(), weights.tolist(), strict=True))
