"""The oracle of every world that states its scenario as one scheduling problem: CP-SAT.

A world of another package has it by naming it in its pack::

    oracle="backburner.scheduling.oracle:ORACLE"
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from backburner.kernel.errors import Refused, ReplayMismatch
from backburner.kernel.oracle import Onward, Oracle, Request, Slow, Solution
from backburner.kernel.reach import slow_plan
from backburner.kernel.schedule import Schedulable, perform, problem_of
from backburner.scheduling.makespan import onward, solve_problem
from backburner.scheduling.slow import solve_slowed

BY_ITSELF = "each start is a decision of its own"


def _how(request: Request) -> dict[str, Any]:
    return {
        "time_limit_seconds": request.time_limit_seconds,
        "workers": request.workers,
        "seed": request.seed,
        "effort": request.effort,
    }


class ScheduleOracle(Oracle):
    """The shortest schedule of a ``Schedulable`` world, played in it."""

    def solve(self, world: Any, request: Request) -> Solution:
        """The plan of least makespan; the objective is when the world says that everything is completed."""
        return _played(world, solve_problem(problem_of(world), **_how(request)))

    def slowed(self, world: Any, latency: Fraction, request: Request) -> Solution:
        """The plan of least makespan of those that start each activity by a decision of its own.

        Waits stand in it for thoughts; ``reach.slow_plan`` makes them thoughts.
        """
        first, *others = solve_slowed(problem_of(world), latency, **_how(request))
        plans = [_played(world, replace(first, space=f"{first.space}; {BY_ITSELF}"))]
        for other in others:
            with suppress(ReplayMismatch):  # where a maximum lag is not kept that was kept before
                plans.append(_played(world, replace(other, space=plans[0].space)))
        return min(plans, key=lambda plan: (plan.objective is None, plan.objective or 0))

    def slow(self, world: Any, latency: Fraction, request: Request) -> Slow:
        """The plan of ``slowed``; raises ``Refused`` besides where a plan is a single decision."""
        found = self.slowed(world, latency, request)
        plan = world.plan(found.starts) if found.starts else ()
        if len(plan) < 2:
            why = found.note or "it is decided at once"
            raise Refused(f"{world.id}: no plan is for decisions that take time ({found.status}): {why}")
        (seat,) = world.seats
        return slow_plan(world, [{seat: decision} for decision in plan], latency)

    def onward(self, world: Any, state: Any, effort: float) -> Onward:
        """By the world's word on what is left to be done."""
        if not isinstance(world, Schedulable):
            raise Refused(f"{world.id}: this world does not state its scenario as a scheduling problem")
        return onward(world.remaining(state), effort)


def _played(world: Any, found: Solution) -> Solution:
    answer = replace(found, scenario=world.id)
    if answer.starts is None:
        return answer
    played = perform(world, answer.starts)
    if played.outcome.status == "cut off":
        return replace(
            answer,
            status="infeasible" if answer.status == "optimal" else "unknown",
            objective=None,
            starts=None,
            note=f"the plan takes {answer.objective} {answer.unit}; the world ends play before "
            f"({played.outcome.reason})",
        )
    finished = played.finished_at(answer.unit)
    if finished != answer.objective:
        raise ReplayMismatch(
            f"{world.id}: by the model the plan takes {answer.objective} {answer.unit}; "
            f"played in the world it ends as {played.outcome}"
        )
    return replace(answer, objective=finished, plan=played.words)


ORACLE = ScheduleOracle()
