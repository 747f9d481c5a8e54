"""Levels of resources, such as the temperature of an oven, in a constraint model (see ``Activity``)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from backburner.kernel.scheduling import Activity, Level, Problem
from backburner.scheduling.plan import Schedule, users_of

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import BoolVarT, LiteralT


def sharing(problem: Problem, resource: str) -> list[tuple[Activity, Activity]]:
    """Pairs that may hold the resource together (see ``Activity.sets``); the second sets its level."""
    users = users_of(problem, resource)
    pairs = []
    for one, other in permutations(users, 2):
        level = other.sets
        if level is None or level.resource != resource or one.duration != other.duration:
            continue
        if one.sets == level or (_sets_nothing(one, resource) and one.attention == 0):
            pairs.append((one, other))
    return pairs


def _sets_nothing(activity: Activity, resource: str) -> bool:
    return activity.sets is None or activity.sets.resource != resource


def take_turns_or_share(
    plan: Schedule, users: Sequence[Activity], pairs: Sequence[tuple[Activity, Activity]]
) -> None:
    """Of two users one ends before the other starts, or both start together as ``pairs`` allow."""
    model = plan.model
    for one, other in combinations(users, 2):
        before = model.new_bool_var(f"{one.name} before {other.name}")
        behind = model.new_bool_var(f"{other.name} before {one.name}")
        model.add(plan.end[one.name] <= plan.start[other.name]).only_enforce_if(before)
        model.add(plan.end[other.name] <= plan.start[one.name]).only_enforce_if(behind)
        model.add_bool_or(before, behind, *_together(plan, one, other, pairs))


def _together(
    plan: Schedule, one: Activity, other: Activity, pairs: Sequence[tuple[Activity, Activity]]
) -> list[LiteralT]:
    """A literal for each way in which the two may start at once."""
    ways: list[LiteralT] = []
    for user, setter in pairs:
        if {user.name, setter.name} != {one.name, other.name}:
            continue
        way = plan.model.new_bool_var(f"{setter.name} with {user.name}")
        plan.model.add(plan.start[user.name] == plan.start[setter.name]).only_enforce_if(way)
        if user.sets != setter.sets and setter.sets is not None:
            is_at_level(plan, user, setter.sets, way)
        ways.append(way)
    return ways


def levels_are_as_needed(plan: Schedule) -> None:
    """An activity starts when its resource is at the level that it needs."""
    for activity in plan.problem.activities:
        if activity.needs is not None:
            is_at_level(plan, activity, activity.needs, plan.model.new_constant(1))


def is_at_level(plan: Schedule, activity: Activity, level: Level, condition: BoolVarT) -> None:
    """On this condition, some other activity has set the level, and nothing another one since then."""
    model, start, end = plan.model, plan.start, plan.end
    others = [a for a in plan.problem.activities if a.name != activity.name]
    by = {a.name: model.new_bool_var(f"{a.name} for {activity.name}") for a in others if a.sets == level}
    model.add_bool_or(~condition, *by.values())
    away = [a.name for a in others if a.sets and a.sets.resource == level.resource and a.sets != level]
    for name, chosen in by.items():
        model.add(end[name] <= start[activity.name]).only_enforce_if(chosen)
        for changed in away:
            earlier = model.new_bool_var(f"{changed} before {name}")
            model.add(end[changed] <= start[name]).only_enforce_if(earlier)
            model.add(start[changed] >= end[activity.name]).only_enforce_if(chosen, ~earlier)
