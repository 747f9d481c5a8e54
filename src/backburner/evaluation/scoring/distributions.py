"""Shares and quantiles of the beta, gamma and Student's t distributions, by the standard library alone.

scipy has them too, and is three times as large as all else that a base installation needs. Shares are
continued fractions and series (Abramowitz and Stegun, 6.5.29, 6.5.31 and 26.5.8), quantiles their inverses by
Newton's steps, halved where they would lead astray; a test holds them to scipy's in eight digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import count
from math import exp, inf, lgamma, log, log1p

TINY = 1e-300
"""What stands for a denominator of 0."""

CLOSE = 1e-16
"""Terms that change a sum, or steps that change a place, by a smaller part change nothing."""


def beta_share(x: float, a: float, b: float) -> float:
    """The chance that a beta variable is at most x: the regularized incomplete beta function."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    return _beta_share(log(x) - log1p(-x), a, b)


@lru_cache(maxsize=4096)
def beta_quantile(p: float, a: float, b: float) -> float:
    """What a beta variable is at most with chance p, 0 < p < 1."""
    logit = _root(lambda place: _beta_share(place, a, b) - p, lambda place: _beta_slope(place, a, b), a / b)
    return 1 / (1 + exp(-logit)) if logit > -700 else 0.0


def gamma_share(x: float, k: float) -> float:
    """The chance that a gamma variable of shape k and scale 1 is at most x."""
    if x <= 0:
        return 0.0
    front = exp(k * log(x) - x - lgamma(k))
    if x < k + 1:
        term = total = 1 / k
        for n in count(1):
            term *= x / (k + n)
            total += term
            if term < total * CLOSE:
                return front * total
    return 1 - front / _fraction(x + 1 - k, ((n * (k - n), x + 2 * n + 1 - k) for n in count(1)))


@lru_cache(maxsize=4096)
def gamma_quantile(p: float, k: float) -> float:
    """What a gamma variable of shape k and scale 1 is at most with chance p, 0 < p < 1."""
    slope = lambda place: exp(k * place - exp(min(place, 700)) - lgamma(k))  # noqa: E731
    return exp(_root(lambda place: gamma_share(exp(place), k) - p, slope, k))


def t_share(t: float, freedom: float) -> float:
    """The chance that Student's t is at most t."""
    tail = beta_share(freedom / (freedom + t * t), freedom / 2, 0.5) / 2
    return 1 - tail if t > 0 else tail


def t_quantile(p: float, freedom: float) -> float:
    """What Student's t is at most with chance p, 0 < p < 1."""
    beyond = beta_quantile(2 * min(p, 1 - p), freedom / 2, 0.5)
    size = (freedom * (1 - beyond) / beyond) ** 0.5 if beyond else inf
    return size if p > 0.5 else -size


def _beta_share(logit: float, a: float, b: float) -> float:
    """The share at x = 1 / (1 + exp(-logit)); the fraction is that of the side where it converges soon."""
    x = 1 / (1 + exp(-logit)) if logit > -700 else TINY
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_share(-logit, b, a)
    return _beta_slope(logit, a, b) / (a * (1 - x)) / _fraction(1.0, _beta_terms(x, a, b)) * (1 - x)


def _beta_slope(logit: float, a: float, b: float) -> float:
    """x^a (1 - x)^b / B(a, b): how the share grows with the logit."""
    small = log1p(exp(-abs(logit)))
    log_x, log_rest = (-small, -logit - small) if logit > 0 else (logit - small, -small)
    return exp(a * log_x + b * log_rest + lgamma(a + b) - lgamma(a) - lgamma(b))


def _beta_terms(x: float, a: float, b: float) -> Iterator[tuple[float, float]]:
    for m in count():
        yield -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), 1.0
        n = m + 1
        yield n * (b - n) * x / ((a + 2 * n - 1) * (a + 2 * n)), 1.0


def _fraction(first: float, terms: Iterator[tuple[float, float]]) -> float:
    """first + n1 / (d1 + n2 / (d2 + ...)) for terms (n, d), by the method of Lentz."""
    value = first or TINY
    up, down = value, 0.0
    for n, d in terms:
        down = 1 / (d + n * down or TINY)
        up = d + n / up or TINY
        value *= up * down
        if abs(up * down - 1) <= 2 * CLOSE:
            break
    return value


def _root(rise: Callable[[float], float], slope: Callable[[float], float], middle: float) -> float:
    """Where a growing function is 0, from the logarithm of its variable's middle on."""
    low, high, place = -745.0, 745.0, log(middle)
    for _ in range(200):
        value = rise(place)
        low, high = (place, high) if value < 0 else (low, place)
        steep = slope(place)
        after = place - value / steep if steep > 0 else inf
        if not low < after < high:
            after = (low + high) / 2
        if abs(after - place) <= 2 * CLOSE * max(1.0, abs(place)):
            return after
        place = after
    return place
