"""Plays the best plan: the one that ships with a scenario, or one that is found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backburner.kernel.errors import PolicyFailure, Refused
from backburner.kernel.policy import PlainPolicy, PlanPolicy, Policy, Reply, Turn, once_per_world
from backburner.worlds.desk.game.problem import plan, problem, with_deadlines
from backburner.worlds.desk.game.state import A_MINUTE, Check, Decision, State
from backburner.worlds.desk.game.world import Desk

EFFORT = 20.0
"""Of a search, in seconds of an undisturbed core."""


class Oracle(PlainPolicy):
    """Plays the best plan for the attempts that an episode's seed draws. Where every minute is asked about,
    each call comes at its minute, or as soon after that as something comes of it."""

    name = "oracle"
    informed = True

    def __init__(self, world: Desk) -> None:
        self._world = world

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The next call of the plan; ``memory``: those that are left, each with its number in the plan, which
        is its minute where every minute is asked about."""
        world, state = self._world, turn.state
        plan = enumerate(_plan_of(world, state.seed)) if memory is None else memory
        left = tuple(each for each in plan if each[1] != A_MINUTE)
        if world.compiled.always and not (
            left and left[0][0] <= state.minute and self._comes(state, left[0][1])
        ):
            return Reply(A_MINUTE, left)
        if not left:
            raise PolicyFailure("plan", "the plan has run out, and the episode goes on")
        return Reply(left[0][1], left[1:])

    def _comes(self, state: State, call: Decision) -> bool:
        """Whether anything comes of a call now."""
        legality = self._world.legality
        if legality.obstacle(state, call) is not None:
            return False
        run = legality.run(state, call.job) if isinstance(call, Check) else None
        return run is None or run.phase != "running"


def oracle(world: Desk) -> Policy:
    """Plays the proven plan; raises ``Refused`` where there is none."""
    if world.scenario.draws == "seed" or world.compiled.always:
        return Oracle(world)
    return shipped_plan(world) or PlanPolicy("oracle", _found(world), informed=True)


def shipped_plan(world: Desk) -> Policy | None:
    """Plays the plan that ships with the scenario, if one does."""
    optimum = world.scenario.optimum
    if optimum is None or world.compiled.always:
        return None if optimum is None else Oracle(world)
    return PlanPolicy("oracle", world.plan(optimum.starts), informed=True)


def _plan_of(world: Desk, seed: int) -> Sequence[Decision]:
    if world.scenario.draws == "seed":
        return found_plan(world, seed)
    optimum = world.scenario.optimum
    return _found(world) if optimum is None else world.plan(optimum.starts)


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
