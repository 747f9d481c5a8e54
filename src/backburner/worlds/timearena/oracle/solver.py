"""TimeArena's oracle: shortest plans, and what ships of them."""

from __future__ import annotations

from collections.abc import Sequence

from backburner.kernel.oracle import Request, Solve
from backburner.scheduling.oracle import ScheduleOracle
from backburner.worlds.timearena.game import TimeArena
from backburner.worlds.timearena.game.optima import Optimum
from backburner.worlds.timearena.oracle.greedy import greedy_plan
from backburner.worlds.timearena.oracle.waits import most_necessary_waits


class TimeArenaOracle(ScheduleOracle):
    """With the minutes of the released script and the most necessary waits beside the optimum."""

    optimum_type = Optimum

    def optima(self, world: TimeArena, request: Request, solve: Solve) -> Sequence[Optimum]:
        """One entry; it says nothing of waits under rules that accept more than the problem holds."""
        shortest = solve(world, request)
        if shortest.objective is None or shortest.bound is None:
            return ()
        waits = None
        if not world.rules.any_pair_counts:
            waits = most_necessary_waits(world, time_limit_seconds=request.time_limit_seconds)
        entry = Optimum(
            id=world.id,
            minutes=shortest.objective,
            status="optimal" if shortest.status == "optimal" else "feasible",
            bound=shortest.bound,
            script_minutes=greedy_plan(world).minutes,
            most_necessary_waits=waits.objective if waits else None,
            most_necessary_waits_bound=waits.bound if waits else None,
        )
        return (entry,)


ORACLE = TimeArenaOracle()
