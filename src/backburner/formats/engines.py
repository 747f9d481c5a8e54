"""Engines of unified-planning plan our problems, each in a process of its own that runs this module.

An engine is given the problem as ``up`` states it if its own declaration of features says that it plans such,
or else as durative actions of PDDL 2.1. A planning task is given to it as classical PDDL.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import gcd
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from backburner.formats import classical, pddl
from backburner.formats.coding import MOST_BYTES
from backburner.formats.files import Exported, exported
from backburner.formats.json_files import read_problem
from backburner.formats.plans import Plan
from backburner.formats.up import to_up
from backburner.kernel.errors import Refused, needs_extra
from backburner.kernel.files import read_text, write_whole
from backburner.kernel.schedule import Problem
from backburner.scheduling.preemption import without_preemption

ENGINES = ("aries", "enhsp", "fast-downward", "lpg", "pyperplan", "symk", "tamer")
"""Each comes in a package of its own, ``up-`` and its name."""


class Task(NamedTuple):
    """A problem as an engine is given it, and the ``starts`` that a plan of it means."""

    up: Any
    starts: Callable[[Any], Mapping[str, int]]


def task_for(name: str, problem: Problem) -> Task:
    """The problem as the engine plans it; raises ``Refused`` where it is not installed, or does not declare
    what the problem has, and ``MissingExtra``."""
    engine, missing = _engine(name), list[str]()
    for state in (_as_schedule, _as_actions):
        try:
            task = state(problem)
        except Refused as error:
            missing.append(str(error))
            continue
        if engine.supports(task.up.kind):
            return task
        task.up.clear_quality_metrics()  # some make a plan, and look for no short one
        if engine.supports(task.up.kind):
            return task
        lacking = sorted(task.up.kind.features - engine.supported_kind().features)
        missing.append(", ".join(word.lower().replace("_", " ") for word in lacking))
    lost = "; as actions: ".join(missing)
    raise Refused(f"engine {name} does not plan this problem. What it lacks, as a schedule: {lost}")


def _engine(name: str) -> Any:
    with needs_extra("formats", f"engine {name}"):
        from unified_planning.shortcuts import get_environment
    factory = get_environment().factory
    get_environment().credits_stream = None
    if name not in factory.engines:
        raise Refused(f"engine {name} is not installed: {sys.executable} -m pip install up-{name}")
    return factory.engine(name)


def _as_schedule(problem: Problem) -> Task:
    """Times are in the longest tick that divides them: Aries gives up shared resources over more than about
    15,000 ticks. What may be interrupted is in steps of its grid already."""
    if any(each.preemptive for each in problem.activities):
        stated = to_up(problem)
        return Task(stated.up, stated.starts)
    tick = _longest_tick(problem)
    coarse = to_up(without_preemption(replace(problem, grid=tick)).problem)
    return Task(coarse.up, lambda plan: {name: at * tick for name, at in coarse.starts(plan).items()})


def _longest_tick(problem: Problem) -> int:
    return (
        gcd(
            problem.decision_ticks,
            *(
                time or 0
                for each in problem.activities
                for time in (each.duration, each.operator_time, each.release, each.deadline)
            ),
            *(lag.at_most for each in problem.activities for lag in each.max_lags),
        )
        or 1
    )


def _as_actions(problem: Problem) -> Task:
    from unified_planning.io import PDDLReader

    files = exported(problem, "pddl2.1")
    texts = (content.decode() for content in (files.content, *files.beside.values()))

    def starts(plan: Any) -> Mapping[str, int]:
        lines = (f"{float(at):.6f}: ({one.action.name})" for at, one, _ in plan.timed_actions)
        return pddl.planned_starts("\n".join(lines), problem)

    return Task(PDDLReader().parse_problem_string(*texts), starts)


def planned(name: str, problem: Problem, seconds: int) -> Iterable[Plan]:
    """The plans of an engine, each better than the one before where it looks on."""
    task = task_for(name, problem)
    return (_told(result, task) for result in _results(name, task.up, seconds))


def _results(name: str, up: Any, seconds: int) -> Iterator[Any]:
    from unified_planning.shortcuts import AnytimePlanner, OneshotPlanner

    if _engine(name).is_anytime_planner():
        with AnytimePlanner(name=name) as planner:
            yield from planner.get_solutions(up, timeout=seconds)
    else:
        with OneshotPlanner(name=name) as planner:
            yield planner.solve(up, timeout=seconds)


def classical_for(name: str, files: Exported) -> Any:
    """A planning task as the engine is given it; raises like ``task_for``."""
    engine = _engine(name)
    from unified_planning.io import PDDLReader

    texts = (content.decode() for content in (files.content, *files.beside.values()))
    up = PDDLReader().parse_problem_string(*texts)
    if not engine.supports(up.kind):
        lacking = sorted(up.kind.features - engine.supported_kind().features)
        what = ", ".join(word.lower().replace("_", " ") for word in lacking)
        raise Refused(f"engine {name} does not plan this task. What it lacks: {what}")
    return up


def planned_actions(name: str, files: Exported, seconds: int) -> Iterator[str]:
    """The plans of an engine for a planning task, as planners write them, each better than the one before."""
    for result in _results(name, classical_for(name, files), seconds):
        if result.plan is None:
            yield f"; {result.status.name.lower().replace('_', ' ')}\n"
            continue
        words = ((one.action.name, *map(str, one.actual_parameters)) for one in result.plan.actions)
        proven = f"; {classical.PROVEN}\n" * (result.status.name == "SOLVED_OPTIMALLY")
        yield "".join((proven, *(f"({' '.join(each)})\n" for each in words)))


def _told(result: Any, task: Task) -> Plan:
    status = str(result.status.name)
    starts = None if result.plan is None else dict[str, float](task.starts(result.plan))
    return Plan(starts, proven=status == "SOLVED_OPTIMALLY", status=status.lower().replace("_", " "))


def main(name: str, seconds: str, problem: str, plan: str, domain: str = "") -> None:
    """Write each plan for the problem in a file, or for the task of a domain; the last one is the best."""
    if domain:
        texts = (read_text(Path(file), MOST_BYTES).encode() for file in (domain, problem))
        content, task = texts
        for text in planned_actions(name, Exported(content, (), {classical.PROBLEM: task}), int(seconds)):
            write_whole(Path(plan), text.encode())
        return
    best = Plan(status="it ends without a word")
    for found in planned(name, read_problem(Path(problem)), int(seconds)):
        if found.starts is not None or best.starts is None:
            best = found
            write_whole(Path(plan), msgspec.json.encode(best))


if __name__ == "__main__":
    main(*sys.argv[1:])
