"""Formats of the field's instances: job shops as JSPLIB has them, and projects as PSPLIB has them.

Both know no operator. In a job shop a line is a job: pairs of a machine and a processing time. A project has
activities between a source and a sink of no length, with demands for resources, in a file of PSPLIB
(``.sm``; with modes ``.mm``), of Patterson (``.rcp``, numbers alone) or with lags between starts (RCPSP/max,
``.sch``). The library ``psplib`` reads the last three; its extra is ``formats``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from backburner.formats.coding import (
    ALL_STARTS,
    MOST_BYTES,
    MOST_UNITS,
    Coded,
    Table,
    restored,
    table_of,
    whole_numbers,
)
from backburner.formats.lags import BEGINNING, StartLags
from backburner.kernel.errors import BadFile, Refused, needs_extra
from backburner.kernel.files import read_text
from backburner.kernel.schedule import Activity, Problem, Resource

# --- job shops ----------------------------------------------------------------------------------------------


def write_jobs(coded: Coded) -> bytes:
    """A job shop; raises ``Refused`` for what is none: each job visits each machine once, in a chain."""
    machines = {each.name: number for number, each in enumerate(coded.problem.resources)}
    jobs = list(_chains(coded))
    for job in jobs:
        visited = [name for activity in job for name in activity.resources]
        if sorted(visited) != sorted(machines) or any(len(each.resources) != 1 for each in job):
            first = coded.names[job[0].name]
            raise Refused(f"no job shop: the job that begins with {first!r} does not visit each machine once")
    in_rows = {activity.name: f"a{n}" for n, activity in enumerate((each for job in jobs for each in job), 1)}
    names = {in_rows.get(code, code): name for code, name in coded.names.items()}
    rows = ["  ".join(f"{machines[each.resources[0]]} {each.duration}" for each in job) for job in jobs]
    return _text(*coded._replace(names=names).comments("#"), f"{len(jobs)} {len(machines)}", *rows)


def _chains(coded: Coded) -> Iterator[list[Activity]]:
    """The jobs, each in the order of its activities; raises ``Refused`` where they are no chains."""
    after: dict[str, list[Activity]] = defaultdict(list)
    for each in coded.problem.activities:
        for before in each.predecessors or ("",):
            after[before].append(each)
    for first in after[""]:
        job = [first]
        while following := after[job[-1].name]:
            job += following[:1]
            if len(following) > 1 or len(job[-1].predecessors) > 1:
                raise Refused(f"no job shop: {coded.names[job[-2].name]!r} is in no chain")
        yield job


def read_jobs(path: Path, item: str = "") -> Problem:
    """A job shop; raises ``BadFile``."""
    text = read_text(path, MOST_BYTES)
    lines = [(f"line {n}", line.split()) for n, line in enumerate(text.splitlines(), 1)]
    lines = [(where, words) for where, words in lines if words and not words[0].startswith("#")]
    if not lines or len(lines[0][1]) != 2:
        raise BadFile(path, "", "no job shop: the first line says how many jobs and machines there are")
    n_jobs, n_machines = whole_numbers(lines[0][1], path, lines[0][0])
    if n_machines < 1:
        raise BadFile(path, lines[0][0], f"{n_machines} machines are announced")
    if not n_jobs or n_jobs != len(lines) - 1:
        raise BadFile(path, lines[0][0], f"{n_jobs} jobs are announced, {len(lines) - 1} lines follow")
    names: dict[str, str] = {}
    activities: list[Activity] = []
    for job, (where, words) in enumerate(lines[1:]):
        values = whole_numbers(words, path, where)
        if len(values) != 2 * n_machines or not set(values[::2]) <= set(range(n_machines)):
            raise BadFile(path, where, f"{n_machines} pairs of a machine and a time are needed")
        for step, (machine, time) in enumerate(zip(values[::2], values[1::2], strict=True)):
            before = (activities[-1].name,) if step else ()
            activities.append(Activity(f"a{len(activities) + 1}", time, 0, before, (f"r{machine + 1}",)))
            names[activities[-1].name] = f"job {job} step {step}"
    names |= {f"r{number + 1}": f"machine {number}" for number in range(n_machines)}
    resources = tuple(Resource(f"r{number + 1}") for number in range(n_machines))
    head, own = table_of(text, path)
    return restored(
        Problem("steps", tuple(activities), resources, ALL_STARTS), Table(head, names | {**own}), path
    )


# --- projects ----------------------------------------------------------------------------------------------

OPERATOR = "the operator"


class _Project:
    """A problem as PSPLIB has it: releases are activities of their own, the operator is one more resource."""

    def __init__(self, coded: Coded) -> None:
        problem = coded.problem
        self.resources = [(each.name, each.capacity) for each in problem.resources]
        by_hand = any(each.operator_time for each in problem.activities)
        self.operator = f"r{len(self.resources) + 1}" if by_hand else ""
        if by_hand or not self.resources:  # without any resource, readers stumble
            self.resources.append((f"r{len(self.resources) + 1}", 1))
        late = [each for each in problem.activities if each.release]
        waits = {each.name: f"a{n}" for n, each in enumerate(late, len(problem.activities) + 1)}
        self.names = {code: f"release of {coded.names[name]}" for name, code in waits.items()}
        self.activities = [
            *(
                replace(e, predecessors=(*e.predecessors, *([waits[e.name]] if e.release else ())))
                for e in problem.activities
            ),
            *(Activity(waits[each.name], each.release, 0) for each in late),
        ]
        number = {each.name: n for n, each in enumerate(self.activities, 2)}
        after: dict[str, list[int]] = defaultdict(list)
        for each in self.activities:
            for before in dict.fromkeys(each.predecessors):
                after[before].append(number[each.name])
        last = len(self.activities) + 2
        first = [number[each.name] for each in self.activities if not each.predecessors]
        self.rows = [
            (0, [0] * len(self.resources), first),
            *((e.duration, self._demands(e), sorted(after[e.name]) or [last]) for e in self.activities),
            (0, [0] * len(self.resources), []),
        ]  # fmt: skip
        """(duration, demands, successors) of each, source and sink among them."""

    def _demands(self, activity: Activity) -> list[int]:
        works = {self.operator: 1} if activity.operator_time else {}
        return [activity.resources.count(name) + works.get(name, 0) for name, _ in self.resources]


def write_project(coded: Coded) -> bytes:
    """A project as PSPLIB has it; the table of names follows behind the last line that is read."""
    project = _Project(coded)
    names, stars = [f"R {n}" for n in range(1, len(project.resources) + 1)], "*" * 72
    horizon = sum(duration for duration, _, _ in project.rows)
    return _text(
        stars, "file with basedata            : backburner", "initial value random generator: 0", stars,
        "projects                      :  1", f"jobs (incl. supersource/sink ):  {len(project.rows)}",
        f"horizon                       :  {horizon}", "RESOURCES",
        f"  - renewable                 :  {len(names)}   R",
        "  - nonrenewable              :  0   N", "  - doubly constrained        :  0   D", stars,
        "PROJECT INFORMATION:", "pronr.  #jobs rel.date duedate tardcost  MPM-Time",
        f"    1     {len(project.rows) - 2}      0       {horizon}        0       0", stars,
        "PRECEDENCE RELATIONS:", "jobnr.    #modes  #successors   successors",
        *(_row(n, 1, len(after), *after) for n, (_, _, after) in enumerate(project.rows, 1)), stars,
        "REQUESTS/DURATIONS:", f"jobnr. mode duration  {'  '.join(names)}", "-" * 72,
        *(_row(n, 1, length, *demands) for n, (length, demands, _) in enumerate(project.rows, 1)), stars,
        "RESOURCEAVAILABILITIES:", f"  {'  '.join(names)}", _row(*(n for _, n in project.resources)), stars,
        *coded._replace(names={**coded.names, **project.names}).comments("*", project.operator),
    )  # fmt: skip


def write_patterson(coded: Coded) -> bytes:
    """A project as Patterson has it: numbers alone, so that names are lost."""
    project = _Project(coded)
    rows = (_row(length, *demands, len(after), *after) for length, demands, after in project.rows)
    head = _row(len(project.rows), len(project.resources))
    return _text(head, _row(*(n for _, n in project.resources)), *rows)


def _row(*values: int) -> str:
    return "".join(f"{value:>6}" for value in values)


def _text(*lines: str) -> bytes:
    return ("\n".join(lines) + "\n").encode()


LAYOUTS: Mapping[str, str] = {".sm": "psplib", ".mm": "psplib", ".rcp": "patterson", ".sch": "rcpsp_max"}
"""What the library calls the layout of each kind of file."""


def read_project(path: Path, item: str = "") -> Problem:
    """A project, by the end of its file's name; raises ``BadFile``, and ``Refused`` for choices of modes."""
    with needs_extra("formats", f"a file of PSPLIB ({path})"):
        import psplib
    layout = LAYOUTS.get(path.suffix.lower())
    if layout is None:
        raise Refused(f"{path}: a file of PSPLIB is read by its ending, one of {', '.join(LAYOUTS)}")
    text = read_text(path, MOST_BYTES)
    try:
        found = psplib.parse(path, layout)
    except (ValueError, IndexError, StopIteration, TypeError) as error:
        why = str(error) or "it ends too early"
        raise BadFile(path, "", f"not what a file {path.suffix} holds: {why}") from error
    head, names = table_of(text, path)
    return restored(_parsed(found, path), Table(head, names), path)


