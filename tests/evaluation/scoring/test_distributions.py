"""Our quantiles are scipy's, in eight digits or more, from a hundredth to ten thousands of trials."""

from __future__ import annotations

import random

import pytest
from scipy import special

from backburner.evaluation.scoring.distributions import (
    beta_quantile,
    beta_share,
    gamma_quantile,
    gamma_share,
    t_quantile,
    t_share,
)

DRAWS = random.Random(1)
CASES = [
    (DRAWS.choice([0.025, 0.975, DRAWS.random()]), 10 ** DRAWS.uniform(-1, 4), 10 ** DRAWS.uniform(-1, 4))
    for _ in range(100)
]


def test_they_are_scipys() -> None:
    for p, a, b in CASES:
        ours = [beta_quantile(p, a, b), gamma_quantile(p, a), t_quantile(p, 1 + a)]
        theirs = [special.betaincinv(a, b, p), special.gammaincinv(a, p), special.stdtrit(1 + a, p)]
        assert ours == pytest.approx(theirs, rel=1e-8, abs=1e-300), (p, a, b)


def test_a_quantile_has_its_share() -> None:
    for p, a, b in CASES:
        place = beta_quantile(p, a, b)
        shares = [gamma_share(gamma_quantile(p, a), a), t_share(t_quantile(p, 1 + a), 1 + a)]
        assert shares == pytest.approx([p, p], rel=1e-9)
        if 1e-9 < place < 1 - 1e-9:  # beyond, the place itself has too few digits
            assert beta_share(place, a, b) == pytest.approx(p, rel=1e-7)


def test_by_hand() -> None:
    """A beta variable of (1, 1) is any number alike, of (n, 1) the largest of n; with one degree of freedom
    t is Cauchy's, whose quarters lie at -1 and 1; gamma of shape 1 waits for one event."""
    assert beta_quantile(0.3, 1, 1) == pytest.approx(0.3)
    assert beta_quantile(0.025, 20, 1) == pytest.approx(0.025 ** (1 / 20))
    assert [t_quantile(p, 1) for p in (0.25, 0.75)] == pytest.approx([-1, 1])
    assert gamma_share(2, 1) == pytest.approx(1 - 2.718281828459045**-2)
    assert (beta_share(0, 2, 3), beta_share(1, 2, 3), gamma_share(0, 2), t_share(0, 3)) == (0, 1, 0, 0.5)
