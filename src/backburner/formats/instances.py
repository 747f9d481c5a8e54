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
from backburner.kernel.errors import BadFile, Refused, needs_extra
from backburner.kernel.files import read_text
from backburner.kernel.schedule import Activity, MaxLag, Problem, Resource

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
    text = read_text(path, MOST_BYTES)
    try:
        found = psplib.parse(path, LAYOUTS[path.suffix.lower()])
    except (ValueError, IndexError, StopIteration, TypeError) as error:
        raise BadFile(
            path, "", f"not what a file {path.suffix} holds: {str(error) or type(error).__name__}"
        ) from error
    head, names = table_of(text, path)
    return restored(_Parsed(found, path).problem, Table(head, names), path)


class _Parsed:
    """A project that the library has read, as a problem: the source is the beginning and no activity."""

    def __init__(self, found: Any, path: Path) -> None:
        self.path = path
        for n, activity in enumerate(found.activities):
            if len(activity.modes) != 1:
                raise Refused(
                    f"{path}: activity {n + 1} has {len(activity.modes)} modes; a problem of ours has one"
                )
        self.modes = [activity.modes[0] for activity in found.activities]
        if not all(0 <= to < len(self.modes) for each in found.activities for to in each.successors):
            raise BadFile(path, "successors", "an activity that is not there")
        if not self.modes or self.modes[0].duration or any(self.modes[0].demands):
            raise BadFile(path, "the first activity", "is no source: it takes time or resources")
        self.capacities = self._renewable(found.resources)
        self.releases: dict[int, int] = defaultdict(int)
        self.deadlines: dict[int, int] = {}
        self.before: dict[int, list[str]] = defaultdict(list)
        self.lags: dict[str, list[MaxLag]] = defaultdict(list)
        self.dummies: dict[str, Activity] = {}
        for n, activity in enumerate(found.activities):
            delays = activity.delays or [self.modes[n].duration] * len(activity.successors)
            for to, delay in zip(activity.successors, delays, strict=True):
                self._not_before(n, to, delay)

    def _renewable(self, resources: Any) -> dict[int, int]:
        """The capacities of renewable resources. With one mode, others are used alike in every schedule."""
        if any(len(mode.demands) != len(resources) for mode in self.modes):
            raise BadFile(
                self.path, "demands", f"each activity has one for each of {len(resources)} resources"
            )
        for k, resource in enumerate(resources):
            needed = [mode.demands[k] for mode in self.modes]
            most = max(needed) if resource.renewable else sum(needed)
            if min(needed) < 0 or most > resource.capacity:
                raise BadFile(
                    self.path, f"resource {k + 1}", f"of {resource.capacity} units {most} are needed"
                )
        if sum(sum(mode.demands) for mode in self.modes) > MOST_UNITS:
            raise BadFile(self.path, "demands", f"more than {MOST_UNITS} units of resources")
        return {k: each.capacity for k, each in enumerate(resources) if each.renewable}

    def _not_before(self, i: int, j: int, delay: int) -> None:
        """S(j) >= S(i) + delay, where S is 0 for the source, in what a problem can say.

        Precedence needs the end of i, a maximum lag of i after j (S(i) <= C(j) + d) a d of at least 0. For
        other delays there are dummies: one of no length that starts no earlier than i, as i starts no later
        than it ends; one of no length that ends by the start of j; and one that lasts the rest of a delay.
        """
        longer = delay - self.modes[i].duration
        later = -delay - self.modes[j].duration
        if i == 0:
            self.releases[j] = max(self.releases[j], delay)
        elif j == 0:
            self.deadlines[i] = min(self.deadlines.get(i, -delay), -delay)
        elif longer == 0:
            self.before[j].append(f"a{i}")
        elif delay > 0:
            begun = f"a{i}"
            if longer < 0:
                begun = f"begin of a{i}"
                self._dummy(begun)
                self.lags[f"a{i}"].append(MaxLag(begun, 0))
            rest = self._dummy(f"a{i} {delay} before a{j}", longer if longer > 0 else delay, (begun,))
            self.before[j].append(rest)
        elif later >= 0:
            self.lags[f"a{i}"].append(MaxLag(f"a{j}", later))
        else:
            self.before[j].append(self._dummy(f"by the begin of a{j}"))
            self.lags[f"a{i}"].append(MaxLag(f"by the begin of a{j}", -delay))

    def _dummy(self, name: str, duration: int = 0, before: tuple[str, ...] = ()) -> str:
        self.dummies[name] = Activity(name, duration, 0, before)
        return name

    @property
    def problem(self) -> Problem:
        """The problem; activity n is called a(n), and the sink is left out where only ends bind it."""
        sink = len(self.modes) - 1
        only_ends = not (self.lags[f"a{sink}"] or self.releases[sink] or sink in self.deadlines)
        plain = (
            only_ends and self.modes[sink].duration == 0 and set(self.before[sink]).isdisjoint(self.dummies)
        )
        numbers = range(1, sink if plain and sink > 1 else sink + 1)
        activities = (*map(self._activity, numbers), *self.dummies.values())
        resources = tuple(
            Resource(f"r{k + 1}", capacity) for k, capacity in self.capacities.items() if capacity
        )
        return Problem("steps", activities, resources, ALL_STARTS)

    def _activity(self, n: int) -> Activity:
        mode, latest = self.modes[n], self.deadlines.get(n)
        held = tuple(f"r{k + 1}" for k in self.capacities for _ in range(mode.demands[k]))
        lags, release = tuple(self.lags[f"a{n}"]), max(0, self.releases[n])
        deadline = None if latest is None else latest + mode.duration
        return Activity(
            f"a{n}", mode.duration, 0, tuple(self.before[n]), held, lags, release=release, deadline=deadline
        )
