"""Tiny scheduling problems made at random, and their best schedules by trying everything.

The checks are written from ``kernel``'s words about a problem alone, unit of time by unit of time; they
share no code with the constraint model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from math import comb, prod
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from backburner.kernel.schedule import Activity, MachineState, MaxLag, Problem, Resource

MACHINE = Resource("machine")
CREW = Resource("crew", 2)
STATES = (MachineState("machine", 1), MachineState("machine", 2))

Units = tuple[int, ...]
"""The units of time in which an activity runs, in order."""


# --- made at random -------------------------------------------------------------------------------


def tiny_problem(random: Random) -> Problem:
    """Two to four activities of one to three units; of two at least, the durations are six together."""
    n = random.choice([2, 3, 3, 4])
    activities: list[Activity] = []
    for number in range(n):
        activities.append(_activity(random, f"a{number}", activities, longest=2 if n == 4 else 3))
    return Problem("steps", tuple(activities), (MACHINE, CREW), "made at random")


def _activity(random: Random, name: str, earlier: Sequence[Activity], longest: int) -> Activity:
    duration = random.randint(1, longest)
    after = tuple(other.name for other in earlier if random.random() < 0.5)
    lags = tuple(MaxLag(other, random.choice([0, 0, 1])) for other in after if random.random() < 0.7)
    kind = random.choice(["operator", "operator", "preemptive", "started", "alone", "setup", "after setup"])
    if kind in ("setup", "after setup"):
        state = random.choice(STATES)
        sets, needs = (state, None) if kind == "setup" else (None, state)
        at = random.choice([0, 0, 1])
        return Activity(name, duration, at, after, ("machine",), lags, sets, needs)
    holds = random.choice([(), ("machine",), ("crew",), ("crew", "crew")])
    at = {"started": 1, "alone": 0}.get(kind, duration)
    return Activity(name, duration, at, after, holds, lags, preemptive=kind == "preemptive")


def with_windows(problem: Problem, random: Random) -> Problem:
    """The problem with releases for about half of its activities, and with deadlines for as many."""

    def windowed(activity: Activity) -> Activity:
        release = random.choice([0, 0, 1, 2, 3])
        latest = release + activity.duration + random.choice([-1, 0, 1, 2, 3, 4, 5])
        return replace(activity, release=release, deadline=random.choice([None, latest]))

    return replace(problem, activities=tuple(map(windowed, problem.activities)))


# --- everything that can be done ------------------------------------------------------------------


class Best(NamedTuple):
    """The least makespan, and the fewest uninterrupted parts of a schedule that has it."""

    makespan: int
    parts: int


def best_by_trying(
    problem: Problem, allowed: Callable[[Mapping[str, Units]], bool] = lambda schedule: True
) -> Best | None:
    """The best of all allowed schedules that end within the last release and all durations and thoughts;
    ``None`` if there is none."""
    found = filter(allowed, schedules(problem, horizon_of(problem)))
    return min((Best(_makespan(each), _n_parts(problem, each)) for each in found), default=None)


def horizon_of(problem: Problem) -> int:
    """The last release, all durations, and the thoughts about all starts that there may be."""
    starts = sum(activity.duration if activity.preemptive else 1 for activity in problem.activities)
    released = max(activity.release for activity in problem.activities)
    durations = sum(activity.duration for activity in problem.activities)
    return released + durations + starts * problem.decision_ticks


def n_ways(problem: Problem) -> int:
    """In how many ways activities can be put in time, one by one, before any rule is looked at."""
    horizon = horizon_of(problem)
    return prod(
        comb(horizon, activity.duration) if activity.preemptive else horizon - activity.duration + 1
        for activity in problem.activities
    )


def _makespan(schedule: Mapping[str, Units]) -> int:
    return max(units[-1] for units in schedule.values()) + 1


def schedules(problem: Problem, horizon: int) -> Iterator[dict[str, Units]]:
    """Every feasible schedule; activities are added one by one, and what cannot be is given up at once."""

    def extend(schedule: dict[str, Units]) -> Iterator[dict[str, Units]]:
        if len(schedule) == len(problem.activities):
            if feasible(problem, schedule):
                yield schedule
            return
        activity = problem.activities[len(schedule)]
        for units in _ways(activity, horizon):
            after = (schedule[name][-1] for name in activity.predecessors)
            if all(end < units[0] for end in after):
                yield from extend({**schedule, activity.name: units})

    return extend({})


def _ways(activity: Activity, horizon: int) -> Iterator[Units]:
    if activity.preemptive:
        yield from combinations(range(horizon), activity.duration)
    else:
        starts = range(horizon - activity.duration + 1)
        yield from (tuple(range(start, start + activity.duration)) for start in starts)


def feasible(problem: Problem, schedule: Mapping[str, Units]) -> bool:
    """Whether windows, lags, the operator, capacities and machine states allow the schedule."""
    by_name = {activity.name: activity for activity in problem.activities}
    return (
        all(_in_window(activity, schedule[activity.name]) for activity in problem.activities)
        and all(_lags_kept(activity, schedule) for activity in problem.activities)
        and _operator_free(by_name, schedule)
        and _thoughts_fit(problem, by_name, schedule)
        and _machine_free(by_name, schedule)
        and _crew_free(by_name, schedule)
        and all(
            _state_before(by_name, schedule, a.name) == a.requires for a in by_name.values() if a.requires
        )
    )


def _in_window(activity: Activity, units: Units) -> bool:
    return units[0] >= activity.release and (activity.deadline is None or units[-1] < activity.deadline)


def _part_starts(name: str, schedule: Mapping[str, Units]) -> list[int]:
    """The starts of an activity's parts: another unit begins one after a gap, or if something else starts."""
    units = schedule[name]
    others = {run[0] for other, run in schedule.items() if other != name}
    follows = pairwise(units)
    return [units[0], *(unit for before, unit in follows if unit > before + 1 or unit in others)]