def _parsed(found: Any, path: Path) -> Problem:
    """A project that the library has read: activity n is called a(n), the source is the beginning."""
    for n, activity in enumerate(found.activities, 1):
        if len(activity.modes) != 1:
            raise Refused(f"{path}: activity {n} has {len(activity.modes)} modes; a problem of ours has one")
    modes = [activity.modes[0] for activity in found.activities]
    if not modes or modes[0].duration or any(modes[0].demands):
        raise BadFile(path, "the first activity", "is no source: it takes time or resources")
    if not all(0 <= to < len(modes) for each in found.activities for to in each.successors):
        raise BadFile(path, "successors", "an activity that is not there")
    capacities = _renewable(found.resources, modes, path)
    held = [tuple(f"r{k + 1}" for k in capacities for _ in range(mode.demands[k])) for mode in modes]
    lags = StartLags(Activity(f"a{n}", modes[n].duration, 0, (), held[n]) for n in range(1, len(modes)))
    for n, activity in enumerate(found.activities):
        delays = activity.delays or [modes[n].duration] * len(activity.successors)
        for to, delay in zip(activity.successors, delays, strict=True):
            lags.not_before(f"a{n}" if n else BEGINNING, f"a{to}" if to else BEGINNING, delay)
    sink = f"a{len(modes) - 1}"
    drops = len(modes) > 2 and not held[-1] and lags.is_an_end(sink)
    resources = tuple(Resource(f"r{k + 1}", capacity) for k, capacity in capacities.items() if capacity)
    return Problem("steps", lags.stated(sink if drops else ""), resources, ALL_STARTS)


def _renewable(resources: Any, modes: Any, path: Path) -> dict[int, int]:
    """The capacities of renewable resources. With one mode, others are used alike in every schedule."""
    if any(len(mode.demands) != len(resources) for mode in modes):
        raise BadFile(path, "demands", f"each activity has one for each of {len(resources)} resources")
    for k, resource in enumerate(resources):
        needed = [mode.demands[k] for mode in modes]
        most = max(needed) if resource.renewable else sum(needed)
        if min(needed) < 0 or most > resource.capacity:
            raise BadFile(path, f"resource {k + 1}", f"of {resource.capacity} units {most} are needed")
    if sum(sum(mode.demands) for mode in modes) > MOST_UNITS:
        raise BadFile(path, "demands", f"more than {MOST_UNITS} units of resources")
    return {k: each.capacity for k, each in enumerate(resources) if each.renewable}
