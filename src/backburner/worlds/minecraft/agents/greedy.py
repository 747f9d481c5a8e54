"""A dispatcher without a model: serves open orders as they run out, keeps the furnace busy, cooks a little
ahead.

It knows what its seat is told. In each step every body gets the first thing that is to be done and that
nobody else does already (``list_scheduler``).
"""

from __future__ import annotations

from typing import Any

from backburner.kernel.policy import PlainPolicy, Reply, Turn
from backburner.worlds.minecraft.game.actions import SILENCE, Calls
from backburner.worlds.minecraft.game.state import Observation
from backburner.worlds.minecraft.game.world import Minecraft
from backburner.worlds.minecraft.oracle.list_scheduler import StepPlan

AHEAD = 1
"""Dishes of each kind that are cooked before they are ordered."""


class GreedyDispatcher(PlainPolicy):
    """Plays the bodies of its seat; it expects of other seats what it would do itself."""

    name = "greedy"

    def __init__(self, world: Minecraft) -> None:
        self._dishes = world.compiled.dishes

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """A call for each body; silence of an instructor."""
        seen: Observation = turn.observation
        if not seen.own:
            return Reply(SILENCE, memory)
        ordered = [order.dish for order in seen.orders]
        plan = StepPlan(seen, [*ordered, *self._dishes * AHEAD], len(ordered), memory or {})
        calls = plan.calls()
        return Reply(Calls(tuple(calls[name] for name in seen.own if name in calls)), plan.after)
