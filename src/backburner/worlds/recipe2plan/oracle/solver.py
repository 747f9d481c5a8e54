"""Recipe2Plan's oracle: shortest plans, and what ships of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from backburner.kernel.oracle import Request, Solve
from backburner.scheduling.oracle import ScheduleOracle
from backburner.worlds.recipe2plan.game import Recipe2Plan
from backburner.worlds.recipe2plan.game.catalogue import Optimum


class Recipe2PlanOracle(ScheduleOracle):
    """Plans preempt steps on the grid of the scenario."""

    optimum_type = Optimum

    def optima(self, world: Recipe2Plan, request: Request, solve: Solve) -> Sequence[Optimum]:
        """One entry."""
        found = solve(world, request)
        if found.objective is None or found.bound is None:
            return ()
        status: Literal["optimal", "feasible"] = "optimal" if found.status == "optimal" else "feasible"
        return (Optimum(world.id, found.objective, status, found.bound),)


ORACLE = Recipe2PlanOracle()
