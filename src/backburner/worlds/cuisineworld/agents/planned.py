"""The dispatcher that knows every order beforehand, and plays the best plan for them."""

from __future__ import annotations

from backburner.kernel.errors import Refused
from backburner.kernel.oracle import Request
from backburner.kernel.plan_policies import PlanPolicy, once_per_world
from backburner.kernel.policy import Policy
from backburner.worlds.cuisineworld.game import CuisineWorld
from backburner.worlds.cuisineworld.oracle.beam_search import ORACLE


def oracle(world: CuisineWorld) -> Policy:
    """Plays the best plan that is found in a minute; raises ``Refused`` where orders are drawn in play."""
    return PlanPolicy("oracle", _best_service(world), informed=True)


@once_per_world
def _best_service(world: CuisineWorld) -> tuple[str, ...]:
    if world.scenario.seed is None:
        raise Refused(f"{world.id}: orders come by the seed of play, so that there is no plan before")
    return ORACLE.solve(world, Request()).plan
