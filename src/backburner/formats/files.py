"""Every format of scheduling problems: how it is written and read, and what it cannot say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from backburner.formats import instances, json_files, minizinc, pddl, pddl_plus, up
from backburner.formats.coding import FEATURES, Coded, Features, check_sayable, coded, told
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.schedule import Problem


class Format(Struct, frozen=True):
    """A format of scheduling problems.

    ``suffix``: of the files that are written. ``loses``: what it leaves out, so that a schedule there may be
    none here. ``refuses``: what cannot be left out without losing the problem's sense.
    """

    about: str
    suffix: str
    write: Callable[[Coded], bytes]
    loses: Features = frozenset()
    refuses: Features = frozenset()
    beside: tuple[tuple[str, Callable[[Coded], bytes]], ...] = ()
    """Further files of it: how their names end in place of ``suffix``, and who writes them."""

    of_tasks: bool = False
    """Whether it is for planning tasks, and not for scheduling problems."""

    always: str = ""
    """What it leaves out of every problem."""


ALL: Features = frozenset(FEATURES)
PLAN: Features = frozenset({"impossible"})
"""What no other format than ours has: a problem of which the rules say that it has no plan."""

FORMATS: Mapping[str, Format] = {
    "problem": Format("our own JSON", ".json", json_files.write_problem),
    "jsplib": Format(
        "a job shop as JSPLIB has it", ".txt", instances.write_jobs, refuses=ALL - {"resources"}
    ),
    "psplib": Format(
        "a project as PSPLIB has it",
        ".sm",
        instances.write_project,
        loses=frozenset({"turns"}),
        refuses=ALL - {"operator", "turns", "releases", "resources"},
    ),
    "patterson": Format(
        "a project as Patterson has it, in numbers alone",
        ".rcp",
        instances.write_patterson,
        loses=frozenset({"turns"}),
        refuses=ALL - {"operator", "turns", "releases", "resources"},
        always="the names: activities stand in their order",
    ),
    "asyncplan": Format(
        "a graph as AsyncPlan has it", ".json", json_files.write_graph, loses=ALL - PLAN, refuses=PLAN
    ),
    "up": Format("a problem of unified-planning", ".up", up.write_up, refuses=PLAN),
    "pddl2.1": Format(
        "durative actions of PDDL 2.1, a domain with its problem",
        ".pddl",
        pddl.write_domain,
        refuses=PLAN | {"thought", "splitting", "lags", "states"},
        beside=(("-problem.pddl", pddl.write_task),),
    ),
    "pddl+": Format(
        "starts, a clock and events of PDDL+, a domain with its problem",
        ".pddl",
        pddl_plus.write_domain,
        refuses=PLAN | {"splitting"},
        beside=(("-problem.pddl", pddl_plus.write_task),),
        always="moments between ticks: it is exact only where time passes in whole ones",
    ),
    "pddl": Format("a planning task as classical PDDL", ".pddl", pddl.refuse, of_tasks=True),
    "minizinc": Format("a model of MiniZinc with its data", ".mzn", minizinc.write_model, refuses=PLAN),
}
"""Each format by its name."""


class Exported(NamedTuple):
    """A file's content, a line for each thing that the format leaves out, and further files by the ends of
    their names."""

    content: bytes
    lost: tuple[str, ...]
    beside: Mapping[str, bytes]


def exported(problem: Problem, format: str, *, strict: bool = False) -> Exported:
    """A problem in a format; raises ``UnknownName``, and ``Refused`` for what makes no sense there, or with
    ``strict`` for anything that is lost."""
    if format not in FORMATS:
        raise UnknownName("format", format, FORMATS)
    chosen = FORMATS[format]
    check_sayable(problem, format, chosen.refuses)
    lost = list(told(problem, chosen.loses))
    lost += [chosen.always] if chosen.always else []
    check_lost(format, lost, strict)
    own = coded(problem)
    return Exported(chosen.write(own), tuple(lost), {end: write(own) for end, write in chosen.beside})


def check_lost(format: str, lost: Sequence[str], strict: bool) -> None:
    """Raise ``Refused`` with ``strict`` for anything that is lost."""
    if strict and lost:
        raise Refused(f"--format {format} leaves out {lost[0]}; without strict=on it is written all the same")


READERS: Mapping[str, Callable[[Path, str], Problem]] = {
    "problem": json_files.read_problem,
    "asyncplan": json_files.read_graph,
    "jsplib": instances.read_jobs,
    "psplib": instances.read_project,
    "minizinc": minizinc.read_model,
    "up": up.read_up,
    "pddl2.1": pddl.read_domain,
}
"""Who reads a file, by a format's name."""

BY_SUFFIX: Mapping[str, str] = {
    **dict.fromkeys(instances.LAYOUTS, "psplib"),
    **dict.fromkeys(("", ".txt", ".jsp"), "jsplib"),
    ".mzn": "minizinc",
    ".up": "up",
    ".pddl": "pddl2.1",
}


def imported(path: Path, *, format: str = "", item: str = "") -> Problem:
    """The problem in a file of another program, or of ours, as data; ``item``: which one of several.

    The end of the file's name says its format where none is named; JSON says it itself. Raises ``BadFile``,
    ``MissingExtra``, ``UnknownName``, and ``Refused`` for what a problem of ours cannot say.
    """
    if not format and path.suffix.lower() == ".json":
        format = json_files.format_of(path)
    format = format or BY_SUFFIX.get(path.suffix.lower(), "")
    if not format:
        raise Refused(f"{path}: what is it? Say {path}@format= and one of {', '.join(READERS)}")
    if format not in READERS:
        raise UnknownName("format", format, READERS)
    if item and format != "asyncplan":
        raise Refused(f"{path}: a file of {format} holds one problem; asyncplan alone has an item {item!r}")
    return READERS[format](path, item)
