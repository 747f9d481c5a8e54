"""What the rules predict is in the chest after each step is there on the server, where greedy decides by what
is seen."""

from __future__ import annotations

import asyncio
import os

import pytest
from serving import CLOCK, Server

from backburner.kernel import registry
from backburner.kernel.episode import Episode
from backburner.kernel.play import play
from backburner.live.agreement import compared
from backburner.live.crew import joined
from backburner.live.install import Setup
from backburner.live.messages import Join
from backburner.live.stage import Stage, stage_of
from backburner.worlds.minecraft.agents.greedy import GreedyDispatcher
from backburner.worlds.minecraft.live.stage import told_drops

STEPS = int(os.environ.get("LIVE_STEPS", "14"))
"""A slice; all of an episode with LIVE_STEPS=60."""

LEVELS = os.environ.get("LIVE_LEVELS", "minecraft/level_1").split()


@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("level", LEVELS)
def test_the_chest_is_the_same_after_each_step(level: str, rules: str, server: Server, setup: Setup) -> None:
    stage = stage_of(registry.world(level, rules=rules))
    server.begin(drops=told_drops(stage.world.start(0).stream))
    episode = asyncio.run(played(stage, server, setup))
    assert episode.ending and episode.ending.status in ("capped", "ended"), episode.ending
    steps = list(compared(episode, stage))
    for step in steps:
        print(step)
    assert [step.step for step in steps if not step.agrees] == []
    assert any(steps[-1].predicted.values())  # something was cooked at all
    assert server.look()["mobs"] == []


async def played(stage: Stage, server: Server, setup: Setup) -> Episode:
    join = Join(host="127.0.0.1", port=server.port, bots=stage.bots)
    async with joined(setup, join, CLOCK) as crew:
        corner = await crew.around(stage)
        async with crew.on(stage, corner) as player:
            policies = {seat: GreedyDispatcher(stage.text) for seat in stage.text.seats}
            return await play(stage.world, {**policies, stage.seat: player}, max_steps=STEPS * stage.phases)
