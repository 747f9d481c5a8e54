"""What a step's thinking costs in Robotouille, with plans that are proven shortest."""

from __future__ import annotations

from statistics import fmean

import pytest

from backburner.kernel import registry
from backburner.kernel.clock import Timing
from backburner.kernel.play import play_now
from backburner.worlds.robotouille.agents.planned import oracle


@pytest.mark.parametrize(
    ("seconds", "limits", "complete", "steps"),
    [
        ("0", "article", 10, 18.4),
        ("0.5", "article", 10, 27.2),  # within 1.5 times the shortest
        ("1", "article", 0, 27.2),  # and no further
        ("1", "none", 10, 36.8),  # twice as long
        ("2", "article", 0, 27.2),
    ],
)
def test_the_first_ten_asynchronous_kitchens(seconds: str, limits: str, complete: int, steps: float) -> None:
    """A plan of n decisions takes n steps, and after thoughts of L as many more as all L add up to."""
    found = []
    for path in registry.catalogue("robotouille").suites()["asynchronous"][:10]:
        world = registry.world(f"robotouille/{path}", limits=limits)
        clock = Timing("latency").bound(world, dict.fromkeys(world.seats, seconds))
        ending = play_now(world, oracle(world), clock=clock).ending
        assert ending is not None
        found.append(ending.numbers)
    assert sum(numbers["completed"] for numbers in found) == complete
    assert fmean(numbers["steps"] for numbers in found) == steps
