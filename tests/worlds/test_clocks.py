"""Every world with a clock: a thought that costs nothing changes nothing, longer ones make nobody better."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean
from typing import Any

import pytest

from backburner.agents.latency import latencies
from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.kernel import packs, registry
from backburner.kernel.claims import check
from backburner.kernel.clock import Timing, timed
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.play import play_now

WORLDS = packs.names()

OF_ONE_THOUGHT = {"recipe2plan"}
"""Greedy decides on its whole plan at once there, and all of it is put off by what the thought takes."""


def played(world: World[Any, Any, Any], agent: str, seed: int = 0, clocked: bool = True) -> Episode:
    policies = make_policies(AgentSpec(agent), world)
    clock = Timing("latency").bound(world, latencies(policies)) if clocked else None
    return play_now(world, policies, seed, clock=clock)


def seconds(world: World[Any, Any, Any], beats: float) -> str:
    """So much of the usual time between two decisions of this world."""
    kept = timed(world)
    return f"{beats * kept.beat_ticks * kept.tick_microseconds / 1_000_000:.3f}"


def worlds_of(name: str, most: int) -> Sequence[World[Any, Any, Any]]:
    ids = registry.expand(f"{name}/quick")
    return [registry.world(id) for id in ids[:: max(1, len(ids) // most)]][:most]


@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("agent", ["greedy", "random"])
def test_what_costs_nothing_changes_nothing(name: str, agent: str) -> None:
    for world in worlds_of(name, 2):
        free, clocked = (played(world, agent, 3, clocked=kept) for kept in (False, True))
        assert [entry.digest for entry in clocked.entries] == [entry.digest for entry in free.entries]
        assert [entry.events for entry in clocked.entries] == [entry.events for entry in free.entries]
        assert clocked.ending == free.ending


@pytest.mark.parametrize("name", WORLDS)
def test_records_of_slow_agents_are_proven(name: str) -> None:
    for number, world in enumerate(worlds_of(name, 2)):
        agent = f"random@latency={seconds(world, 0.2)}..{seconds(world, 1.5)}"
        episode = played(world, agent, number)
        assert any(answer.silent for entry in episode.entries for answer in entry.answers.values())
        assert check(episode, world) == len(episode.entries)


@pytest.mark.parametrize("name", WORLDS)
def test_greedy_is_no_better_for_thinking_longer(name: str) -> None:
    """In how much is completed, on the mean of a few scenarios, with a tolerance for luck."""
    worlds = worlds_of(name, 3)
    reached = []
    for beats in (0, 0.25, 1, 4):
        rows = [played(world, f"greedy@latency={seconds(world, beats)}") for world in worlds]
        reached.append(fmean(completed(episode) for episode in rows))
    assert all(later <= before + 0.02 for before, later in pairwise(reached)), reached
    assert (reached[-1] == reached[0]) == (name in OF_ONE_THOUGHT), reached


def completed(episode: Episode) -> float:
    assert episode.ending is not None
    return float(episode.ending.numbers["completed"])
