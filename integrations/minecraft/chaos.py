"""A player who fuzzes: mostly what greedy does, so that something is going on, else any call that can be
written, with things that it is not about, that nobody has, or that there are not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from msgspec.structs import replace

from backburner.kernel.policy import Reply, Turn
from backburner.worlds.minecraft.agents.greedy import GreedyDispatcher
from backburner.worlds.minecraft.game.actions import PARAMETERS, Calls, spelt
from backburner.worlds.minecraft.game.physics import BLOCKS, COOKED, MOBS
from backburner.worlds.minecraft.game.scenarios import BOTS
from backburner.worlds.minecraft.game.world import Minecraft

LEAST, MOST = 0.6, 0.75
"""So much of what is done is greedy's, drawn for each episode."""

DROPS = tuple(item for mob in MOBS.values() for item, _, _ in mob.drops)
THINGS = (*MOBS, *BLOCKS, *DROPS, *COOKED.values())
ODD = ("player", "alex", "grass_block", "coal", "item", "air", "Chest; stop", "/kill @e", "42", "é")
WRONG = ("fly(alex, chest)", "goto(alex)", "goto(nobody, chest)", "takeOutFurnace(steve, chicken)", "", "[")


class Chaos:
    """Draws by the episode's seed, the seat and the decision point alone; instructs nobody."""

    name, informed = "chaos", False
    settings: Mapping[str, Any] = {}

    def __init__(self, world: Minecraft) -> None:
        self._greedy = GreedyDispatcher(world)

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """Greedy's calls, some of them replaced."""
        reply = await self._greedy.decide(turn, memory)
        share = Random(f"{turn.seed}").uniform(LEAST, MOST)
        draw = Random(f"{turn.seed}/{turn.seat}/{turn.index}")
        return replace(reply, answer=Calls(tuple(_calls(reply.answer.calls, draw, share))))


def _calls(greedy: tuple[str, ...], draw: Random, share: float) -> Iterator[str]:
    for call in greedy:
        bot = next(name for name in BOTS if f"({name}" in call)
        if draw.random() < share:
            yield call
        elif draw.random() < 0.9:
            verb = draw.choice(list(PARAMETERS))
            thing = draw.choice(THINGS if draw.random() < 0.8 else ODD)
            yield spelt(verb, bot, thing if PARAMETERS[verb] else "")
        elif draw.random() < 0.8:
            yield draw.choice(WRONG)
