"""Every world on the thinking clock: what a clock leaves as it was, and what a record of it proves."""

from __future__ import annotations

import asyncio
import random
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from backburner.agents.roster import make_policy
from backburner.agents.spec import AgentSpec
from backburner.kernel import packs, registry
from backburner.kernel.claims import check
from backburner.kernel.clock import Clock, Timed, Timing, timed
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import ReplayMismatch
from backburner.kernel.play import play, play_now
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.values import canonical_json

WORLDS = packs.names()

SEED, MOST = 3, 60


@cache
def world_of(name: str) -> World[Any, Any, Any]:
    """The first scenario of a world's quick suite, or of its first one."""
    suites = registry.catalogue(name).suites()
    first = suites["quick"] if "quick" in suites else next(iter(suites.values()))
    return registry.world(registry.expand(f"{name}/{first[0]}")[0])


class Paced:
    """The world's own agent, or one that draws from the menu, which thinks for some seconds."""

    informed = True

    def __init__(self, world: World[Any, Any, Any], latency: str = "", waits: bool = False) -> None:
        own = "greedy" in packs.pack(packs.pack_of(world).name).agents
        self._own = make_policy(AgentSpec("greedy"), world) if own else None
        self.name = "paced"
        self.settings = {"latency": latency} if latency else {}
        self._waits = random.Random(5) if waits else None

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        if self._waits is not None:
            await asyncio.sleep(self._waits.random() / 500)
        if self._own is not None:
            return await self._own.decide(turn, memory)
        return Reply(random.Random(turn.index).choice(turn.menu.options).decision)


def clock_of(world: World[Any, Any, Any], latency: str = "0") -> Clock:
    return Timing("latency").bound(world, dict.fromkeys(world.seats, latency))


def latency_of(world: World[Any, Any, Any], ticks: str) -> str:
    """So many ticks, in seconds."""
    return f"{float(ticks) * timed(world).tick_microseconds / 1e6:.6f}"


def played(world: World[Any, Any, Any], clock: Clock | None, latency: str = "", **how: bool) -> Episode:
    return play_now(world, Paced(world, latency, **how), SEED, max_steps=MOST, clock=clock)


@pytest.mark.parametrize("name", WORLDS)
def test_every_world_says_how_time_passes(name: str) -> None:
    assert isinstance(world_of(name), Timed)


@pytest.mark.parametrize("name", WORLDS)
def test_a_clock_without_charges_gives_today_s_states_and_events(name: str) -> None:
    world = world_of(name)
    timed, free = played(world, clock_of(world)), played(world, None)
    assert [entry.digest for entry in timed.entries] == [entry.digest for entry in free.entries]
    assert [entry.events for entry in timed.entries] == [entry.events for entry in free.entries]
    assert timed.ending is not None and free.ending is not None
    assert timed.ending.numbers == free.ending.numbers
    assert check(timed, world) == len(timed.entries)


@pytest.mark.parametrize("name", WORLDS)
def test_a_record_with_latencies_is_proven_and_a_microsecond_less_is_noticed(name: str) -> None:
    world = world_of(name)
    latency = latency_of(world, "1.5")
    episode = played(world, clock_of(world, latency), latency)
    assert any(answer.silent for entry in episode.entries for answer in entry.answers.values())
    assert check(episode, world) == len(episode.entries)
    index, seat, answer = next(
        (entry.index, seat, answer)
        for entry in episode.entries
        for seat, answer in entry.answers.items()
        if answer.thought is not None
    )
    entries = list(episode.entries)
    less = replace(answer, thought=replace(answer.thought, charge=answer.thought.charge - 1))
    entries[index] = replace(entries[index], answers={**entries[index].answers, seat: less})
    with pytest.raises(ReplayMismatch, match="its charge"):
        check(replace(episode, entries=tuple(entries)), world)


@pytest.mark.parametrize("name", WORLDS)
def test_when_answers_come_in_real_time_does_not_matter(name: str) -> None:
    world = world_of(name)
    latency = latency_of(world, "0.7")
    kept = clock_of(world, latency)
    at_once, late = played(world, kept, latency), played(world, kept, latency, waits=True)
    assert [*map(canonical_json, at_once.records())] == [*map(canonical_json, late.records())]


@pytest.mark.parametrize("name", WORLDS)
def test_seats_asked_one_after_the_other_give_the_same_record(name: str) -> None:
    world = world_of(name)
    latency = latency_of(world, "2")
    kept = clock_of(world, latency)
    paced = Paced(world, latency)
    in_a_row = asyncio.run(play(world, paced, SEED, max_steps=MOST, clock=kept, together=False))
    assert [*map(canonical_json, in_a_row.records())] == [
        *map(canonical_json, played(world, kept, latency).records())
    ]
