"""The shortest schedule of a problem, with proof, and bounds that need no solver.

``most_on_time`` is for problems with due times: the most jobs that one machine does by theirs.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from math import inf
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.kernel.oracle import Onward, Solution, Status
from backburner.kernel.schedule import Activity, Problem, Remaining
from backburner.scheduling.model import Budget, cp_sat, schedule_model, search
from backburner.scheduling.preemption import (
    Discretised,
    merged,
    with_fewest_interruptions,
    with_preemption,
    without_preemption,
)

K = TypeVar("K", bound=Hashable)


def solve_problem(
    problem: Problem,
    *,
    time_limit_seconds: float = 60.0,
    workers: int = 1,
    seed: int = 0,
    effort: float | None = None,
) -> Solution:
    """The schedule of least makespan, as far as the time limit or the ``effort`` lets it be found and proven.

    The makespan is the solver's word; whoever states the problem plays the schedule. If the problem's
    space is not complete, ``bound`` and ``status`` are still about every decision: the schedule is
    ``optimal`` only if it takes no longer than the operator's time at all activities. Preemption is at
    multiples of the problem's grid, and what is proven holds for those. Raises ``MissingExtra``.
    """
    cp_sat()
    if late := _too_slow_for(problem):
        answer = Solution("", "infeasible", None, None, "min", problem.unit, problem.space)
        return replace(answer, note=f"infeasible at this speed: {late}")
    if late := _too_late(problem):
        answer = Solution("", "infeasible", None, None, "min", problem.unit, problem.space, note=late)
    else:
        answer = _solve(problem, Budget(time_limit_seconds, workers, seed, effort))
    if problem.complete or problem.impossible:
        return answer
    return answer.bounded(operator_load(problem.activities, problem.decision_ticks))


def _too_slow_for(problem: Problem) -> str:
    """A maximum lag that nobody can keep who thinks for so long, in words; empty if there is none.

    Whoever decides j by itself begins to think about it when the operator has left i, w(i) after its start at
    the earliest, and must have thought by C(i) + d: no lag is kept if L > p(i) - w(i) + d.
    """
    unit, by_name = problem.unit, {activity.name: activity for activity in problem.activities}
    for activity in problem.activities:
        for lag in activity.max_lags:
            after = by_name[lag.after]
            time = after.duration - after.operator_time + lag.at_most
            if lag.after in activity.predecessors and problem.decision_ticks > time:
                within = f"{activity.name} is to start within {lag.at_most} {unit} of {lag.after}"
                thought = f"to decide it in, and that takes {problem.decision_ticks}"
                return f"{within}, which leaves {time} {thought}"
    return ""


def _too_late(problem: Problem) -> str:
    """A deadline that nobody can keep whatever else there is to do, in words; empty if there is none."""
    with suppress(CycleError):
        ends = _earliest_ends(problem.activities, problem.decision_ticks)
        for each in problem.activities:
            if each.deadline is not None and ends[each.name] > each.deadline:
                by = f"{each.name} is to end by {each.deadline} {problem.unit}"
                return f"{by}, and cannot end before {ends[each.name]}"
    return ""


def _never_kept(problem: Problem) -> str:
    """What no plan keeps, in words."""
    kinds = {
        "maximum lag": any(activity.max_lags for activity in problem.activities),
        "deadline": any(activity.deadline is not None for activity in problem.activities),
    }
    return f"no plan keeps every {' and every '.join([kind for kind, is_one in kinds.items() if is_one])}"


def onward(remaining: Remaining, effort: float) -> Onward:
    """How soon everything can be done from a state on.

    ``effort`` bounds the search in the solver's deterministic time, in units of a second or more. Raises
    ``MissingExtra``, and ``Refused`` where the problem leaves out decisions, or something is begun that may
    be interrupted.
    """
    problem, now = remaining.problem, remaining.now
    cp_sat()
    if not problem.complete:
        raise Refused(f"the problem stands for {problem.space}")
    if any(activity.preemptive and activity.name in remaining.begun for activity in problem.activities):
        raise Refused("something is begun that may be interrupted")
    if problem.impossible or problem.forbidden:
        return Onward("infeasible", now, None)
    # Times from the first start that is left: what is alike but for the clock is looked for once.
    first = min((now, *remaining.begun.values()))
    begun = tuple(sorted((name, start - first) for name, start in remaining.begun.items()))
    problem = replace(problem, activities=tuple(_earlier(each, first) for each in problem.activities))
    status, finish = _finish(problem, begun, now - first, effort)
    return Onward(status, now, None if finish is None else finish + first)


def _earlier(activity: Activity, by: int) -> Activity:
    """The activity where times begin later by so much."""
    deadline = None if activity.deadline is None else activity.deadline - by
    return replace(activity, release=max(0, activity.release - by), deadline=deadline)


@lru_cache(maxsize=1 << 16)
def _finish(
    problem: Problem, starts: tuple[tuple[str, int], ...], now: int, effort: float
) -> tuple[Status, int | None]:
    """The proven end of everything, with these starts fixed and all others now or later."""
    preempts = any(activity.preemptive for activity in problem.activities)
    coarse, part_before = with_preemption(problem) if preempts else without_preemption(problem)
    from_now = now // problem.grid
    begun = {name: start // problem.grid for name, start in starts}
    waiting = [activity for activity in coarse.activities if activity.name not in begun]
    busy_until = max((begun[a.name] + a.duration for a in coarse.activities if a.name in begun), default=0)
    # While nothing runs, everything later can be moved earlier: see ``_horizon``.
    horizon = max(from_now, busy_until, _last_release(waiting)) + sum(a.duration for a in waiting)
    model = schedule_model(coarse, horizon, part_before)
    for name, start in model.start.items():
        model.cp.add(start == begun[name] if name in begun else start >= from_now)
    makespan = model.cp.new_int_var(from_now, horizon, "makespan")
    for end in model.end.values():
        model.cp.add(makespan >= end)
    model.cp.minimize(makespan)
    result = search(model.cp, time_limit_seconds=inf, workers=1, seed=0, effort=effort)
    if result.status == "optimal":
        return "optimal", round(result.solver.objective_value) * problem.grid
    return "infeasible" if result.status == "infeasible" else "unknown", None


def _solve(problem: Problem, budget: Budget) -> Solution:
    """Preempts only where it gains: first the best schedule without preemption, then a shorter one with
    it, and of that one with fewer interruptions."""
    if never := problem.impossible or problem.forbidden:
        answer = Solution("", "infeasible", None, None, "min", problem.unit, problem.space)
        return replace(answer, note=f"the rules never let happen: {', '.join(never)}")
    coarse = without_preemption(problem)
    whole = _minimise(problem, coarse, None, budget)
    if not any(activity.preemptive for activity in problem.activities):
        return whole
    fine = with_preemption(problem)
    split = _minimise(problem, fine, whole.objective, budget)
    if split.status == "optimal":
        split = with_fewest_interruptions(split, problem, fine, budget)
    seconds = whole.seconds + split.seconds
    if split.objective is not None or whole.objective is None:
        return replace(split, seconds=seconds)
    if split.status == "infeasible":
        return replace(whole, status="optimal", bound=whole.objective, seconds=seconds)
    return replace(whole, status="feasible", bound=split.bound, seconds=seconds)


def _minimise(problem: Problem, discretised: Discretised, below: int | None, budget: Budget) -> Solution:
    """The schedule of least makespan of ``problem`` as ``discretised``; only one shorter than ``below``."""
    answer = Solution("", "infeasible", None, None, "min", problem.unit, problem.space)
    coarse = discretised.problem
    try:
        least = makespan_bound(coarse.activities, coarse.decision_ticks, len(discretised.part_before))
    except CycleError as error:
        return replace(answer, note=f"these wait for each other: {', '.join(error.args[1][1:])}")
    horizon = _horizon(coarse)
    if below is not None:
        horizon = below // problem.grid - 1
    if horizon < least:
        return answer
    model = schedule_model(coarse, horizon, discretised.part_before)
    # makespan >= C(i) for every activity i; minimise it.
    makespan = model.cp.new_int_var(least, horizon, "makespan")
    for end in model.end.values():
        model.cp.add(makespan >= end)
    model.cp.minimize(makespan)
    result = budget.search(model.cp)
    answer = replace(answer, status=result.status, seconds=result.solver.wall_time)
    if result.status == "infeasible":
        return replace(answer, note=_never_kept(coarse))
    starts = result.values(model.start)
    ends = [starts[a.name] + a.duration for a in coarse.activities] if starts else []
    return replace(
        answer,
        objective=None if starts is None else max(ends, default=0) * problem.grid,
        bound=(least if result.bound is None else result.bound) * problem.grid,
        starts=None if starts is None else merged(problem, starts),
    )


# --- lower bounds -------------------------------------------------------------------------------------


def makespan_bound(activities: Iterable[Activity], decision_ticks: int = 0, n_continued: int = 0) -> int:
    """The greater of the operator's load and the critical path: no schedule is shorter than either.

    Each activity needs a thought of ``decision_ticks``, but for so many parts that may continue others.
    From each release on, the operator has the load of what is released then or later, for the first of which
    the thought may be had before. Raises ``graphlib.CycleError`` if the precedence relation has a cycle.
    """
    listed = tuple(activities)
    chain = max(_earliest_ends(listed, decision_ticks).values(), default=0)
    loads = []
    for release in {0, *(activity.release for activity in listed)}:
        later = [activity for activity in listed if activity.release >= release]
        load = operator_load(later, decision_ticks) - n_continued * decision_ticks
        loads.append(max(0, release - decision_ticks) + load)
    return max(chain, *loads)


def _earliest_ends(activities: Sequence[Activity], decision_ticks: int) -> dict[str, int]:
    """When each activity ends if nothing but releases, predecessors, and one thought hold it up."""
    return _ends(
        {a.name: a.duration for a in activities},
        {a.name: a.predecessors for a in activities},
        {a.name: max(a.release, decision_ticks) for a in activities},
    )


def operator_load(activities: Iterable[Activity], decision_ticks: int = 0) -> int:
    """How long the operator is busy in any schedule, at one activity, or the thought of it, after another."""
    return sum(activity.operator_time + decision_ticks for activity in activities)


def _horizon(problem: Problem) -> int:
    """When the best schedule has ended: after the last release, and all durations and thoughts together.

    While nothing runs and nobody thinks, everything later can be moved earlier, as far as it is released.
    That keeps every maximum lag and every deadline.
    """
    one_by_one = sum(activity.duration + problem.decision_ticks for activity in problem.activities)
    return _last_release(problem.activities) + one_by_one


def _last_release(activities: Iterable[Activity]) -> int:
    return max((activity.release for activity in activities), default=0)


def critical_path(durations: Mapping[K, int], predecessors: Mapping[K, Iterable[K]]) -> int:
    """The length of the longest chain of activities, each a predecessor of the next one.

    Raises ``graphlib.CycleError`` if the precedence relation has a cycle.
    """
    return max(_ends(durations, predecessors, dict.fromkeys(durations, 0)).values(), default=0)


def _ends(
    durations: Mapping[K, int], predecessors: Mapping[K, Iterable[K]], releases: Mapping[K, int]
) -> dict[K, int]:
    """When each activity ends at the earliest: it starts at its release, or when a predecessor has ended."""
    end: dict[K, int] = {}
    for name in TopologicalSorter(predecessors).static_order():
        end[name] = durations[name] + max([releases[name], *(end[before] for before in predecessors[name])])
    return end


def leading_up_to(name: K, predecessors: Callable[[K], Iterable[K]]) -> list[K]:
    """All predecessors, direct or not, in the order of a breadth-first search, reversed: nearest last."""
    found = dict.fromkeys(predecessors(name))
    queue = list(found)
    while queue:
        new = [before for before in predecessors(queue.pop(0)) if before not in found]
        found |= dict.fromkeys(new)
        queue += new
    return list(reversed(found))


# --- jobs on time ------------------------------------------------------------------------------------------


class DueWork(Struct, frozen=True):
    """A job of the scheduling problem: work of ``length`` that must be done by ``due``."""

    length: int | Fraction
    due: int


def most_on_time(jobs: Iterable[DueWork]) -> int:
    """How many jobs one machine can do by their due times, all of them there from the start.

    Take jobs by due time and, whenever one would be late, drop the longest. Three jobs of length 2, due by 2,
    3 and 4: the second would be late and one of the two is dropped, then the third is done by 4, so 2 are on
    time.
    """
    kept: list[int | Fraction] = []
    load: int | Fraction = 0
    for job in sorted(jobs, key=lambda job: job.due):
        heapq.heappush(kept, -job.length)
        load += job.length
        if load > job.due:
            load += heapq.heappop(kept)
    return len(kept)
