"""What formats share: codes in place of names, a table of them in comments, and what a format cannot say.

In a file of another program activities are ``a1``, ``a2`` ... and resources ``r1``, ``r2`` ... in the order
of the problem. Lines of comments say what each is called, in JSON of ASCII, so that no text of a user's is
read as anything else; another line has what of the problem the format has no words for. A reader takes both
back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import replace

from backburner.kernel.errors import BadFile, Refused
from backburner.kernel.files import Place, decoded
from backburner.kernel.schedule import Activity, MachineState, MaxLag, Problem, check_problem

MOST_BYTES = 2**23
"""So large a file may be that is imported."""

MOST_UNITS = 200_000
"""Units of resources that the activities of a file may hold, all counted together."""

ALL_STARTS = "every start of each activity"
"""The space of a problem that comes out of a file which does not say more."""


class Head(Struct, frozen=True, forbid_unknown_fields=True):
    """What of a problem few formats have words for. ``operator``: the resource that stands for him."""

    unit: Literal["minutes", "seconds", "steps"] = "steps"
    space: str = ALL_STARTS
    complete: bool = True
    grid: int = 1
    decision_ticks: int = 0
    operator: str = ""


class Coded(NamedTuple):
    """A problem with codes for names, the ``names`` by code, and the problem as it was."""

    problem: Problem
    names: Mapping[str, str]
    original: Problem

    def head(self, operator: str = "") -> Head:
        """What of the problem stands in a line of its own."""
        fields = {name: getattr(self.problem, name) for name in Head.__struct_fields__ if name != "operator"}
        return Head(**fields, operator=operator)

    def comments(self, mark: str, operator: str = "") -> list[str]:
        """The lines that say what the codes stand for, each behind a sign that begins a comment."""
        head = {name: getattr(self.head(operator), name) for name in Head.__struct_fields__}
        return [
            f"{mark} {code} = {json.dumps(said)}"
            for code, said in ({"problem": head} | {**self.names}).items()
        ]


def coded(problem: Problem) -> Coded:
    """The problem with codes in place of names."""
    activities = {each.name: f"a{number}" for number, each in enumerate(problem.activities, 1)}
    resources = {each.name: f"r{number}" for number, each in enumerate(problem.resources, 1)}
    names = {code: name for codes in (activities, resources) for name, code in codes.items()}
    return Coded(renamed(problem, activities, resources), names, problem)


def renamed(problem: Problem, activities: Mapping[str, str], resources: Mapping[str, str]) -> Problem:
    """The problem with other names; a name that is not among them stays."""

    def state(old: MachineState | None) -> MachineState | None:
        return None if old is None else replace(old, resource=resources.get(old.resource, old.resource))

    def among(names: Iterable[str], table: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(table.get(name, name) for name in names)

    def one(old: Activity) -> Activity:
        return replace(
            old,
            name=activities.get(old.name, old.name),
            predecessors=among(old.predecessors, activities),
            resources=among(old.resources, resources),
            max_lags=tuple(MaxLag(activities.get(lag.after, lag.after), lag.at_most) for lag in old.max_lags),
            sets=state(old.sets),
            requires=state(old.requires),
        )

    return replace(
        problem,
        activities=tuple(map(one, problem.activities)),
        resources=tuple(replace(old, name=resources.get(old.name, old.name)) for old in problem.resources),
        forbidden=among(problem.forbidden, activities),
        impossible=among(problem.impossible, activities),
    )


# --- back ------------------------------------------------------------------------------------------------

_ENTRY = re.compile(r"[#%;* ]*\b(problem|[ar]\d{1,6}) = ([{\"].*)")


class Table(NamedTuple):
    """What a file's comments say."""

    head: Head
    names: Mapping[str, str]


def table_of(text: str, path: Path) -> Table:
    """The table in a file's comments; an empty one where there is none. Raises ``BadFile``."""
    head, names = Head(), dict[str, str]()
    for number, line in enumerate(text.splitlines(), 1):
        if (entry := _ENTRY.fullmatch(line)) is not None:
            kind: Any = Head if entry[1] == "problem" else str
            value = decoded(entry[2].encode(), path, kind, "what stands for a code", f"line {number}")
            if entry[1] == "problem":
                head = value
            else:
                names[entry[1]] = value
    return Table(head, names)


def restored(problem: Problem, table: Table, path: Path) -> Problem:
    """The problem out of a file with its own names, checked; raises ``BadFile``."""
    head, operator = table.head, table.head.operator
    fields = {name: getattr(head, name) for name in Head.__struct_fields__ if name != "operator"}
    activities = (
        tuple(_by_hand(each, operator) for each in problem.activities) if operator else problem.activities
    )
    resources = tuple(each for each in problem.resources if each.name != operator)
    problem = renamed(
        replace(problem, activities=activities, resources=resources, **fields), table.names, table.names
    )
    return check_problem(problem, Place(str(path)))


def _by_hand(activity: Activity, operator: str) -> Activity:
    """Where a resource stands for the operator, whoever holds it is worked at throughout."""
    held = tuple(name for name in activity.resources if name != operator)
    works = len(held) < len(activity.resources)
    return replace(
        activity, resources=held, operator_time=activity.duration if works else activity.operator_time
    )


def whole_numbers(words: Iterable[str], path: Path, where: str) -> list[int]:
    """Words as whole numbers; raises ``BadFile``."""
    try:
        return [int(word) for word in words]
    except ValueError as error:
        raise BadFile(path, where, f"not whole numbers: {error}") from error


# --- what a format cannot say ------------------------------------------------------------------------------


def _turns(activity: Activity, problem: Problem) -> bool:
    return not activity.operator_time and any(each.operator_time for each in problem.activities)


FEATURES: Mapping[str, tuple[str, Callable[[Activity, Problem], Any]]] = {
    "impossible": ("what the rules never let happen", lambda a, p: a.name in (*p.forbidden, *p.impossible)),
    "thought": ("thoughts before starts", lambda a, p: p.decision_ticks),
    "operator": ("the operator, who does one thing at a time", lambda a, p: a.operator_time),
    "part": ("work that holds the operator for a while", lambda a, p: 0 < a.operator_time < a.duration),
    "turns": ("that what needs no operator starts between two works of the operator", _turns),
    "splitting": ("interruptions", lambda a, p: a.preemptive),
    "lags": ("maximum lags", lambda a, p: a.max_lags),
    "states": ("states of machines", lambda a, p: a.sets or a.requires),
    "releases": ("releases", lambda a, p: a.release),
    "deadlines": ("deadlines", lambda a, p: a.deadline is not None),
    "resources": ("resources", lambda a, p: a.resources),
}  # fmt: skip
"""What of activities a format may have no words for: the words of ours, and whether an activity has it."""

Features = frozenset[str]


def told(problem: Problem, features: Features) -> Iterator[str]:
    """A line for each of these features that the problem has."""
    for feature, (words, has) in FEATURES.items():
        n = sum(bool(has(activity, problem)) for activity in problem.activities)
        if n and feature in features:
            yield f"{words} ({n} of {len(problem.activities)} activities)"


def check_sayable(problem: Problem, format: str, refused: Features) -> None:
    """Raise ``Refused`` for the first feature that a format cannot do without losing the problem's sense."""
    for line in told(problem, refused):
        raise Refused(f"--format {format} has no way to say {line}")


Codes = Annotated[dict[str, str], Meta(max_length=10_000)]
"""Names by code, in a file that is JSON."""
