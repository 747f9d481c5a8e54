"""The shortest plan of a scheduling problem, proven with OR-Tools CP-SAT."""

from __future__ import annotations

from graphlib import CycleError

from msgspec.structs import replace

from backburner.kernel.scheduling import Problem
from backburner.oracles.bounds import makespan_bound
from backburner.oracles.model import cp_sat, schedule, search
from backburner.oracles.result import Solution


def solve_problem(
    problem: Problem, *, time_limit_seconds: float = 60.0, workers: int = 1, seed: int = 0
) -> Solution:
    """The plan with the earliest last end, as far as the time limit lets it be found and proven.

    The plan is the solver's word; ``solve_world`` has it played. If the problem's space is not
    complete, ``bound`` and ``status`` are still about every decision: the plan is ``optimal`` only if
    it takes no longer than the agent's attention to all activities. Raises ``MissingExtra``.
    """
    cp_sat()
    answer = _solve(problem, time_limit_seconds=time_limit_seconds, workers=workers, seed=seed)
    return answer if problem.complete or problem.impossible else _over_every_decision(problem, answer)


def _over_every_decision(problem: Problem, answer: Solution) -> Solution:
    bound = sum(activity.attention for activity in problem.activities)
    if answer.objective is None:
        return replace(answer, status="unknown", bound=bound)
    return replace(answer, status="optimal" if answer.objective == bound else "feasible", bound=bound)


def _solve(problem: Problem, *, time_limit_seconds: float, workers: int, seed: int) -> Solution:
    answer = Solution("", "infeasible", None, None, "min", problem.unit, problem.space)
    if never := problem.impossible or problem.forbidden:
        return replace(answer, note=f"the rules never let happen: {', '.join(never)}")
    try:
        least = makespan_bound(problem.activities)
    except CycleError as error:
        return replace(answer, note=f"these wait for each other: {', '.join(error.args[1][1:])}")
    # Doing one thing after the other is a plan, so the best one is no longer than all durations together.
    most = sum(activity.duration for activity in problem.activities)
    plan = schedule(problem, horizon=most)
    last_end = plan.model.new_int_var(least, most, "last end")
    for end in plan.end.values():
        plan.model.add(last_end >= end)
    plan.model.minimize(last_end)
    found = search(plan.model, time_limit_seconds=time_limit_seconds, workers=workers, seed=seed)
    starts = found.starts(plan)
    ends = [starts[a.name] + a.duration for a in problem.activities] if starts else []
    return replace(
        answer,
        status=found.status,
        objective=None if starts is None else max(ends, default=0),
        bound=least if found.bound is None else found.bound,
        seconds=found.solver.wall_time,
        starts=starts,
    )
