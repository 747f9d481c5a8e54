"""Necessary waiting as part of a schedule: idle intervals of the operator in which nothing could start.

The operator waits of necessity while no activity can be started. Only the end of an activity that
runs without the operator changes that, or a release. So necessary waiting comes in *waiting intervals*:
each lasts until such an activity ends (or several that end together) or something is released, and
nothing of that kind happens within it. The model has one interval, possibly empty, for each of these
activities and each release; throughout the interval, every activity must have a reason why it cannot be
started.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from backburner.kernel.schedule import Activity
from backburner.scheduling.model import ScheduleModel, users_of

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import BoolVarT, LinearExprT, LiteralT


def necessary_waiting(model: ScheduleModel, horizon: int) -> LinearExprT:
    """The length of all waiting intervals together, added to a model of schedules that end by ``horizon``."""
    activities = model.problem.activities
    intervals = [
        *(
            WaitingInterval(model, a.name, model.end[a.name], a.duration - a.operator_time, horizon)
            for a in unattended(activities)
        ),
        *(
            WaitingInterval(model, f"the release at {release}", release, release, horizon)
            for release in sorted({a.release for a in activities if 0 < a.release <= horizon})
        ),
    ]
    # The operator waits only while at no activity, and each unit of time belongs to one interval.
    model.cp.add_no_overlap([*model.operator, *(waiting.interval for waiting in intervals)])
    return sum(waiting.length for waiting in intervals)


def unattended(activities: Iterable[Activity]) -> list[Activity]:
    """Those that run on when the operator has turned away."""
    return [activity for activity in activities if activity.operator_time < activity.duration]


class WaitingInterval:
    """Necessary waiting up to a moment, for ``most`` at the longest; its ``length`` may be 0.

    Three literals for each activity: it ``started`` before the interval; it ``lasts``, ending no
    earlier than the interval; it ``runs`` throughout, which is both. They serve as reasons why
    something cannot start, so nothing is said about them when they are false.
    """

    def __init__(self, model: ScheduleModel, what: str, end: LinearExprT, most: int, horizon: int) -> None:
        self.model, self.end = model, end
        cp = model.cp
        begin = cp.new_int_var(0, horizon, f"begin of waiting for {what}")
        self.length = cp.new_int_var(0, most, f"waits for {what}")
        self.happens = cp.new_bool_var(f"waiting for {what}")
        self.interval = cp.new_optional_interval_var(begin, self.length, end, self.happens, "waiting")
        cp.add(self.length >= 1).only_enforce_if(self.happens)
        cp.add(self.length == 0).only_enforce_if(~self.happens)
        names = [activity.name for activity in model.problem.activities]
        self.started = {name: cp.new_bool_var(f"{name} started before") for name in names}
        self.lasts = {name: cp.new_bool_var(f"{name} not over yet") for name in names}
        self.runs = {name: cp.new_bool_var(f"{name} running") for name in names}
        for activity in model.problem.activities:
            name = activity.name
            left = model.start[name] + activity.operator_time
            cp.add(left <= begin).only_enforce_if(self.started[name], self.happens)
            cp.add(model.end[name] >= end).only_enforce_if(self.lasts[name], self.happens)
            cp.add_implication(self.runs[name], self.started[name])
            cp.add_implication(self.runs[name], self.lasts[name])
            self._cannot_start(activity)

    def _cannot_start(self, activity: Activity) -> None:
        """It was started before, or throughout it is not released, a predecessor is not over, or a resource
        is in use."""
        reasons: list[LiteralT] = [
            self.started[activity.name],
            *(self.lasts[name] for name in activity.predecessors),
        ]
        reasons += [self._in_use(resource, activity) for resource in dict.fromkeys(activity.resources)]
        if activity.release:
            unreleased = self.model.cp.new_bool_var(f"{activity.name} not released yet")
            self.model.cp.add(self.end <= activity.release).only_enforce_if(unreleased, self.happens)
            reasons.append(unreleased)
        self.model.cp.add_bool_or(~self.happens, *reasons)

    def _in_use(self, resource: str, wanted_by: Activity) -> BoolVarT:
        """A literal: if true, activities that run throughout leave too little of the resource."""
        problem = self.model.problem
        capacity = next(r.capacity for r in problem.resources if r.name == resource)
        others = [user for user in users_of(problem, resource) if user != wanted_by]
        held = sum(user.resources.count(resource) * self.runs[user.name] for user in others)
        too_little = self.model.cp.new_bool_var(f"{resource} in use")
        least = capacity - wanted_by.resources.count(resource) + 1
        self.model.cp.add(held >= least).only_enforce_if(too_little)
        return too_little
