"""The shortest plan of a world, proven by the solver and judged by the world."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from backburner.kernel.contract import World
from backburner.kernel.errors import ReplayMismatch
from backburner.oracles.cpsat import solve_problem
from backburner.oracles.judge import judge, schedulable
from backburner.oracles.kitchens import solve_kitchen
from backburner.oracles.result import Solution
from backburner.worlds.robotouille import Robotouille


def solve_world(
    world: World[Any, Any, Any],
    *,
    time_limit_seconds: float = 60.0,
    workers: int = 1,
    seed: int = 0,
    before: Solution | None = None,
) -> Solution:
    """The shortest plan of a ``Schedulable`` world or a kitchen of Robotouille, played in it; the
    objective is the world's figure. ``before``: what an earlier search found, to go on from.

    If the world's own limits cut the plan off, that plan is no answer: the status is ``infeasible``
    if no shorter plan exists, else ``unknown``, and the note tells the plan's length. Raises
    ``MissingExtra``, ``Refused`` for a world that is not schedulable, and ``ReplayMismatch`` if the
    world does not let the plan end as the model says, which is a bug in one of the two.
    """
    if isinstance(world, Robotouille):
        return solve_kitchen(world, time_limit_seconds=time_limit_seconds, before=before)
    problem = schedulable(world).problem()
    answer = replace(
        solve_problem(problem, time_limit_seconds=time_limit_seconds, workers=workers, seed=seed),
        scenario=world.id,
    )
    if answer.starts is None:
        return answer
    verdict = judge(world, answer.starts)
    if verdict.outcome.status == "cut off":
        return replace(
            answer,
            status="infeasible" if answer.status == "optimal" else "unknown",
            objective=None,
            starts=None,
            note=f"the plan takes {answer.objective} {problem.unit}; the world ends play before "
            f"({verdict.outcome.reason})",
        )
    finished = verdict.finished_at(problem.unit)
    if finished != answer.objective:
        raise ReplayMismatch(
            f"{world.id}: by the model the plan takes {answer.objective} {problem.unit}; "
            f"played in the world it ends as {verdict.outcome}"
        )
    return replace(answer, objective=finished, plan=verdict.words)
