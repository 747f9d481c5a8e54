"""Robotouille's oracle: shortest plans, and what ships of them."""

from __future__ import annotations

from collections.abc import Sequence

from backburner.kernel.oracle import Oracle, Request, Solution, Solve
from backburner.worlds.robotouille.game import Robotouille
from backburner.worlds.robotouille.game.optima import Optimum
from backburner.worlds.robotouille.oracle.kitchens import as_data, solve_kitchen


class RobotouilleOracle(Oracle):
    """A search for the shortest plan of a kitchen, which goes on from what is known."""

    optimum_type = Optimum

    def solve(self, world: Robotouille, request: Request) -> Solution:
        """See ``solve_kitchen``."""
        return solve_kitchen(world, time_limit_seconds=request.time_limit_seconds, before=request.known)

    def optima(self, world: Robotouille, request: Request, solve: Solve) -> Sequence[Optimum]:
        """One entry under one of the shipped rule sets; none under rules of one's own."""
        entry = as_data(world, solve(world, request))
        return () if entry is None else (entry,)


ORACLE = RobotouilleOracle()
