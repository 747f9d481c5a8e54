"""The recipe follower of Robotouille's oracles as an agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backburner.kernel.policy import Reply, Turn
from backburner.worlds.robotouille.game import Robotouille
from backburner.worlds.robotouille.oracle.recipe_follower import RecipeFollower


class FollowerPolicy:
    """Plays the robots of its seat as the recipe follower does."""

    name = "greedy"
    informed = True
    settings: Mapping[str, Any] = {}

    def __init__(self, world: Robotouille) -> None:
        self._follower = RecipeFollower(world)

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """An action for each robot of the seat that has something to do."""
        chance = f"{turn.seed}/{turn.index}"
        return Reply(*self._follower.decide(turn.state, turn.seat, turn.menu, memory, chance))
