"""Williams designs: each condition at every place equally often, after every other equally often."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from backburner.study.stages import williams


def test_the_worked_example_of_four() -> None:
    # the first row zigzags 0, 3, 1, 2; each next row adds one to it
    assert williams(4) == ((0, 3, 1, 2), (1, 0, 2, 3), (2, 1, 3, 0), (3, 2, 0, 1))


@pytest.mark.parametrize("n", range(1, 12))
def test_places_and_followers_are_balanced(n: int) -> None:
    rows = williams(n)
    assert len(rows) == (n if n % 2 == 0 or n == 1 else 2 * n)
    places = Counter((place, one) for row in rows for place, one in enumerate(row))
    assert len(places) == n * n and len(set(places.values())) == 1
    follows = Counter(pair for row in rows for pair in pairwise(row))
    assert len(follows) == n * (n - 1) and len(set(follows.values())) <= 1
