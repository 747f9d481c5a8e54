"""A pair of cooks that means to do as the greedy pair does, and slips."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from backburner.kernel.policy import Reply, Turn
from backburner.worlds.collab_overcooked.agents.goals import ONE_WAIT
from backburner.worlds.collab_overcooked.agents.greedy import GreedyCooks
from backburner.worlds.collab_overcooked.agents.slips import possible_slips, slipped
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked

SLIP_RATE = 0.25
"""How often an answer slips that does, asks or answers something; one that only waits never does."""


class ClumsyCooks:
    """Plays either cook. Its slips depend on the world's id, the episode's seed, the seat and the decision
    point alone.

    It does not notice them: it believes that it asked, or did, what it meant to. ``slip_rate`` is from 0
    to 1.
    """

    name = "clumsy"

    def __init__(self, world: CollabOvercooked, slip_rate: float = SLIP_RATE) -> None:
        self._greedy = GreedyCooks(world)
        self._objects = world.ware.layout.ingredients
        self._rate = slip_rate
        self._id = world.id
        self.informed = self._greedy.informed
        self.settings: Mapping[str, Any] = {"slip_rate": slip_rate}

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """What the greedy cook would answer, or what a slip makes of it."""
        reply = await self._greedy.decide(turn, memory)
        draw = random.Random(f"{self._id}/{turn.seed}/{turn.seat}/{turn.index}")
        idle = reply.answer.plan == (ONE_WAIT,) and turn.observation.ask != "answer"
        if idle or draw.random() >= self._rate:
            return reply
        others = [option.label for option in turn.menu.options if not option.passes]
        slip = draw.choice(possible_slips(reply.answer, turn.observation.ask))
        return Reply(slipped(reply.answer, slip, self._objects, others, draw), reply.memory)