def _n_parts(problem: Problem, schedule: Mapping[str, Units]) -> int:
    return sum(len(_part_starts(a.name, schedule)) if a.preemptive else 1 for a in problem.activities)


def _lags_kept(activity: Activity, schedule: Mapping[str, Units]) -> bool:
    starts = _part_starts(activity.name, schedule) if activity.preemptive else [schedule[activity.name][0]]
    ends = ((schedule[lag.after][-1] + 1, lag.at_most) for lag in activity.max_lags)
    return all(start <= end + at_most for end, at_most in ends for start in starts)


def _operator_free(by_name: Mapping[str, Activity], schedule: Mapping[str, Units]) -> bool:
    """No unit is spent at two activities; what needs no operator starts where no other goes on."""
    spent = [unit for name, run in schedule.items() for unit in run[: by_name[name].operator_time]]
    if len(set(spent)) < len(spent):
        return False
    for name, run in schedule.items():
        if by_name[name].operator_time == 0:
            for other, units in schedule.items():
                held = units[: by_name[other].operator_time]
                goes_on = run[0] in held and run[0] - 1 in held
                if goes_on and (not by_name[other].preemptive or _uninterrupted(run[0], other, schedule)):
                    return False
    return True


def _thoughts_fit(problem: Problem, by_name: Mapping[str, Activity], schedule: Mapping[str, Units]) -> bool:
    """Right before the start of every part the operator thinks, and does nothing else meanwhile."""
    busy = [unit for name, run in schedule.items() for unit in run[: by_name[name].operator_time]]
    for name, run in schedule.items():
        starts = _part_starts(name, schedule) if by_name[name].preemptive else [run[0]]
        busy += [unit for start in starts for unit in range(start - problem.decision_ticks, start)]
    return len(set(busy)) == len(busy) and min(busy, default=0) >= 0


def _uninterrupted(unit: int, name: str, schedule: Mapping[str, Units]) -> bool:
    """Whether a preemptive activity goes on into this unit; where something starts it is interrupted."""
    return unit not in _part_starts(name, schedule)


def _crew_free(by_name: Mapping[str, Activity], schedule: Mapping[str, Units]) -> bool:
    held = [u for name, run in schedule.items() for u in run for r in by_name[name].resources if r == "crew"]
    return all(held.count(unit) <= CREW.capacity for unit in held)


def _machine_free(by_name: Mapping[str, Activity], schedule: Mapping[str, Units]) -> bool:
    users = [name for name in schedule if "machine" in by_name[name].resources]
    return all(
        not set(schedule[one]) & set(schedule[other])
        or _may_share(by_name, schedule, one, other)
        or _may_share(by_name, schedule, other, one)
        for one, other in combinations(users, 2)
    )


def _may_share(by_name: Mapping[str, Activity], schedule: Mapping[str, Units], user: str, setup: str) -> bool:
    """Whether ``user`` may hold the machine together with ``setup``; see ``Activity.sets``."""
    state = by_name[setup].sets
    if state is None or schedule[user] != schedule[setup] or by_name[user].preemptive:
        return False
    if by_name[user].sets is not None:
        return by_name[user].sets == state
    return by_name[user].operator_time == 0 and _state_before(by_name, schedule, user) == state


def _state_before(
    by_name: Mapping[str, Activity], schedule: Mapping[str, Units], name: str
) -> MachineState | None:
    """The machine's state when the activity starts: what the last setup before that has set it to."""
    start = schedule[name][0]
    setups = [(schedule[other][0], other) for other, a in by_name.items() if a.sets and other != name]
    before = [setup for setup in setups if setup[0] < start]
    return by_name[max(before)[1]].sets if before else None
