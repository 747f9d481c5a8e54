"""Preemption by discretisation: a problem on its grid, and what a schedule on the grid means in its unit.

A preemptive activity becomes a chain of activities that each last one step of the grid, which covers
every way to interrupt it at multiples of the grid. A part is named by how much is done before it:
``chop``, ``chop+1``, ``chop+2`` for three steps of chopping.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise, takewhile
from typing import NamedTuple

from msgspec.structs import replace

from backburner.kernel.oracle import Solution
from backburner.kernel.schedule import Activity, MaxLag, Problem
from backburner.scheduling.model import Budget, continuation, schedule_model

EFFORT = 0.5
"""Of the search for the fewest interruptions (see ``model.search``): about two seconds. Few schedules need
a tenth of it."""


class Discretised(NamedTuple):
    """A problem in steps of its grid; ``part_before`` names, for each further part, the part before it."""

    problem: Problem
    part_before: dict[str, str]


def without_preemption(problem: Problem) -> Discretised:
    """The problem on its grid; every activity is done in one go."""
    activities = (
        replace(_on_grid(activity, problem.grid), preemptive=False) for activity in problem.activities
    )
    return Discretised(_in_steps(problem, activities), {})


def with_preemption(problem: Problem) -> Discretised:
    """The problem on its grid; every preemptive activity is a chain of parts of one step."""
    coarse = [_on_grid(activity, problem.grid) for activity in problem.activities]
    last = {a.name: part_name(a.name, a.duration - 1) if a.preemptive else a.name for a in coarse}
    activities = (part for activity in coarse for part in _parts(activity, last))
    part_before = {
        part_name(activity.name, done): part_name(activity.name, done - 1)
        for activity in coarse
        for done in range(1, activity.duration if activity.preemptive else 1)
    }
    return Discretised(_in_steps(problem, activities), part_before)


def _in_steps(problem: Problem, activities: Iterable[Activity]) -> Problem:
    ticks = problem.decision_ticks // problem.grid
    return replace(problem, activities=tuple(activities), grid=1, decision_ticks=ticks)


def _on_grid(activity: Activity, grid: int) -> Activity:
    return replace(
        activity,
        duration=activity.duration // grid,
        operator_time=activity.operator_time // grid,
        max_lags=tuple(MaxLag(lag.after, lag.at_most // grid) for lag in activity.max_lags),
        **_window(activity, grid),
    )


def _window(activity: Activity, grid: int) -> dict[str, int | None]:
    deadline = activity.deadline
    return {"release": activity.release // grid, "deadline": None if deadline is None else deadline // grid}


def _parts(activity: Activity, last: Mapping[str, str]) -> list[Activity]:
    """The activity, or its chain of parts; a successor of such a chain waits for its ``last`` part."""
    predecessors = tuple(last[name] for name in activity.predecessors)
    max_lags = tuple(MaxLag(last[lag.after], lag.at_most) for lag in activity.max_lags)
    if not activity.preemptive:
        return [replace(activity, predecessors=predecessors, max_lags=max_lags)]
    names = [part_name(activity.name, done) for done in range(activity.duration)]
    before = [predecessors, *((name,) for name in names)]
    whole = replace(activity, duration=1, operator_time=1, preemptive=False, max_lags=max_lags)
    return [
        replace(whole, name=name, predecessors=previous)
        for name, previous in zip(names, before, strict=False)
    ]


def part_name(activity: str, done: int) -> str:
    """The name of the part before which so much of the activity is done."""
    return f"{activity}+{done}" if done else activity


# --- schedules ----------------------------------------------------------------------------------------


def merged(problem: Problem, starts: Mapping[str, int]) -> dict[str, int]:
    """A schedule on the grid, with or without preemption, in the problem's unit; see ``Solution.starts``.

    A part that continues the one before it is merged with it, and is not named. It continues if it
    starts when that one ends, and nothing else starts just then.
    """
    n_starts = Counter(starts.values())
    schedule: dict[str, int] = {}
    for activity in problem.activities:
        schedule[activity.name] = starts[activity.name] * problem.grid
        names = (part_name(activity.name, done) for done in range(1, activity.duration // problem.grid))
        for done, name in enumerate(takewhile(starts.__contains__, names), 1):
            if starts[name] > starts[part_name(activity.name, done - 1)] + 1 or n_starts[starts[name]] > 1:
                schedule[part_name(activity.name, done * problem.grid)] = starts[name] * problem.grid
    return schedule


class Block(NamedTuple):
    """From when to when an activity is done without interruption; ``whole`` if that is all of it, ``last`` if
    it is done then."""

    start: int
    end: int
    name: str
    whole: bool
    last: bool

    @property
    def duration(self) -> int | None:
        """How long it is, ``None`` for all of an activity."""
        return None if self.whole else self.end - self.start


def timetable(problem: Problem, starts: Mapping[str, int]) -> list[Block]:
    """A schedule in the problem's unit (see ``Solution.starts``) as blocks, by start and then by end."""
    blocks: list[Block] = []
    for activity in problem.activities:
        until = activity.duration if activity.preemptive else 1
        begun = [done for done in range(until or 1) if part_name(activity.name, done) in starts]
        for done, until in pairwise([*begun, activity.duration]):
            start = starts[part_name(activity.name, done)]
            last = until == activity.duration
            blocks.append(Block(start, start + until - done, activity.name, len(begun) == 1, last))
    return sorted(blocks)


def in_order(problem: Problem, starts: Mapping[str, int]) -> list[Block]:
    """The timetable as it is decided: of what starts at once first what runs by itself, and of that what sets
    no state."""
    by_name = {each.name: each for each in problem.activities}

    def order(block: Block) -> tuple[int, bool, bool]:
        activity = by_name[block.name]
        return block.start, activity.operator_time > 0, activity.sets is not None

    return sorted(timetable(problem, starts), key=order)


def with_fewest_interruptions(
    answer: Solution, problem: Problem, discretised: Discretised, budget: Budget
) -> Solution:
    """Post-optimisation: a schedule of the same makespan with the fewest interruptions that are found.

    The search for the makespan leaves it to chance which parts follow each other without a gap. The
    ``answer`` is one of ``discretised``, and no schedule without interruptions is as short.
    """
    if answer.objective is None or answer.starts is None:
        return answer
    model = schedule_model(discretised.problem, answer.objective // problem.grid, discretised.part_before)
    parts = {activity.name: activity for activity in discretised.problem.activities}
    continued = [continuation(model, before, parts[name]) for name, before in discretised.part_before.items()]
    model.cp.add(sum(continued) < len(continued))
    model.cp.maximize(sum(continued))
    result = budget.search(model.cp, EFFORT)
    seconds, starts = answer.seconds + result.solver.wall_time, result.values(model.start)
    if starts is None:
        return replace(answer, seconds=seconds)
    return replace(answer, seconds=seconds, starts=min(answer.starts, merged(problem, starts), key=len))
