"""MiniZinc: one model for all problems, behind the data of one.

The data come first, a parameter on a line. A file is read if its model is ours, word by word, and only
names of ours and numbers stand before it. Files of others are programs, and are refused.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from backburner.formats.coding import ALL_STARTS, MOST_BYTES, MOST_UNITS, Coded, restored, table_of
from backburner.kernel.errors import BadFile, Refused
from backburner.kernel.files import decoded, read_text
from backburner.kernel.schedule import Activity, MachineState, MaxLag, Problem, Resource


def model() -> str:
    """The model, which is the same for all problems."""
    return files("backburner.formats").joinpath("data", "project.mzn").read_text("utf-8")


def write_model(coded: Coded) -> bytes:
    """Data and model; solvers print the start of each part of each activity."""
    problem, activities = coded.problem, coded.problem.activities
    number = {each.name: n for n, each in enumerate(activities, 1)}
    number |= {each.name: n for n, each in enumerate(problem.resources, 1)}

    def state(of: MachineState | None) -> tuple[int, int]:
        return (0, 0) if of is None else (number[of.resource], of.value)

    lags = [(number[a.name], number[lag.after], lag.at_most) for a in activities for lag in a.max_lags]
    before = (f"{{{', '.join(str(number[name]) for name in each.predecessors)}}}" for each in activities)
    data = {
        "grid": problem.grid,
        "thought": problem.decision_ticks,
        "n": len(activities),
        "m": len(problem.resources),
        "duration": _list(each.duration for each in activities),
        "operator_time": _list(each.operator_time for each in activities),
        "release": _list(each.release for each in activities),
        "deadline": _list(-1 if each.deadline is None else each.deadline for each in activities),
        "preemptive": _list(str(each.preemptive).lower() for each in activities),
        "predecessors": _list(before),
        "lags": _table(lags, 3),
        "capacity": _list(each.capacity for each in problem.resources),
        "demand": _table([[each.resources.count(r.name) for r in problem.resources] for each in activities],
                         len(problem.resources)),
        "sets": _table([state(each.sets) for each in activities], 2),
        "requires": _table([state(each.requires) for each in activities], 2),
    }  # fmt: skip
    lines = [*coded.comments("%"), *(f"{name} = {value};" for name, value in data.items())]
    return ("\n".join(lines) + "\n" + model()).encode()


def _list(values: Iterable[Any]) -> str:
    return f"[{', '.join(map(str, values))}]"


def _table(rows: Sequence[Sequence[int]], width: int) -> str:
    values = _list(value for row in rows for value in row)
    return f"array2d(1..{len(rows)}, 1..{width}, {values})"


# --- back --------------------------------------------------------------------------------------------------

_LINE = re.compile(r"([a-z_]+) = ([\w\[\](){}, .-]*);")
_TABLE = re.compile(r"array2d\(1\.\.\d+, 1\.\.\d+, |\)")
"""What stands around the values of a table."""


class _Data(Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters of a file; tables are lists, row after row."""

    grid: int
    thought: int
    n: Annotated[int, Meta(ge=1, le=MOST_UNITS)]
    m: Annotated[int, Meta(ge=0, le=MOST_UNITS)]
    duration: list[int]
    operator_time: list[int]
    release: list[int]
    deadline: list[int]
    preemptive: list[bool]
    predecessors: list[list[int]]
    lags: list[int]
    capacity: list[int]
    demand: list[Annotated[int, Meta(ge=0)]]
    sets: list[int]
    requires: list[int]


def read_model(path: Path, item: str = "") -> Problem:
    """The problem in a file of ours; raises ``BadFile``, and ``Refused`` for a model of somebody else."""
    text = read_text(path, MOST_BYTES)
    before, ours, behind = text.partition(model())
    entries = [_LINE.fullmatch(line) for line in before.splitlines() if not line.startswith("%")]
    if not ours or behind.strip() or None in entries:
        raise Refused(
            f"{path}: a model of MiniZinc is read only as backburner writes it, with data of its own"
        )
    values = (f'"{entry[1]}": {_TABLE.sub("", entry[2])}' for entry in entries if entry)
    written = "{" + ",".join(values).replace("{", "[").replace("}", "]") + "}"
    data = decoded(written.encode(), path, _Data, "data of this model")
    if sum(data.demand) > MOST_UNITS:
        raise BadFile(path, "demand", f"more than {MOST_UNITS} units of resources")
    try:
        problem = _problem(data)
    except ValueError as error:  # columns of different lengths
        raise BadFile(path, "", f"parameters do not fit together: {error}") from error
    return restored(problem, table_of(before, path), path)


def _rows(values: list[int], width: int, n: int) -> list[list[int]]:
    if len(values) != n * width:
        raise ValueError(f"{len(values)} values in {n} rows of {width}")
    return [values[row * width : (row + 1) * width] for row in range(n)]


def _state(resource: int, value: int) -> MachineState | None:
    return MachineState(f"r{resource}", value) if resource else None


def _problem(data: _Data) -> Problem:
    lags: dict[str, list[MaxLag]] = defaultdict(list)
    for i, j, most in _rows(data.lags, 3, len(data.lags) // 3):
        lags[f"a{i}"].append(MaxLag(f"a{j}", most))
    tables = zip(
        _rows(data.demand, data.m, data.n), _rows(data.sets, 2, data.n), _rows(data.requires, 2, data.n),
        strict=True,
    )  # fmt: skip
    lists = (
        data.duration,
        data.operator_time,
        data.release,
        data.deadline,
        data.preemptive,
        data.predecessors,
    )
    activities = tuple(
        Activity(
            f"a{i}", duration, work, tuple(f"a{j}" for j in before),
            tuple(f"r{k}" for k, units in enumerate(demands, 1) for _ in range(units)),
            tuple(lags[f"a{i}"]), _state(*sets), _state(*requires), split, release,
            None if deadline < 0 else deadline,
        )
        for i, ((duration, work, release, deadline, split, before), (demands, sets, requires)) in enumerate(
            zip(zip(*lists, strict=True), tables, strict=True), 1
        )
    )  # fmt: skip
    resources = tuple(Resource(f"r{k}", capacity) for k, capacity in enumerate(data.capacity, 1))
    return Problem("steps", activities, resources, ALL_STARTS, grid=data.grid, decision_ticks=data.thought)
