"""The shortest schedule where each start is a decision that costs a thought.

Whole ticks of thought are a parameter of the model (``Problem.decision_ticks``). What is between two of them,
which is over a tick being carried to the next thought, is bounded from both sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor, gcd
from typing import Any

from msgspec.structs import replace

from backburner.kernel.oracle import Solution
from backburner.kernel.schedule import Activity, Problem
from backburner.scheduling.makespan import operator_load, solve_problem

FINEST = 5
"""Of the grid on which activities are interrupted where thoughts do not fit the problem's own: with a finer
one there would be too many parts."""


def slowed(problem: Problem, ticks: int) -> Problem:
    """The problem, where the operator thinks for so many whole ticks before each start."""
    return replace(problem, decision_ticks=ticks, grid=gcd(problem.grid, ticks))


def steps_around(problem: Problem, latency: Fraction) -> tuple[int, int]:
    """Ticks at or below, and at or above the latency, for which the model is exact."""
    preempts = any(activity.preemptive for activity in problem.activities)
    step = gcd(problem.grid, FINEST) if preempts else 1
    return floor(latency / step) * step, ceil(latency / step) * step


def solve_slowed(problem: Problem, latency: Fraction, **how: Any) -> tuple[Solution, ...]:
    """Schedules for decisions of so many ticks each, and in all of them the best bound.

    With T(L) for the least makespan, n activities and w for their load of the operator, none is below
    T(floor L) or w + floor(n L). Where the model knows the latency, the one schedule is the shortest.
    Else there are one for a longer latency, and one for a shorter that is stretched: whether that one can be
    carried out, the world says.
    """
    below, above = steps_around(problem, latency)
    least = solve_problem(slowed(problem, below), **how)
    if below == above or least.status == "infeasible":
        return (least,)
    bound = max(least.bound or 0, loaded(problem, latency))
    most = solve_problem(slowed(problem, above), **how)
    if most.objective is None:
        most = replace(most, note="")
    return tuple(one.bounded(bound) for one in (most, *_stretched(problem, least, latency)))


def loaded(problem: Problem, latency: Fraction) -> int:
    """The operator's load with a thought for each activity, ticks being whole: w + floor(n L)."""
    return operator_load(problem.activities) + floor(len(problem.activities) * latency)


def _stretched(problem: Problem, found: Solution, latency: Fraction) -> Iterator[Solution]:
    """The schedule for a latency that is longer; none where something is done in pieces.

    Starts keep their order, and whatever ended before something that it has to do with still does. Who waits
    longer than a thought takes has nothing to carry.
    """
    if found.starts is None or len(found.starts) > len(problem.activities):
        return
    before, times, free, carry = found.starts, dict[str, int](), 0, Fraction(0)
    done: list[Activity] = []
    for each in sorted(problem.activities, key=lambda each: (before[each.name], each.operator_time)):
        ends = [
            times[other.name] + other.duration
            for other in done
            if before[other.name] + other.duration <= before[each.name]
            and (other.name in each.predecessors or set(other.resources) & set(each.resources))
        ]
        thought = free + int(carry + latency)
        start = times[each.name] = max(thought, *ends, each.release)
        carry = (carry + latency) % 1 if start == thought else Fraction(0)
        free = start + each.operator_time
        done.append(each)
    ends = [times[each.name] + each.duration for each in done]
    if all(each.deadline is None or end <= each.deadline for each, end in zip(done, ends, strict=True)):
        yield replace(found, starts=times, objective=max(ends, default=0))
