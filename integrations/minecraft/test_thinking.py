"""The server goes on while an agent decides: the record has the ticks, and orders run out in them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from serving import CLOCK, Server

from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.episode import Episode
from backburner.kernel.play import play
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.replay import final_state
from backburner.live.bots import joined
from backburner.live.install import TOLD, Setup
from backburner.live.messages import Join, Wait, Waited
from backburner.live.stage import compared, stage_of
from backburner.live.worker import Worker
from backburner.worlds.minecraft.agents.greedy import GreedyDispatcher
from backburner.worlds.minecraft.live.stage import told_drops

STEPS = 14
THOUGHT = 200
Thinks = Callable[[Worker], Awaitable[Any]]


class Thinker(GreedyDispatcher):
    """Greedy, which thinks before each decision."""

    def __init__(self, world: Any, thinks: Callable[[], Awaitable[Any]]) -> None:
        super().__init__(world)
        self._thinks = thinks

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        await self._thinks()
        return await super().decide(turn, memory)


def played(server: Server, setup: Setup, clock: float, thinks: Thinks, steps: int = STEPS) -> Episode:
    stage = stage_of(registry.world("minecraft/level_1@tau=1.0", limits="none"))
    server.begin(drops=told_drops(123))

    async def all_of_it() -> Episode:
        join = Join(host="127.0.0.1", port=server.port, bots=stage.bots)
        on_server = joined(setup, join, clock)
        async with on_server as bots, bots.on(stage, await bots.around(stage)) as player:
            dispatcher = Thinker(stage.text, lambda: thinks(bots.worker))
            policies = {"dispatcher": dispatcher, stage.seat: player}
            return await play(stage.world, policies, max_steps=steps * stage.phases)

    episode = asyncio.run(all_of_it())
    assert check(episode) == len(episode.entries) == steps * stage.phases
    assert all(each.agrees for each in compared(episode, stage))
    return episode


def ticks_of(episode: Episode) -> list[tuple[int, int]]:
    """Of each step, how many ticks it had been decided for, and how many it lasted."""
    reports: list[Any] = [entry.answers["server"].decision.report for entry in episode.entries[1::2]]
    return [(report.waited, report.ticks) for report in reports]


async def at_once(worker: Worker) -> None:
    return


async def for_ticks(worker: Worker) -> None:
    await worker.ask(Wait(THOUGHT), Waited, 60)


async def for_half_a_second(worker: Worker) -> None:
    await asyncio.sleep(0.5)


def test_thought_costs_the_ticks_that_it_takes(setup: Setup) -> None:
    """On a clock that stands still while nothing is asked, so that who decides at once pays nothing. By the
    fourteenth step more orders have run out for who thinks."""
    server = Server(setup, TOLD)
    try:
        quick, slow = (played(server, setup, TOLD, thinks) for thinks in (at_once, for_ticks))
    finally:
        server.stop()
    assert max(waited for waited, _ in ticks_of(quick)) <= 2
    assert all(THOUGHT <= waited <= THOUGHT + 2 for waited, _ in ticks_of(slow))
    stage = stage_of(registry.world("minecraft/level_1@tau=1.0", limits="none"))
    early, late = (final_state(episode, stage.world) for episode in (quick, slow))
    assert late.ticks == sum(map(sum, ticks_of(slow))) >= early.ticks + 12 * THOUGHT
    assert late.expired > early.expired and len(late.served) <= len(early.served)


def test_on_a_clock_that_runs_it_costs_what_passes(server: Server, setup: Setup) -> None:
    """Half a second is ten ticks, and on this clock five times as many; what is asked of bots takes some."""
    ticks = ticks_of(played(server, setup, CLOCK, for_half_a_second, steps=4))
    assert all(waited >= 0.4 * 20 * CLOCK for waited, _ in ticks)
