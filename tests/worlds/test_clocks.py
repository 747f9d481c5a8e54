"""Every world with a clock: a thought that costs nothing changes nothing, longer ones make nobody better."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean
from typing import Any

import pytest
from msgspec.structs import replace

from backburner.agents.latency import latencies
from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.kernel import packs, registry
from backburner.kernel.claims import check
from backburner.kernel.clock import Timing, timed
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import ReplayMismatch
from backburner.kernel.play import play, play_now
from backburner.kernel.policy import Policy, Reply, Turn
from backburner.kernel.values import canonical_json

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


MOST = 60
"""Steps in which somebody decides, of plays that are looked at closely."""


def lingering(
    name: str, *, late: bool = False, together: bool = True
) -> tuple[World[Any, Any, Any], Episode]:
    """A play of a world's first scenario, in which each thought takes a tick and a half."""
    (world,) = worlds_of(name, 1)
    latency = f"{1.5 * timed(world).tick_microseconds / 1_000_000:.6f}"
    policies = make_policies(AgentSpec(f"greedy@latency={latency}"), world)
    if late:
        policies = {seat: Late(policy) for seat, policy in policies.items()}
    clock = Timing("latency").bound(world, latencies(policies))
    return world, asyncio.run(play(world, policies, 3, max_steps=MOST, clock=clock, together=together))


class Late:
    """A policy whose answers come at random moments of the real day."""

    def __init__(self, policy: Policy) -> None:
        self._policy, self._draw = policy, random.Random(5)
        self.name, self.informed, self.settings = policy.name, policy.informed, policy.settings

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        await asyncio.sleep(self._draw.random() / 500)
        return await self._policy.decide(turn, memory)


@pytest.mark.parametrize("name", WORLDS)
def test_when_answers_come_on_the_day_does_not_matter(name: str) -> None:
    records = [*map(canonical_json, lingering(name)[1].records())]
    assert [*map(canonical_json, lingering(name, late=True)[1].records())] == records
    assert [*map(canonical_json, lingering(name, together=False)[1].records())] == records


@pytest.mark.parametrize("name", WORLDS)
def test_a_charge_that_is_a_microsecond_too_low_is_noticed(name: str) -> None:
    world, episode = lingering(name)
    index, seat, answer = next(
        (entry.index, seat, answer)
        for entry in episode.entries
        for seat, answer in entry.answers.items()
        if answer.thought is not None
    )
    less = replace(answer, thought=replace(answer.thought, charge=answer.thought.charge - 1))
    entries = list(episode.entries)
    entries[index] = replace(entries[index], answers={**entries[index].answers, seat: less})
    with pytest.raises(ReplayMismatch, match="its charge"):
        check(replace(episode, entries=tuple(entries)), world)
