"""The oracle of every world that states its scenario as one scheduling problem: CP-SAT.

A world of another package has it by naming it in its pack::

    oracle="backburner.scheduling.oracle:ORACLE"
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from backburner.kernel.errors import Refused, ReplayMismatch
from backburner.kernel.oracle import Onward, Oracle, Request, Solution
from backburner.kernel.schedule import Schedulable, perform, problem_of
from backburner.scheduling.makespan import onward, solve_problem


class ScheduleOracle(Oracle):
    """The shortest schedule of a ``Schedulable`` world, played in it."""

    def solve(self, world: Any, request: Request) -> Solution:
        """The plan of least makespan; the objective is when the world says that everything is completed."""
        problem = problem_of(world)
        answer = replace(
            solve_problem(
                problem,
                time_limit_seconds=request.time_limit_seconds,
                workers=request.workers,
                seed=request.seed,
            ),
            scenario=world.id,
        )
        if answer.starts is None:
            return answer
        played = perform(world, answer.starts)
        if played.outcome.status == "cut off":
            return replace(
                answer,
                status="infeasible" if answer.status == "optimal" else "unknown",
                objective=None,
                starts=None,
                note=f"the plan takes {answer.objective} {problem.unit}; the world ends play before "
                f"({played.outcome.reason})",
            )
        finished = played.finished_at(problem.unit)
        if finished != answer.objective:
            raise ReplayMismatch(
                f"{world.id}: by the model the plan takes {answer.objective} {problem.unit}; "
                f"played in the world it ends as {played.outcome}"
            )
        return replace(answer, objective=finished, plan=played.words)

    def onward(self, world: Any, state: Any, effort: float) -> Onward:
        """By the world's word on what is left to be done."""
        if not isinstance(world, Schedulable):
            raise Refused(f"{world.id}: this world does not state its scenario as a scheduling problem")
        return onward(world.remaining(state), effort)


ORACLE = ScheduleOracle()
