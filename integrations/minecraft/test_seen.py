"""Agents on a server decide by what is there: by other drops than the rules would draw, and where somebody
takes something away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from serving import Server

from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.episode import Episode
from backburner.kernel.play import play
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.replay import final_state, trajectory
from backburner.live.bots import joined
from backburner.live.install import TOLD, Setup
from backburner.live.messages import Join
from backburner.live.stage import Stage, compared, stage_of
from backburner.worlds.minecraft.agents.greedy import GreedyDispatcher
from backburner.worlds.minecraft.game.state import Observation, State, count_of
from backburner.worlds.minecraft.live.stage import told_drops

LEVEL = "minecraft/level_1@tau=3.0"


class Watched(GreedyDispatcher):
    """Greedy; before each of its decisions ``look`` sees what it sees."""

    def __init__(self, world: Any, look: Callable[[Observation], None]) -> None:
        super().__init__(world)
        self._look = look

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        self._look(turn.observation)
        return await super().decide(turn, memory)


@pytest.fixture
def told(setup: Setup) -> Iterator[Server]:
    """A server whose time goes as it is told."""
    server = Server(setup, TOLD)
    yield server
    server.stop()


def played(
    stage: Stage,
    server: Server,
    setup: Setup,
    steps: int,
    look: Callable[[Observation], None] = lambda seen: None,
) -> Episode:
    async def all_of_it() -> Episode:
        join = Join(host="127.0.0.1", port=server.port, bots=stage.bots)
        async with joined(setup, join, TOLD) as bots:
            corner = await bots.around(stage)
            async with bots.on(stage, corner) as player:
                policies = {"dispatcher": Watched(stage.text, look), stage.seat: player}
                return await play(stage.world, policies, max_steps=steps * stage.phases)

    episode = asyncio.run(all_of_it())
    assert check(episode) == len(episode.entries) == steps * stage.phases
    return episode


def test_greedy_goes_by_the_drops_that_there_are(told: Server, setup: Setup) -> None:
    """Every sheep drops seven pieces of meat and no wool, which no rule of the game as text draws."""
    stage = stage_of(registry.world(LEVEL))
    told.begin(drops={"sheep": [{"mutton": 7}], "chicken": [{"chicken": 3}]})
    episode = played(stage, told, setup, 40)
    state: State = final_state(episode, stage.world)
    differing = [step for step in compared(episode, stage) if step.differs]
    assert any("mutton" in line or "chicken" in line for step in differing for line in step.differs)
    assert all(step.agrees for step in compared(episode, stage))  # the chest is as each step predicts
    killed = sum(count for _, count in state.kills)
    cooked = sum(count for _, count in state.chest)
    assert cooked > killed > 0 and len(state.served) >= 3  # one mob is meat for several dishes


def test_greedy_goes_on_where_somebody_takes_dishes_out_of_furnace_and_chest(
    told: Server, setup: Setup
) -> None:
    stage = stage_of(registry.world(LEVEL))
    told.begin(drops=told_drops(stage.world.start(0).stream))
    taken = {"furnace": 0, "chest": 0}

    def look(seen: Observation) -> None:
        """Somebody takes the first dish that is cooked, and the first that is served."""
        dishes = {seen.furnace.output[0]: "furnace"} | {item: "chest" for item, _ in seen.chest}
        for dish, kind in dishes.items():
            if dish and not taken[kind]:
                taken[kind] = told.tell("take", kind=kind, item=dish)["taken"]

    episode = played(stage, told, setup, 45, look)
    assert taken["furnace"] and taken["chest"]
    told_of = [line for step in compared(episode, stage) for line in step.differs]
    assert any(line.startswith("chest: ") for line in told_of)
    codes = {refusal.code for entry in episode.entries for refusal in entry.refusals}
    assert "no_output" in codes  # a bot came for what was no longer there, and was told so
    state: State = final_state(episode, stage.world)
    served = [stage.world.compiled.dishes[dish] for dish in state.served]  # type: ignore[attr-defined]
    assert len(served) >= 3 and sum(count for _, count in state.missing) == taken["chest"]
    assert all(
        count_of(state.chest, dish) + count_of(state.missing, dish) >= served.count(dish) for dish in served
    )
    orders = [len(step.state.served) for _, _, step in trajectory(episode, stage.world)]
    assert orders == sorted(orders)
