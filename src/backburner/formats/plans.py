"""Plans of other programs, as they are written down: the start of each activity.

What is said of a plan is not believed; the world that plays it has the last word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from backburner.formats.coding import coded
from backburner.formats.pddl import planned_starts
from backburner.kernel.errors import Refused, UnknownName, one_line, shorten_inside
from backburner.kernel.files import decoded
from backburner.kernel.schedule import Problem
from backburner.scheduling.preemption import merged, part_name

Time = Annotated[float, Meta(ge=0, le=10_000_000)]


class Plan(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """``starts`` of activities, a further piece of one as in ``Solution.starts``.

    ``makespan`` and ``proven``: what its author says of when all is done, and that nothing is better;
    ``status``: why there are no starts.
    """

    starts: dict[str, Time] | None = None
    makespan: Time | None = None
    proven: bool = False
    status: Annotated[str, Meta(max_length=1000)] = ""

    @property
    def whole_starts(self) -> dict[str, int]:
        """The starts in whole numbers: planners with real time part what follows by a little."""
        return {name: round(start) for name, start in (self.starts or {}).items()}


def read_plan(content: bytes, problem: Problem, format: str) -> Plan:
    """The plan in a program's answer to a problem in a format: JSON as a ``Plan``, under the names that the
    format has; of MiniZinc what the model prints, of PDDL a line for each action.

    Raises ``Refused`` where there is no plan, ``BadFile`` for what cannot be read.
    """
    if format == "pddl2.1":
        return Plan({**planned_starts(_text(content), problem)})
    if format == "minizinc":
        plan = _printed(_text(content), problem)
    else:
        plan = decoded(content, "its answer", Plan, "a plan")
    if not plan.starts:
        told = shorten_inside(one_line(plan.status), 200)
        raise Refused(f"it has no plan{f': {told}' if told else ''}")
    names = {a.name: a.name for a in problem.activities} if format == "problem" else coded(problem).names
    return msgspec.structs.replace(plan, starts=_named(plan.starts, names, problem))


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _named(starts: Mapping[str, float], names: Mapping[str, str], problem: Problem) -> dict[str, float]:
    found: dict[str, float] = {}
    splits = {activity.name for activity in problem.activities if activity.preemptive}
    for said, start in starts.items():
        whole, _, done = said.rpartition("+")
        if said not in names and (names.get(whole) not in splits or not done.isdecimal() or len(done) > 8):
            raise Refused(str(UnknownName("activity", said, names, "its plan")))
        found[names[said] if said in names else part_name(names[whole], int(done))] = start
    for activity in problem.activities:
        if activity.name not in found:
            raise Refused(f"its plan does not start {activity.name!r}")
    return found


_START = re.compile(r"(a\d{1,6}) (\d{1,8})")
_MAKESPAN = re.compile(r"makespan = (\d{1,8});")
FOUND, PROVEN = "----------", "=========="
"""What solvers of MiniZinc print behind a solution, and behind the last one where none is better."""


def _printed(text: str, problem: Problem) -> Plan:
    """The last solution that is printed: a line for each part of an activity, in the order of the parts."""
    solutions, _, rest = text.rpartition(FOUND)
    if not solutions.strip():
        return Plan(status=text.strip())
    last = solutions.rpartition(FOUND)[2].splitlines()
    starts: dict[str, int] = {}
    parts: dict[str, int] = {}
    makespan = None
    for line in map(str.strip, last):
        if (start := _START.fullmatch(line)) is not None:
            part = parts[start[1]] = parts.get(start[1], -1) + 1
            starts[part_name(start[1], part)] = int(start[2]) // problem.grid
        elif (said := _MAKESPAN.fullmatch(line)) is not None:
            makespan = int(said[1])
    own = coded(problem).problem
    if missing := [each.name for each in own.activities if each.name not in starts]:
        raise Refused(f"its plan does not start {missing[0]!r}")
    return Plan({**merged(own, starts)}, makespan, PROVEN in rest)
