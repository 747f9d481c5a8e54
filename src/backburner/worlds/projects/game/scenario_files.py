"""A user's scenario file, or the scenario of a record: read, and checked once; then the rules trust it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from backburner.kernel.files import Place, converted
from backburner.kernel.schedule import Problem
from backburner.kernel.values import filled, indented_json
from backburner.worlds.projects.game.scenarios import OwnActivity, OwnProblem, Scenario, ScenarioFile

FILE_TYPES = {"scenario": ScenarioFile}

MOST_PARTS = 5000
"""Steps of the grid in all activities that may be interrupted: the solver has a variable for each."""


def read_file(raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
    """(path, scenario) of a file's JSON; raises ``BadFile`` naming entry and field."""
    file = converted(raw, ScenarioFile, Place(source))
    check_scenario(file, Place(source))
    return file.id, filled(Scenario, file)


def file_of(problem: Problem, name: str) -> bytes:
    """The scenario file of a problem; ``name``: what it is, in a line.

    Raises ``BadFile`` naming activity and field for what cannot be played.
    """
    id = re.sub(r"[^A-Za-z0-9_.+-]+", "-", name).strip("-")[:200] or "project"
    posed = {**msgspec.to_builtins(problem), "space": "", "complete": True}
    told = {"world": "projects", "id": id, "name": name}
    file = converted({**told, "problem": posed}, ScenarioFile, Place(name))
    check_scenario(file, Place(name))
    return indented_json({**told, "problem": file.problem})


def check_scenario(scenario: Scenario, place: Place) -> None:
    """Raises ``BadFile`` for the first thing for which the problem could not be played."""
    problem, here = scenario.problem, place.at("problem")
    for field, why in _mistakes(problem):
        raise here.field(field).wrong(why)
    for where, activity in here.entries("activities", problem.activities):
        for field, why in _mistakes_of(activity, problem):
            raise where.field(field).wrong(why)
    never = _never_started(problem)
    for where, activity in here.entries("activities", problem.activities):
        if activity.name in never:
            raise where.wrong("it can never start: what sets a state that is required waits for it")


def _mistakes(problem: OwnProblem) -> Iterator[tuple[str, str]]:
    if problem.decision_ticks:
        yield "decision_ticks", "how long decisions take is said when it is played, and not in a file"
    for field in ("forbidden", "impossible"):
        if names := getattr(problem, field):
            yield field, f"{names[0]!r} can never be done, and so nobody can complete it"
    parts = sum(a.duration for a in problem.activities if a.preemptive) // problem.grid
    if parts > MOST_PARTS:
        yield "grid", f"{parts} steps of the grid can be interrupted; at most {MOST_PARTS} are allowed"
    folded = Counter(activity.name.casefold() for activity in problem.activities)
    if alike := [name for name, number in folded.items() if number > 1]:
        yield "activities", f"capitals alone tell activities called {alike[0]!r} apart"


def _mistakes_of(activity: OwnActivity, problem: OwnProblem) -> Iterator[tuple[str, str]]:
    if activity.name != " ".join(activity.name.split()):
        yield "name", "has blanks at its ends, or several in a row"
    whole, _, done = activity.name.rpartition("+")
    if done.isdecimal() and any(a.name == whole and a.preemptive for a in problem.activities):
        yield "name", f"this is the name of a piece of {whole!r}"
    if activity.operator_time > activity.duration:
        yield "operator_time", f"is more than the duration of {activity.duration}"
    by_hand = 0 < activity.duration == activity.operator_time
    if activity.preemptive and (not by_hand or activity.sets or activity.requires):
        yield "preemptive", "only what holds the operator throughout, and has no machine state, has pieces"
    lags = [("max_lags", lag.at_most) for lag in activity.max_lags]
    times = [(field, getattr(activity, field)) for field in ("duration", "operator_time", "release")]
    for field, value in (*times, *lags, ("deadline", activity.deadline or 0)):
        if value % problem.grid:
            yield field, f"{value} is no multiple of the grid of {problem.grid}"
    if activity.deadline is not None and activity.release + activity.duration > activity.deadline:
        yield "deadline", "it cannot end by then, whatever is done"
    capacity = {resource.name: resource.capacity for resource in problem.resources}
    for name, held in Counter(activity.resources).items():
        if held > capacity[name]:
            yield "resources", f"holds {held} units of {name!r}, of which there are {capacity[name]}"
        if not activity.duration:
            yield "resources", "what takes no time holds nothing"
    for field, state in (("sets", activity.sets), ("requires", activity.requires)):
        if state and (capacity[state.resource] > 1 or state.resource not in activity.resources):
            yield field, f"{state.resource!r} must be a resource of one unit that the activity holds"


def _never_started(problem: OwnProblem) -> set[str]:
    """What can never start, whatever is done."""
    begun: set[str] = set()
    left = list(problem.activities)
    while left:
        states = [a.sets for a in problem.activities if a.name in begun]
        new = {
            each.name
            for each in left
            if begun.issuperset(each.predecessors) and (each.requires is None or each.requires in states)
        }
        if not new:
            break
        begun |= new
        left = [each for each in left if each.name not in begun]
    return {each.name for each in left}
