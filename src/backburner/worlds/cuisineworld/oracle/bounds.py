"""What no play of an episode can beat, as measures beside the world's own."""

from __future__ import annotations

from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.replay import world_of
from backburner.kernel.scoring import Measures
from backburner.worlds.cuisineworld.game import CuisineWorld
from backburner.worlds.cuisineworld.metrics.headroom import LEAST_FAILED, MOST_SERVED
from backburner.worlds.cuisineworld.oracle.bound import order_bound


def bounds_of(episode: Episode) -> Measures:
    """How many of CuisineWorld's orders can be served and must fail; nothing where that depends on play."""
    world = world_of(episode)
    if not isinstance(world, CuisineWorld):
        return {}
    try:
        bound = order_bound(world, episode.header.seed)
    except Refused:
        return {}
    return {MOST_SERVED: bound.most_served, LEAST_FAILED: bound.least_failed}
