"""Two cooks that think, told step by step; and what a little thinking costs where limits are tight."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.clock import Timing
from backburner.kernel.episode import Episode
from backburner.kernel.play import play_now
from backburner.kernel.policy import Policy, Reply, Turn
from backburner.kernel.replay import trajectory
from backburner.worlds.collab_grid.agents.cooks import GreedyCooks
from backburner.worlds.collab_grid.game import CollabGrid


class Slow:
    """Greedy, after so many seconds of thinking."""

    name, informed = "greedy", True

    def __init__(self, world: CollabGrid, seconds: str) -> None:
        self.settings: Mapping[str, Any] = {"latency": seconds}
        self._policy: Policy = GreedyCooks(world)

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        return await self._policy.decide(turn, memory)


def played(id: str, chef: str, assistant: str, limits: str = "article") -> tuple[CollabGrid, Episode]:
    world: CollabGrid = registry.world(id, limits=limits)
    clock = Timing("latency").bound(world, {"chef": chef, "assistant": assistant})
    policies = {"chef": Slow(world, chef), "assistant": Slow(world, assistant)}
    return world, play_now(world, policies, clock=clock)


THINKING = """\
 0-2
 2-3   stay
 3-4                  north
 4-5
 5-6   stay
 6-7
 7-8                  west
 8-9   stay
 9-11
11-12  stay           interact(egg)
12-14
14-15  stay
15-16                 east
16-17
17-18  stay
18-19
19-20                 interact"""
"""Steps, what the chef does, what the assistant does."""


def test_a_chef_that_needs_two_steps_and_an_assistant_that_needs_three() -> None:
    """The chef acts at 2, 5, 8, 11, 14, the assistant at 3, 7, 11, 15, 19. Each acts for a step, is asked
    when that is over, and thinks again. Where both are silent until somebody decides, that is one line."""
    world, episode = played("collab_grid/boiled_egg", "2", "3", limits="none")
    told = []
    for state, entry, step in trajectory(episode, world):
        said = [
            "" if entry.answers[seat].silent else world.words(entry.answers[seat].decision)
            for seat in world.seats
        ]
        told.append(f"{world.now(state):2}-{world.now(step.state):<3} {said[0]:14} {said[1]}".rstrip())
    assert told[: len(THINKING.splitlines())] == [line.rstrip() for line in THINKING.splitlines()]
    assert check(episode, world) == len(episode.entries)


@pytest.mark.parametrize(
    ("seconds", "complete"), [("0", 30), ("0.1", 25), ("0.25", 25), ("0.5", 10), ("1", 0)]
)
def test_what_thinking_costs_where_play_is_cut_off_soon_after_the_best(seconds: str, complete: int) -> None:
    """Of 30 tasks. The limit is 1.5 times the shortest plan of calls: a step of thought for each step is too
    much for everybody."""
    ids = registry.catalogue("collab_grid").suites()["all"]
    numbers = [played(f"collab_grid/{path}", seconds, seconds)[1].ending.numbers for path in ids]  # type: ignore[union-attr]
    assert (len(numbers), sum(each["completed"] for each in numbers)) == (30, complete)
