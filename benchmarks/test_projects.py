"""How fast projects are: steps with their digests, texts in, whole episodes of the list scheduler."""

from __future__ import annotations

from typing import Any

from backburner.kernel import registry
from backburner.kernel.play import play_now
from backburner.kernel.replay import decisions_in, trajectory
from backburner.kernel.values import digest
from backburner.worlds.projects.agents.greedy import Greedy
from backburner.worlds.projects.game import Projects
from support.rates import rate

AGENT = "agent"


def world() -> Projects:
    """A job shop of 50 activities."""
    found: Projects = registry.world("projects/la01")
    return found


def test_steps_with_digests(benchmark: Any) -> None:
    """A decision in; state, events and digest out."""
    shop = world()
    played = trajectory(play_now(shop, Greedy(shop)))
    steps = [(state, decisions_in(shop, entry)) for state, entry, _ in played]
    benchmark(lambda: [digest(shop.step(state, decided).state) for state, decided in steps])
    rate(benchmark, "steps per second", len(steps))


def test_texts(benchmark: Any) -> None:
    """A moment told, its menu, and an answer read."""
    shop = world()
    state, answer = shop.start(), "start job 1 step 1"
    benchmark(
        lambda: (
            shop.describe(shop.observe(state, AGENT)),
            shop.menu(state, AGENT),
            shop.parse(state, AGENT, answer),
        )
    )
    rate(benchmark, "turns per second", 1)


def test_episodes(benchmark: Any) -> None:
    """Whole episodes of the list scheduler, records included."""
    shop = world()
    benchmark(lambda: play_now(shop, Greedy(shop)))
    rate(benchmark, "episodes per second", 1)
