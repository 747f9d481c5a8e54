"""Demands on scheduling problems, and on the decisions that schedules stand for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any

from backburner.kernel.conformance.walk import Expect, Walk
from backburner.kernel.errors import Refused
from backburner.kernel.schedule import Activity, Problem

NOBODY_S = {"no activity of this world": 0}


def problems_are_well_formed(walk: Walk, expect: Expect) -> None:
    """Names are used once, what is named exists, nothing waits for itself, times are possible."""
    problems: Mapping[str, Problem] = walk.world.problems()
    expect(bool(problems), "the world is Schedulable and states no problem")
    expect.same(walk.world.problems(), problems, "the problems, asked twice")
    for name, problem in problems.items():
        for fault in _faults(problem, walk.world.time_unit):
            expect(False, f"problem {name!r}: {fault}")
        expect(True, "")


def _faults(problem: Problem, unit: str) -> Iterator[str]:
    """What is wrong with a problem."""
    names = [activity.name for activity in problem.activities]
    resources = {resource.name: resource.capacity for resource in problem.resources}
    if problem.unit != unit:
        yield f"its unit is {problem.unit}, that of the world {unit}"
    for listed in (names, [resource.name for resource in problem.resources]):
        yield from (f"{name!r} is there twice" for name in {*listed} if listed.count(name) > 1)
    yield from (f"resource {name!r} has no unit" for name, capacity in resources.items() if capacity < 1)
    unknown = {*problem.forbidden, *problem.impossible} - {*names}
    yield from (f"{name!r} is forbidden or impossible, and no activity" for name in unknown)
    for activity in problem.activities:
        yield from (f"{activity.name!r}: {fault}" for fault in _faults_of(activity, {*names}, resources))
        times = (activity.duration, activity.operator_time, *(lag.at_most for lag in activity.max_lags))
        if problem.grid < 1 or any(time % problem.grid for time in times):
            yield f"{activity.name!r}: a grid of {problem.grid} does not divide its times"
    try:
        TopologicalSorter({a.name: a.predecessors for a in problem.activities}).prepare()
    except CycleError as error:
        yield f"these wait for each other: {', '.join(error.args[1])}"


def _faults_of(activity: Activity, names: set[str], resources: Mapping[str, int]) -> Iterator[str]:
    before = {*activity.predecessors, *(lag.after for lag in activity.max_lags)}
    yield from (f"it comes after {name!r}, which is no activity" for name in before - names)
    yield from (f"there is no resource {name!r}" for name in {*activity.resources} - {*resources})
    if not 0 <= activity.operator_time <= activity.duration:
        yield f"it takes {activity.duration}, and {activity.operator_time} of the operator's time"
    if any(lag.at_most < 0 for lag in activity.max_lags):
        yield "a maximum lag is below 0"
    for state in filter(None, (activity.sets, activity.requires)):
        if state.resource not in activity.resources or resources.get(state.resource) != 1:
            yield f"it sets or requires {state}, and does not hold the one unit of that machine"
    if activity.preemptive and activity.operator_time < activity.duration:
        yield "it is preemptive, and does not hold the operator throughout"
    if activity.preemptive and (activity.sets or activity.requires):
        yield "it is preemptive, and sets or requires a machine state"


def schedules_are_plans(walk: Walk, expect: Expect) -> None:
    """What is no schedule makes no plan. One thing after the other is one; its plan is never refused."""
    world, problem = walk.world, walk.world.problems().get(walk.world.id)
    expect(_plan(world, NOBODY_S) is None, "a schedule of other activities makes a plan")
    if problem is None:
        expect.cannot("no problem stands for the whole scenario")
        return
    starts = _in_single_file(problem)
    plan = _plan(world, starts) if starts is not None else None
    if plan is None:
        expect.cannot("the activities cannot be done in single file")
        return
    state = world.start(walk.seed)
    for decision in plan:
        seats = world.deciders(state)
        if not seats:
            break
        step = world.step(state, dict.fromkeys(seats, decision))
        expect(not step.refusals, f"in single file, {decision!r} is refused: {step.refusals}")
        state = step.state
    outcome = world.outcome(state)
    expect({"completed", world.time_unit} <= {*outcome.numbers}, f"{outcome} does not tell when all was done")
    if outcome.status != "cut off":
        expect(outcome.numbers["completed"] == 1, f"everything was done in single file, and {outcome}")


def _in_single_file(problem: Problem) -> dict[str, int] | None:
    """A start for each activity, none before the last has ended; ``None`` if that is no schedule here."""
    activities = {activity.name: activity for activity in problem.activities}
    starts: dict[str, int] = {}
    ends: dict[str, int] = {}
    values: dict[str, int] = {}
    now = 0
    for name in TopologicalSorter({a.name: a.predecessors for a in problem.activities}).static_order():
        activity = activities[name]
        late = any(now > ends.get(lag.after, now) + lag.at_most for lag in activity.max_lags)
        requires, sets = activity.requires, activity.sets
        if late or (requires is not None and values.get(requires.resource) != requires.value):
            return None
        if sets is not None:
            values[sets.resource] = sets.value
        starts[name], now = now, now + activity.duration
        ends[name] = now
    return None if problem.forbidden or problem.impossible else starts


def _plan(world: Any, starts: Mapping[str, int]) -> list[Any] | None:
    try:
        return list(world.plan(starts))
    except Refused:
        return None
