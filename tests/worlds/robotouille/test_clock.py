"""Turns that pass while a robot's player thinks, and what that costs where plans are proven shortest."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from typing import Any

import pytest

from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.clock import Timing
from backburner.kernel.play import play_now
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.replay import trajectory
from backburner.worlds.robotouille.agents.planned import oracle
from backburner.worlds.robotouille.game.rule_set import Limits
from support.robotouille.kitchens import world_in


class Waits:
    """Waits, after so many seconds of thinking."""

    name, informed = "waits", False

    def __init__(self, seconds: str) -> None:
        self.settings: Mapping[str, Any] = {"latency": seconds}

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        return Reply("Wait")


@pytest.mark.parametrize(
    ("seconds", "first", "second"),
    [
        ("0", [0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]),
        ("1", [2, 6, 10], [1, 3, 5, 7, 9, 11]),  # asked at 0, 4, 8
        ("2", [2, 6, 10], [1, 3, 5, 7, 9, 11]),
        ("3", [4, 10], [1, 3, 5, 7, 9, 11]),  # asked at 0, 6
    ],
)
def test_whose_turn_passes_during_a_thought_decides_at_the_next(
    seconds: str, first: list[int], second: list[int]
) -> None:
    """The first robot has the even turns, and lets one pass while it thinks; the second does not think."""
    world = world_in(["table", "table"], robots=(0, 1), limits=Limits(steps=12))
    clock = Timing("latency").bound(world, {"robot1": seconds, "robot2": "0"})
    episode = play_now(world, {"robot1": Waits(seconds), "robot2": Waits("0")}, clock=clock)
    decided: dict[str, list[int]] = {"robot1": [], "robot2": []}
    for state, entry, _ in trajectory(episode, world):
        for seat, answer in entry.answers.items():
            if not answer.silent:
                decided[seat].append(world.now(state))
    assert decided == {"robot1": first, "robot2": second}
    assert check(episode, world) == 12


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
