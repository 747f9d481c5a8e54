"""What the text world says is in the chest after each step is there on the server, for the same decisions."""

from __future__ import annotations

import os

import pytest
from serving import Playing, Server

from backburner.kernel import registry
from backburner.kernel.play import play_now
from backburner.kernel.policy import Policy
from backburner.live.following import follow
from backburner.live.messages import Observation, Observe
from backburner.live.stage import stage_of
from backburner.live.worker import Worker
from backburner.worlds.minecraft.agents.greedy import GreedyDispatcher
from backburner.worlds.minecraft.live.stage import told_drops

STEPS = int(os.environ.get("LIVE_STEPS", "14"))
"""A slice; all of an episode with LIVE_STEPS=60."""

LEVELS = os.environ.get("LIVE_LEVELS", "minecraft/level_1").split()


@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("level", LEVELS)
def test_the_chest_is_the_same_after_each_step(level: str, rules: str, server: Server, play: Playing) -> None:
    world = registry.world(level, rules=rules)
    greedy: Policy = GreedyDispatcher(world)  # type: ignore[arg-type]
    episode = play_now(world, greedy)
    server.begin(drops=told_drops(world.start(0).stream))

    async def playing(worker: Worker) -> None:
        seen = await worker.ask(Observe(), Observation, 30)
        x, y, z = (int(n // 1) for n in seen.bots["alex"].at)
        stage = stage_of(world)
        steps = await follow(worker, world, stage, episode, (x - 10, y, z - 10), steps=STEPS, tell=tell)
        differing = [step.step for step in steps if not step.agrees]
        assert len(steps) == STEPS and not differing
        assert any(steps[-1].predicted.values())  # something was cooked at all

    play(server, playing)


def tell(step: object) -> None:
    print(step)
