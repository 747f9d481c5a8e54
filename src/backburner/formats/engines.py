"""Engines of unified-planning plan our problems, each in a process of its own that runs this module.

An engine is given the problem as ``up`` states it if its own declaration of features says that it plans such,
or else as durative actions of PDDL 2.1.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from backburner.formats import pddl
from backburner.formats.files import exported
from backburner.formats.json_files import read_problem
from backburner.formats.plans import Plan
from backburner.formats.up import to_up
from backburner.kernel.errors import Refused, needs_extra
from backburner.kernel.files import write_whole
from backburner.kernel.schedule import Problem

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
    stated = to_up(problem)
    return Task(stated.up, stated.starts)


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
    from unified_planning.shortcuts import AnytimePlanner, OneshotPlanner

    task = task_for(name, problem)
    if _engine(name).is_anytime_planner():
        with AnytimePlanner(name=name) as planner:
            for result in planner.get_solutions(task.up, timeout=seconds):
                yield _told(result, task)
    else:
        with OneshotPlanner(name=name) as planner:
            yield _told(planner.solve(task.up, timeout=seconds), task)


def _told(result: Any, task: Task) -> Plan:
    status = str(result.status.name)
    starts = None if result.plan is None else dict[str, float](task.starts(result.plan))
    return Plan(starts, proven=status == "SOLVED_OPTIMALLY", status=status.lower().replace("_", " "))


def main(name: str, seconds: str, problem: str, plan: str) -> None:
    """Write each plan for the problem in a file, the last one is the best."""
    best = Plan(status="it ends without a word")
    for found in planned(name, read_problem(Path(problem)), int(seconds)):
        if found.starts is not None or best.starts is None:
            best = found
            write_whole(Path(plan), msgspec.json.encode(best))


if __name__ == "__main__":
    main(*sys.argv[1:])
