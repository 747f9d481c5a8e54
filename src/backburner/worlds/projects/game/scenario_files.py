"""A user's scenario file, or the scenario of a record: read, and checked once; then the rules trust it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from backburner.kernel.files import Place, converted
from backburner.kernel.schedule import MachineState, Problem
from backburner.kernel.values import filled, indented_json
from backburner.worlds.projects.game.scenarios import OwnActivity, OwnProblem, Scenario, ScenarioFile

FILE_TYPES = {"scenario": ScenarioFile}

MOST_PARTS = 5000
"""Steps of the grid in all activities that may be interrupted: the solver has a variable for each."""


def read_file(raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
    """(path, scenario) of a file's JSON; raises ``BadFile`` naming entry and field."""
    file = converted(raw, ScenarioFile, Place(source))
    scenario = filled(Scenario, file)
    check_scenario(scenario, Place(source))
    return file.id, scenario


def file_of(problem: Problem, name: str) -> bytes:
    """The scenario file of a problem; ``name``: what it is, in a line.

    Raises ``BadFile`` naming activity and field for what cannot be played.
    """
    id = re.sub(r"[^A-Za-z0-9_.+-]+", "-", name).strip("-")[:200] or "project"
    fields = {"world": "projects", "id": id, "name": name, "problem": msgspec.to_builtins(problem)}
    fields["problem"] |= {"space": "", "complete": True}
    file = converted(fields, ScenarioFile, Place(name))
    check_scenario(filled(Scenario, file), Place(name))
    return indented_json(file)


def check_scenario(scenario: Scenario, place: Place) -> None:
    """Raises ``BadFile`` for the first thing for which the problem could not be played."""
    problem, here = scenario.problem, place.at("problem")
    if problem.decision_ticks:
        why = "decisions take no time in a file; how long they take is said when it is played"
        raise here.field("decision_ticks").wrong(why)
    for field in ("forbidden", "impossible"):
        if names := getattr(problem, field):
            raise here.field(field).wrong(f"{names[0]!r} can never be done, and so nobody can complete it")
    parts = sum(a.duration for a in problem.activities if a.preemptive) // problem.grid
    if parts > MOST_PARTS:
        why = f"{parts} steps of the grid can be interrupted; at most {MOST_PARTS} are allowed"
        raise here.field("grid").wrong(why)
    checks = _Checks(problem)
    for where, activity in here.entries("activities", problem.activities):
        checks.activity(activity, where)
    never = checks.never_started()
    if never is not None:
        index = problem.activities.index(never)
        why = "it can never start: what sets the state that it, or a predecessor, requires waits for it"
        raise here.entry("activities", index, never.name).wrong(why)


class _Checks:
    def __init__(self, problem: OwnProblem) -> None:
        self.problem = problem
        self.capacity = {resource.name: resource.capacity for resource in problem.resources}
        self.spelled: dict[str, str] = {}
        self.preemptive = {activity.name for activity in problem.activities if activity.preemptive}

    def activity(self, activity: OwnActivity, where: Place) -> None:
        self._name(activity.name, where)
        if activity.operator_time > activity.duration:
            raise where.field("operator_time").wrong(f"is more than the duration of {activity.duration}")
        by_hand = 0 < activity.duration == activity.operator_time
        if activity.preemptive and (not by_hand or activity.sets or activity.requires):
            why = "only what holds the operator throughout, and has no machine state, can be interrupted"
            raise where.field("preemptive").wrong(why)
        for field, value in _times(activity):
            if value % self.problem.grid:
                raise where.field(field).wrong(f"{value} is no multiple of the grid of {self.problem.grid}")
        self._resources(activity, where)
        if activity.deadline is not None and activity.release + activity.duration > activity.deadline:
            raise where.field("deadline").wrong("it cannot end by then, whatever is done")

    def _name(self, name: str, where: Place) -> None:
        if name != " ".join(name.split()):
            raise where.field("name").wrong("has blanks at its ends, or several in a row")
        if (other := self.spelled.setdefault(name.casefold(), name)) != name:
            raise where.field("name").wrong(f"capitals alone tell it from {other!r}")
        whole, plus, done = name.rpartition("+")
        if plus and whole in self.preemptive and done.isdecimal():
            raise where.field("name").wrong(f"this is the name of a piece of {whole!r}")

    def _resources(self, activity: OwnActivity, where: Place) -> None:
        for name in activity.resources:
            held = activity.resources.count(name)
            if held > self.capacity[name]:
                why = f"holds {held} units of {name!r}, of which there are {self.capacity[name]}"
                raise where.field("resources").wrong(why)
            if not activity.duration:
                raise where.field("resources").wrong("what takes no time holds nothing")
        for field, state in (("sets", activity.sets), ("requires", activity.requires)):
            if state is None:
                continue
            if self.capacity[state.resource] > 1 or state.resource not in activity.resources:
                why = f"names {state.resource!r}; it must be a resource of one unit that the activity holds"
                raise where.field(field).wrong(why)

    def never_started(self) -> OwnActivity | None:
        """What can never start, whatever is done; ``None`` if there is no such thing."""
        begun: dict[str, OwnActivity] = {}
        left = list(self.problem.activities)
        while left:
            new = [
                each
                for each in left
                if all(name in begun for name in each.predecessors)
                and (each.requires is None or _is_set(each.requires, begun))
            ]
            if not new:
                return left[0]
            begun |= {each.name: each for each in new}
            left = [each for each in left if each.name not in begun]
        return None


def _is_set(state: MachineState, by: Mapping[str, OwnActivity]) -> bool:
    return any(
        setup.sets is not None and (setup.sets.resource, setup.sets.value) == (state.resource, state.value)
        for setup in by.values()
    )


def _times(activity: OwnActivity) -> Iterator[tuple[str, int]]:
    for field in ("duration", "operator_time", "release"):
        yield field, getattr(activity, field)
    yield from (("max_lags", lag.at_most) for lag in activity.max_lags)
    if activity.deadline is not None:
        yield "deadline", activity.deadline
