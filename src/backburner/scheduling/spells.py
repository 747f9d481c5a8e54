"""Necessary waiting as part of a schedule: the constraint model behind ``waits``.

While nothing can be started, the agent waits until a background action ends. So necessary waits come
in *spells*, each of which ends with a background action (with any one of several that end together),
and nothing ends within a spell. The model has one spell, possibly empty, for each background action;
throughout it, every action must have an excuse for not being started.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from backburner.kernel.scheduling import Activity
from backburner.scheduling.plan import Schedule, users_of

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import BoolVarT, LinearExprT


def necessary_waits(plan: Schedule, horizon: int) -> LinearExprT:
    """Adds spells to the model of a plan that ends by ``horizon``; their minutes together."""
    spells = [Spell(plan, activity, horizon) for activity in background(plan.problem.activities)]
    # The agent waits only while it attends to nothing, and each minute belongs to one spell.
    plan.model.add_no_overlap([*plan.attention, *(spell.interval for spell in spells)])
    return sum(spell.minutes for spell in spells)


def background(activities: Iterable[Activity]) -> list[Activity]:
    """Those that go on when the agent has turned away."""
    return [activity for activity in activities if activity.attention < activity.duration]


class Spell:
    """Necessary waiting that ends with the end of one background action; ``minutes`` may be 0.

    Three literals for each action: it was ``started`` before the spell; it is ``lasting``, ending no
    earlier than the spell does; it is ``running`` all along, which is both. They are excuses: nothing
    is said about them when they are false.
    """

    def __init__(self, plan: Schedule, last: Activity, horizon: int) -> None:
        self.plan = plan
        model, end = plan.model, plan.end[last.name]
        begin = model.new_int_var(0, horizon, f"begin of waiting for {last.name}")
        self.minutes = model.new_int_var(0, last.duration - last.attention, f"waits for {last.name}")
        self.happens = model.new_bool_var(f"waiting for {last.name}")
        self.interval = model.new_optional_interval_var(begin, self.minutes, end, self.happens, "waiting")
        model.add(self.minutes >= 1).only_enforce_if(self.happens)
        model.add(self.minutes == 0).only_enforce_if(~self.happens)
        names = [activity.name for activity in plan.problem.activities]
        self.started = {name: model.new_bool_var(f"{name} started before") for name in names}
        self.lasting = {name: model.new_bool_var(f"{name} not over yet") for name in names}
        self.running = {name: model.new_bool_var(f"{name} running") for name in names}
        for activity in plan.problem.activities:
            name = activity.name
            attended = plan.start[name] + activity.attention
            model.add(attended <= begin).only_enforce_if(self.started[name], self.happens)
            model.add(plan.end[name] >= end).only_enforce_if(self.lasting[name], self.happens)
            model.add_implication(self.running[name], self.started[name])
            model.add_implication(self.running[name], self.lasting[name])
            self._cannot_start(activity)

    def _cannot_start(self, activity: Activity) -> None:
        """The action has been started, lacks a need all along, or lacks a free thing all along."""
        lacking = [self.lasting[name] for name in activity.after]
        in_use = [self._in_use(resource, activity) for resource in dict.fromkeys(activity.resources)]
        self.plan.model.add_bool_or(~self.happens, self.started[activity.name], *lacking, *in_use)

    def _in_use(self, resource: str, wanted_by: Activity) -> BoolVarT:
        """A literal: if true, actions that run all along leave too little of the resource."""
        problem = self.plan.problem
        capacity = next(r.capacity for r in problem.resources if r.name == resource)
        others = [user for user in users_of(problem, resource) if user != wanted_by]
        held = sum(user.resources.count(resource) * self.running[user.name] for user in others)
        too_little = self.plan.model.new_bool_var(f"{resource} in use")
        least = capacity - wanted_by.resources.count(resource) + 1
        self.plan.model.add(held >= least).only_enforce_if(too_little)
        return too_little
