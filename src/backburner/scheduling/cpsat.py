"""The shortest plan of a scheduling problem, proven with OR-Tools CP-SAT."""

from __future__ import annotations

from graphlib import CycleError
from typing import Any

from msgspec.structs import replace

from backburner.kernel.scheduling import Problem
from backburner.kernel.solution import Solution
from backburner.scheduling.bounds import makespan_bound
from backburner.scheduling.model import cp_sat, schedule, search
from backburner.scheduling.pieces import Cut, in_one_go, in_pieces, joined
from backburner.scheduling.tidy import tidied


def solve_problem(
    problem: Problem, *, time_limit_seconds: float = 60.0, workers: int = 1, seed: int = 0
) -> Solution:
    """The plan with the earliest last end, as far as the time limit lets it be found and proven.

    The plan is the solver's word; ``solve_world`` has it played. If the problem's space is not
    complete, ``bound`` and ``status`` are still about every decision: the plan is ``optimal`` only if
    it takes no longer than the agent's attention to all activities. What is splittable is split on
    the problem's grid, and what is proven holds there. Raises ``MissingExtra``.
    """
    cp_sat()
    answer = _solve(problem, time_limit_seconds=time_limit_seconds, workers=workers, seed=seed)
    return answer if problem.complete or problem.impossible else _over_every_decision(problem, answer)


def _over_every_decision(problem: Problem, answer: Solution) -> Solution:
    bound = sum(activity.attention for activity in problem.activities)
    if answer.objective is None:
        return replace(answer, status="unknown", bound=bound)
    return replace(answer, status="optimal" if answer.objective == bound else "feasible", bound=bound)


def _solve(problem: Problem, *, time_limit_seconds: float, **how: int) -> Solution:
    """Splits only what gains by it: first a plan without, then a shorter one with pieces, then fewer."""
    if never := problem.impossible or problem.forbidden:
        answer = Solution("", "infeasible", None, None, "min", problem.unit, problem.space)
        return replace(answer, note=f"the rules never let happen: {', '.join(never)}")
    whole = _search(problem, in_one_go(problem), None, time_limit_seconds=time_limit_seconds, **how)
    if not any(activity.splittable for activity in problem.activities):
        return whole
    cut, left = in_pieces(problem), max(0.0, time_limit_seconds - whole.seconds)
    split = _search(problem, cut, whole.objective, time_limit_seconds=left, **how)
    if split.status == "optimal":
        left = max(0.0, left - split.seconds)
        split = tidied(split, problem, cut, time_limit_seconds=left, **how)
    seconds = whole.seconds + split.seconds
    if split.objective is not None or whole.objective is None:
        return replace(split, seconds=seconds)
    if split.status == "infeasible":
        return replace(whole, status="optimal", bound=whole.objective, seconds=seconds)
    return replace(whole, status="feasible", bound=split.bound, seconds=seconds)


def _search(problem: Problem, cut: Cut, below: int | None, **how: Any) -> Solution:
    """The shortest plan of ``cut``, which is ``problem`` on its grid; only one shorter than ``below``."""
    answer = Solution("", "infeasible", None, None, "min", problem.unit, problem.space)
    coarse = cut.problem
    try:
        least = makespan_bound(coarse.activities)
    except CycleError as error:
        return replace(answer, note=f"these wait for each other: {', '.join(error.args[1][1:])}")
    # While nothing runs, everything later can be moved earlier, which keeps every lag; so the best
    # plan is no longer than all durations together.
    most = sum(activity.duration for activity in coarse.activities)
    if below is not None:
        most = below // problem.grid - 1
    if most < least:
        return answer
    plan = schedule(coarse, horizon=most, follows=cut.follows)
    last_end = plan.model.new_int_var(least, most, "last end")
    for end in plan.end.values():
        plan.model.add(last_end >= end)
    plan.model.minimize(last_end)
    found = search(plan.model, **how)
    answer = replace(answer, status=found.status, seconds=found.solver.wall_time)
    if found.status == "infeasible":
        return replace(answer, note="no plan keeps every maximum lag")
    starts = found.starts(plan)
    ends = [starts[a.name] + a.duration for a in coarse.activities] if starts else []
    return replace(
        answer,
        objective=None if starts is None else max(ends, default=0) * problem.grid,
        bound=(least if found.bound is None else found.bound) * problem.grid,
        starts=None if starts is None else joined(problem, starts),
    )
