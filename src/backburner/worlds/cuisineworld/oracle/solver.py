"""CuisineWorld's oracle: the most orders that can be served."""

from __future__ import annotations

from backburner.kernel.oracle import Oracle, Request, Solution
from backburner.worlds.cuisineworld.game import CuisineWorld
from backburner.worlds.cuisineworld.oracle.beam_search import most_served


class CuisineWorldOracle(Oracle):
    """The play of one dispatcher that serves most."""

    def solve(self, world: CuisineWorld, request: Request) -> Solution:
        """See ``most_served``."""
        return most_served(world, time_limit_seconds=request.time_limit_seconds)


ORACLE = CuisineWorldOracle()
