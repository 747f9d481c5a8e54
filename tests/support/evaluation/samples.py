"""Samples of figures whose truth is known, in the shapes that figures have here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp

import numpy as np
from numpy.typing import NDArray

from backburner.evaluation.scoring.statistics import estimate
from backburner.kernel.scoring import Measures, Metric, mean

Draw = Callable[[np.random.Generator, int, int], NDArray[np.float64]]
"""(random numbers, scenarios, seeds) to a figure for each scenario and seed."""


def _mean(rows: Sequence[Measures]) -> float | None:
    return mean(row["x"] for row in rows)


SHARE = Metric("share", "", "%", "higher", _mean, "", share=True)
SCORE = Metric("score", "", "%", "higher", _mean, "", lowest=0, highest=100)
TIME = Metric("time", "", "min", "lower", _mean, "", lowest=0)
ANY = Metric("difference", "", "", "neither", _mean, "")


class Shape:
    """A distribution of figures over scenarios and seeds, and its mean."""

    def __init__(
        self, name: str, metric: Metric, truth: float, draw: Draw, seeds: Sequence[int] = (1,)
    ) -> None:
        self.name, self.metric, self.truth, self.draw, self.seeds = name, metric, truth, draw, seeds


def _share(percent: float, alike: float) -> Shape:
    """Successes; ``alike``: how much seeds of one scenario agree, from 0 (independent) to 1 (always)."""
    p = percent / 100

    def draw(random: np.random.Generator, scenarios: int, seeds: int) -> NDArray[np.float64]:
        rest = (1 - alike) / alike if alike else 0.0
        own = random.beta(p * rest, (1 - p) * rest, (scenarios, 1)) if alike else np.full((scenarios, 1), p)
        return 100.0 * (random.random((scenarios, seeds)) < own)

    return Shape(f"share of {percent:g} %, seeds alike {alike:g}", SHARE, percent, draw, (1, 3, 10))


def _each(name: str, metric: Metric, truth: float, one: Callable[..., NDArray[np.float64]]) -> Shape:
    return Shape(name, metric, truth, lambda random, scenarios, seeds: one(random, (scenarios, seeds)))


def _normal(random: np.random.Generator, scenarios: int, seeds: int) -> NDArray[np.float64]:
    return random.normal(0, 1, (scenarios, 1)) + random.normal(0, 1, (scenarios, seeds))


def _ties(random: np.random.Generator, size: tuple[int, int]) -> NDArray[np.float64]:
    return random.choice([100.0, 75.0, 50.0], size, p=[0.6, 0.2, 0.2])


SHAPES: Sequence[Shape] = (
    Shape("normal", ANY, 0.0, _normal, (1, 3, 10)),
    _each("normal between two ends", SCORE, 50.0, lambda r, size: np.clip(r.normal(50, 10, size), 0, 100)),
    _each("skewed between two ends", SCORE, 800 / 9, lambda r, size: 100 * r.beta(8, 1, size)),
    _each("heaped at both ends", SCORE, 50.0, lambda r, size: 100 * r.beta(0.5, 0.5, size)),
    _each("ties at the upper end", SCORE, 85.0, _ties),
    _each("mostly all, else half", SCORE, 90.0, lambda r, size: 50.0 + 50.0 * (r.random(size) < 0.8)),
    _each("times, skewed (exponential)", TIME, 1.0, lambda r, size: r.exponential(1, size)),
    _each("times, skewed (log-normal, σ 0.5)", TIME, exp(0.125), lambda r, size: r.lognormal(0, 0.5, size)),
    _each("counts (Poisson, mean 4)", TIME, 4.0, lambda r, size: r.poisson(4, size).astype(float)),
    *(_share(percent, alike) for percent in (20, 50, 90) for alike in (0, 0.3, 0.9)),
)


Interval = tuple[float, float]
"""Its two ends."""


def intervals(shape: Shape, scenarios: int, seeds: int, samples: int, seed: int = 0) -> list[Interval]:
    """Those that ``estimate`` gives to so many samples; samples that get none have none here."""
    random, found = np.random.default_rng(seed), []
    for _ in range(samples):
        drawn = shape.draw(random, scenarios, seeds)
        one = estimate(shape.metric, [(n, {"x": float(x)}) for n, own in enumerate(drawn) for x in own])
        if one.low is not None and one.high is not None:
            found.append((one.low, one.high))
    return found


def covered(shape: Shape, found: Sequence[Interval]) -> float:
    """How many of these intervals hold the truth, in per cent."""
    held = [low - 1e-9 <= shape.truth <= high + 1e-9 for low, high in found]
    return 100 * sum(held) / len(held)
