"""PDDL 2.1: a problem as durative actions, in a domain and a problem file, and plans back as starts.

Each activity is an action without parameters that is done once. An operator who works at it for a while only
is given back by a second action, ``free-a1``, which begins after it: later is never better, so that the best
plan has the least makespan. A resource of one unit is a fact, others are levels. Planners put a little time
between actions that depend on each other, so that times are rounded down. Windows are literals that change
at a time (PDDL 2.2).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from backburner.formats.coding import MOST_BYTES, Coded, coded
from backburner.kernel.errors import Refused
from backburner.kernel.files import Place, converted, decoded, read_text
from backburner.kernel.schedule import Activity, Problem, check_problem

_OURS = "; backburner = "
"""Begins the line of our JSON of the problem, which is believed where all else is what we write for it."""


def write_domain(own: Coded) -> bytes:
    """The domain: an action for each activity, and the names as comments."""
    activities = own.problem.activities
    late = [f"(released-{each.name})" for each in activities if each.release]
    due = [f"(open-{each.name})" for each in activities if each.deadline is not None]
    facts = [*(f"({what}-{each.name})" for each in activities for what in ("todo", "done")), *late, *due]
    begun = [f"(begun-{each.name})" for each in activities if _gives_back(each)]
    units, levels = free_units(own.problem), free_levels(own.problem)
    lines = [
        *own.comments(";"),
        f"{_OURS}{_ascii(own.original)}",
        "(define (domain project)",
        "  (:requirements :strips :durative-actions :fluents :timed-initial-literals)",
        f"  (:predicates (operator) {' '.join((*facts, *begun, *units))})",
        *([f"  (:functions {' '.join(levels)})"] if levels else []),
    ]
    return "\n".join(
        (*lines, *(line for each in activities for line in _action(each, own.problem)), ")\n")
    ).encode()


def refuse(own: Coded) -> bytes:
    """Classical PDDL has no time."""
    raise Refused(
        "--format pddl is for planning tasks, and this is a scheduling problem: pddl2.1 has its time"
    )


def _ascii(problem: Problem) -> str:
    return json.dumps(msgspec.to_builtins(problem))


def _free(resource: str) -> str:
    return f"(free-{resource})"


def free_units(problem: Problem) -> list[str]:
    """The facts that resources of one unit are free."""
    return [_free(each.name) for each in problem.resources if each.capacity == 1]


def free_levels(problem: Problem) -> dict[str, int]:
    """How many units of other resources are free, and of how many."""
    return {_free(each.name): each.capacity for each in problem.resources if each.capacity > 1}


def holdings(activity: Activity, problem: Problem) -> Iterator[tuple[str, str, str, str]]:
    """Each resource that it holds, and in PDDL that enough is free, is taken, and is given back."""
    levels = free_levels(problem)
    for each, n in Counter(activity.resources).items():
        if (free := _free(each)) in levels:
            yield each, f"(>= {free} {n})", f"(decrease {free} {n})", f"(increase {free} {n})"
        else:
            yield each, free, f"(not {free})", free


def _gives_back(activity: Activity) -> bool:
    return 0 < activity.operator_time < activity.duration


def _action(activity: Activity, problem: Problem) -> Iterator[str]:
    name = activity.name
    when = [f"(at start (todo-{name}))", "(at start (operator))"]
    when += [f"(at start (done-{before}))" for before in activity.predecessors]
    when += [f"(at start (released-{name}))"] if activity.release else []
    when += [f"(at end (open-{name}))"] if activity.deadline is not None else []
    then = [f"(at start (not (todo-{name})))", f"(at end (done-{name}))"]
    then += ["(at start (not (operator)))"] if activity.operator_time else []
    if _gives_back(activity):
        then.append(f"(at start (begun-{name}))")
    elif activity.operator_time:
        then.append("(at end (operator))")
    for _, is_free, takes, gives in holdings(activity, problem):
        when.append(f"(at start {is_free})")
        then += [f"(at start {takes})", f"(at end {gives})"]
    yield from _durative(name, activity.duration, when, then)
    if _gives_back(activity):
        begun = [f"(at start (begun-{name}))"]
        freed = [f"(at start (not (begun-{name})))", "(at end (operator))"]
        yield from _durative(f"free-{name}", activity.operator_time, begun, freed)


def _durative(name: str, duration: int, when: list[str], then: list[str]) -> Iterator[str]:
    yield f"  (:durative-action {name} :parameters () :duration (= ?duration {duration})"
    yield f"    :condition (and {' '.join(when)})"
    yield f"    :effect (and {' '.join(then)}))"


def write_task(own: Coded) -> bytes:
    """The problem file: what is true in the beginning and later, and that everything is to be done."""
    windows = list[str]()
    for each in own.problem.activities:
        windows += [f"(at {each.release} (released-{each.name}))"] if each.release else []
        if each.deadline is not None:  # whoever ends then is still in time
            windows += [f"(open-{each.name})", f"(at {each.deadline}.5 (not (open-{each.name})))"]
    return problem_file(own.problem, windows, "(total-time)")


def problem_file(problem: Problem, more: Iterable[str], metric: str) -> bytes:
    """A problem file: nothing is done, all is free, and ``more``; everything is to be done."""
    free = {_free(each.name): each.capacity for each in problem.resources}
    init = ["(operator)", *(f"(todo-{each.name})" for each in problem.activities)]
    init += [each if n == 1 else f"(= {each} {n})" for each, n in free.items()]
    goal = " ".join(f"(done-{each.name})" for each in problem.activities)
    return (
        "(define (problem one) (:domain project)\n"
        f"  (:init {' '.join((*init, *more))})\n  (:goal (and {goal}))\n  (:metric minimize {metric}))\n"
    ).encode()


# --- back --------------------------------------------------------------------------------------------------


def read_domain(path: Path, item: str = "") -> Problem:
    """The problem of a domain that was exported; raises ``BadFile``, and ``Refused`` for any other domain."""
    text = read_text(path, MOST_BYTES)
    for line in text.splitlines():
        if line.startswith(_OURS):
            place = Place(str(path))
            raw = decoded(line.removeprefix(_OURS).encode(), path)
            problem = check_problem(converted(raw, Problem, place), place)
            if write_domain(coded(problem)).split() == text.encode().split():
                return problem
    raise Refused(f"{path}: a domain of PDDL is read only as backburner writes it")


_PLANNED = re.compile(r"^[ \t]*(\d{1,9}(?:\.\d{1,20})?)[ \t]*:[ \t]*\([ \t]*(a\d{1,6})[ \t]*\)", re.M | re.I)


def planned_starts(plan: str, problem: Problem) -> dict[str, int]:
    """The starts in a plan as planners write it (``5.001: (a2) [3.0]``), by the names of the problem; raises
    ``Refused`` unless each activity starts once."""
    names: Mapping[str, str] = coded(problem).names
    found = [
        (names.get(action.lower(), action), int(float(time) + 0.001))
        for time, action in _PLANNED.findall(plan)
    ]
    starts = dict(found)
    if len(found) != len(starts) or starts.keys() != {each.name for each in problem.activities}:
        raise Refused(f"no plan of this problem: {len(found)} starts of {len(problem.activities)} activities")
    return starts
