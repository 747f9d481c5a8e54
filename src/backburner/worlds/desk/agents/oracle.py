"""Plays the best plan: the one that ships with a scenario, or one that is found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backburner.kernel.errors import PolicyFailure, Refused
from backburner.kernel.policy import PlainPolicy, PlanPolicy, Policy, Reply, Turn, once_per_world
from backburner.worlds.desk.game.problem import plan, problem, with_deadlines
from backburner.worlds.desk.game.state import Decision
from backburner.worlds.desk.game.world import Desk

EFFORT = 20.0
"""Of a search, in seconds of an undisturbed core."""


class DrawnOracle(PlainPolicy):
    """Plays the best plan for the attempts that an episode's seed draws."""

    name = "oracle"
    informed = True

    def __init__(self, world: Desk) -> None:
        self._world = world

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The next call of the plan; ``memory``: those that are left."""
        left = found_plan(self._world, turn.state.seed) if memory is None else memory
        if not left:
            raise PolicyFailure("plan", "the plan has run out, and the episode goes on")
        return Reply(left[0], left[1:])


def oracle(world: Desk) -> Policy:
    """Plays the proven plan; raises ``Refused`` where there is none."""
    if world.scenario.draws == "seed":
        return DrawnOracle(world)
    return shipped_plan(world) or PlanPolicy("oracle", _found(world), informed=True)


def shipped_plan(world: Desk) -> Policy | None:
    """Plays the plan that ships with the scenario, if one does."""
    optimum = world.scenario.optimum
    return None if optimum is None else PlanPolicy("oracle", world.plan(optimum.starts), informed=True)


@once_per_world
def _found(world: Desk) -> Sequence[Decision]:
    return found_plan(world)


def found_plan(world: Desk, seed: int = 0) -> Sequence[Decision]:
    """The best plan that keeps every deadline, or where there is none, the best that keeps the windows.

    Raises ``Refused`` where there is none either.
    """
    from backburner.scheduling.makespan import solve_problem

    whole = problem(world.compiled, seed)
    for posed in (with_deadlines(world.compiled, whole), whole):
        found = solve_problem(posed, effort=EFFORT)
        if found.starts is not None:
            return tuple(plan(world.compiled, found.starts, seed))
    raise Refused(f"{world.id}: no plan was found ({found.status}) {found.note}")
