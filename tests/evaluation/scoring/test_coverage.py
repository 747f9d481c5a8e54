"""How often 95 % intervals hold the truth, with few scenarios, for figures as they occur here.

Each case draws samples whose true figure is known, gives them to ``estimate`` and counts. With 400 samples
the count itself is off by up to 3 points; ``benchmarks/interval_coverage.py`` draws more, docs/statistics.md
has its table.
"""

from __future__ import annotations

import numpy as np
import pytest

from support.evaluation.samples import SHAPES, Shape, covered, intervals

SAMPLES = 400

LEAST = 90.0
"""Per cent of the samples; with more of them it is 94 in the worst case."""

FEW = (3, 5, 10, 30)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_intervals_cover_the_truth_as_often_as_they_should(shape: Shape) -> None:
    for scenarios in FEW:
        for seeds in shape.seeds:
            found = intervals(shape, scenarios, seeds, SAMPLES, seed=scenarios)
            assert covered(shape, found) >= LEAST, (scenarios, seeds)


def test_more_seeds_narrow_a_share_towards_that_of_independent_episodes() -> None:
    """10 scenarios of 50 %, 10 seeds: 100 independent episodes would have 20 points, 10 have 62."""
    shape = next(shape for shape in SHAPES if shape.name == "share of 50 %, seeds alike 0")
    widths = [
        float(np.median([high - low for low, high in intervals(shape, 10, seeds, 50)]))
        for seeds in (1, 3, 10)
    ]
    assert widths[0] > 60 > 45 > widths[1] > widths[2] and 20 < widths[2] < 26


def test_the_percentile_bootstrap_would_not_pass() -> None:
    """The same counting finds out an interval that is too narrow: 77 % at three scenarios."""
    draw = np.random.default_rng(0)
    held = 0
    for _ in range(SAMPLES):
        sample = draw.normal(size=3)
        means = sample[draw.integers(0, 3, (400, 3))].mean(axis=1)
        low, high = np.quantile(means, [0.025, 0.975])
        held += bool(low <= 0 <= high)
    assert 65 < 100 * held / SAMPLES < 85
