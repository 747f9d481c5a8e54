"""A pair of cooks without an oracle: one asks for one needed thing after another, the other does as asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backburner.kernel.policy import Reply, Turn
from backburner.worlds.collab_overcooked.agents.following import Agreed, follow
from backburner.worlds.collab_overcooked.agents.leading import Asked, lead
from backburner.worlds.collab_overcooked.game.scenarios import ROLES, Role
from backburner.worlds.collab_overcooked.game.seats import cook_of
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked


def leader_of(world: CollabOvercooked) -> Role:
    """The cook who asks: the chef, unless only the assistant has the recipes."""
    return "assistant" if world.scenario.informed == ("assistant",) else ROLES[0]


class GreedyCooks:
    """Plays either cook, by what this cook perceives.

    Where nobody has the recipes the chef leads by the tables all the same, and so knows more than its
    seat.
    """

    name = "greedy"
    settings: Mapping[str, Any] = {}

    def __init__(self, world: CollabOvercooked) -> None:
        self.informed = not world.scenario.informed
        self._leader = leader_of(world)
        self._ware = world.ware

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """A plan, a request, or what was asked for."""
        if turn.seat == self._leader:
            asked = memory or Asked()
            return Reply(*lead(self._ware, cook_of(turn.seat), turn.observation, asked))
        return Reply(*follow(self._ware, turn.observation, memory or Agreed()))
