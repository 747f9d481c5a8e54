"""Agents that know the kitchen: one follows its recipes, one plays the best plan that is known."""

from __future__ import annotations

from typing import Any

from backburner.kernel.policy import JointPlanPolicy, PlainPolicy, Policy, Reply, Turn, once_per_world
from backburner.worlds.robotouille.game import Robotouille
from backburner.worlds.robotouille.game.catalogue import known_optimum
from backburner.worlds.robotouille.oracle.recipe_follower.follower import RecipeFollower
from backburner.worlds.robotouille.oracle.solver import best_plan, states_along


class FollowerPolicy(PlainPolicy):
    """Plays the robots of its seat as the recipe follower does."""

    name = "greedy"
    informed = True

    def __init__(self, world: Robotouille) -> None:
        self._follower = RecipeFollower(world)

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """An action for each robot of the seat that has something to do."""
        chance = f"{turn.seed}/{turn.index}"
        return Reply(*self._follower.decide(turn.state, turn.seat, turn.menu, memory, chance))


def oracle(world: Robotouille) -> Policy:
    """Plays the plan that ships with the kitchen, else one that is looked for; raises ``Refused``."""
    return JointPlanPolicy("oracle", _best_plan(world))


_best_plan = once_per_world(best_plan)


def shipped(world: Robotouille) -> Policy | None:
    """Plays the plan that ships with the kitchen, if one does."""
    return None if known_optimum(world.id, world.rules.name) is None else oracle(world)


def demonstrator(world: Robotouille) -> Policy:
    """Plays the plan that ships with the kitchen; where none does, follows the recipes without a search."""
    return shipped(world) or FollowerPolicy(world)


class AlongThePlan(PlainPolicy):
    """Plays the plan that ships with the kitchen while everybody keeps to it, then follows the recipes."""

    name = "along the plan"
    informed = True

    def __init__(self, world: Robotouille) -> None:
        known = known_optimum(world.id, world.rules.name)
        self._plan = () if known is None else tuple(_best_plan(world))
        self._states = tuple(states_along(world, self._plan))
        self._follower = FollowerPolicy(world)

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """What the plan has in this state, or what the follower does."""
        if turn.index < len(self._plan) and self._states[turn.index] == turn.state:
            return Reply(self._plan[turn.index][turn.seat], memory)
        return await self._follower.decide(turn, memory)
