"""How fast the desk is: steps with their digests, texts in, whole episodes of a script."""

from __future__ import annotations

from typing import Any

from backburner.kernel import registry
from backburner.kernel.play import play_now
from backburner.kernel.replay import decisions_in, trajectory
from backburner.kernel.values import digest
from backburner.worlds.desk.agents.scripts import Eager
from backburner.worlds.desk.game import Desk
from backburner.worlds.desk.game.transition import AGENT
from support.rates import rate


def world() -> Desk:
    """The counter, whose play by ``eager`` has 15 calls."""
    found: Desk = registry.world("desk/made/counter")
    return found


def test_steps_with_digests(benchmark: Any) -> None:
    """A call in; state, events and digest out."""
    desk = world()
    played = trajectory(play_now(desk, Eager(desk)))
    calls = [(state, decisions_in(desk, entry)) for state, entry, _ in played]
    benchmark(lambda: [digest(desk.step(state, call).state) for state, call in calls])
    rate(benchmark, "steps per second", len(calls))


def test_texts(benchmark: Any) -> None:
    """A moment told, and a call read."""
    desk = world()
    state = desk.start()
    benchmark(lambda: (desk.describe(desk.observe(state, AGENT)), desk.parse(state, AGENT, "export(orders)")))
    rate(benchmark, "turns per second", 1)


def test_episodes(benchmark: Any) -> None:
    """Whole episodes of ``eager``, records included."""
    desk = world()
    benchmark(lambda: play_now(desk, Eager(desk)))
    rate(benchmark, "episodes per second", 1)
