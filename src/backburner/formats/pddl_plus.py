"""PDDL+: a problem as actions that start activities, a process that is the clock, and events that end them.

An action reads the clock for windows and lags, takes what its activity holds, and writes down when that ends;
the events of that moment give back. So an end is before the starts of the same tick, and those follow one
another: what needs no operator is before whose work he begins. Where starts take thoughts, ``think-a1`` holds
the operator until ``a1``. The clock is to be moved in whole ticks: who keeps all things a little apart knows
no two starts at one moment, and no lag of 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from backburner.formats.coding import Coded
from backburner.formats.pddl import free_levels, free_units, holdings, problem_file
from backburner.kernel.schedule import Activity, Problem
from backburner.scheduling.model import shared_setups

NO_STATE = 1_000_001
"""The state of machines at first, which no activity may set or require."""


def write_domain(own: Coded) -> bytes:
    """The domain: an action for each activity, the clock, an event for each end, and names as comments."""
    problem, names = own.problem, [each.name for each in own.problem.activities]
    facts = [f"({what}-{name})" for name in names for what in ("todo", "running", "done")]
    thinking = [f"(thinking-{name})" for name in names if problem.decision_ticks]
    lines = [
        *own.comments(";"),
        "(define (domain project)",
        "  (:requirements :strips :fluents :negative-preconditions :disjunctive-preconditions :time)",
        f"  (:predicates (operator) (working) {' '.join((*facts, *thinking, *free_units(problem)))})",
        f"  (:functions {' '.join((*_counts(problem), *free_levels(problem)))})",
        *(line for each in problem.activities for line in _start(each, problem)),
        *_said("process time", ["(>= (clock) 0)"], ["(increase (clock) (* #t 1))"]),
        *_said("event rest", ["(working)", "(>= (clock) (free-at))"], ["(not (working))", "(operator)"]),
        *(line for each in problem.activities if each.duration for line in _end(each, problem)),
    ]
    return "\n".join((*lines, ")\n")).encode()


def write_task(own: Coded) -> bytes:
    """The problem file: at time 0 all is to be done."""
    counts = (f"(= {name} {value})" for name, value in _counts(own.problem).items())
    return problem_file(own.problem, counts, "(clock)")


def _counts(problem: Problem) -> dict[str, int]:
    """The clock, what is read on it, and the states of machines, with their first values."""
    states = [state for each in problem.activities for state in (each.sets, each.requires) if state]
    times = ("(clock)", "(free-at)", *(f"(ends-{each.name})" for each in problem.activities))
    return dict.fromkeys(times, 0) | {f"(state-{state.resource})": NO_STATE for state in states}


def _said(what: str, when: Iterable[str], then: Iterable[str]) -> Iterator[str]:
    yield f"  (:{what} :parameters ()"
    yield f"    :precondition (and {' '.join(when)})"
    yield f"    :effect (and {' '.join(then)}))"


def _start(activity: Activity, problem: Problem) -> Iterator[str]:
    name, thought, works = activity.name, problem.decision_ticks, activity.operator_time
    when = [f"(todo-{name})", *_in_time(activity)]
    then = [f"(not (todo-{name}))", f"(assign (ends-{name}) {_later(activity.duration)})"]
    then.append(f"({'running' if activity.duration else 'done'}-{name})")
    if thought:
        thinks = ["(not (operator))", f"(thinking-{name})", f"(assign (free-at) {_later(thought)})"]
        yield from _said(f"action think-{name}", [f"(todo-{name})", "(operator)"], thinks)
        when += [f"(thinking-{name})", "(>= (clock) (free-at))"]
        then.append(f"(not (thinking-{name}))")
    else:
        when.append("(operator)")
    if works:
        then += ["(not (operator))", "(working)", f"(assign (free-at) {_later(works)})"]
    elif thought:
        then.append("(operator)")
    if state := activity.requires:
        when.append(f"(= (state-{state.resource}) {state.value})")
    if state := activity.sets:
        then.append(f"(assign (state-{state.resource}) {state.value})")
    for resource, is_free, takes, _ in holdings(activity, problem):
        if activity.duration:
            ways = [is_free, *_joining(activity, resource, problem)]
            when.append(f"(or {' '.join(ways)})" if len(ways) > 1 else is_free)
            then.append(takes)
        elif is_free in free_units(problem):  # for no time, and not within another's
            when.append(is_free)
    yield from _said(f"action {name}", when, then)


def _later(ticks: int) -> str:
    return f"(+ (clock) {ticks})"


def _in_time(activity: Activity) -> Iterator[str]:
    """Windows, precedence and maximum lags, which bind nothing as long as the other one is not begun."""
    yield from (f"(done-{before})" for before in activity.predecessors)
    if activity.release:
        yield f"(>= (clock) {activity.release})"
    if activity.deadline is not None:
        yield f"(<= {_later(activity.duration)} {activity.deadline})"
    for lag in activity.max_lags:
        kept = f"(<= (clock) (+ (ends-{lag.after}) {lag.at_most}))"
        yield kept if lag.after in activity.predecessors else f"(or (todo-{lag.after}) {kept})"


def _joining(setup: Activity, resource: str, problem: Problem) -> Iterator[str]:
    """The ways in which a setup joins an activity at a machine: that is in its state already, and the other
    has begun in this tick and is as long. See ``Activity.sets``."""
    if setup.sets is None or setup.sets.resource != resource:
        return
    for user, other in shared_setups(problem, resource):
        if other is setup:
            now = f"(= (ends-{user.name}) {_later(setup.duration)})"
            yield f"(and (= (state-{resource}) {setup.sets.value}) {now})"


def _end(activity: Activity, problem: Problem) -> Iterator[str]:
    name = activity.name
    when = [f"(running-{name})", f"(>= (clock) (ends-{name}))"]
    gives = (gives for _, _, _, gives in holdings(activity, problem))
    yield from _said(f"event end-{name}", when, [f"(not (running-{name}))", f"(done-{name})", *gives])
