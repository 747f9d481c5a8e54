"""Text of a model that is a program of MiniZinc: looked through, run by the installed solver, and read.

It declares what its author believes in arrays of fixed names. What prints them is ours, and stands behind it,
as does what holds of activities that are begun. Whoever lets it run has said so (``CONSENT``).
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from backburner.agents.in_play import Times
from backburner.agents.models.formalisation import (
    FENCE,
    LONGEST_BYTES,
    MOST_ACTIVITIES,
    Believed,
    Formalisation,
    Words,
    problem_in,
    read_formalisation,
)
from backburner.agents.programs import Ended, answer_of
from backburner.formats.coding import coded
from backburner.formats.minizinc import write_model
from backburner.kernel.errors import Refused, UnknownName

CONSENT = "allow_solver_code"
"""The choice that lets text of a model run."""

SECONDS = 20
"""That MiniZinc has for one text; then the best schedule until then counts."""

SECONDS_TO_END = 10
"""Later it is killed."""

INCLUDES = (
    *("all_different.mzn", "all_equal.mzn", "alldifferent.mzn", "at_most.mzn", "count.mzn", "cumulative.mzn"),
    *("decreasing.mzn", "disjunctive.mzn", "disjunctive_strict.mzn", "element.mzn", "global_cardinality.mzn"),
    *("increasing.mzn", "inverse.mzn", "lex_less.mzn", "maximum.mzn", "minimum.mzn"),
    *("regular.mzn", "strict_lex.mzn", "sum_pred.mzn", "table.mzn", "value_precede.mzn"),
)
"""Files of MiniZinc's own library that a text may include: what stands in any other would be told where it
cannot be read. ``globals.mzn``, which is all of them, cannot be read by every MiniZinc that is packaged."""

MARK = "backburner: "
ARRAYS = ("decisions", "duration", "hands", "before", "start")

_INCLUDE = re.compile(r'^include "([a-z_]{1,40}\.mzn)";', re.MULTILINE)


class Ran(NamedTuple):
    """What a text declares, and the starts that were found."""

    problem: Formalisation
    starts: Times


class _Printed(Struct, frozen=True, forbid_unknown_fields=True):
    decisions: Annotated[list[Words], Meta(max_length=MOST_ACTIVITIES)]
    duration: list[int]
    hands: list[int]
    before: list[Annotated[list[int], Meta(min_length=2, max_length=2)]]
    start: list[Annotated[int, Meta(ge=0)]]


def missing() -> str:
    """Why nothing can be run here; empty if it can."""
    return "" if shutil.which("minizinc") else "minizinc is not installed: see https://www.minizinc.org"


def program_in(text: str) -> str:
    """The program in an answer: all of it, or what stands in its first fence. Raises ``Refused`` for one that
    includes anything but files of the library."""
    fenced = FENCE.split(text, maxsplit=2)
    program = fenced[1] if len(fenced) > 1 else text
    if len(program.encode(errors="replace")) > LONGEST_BYTES:
        raise Refused(f"it is too long; at most {LONGEST_BYTES} bytes are run")
    included = _INCLUDE.findall(program)
    for name in included:
        if name not in INCLUDES:
            raise Refused(str(UnknownName("file to include", name, INCLUDES)))
    if program.count("include") != len(included):
        raise Refused('the word include stands at the beginning of lines alone: include "cumulative.mzn";')
    return program


def run(program: str, before: Formalisation | None = None, begun: Times | None = None, now: int = 0) -> Ran:
    """What the solver makes of a program that ``program_in`` has let through. ``before``: what was declared
    when activities were ``begun``.

    Raises ``Refused`` for one that is wrong, or has no schedule.
    """
    whole = f"{program}\n{_so_far(before, begun or {}, now)}{_printing()}"
    command = ["minizinc", "--time-limit", str(1000 * SECONDS), "{model.mzn}"]
    files = {"model.mzn": whole.encode(errors="replace")}
    try:
        answer = answer_of(command, files, SECONDS + SECONDS_TO_END)
    except Ended as error:
        told = [line for line in error.errors.splitlines() if line.strip() and "Warning: " not in line]
        raise Refused("\n".join((str(error).partition(":")[0], *told))[:2000]) from None
    printed = answer.decode("utf-8", "replace")
    _, found, rest = f"\n{printed}".rpartition(f"\n{MARK}")
    if not found:
        raise Refused(_without_solution(printed))
    return _read(rest.partition("\n")[0])


def _so_far(problem: Formalisation | None, begun: Times, now: int) -> str:
    """What is begun starts when it did, and nothing else before this moment."""
    if problem is None or not (begun or now):
        return ""
    activities, cases = problem.activities, list[str]()
    earlier = "sum(j in index_set(start) where j < i)(bool2int(decisions[j] = decisions[i]))"
    for number, each in enumerate(activities):
        if each.name in begun:
            same = sum(other.start == each.start for other in activities[:number])
            which = f"decisions[i] = {_quoted(each.start)} /\\ {earlier} = {same}"
            cases.append(f"{which} then start[i] = {begun[each.name]}")
    rest = f"start[i] >= {now}"
    body = f"if {' elseif '.join(cases)} else {rest} endif" if cases else rest
    return f"constraint forall(i in index_set(start))({body});\n"


def _printing() -> str:
    parts = ', ", ", '.join(f'"\\"{name}\\": ", showJSON({name})' for name in ARRAYS)
    return f'output ["\\n{MARK}{{", {parts}, "}}\\n"];\n'


def _quoted(text: str) -> str:
    """As a text of MiniZinc."""
    return json.dumps(text, ensure_ascii=False)


def _without_solution(printed: str) -> str:
    if "=====UNSATISFIABLE=====" in printed:
        return "no schedule keeps all constraints"
    if "=====UNKNOWN=====" in printed:
        return f"the solver finds no schedule within {SECONDS} s"
    return "the solver prints no schedule"


def _read(printed: str) -> Ran:
    try:
        told = msgspec.json.decode(printed, type=_Printed)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise Refused(f"what the arrays hold cannot be read: {error}") from None
    count = len(told.decisions)
    for name in ("duration", "hands", "start"):
        if (length := len(getattr(told, name))) != count:
            raise Refused(f"{name} has {length} values, and decisions has {count}")
    names = _names(told.decisions)
    after: list[list[str]] = [[] for _ in names]
    for one, other in told.before:
        if not (1 <= one <= count and 1 <= other <= count):
            raise Refused(f"before: [{one}, {other}], and there are activities 1 to {count}")
        after[other - 1].append(names[one - 1])
    rows = zip(names, told.decisions, told.duration, told.hands, after, strict=True)
    found = Formalisation(
        tuple(
            Believed(name, decision, duration, None if hands == duration else hands, tuple(before))
            for name, decision, duration, hands, before in rows
        )
    )
    return Ran(read_formalisation(found.written), dict(zip(names, told.start, strict=True)))


def _names(decisions: Sequence[str]) -> list[str]:
    """An activity is called as the decision that starts it, a second one of the same with its number."""
    short = [decision[:180] for decision in decisions]
    return [
        f"{name} ({short[:place].count(name) + 1})" if name in short[:place] else name
        for place, name in enumerate(short)
    ]


def program_of(found: Formalisation, unit: Any) -> str:
    """A problem as a program that keeps to all of this, and in which nothing is interrupted."""
    problem = problem_in(found, unit)
    whole = tuple(replace(each, preemptive=False) for each in problem.activities)
    model = write_model(coded(replace(problem, activities=whole)))
    number = {each.name: place for place, each in enumerate(whole, 1)}
    pairs = [f"{number[name]}, {number[each.name]}" for each in whole for name in each.predecessors]
    decisions = ", ".join(_quoted(each.start) for each in found.activities)
    declared = (
        f"array[A] of string: decisions = [{decisions}];",
        "array[A] of int: hands = operator_time;",
        f"array[int, 1..2] of int: before = array2d(1..{len(pairs)}, 1..2, [{', '.join(pairs)}]);",
        "array[A] of var int: start = [S(i) | i in A];",
    )
    kept = [line for line in model.decode().splitlines() if not line.startswith("%")]
    return "\n".join((*kept, *declared))
