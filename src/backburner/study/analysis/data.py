"""Reads the tables of a study's data, from CSV or Parquet, and checks that they fit together.

Whatever is wrong is one line that names the file, the line (in Parquet the row) and the field. Tables are
kept column by column, which reads a megabyte in well below a tenth of a second. One of them names
outcomes, and which of these are primary: what the study file has said beforehand.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

from msgspec import Struct

from backburner.evaluation.tables.schema import FORMULA, Column, Table, Type
from backburner.kernel.errors import BadFile, MissingExtra, Refused, nearest, shorten
from backburner.kernel.files import cells, read_regular, read_text
from backburner.study.analysis.tables import TABLES
from backburner.study.analysis.variables import Variable

MOST_ROWS = 1_000_000
"""A table may have so many; a study with people has a few thousand."""

MOST_CHARACTERS = 20_000
"""A cell may have so many."""

LARGEST = 1e15
"""Beyond it numbers of a study are no measurements, and differences between them are lost."""

EMPTY = ("", "NA", "NaN", "nan", "null")
"""What stands for an empty cell of numbers; statistical programs write one or the other."""

TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False, "": None, "na": None}

ROWS_OF_ONE_KEY: Mapping[str, tuple[str, ...]] = {
    "conditions": ("condition",),
    "participants": ("participant",),
    "episodes": ("episode", "participant"),
    "measures": ("episode", "measure"),
    "items": ("item",),
    "answers": ("participant", "condition", "episode", "item"),
    "rules": ("rule",),
    "outcomes": ("outcome",),
}
"""The columns of which a table has each combination once."""

REFERENCES: Sequence[tuple[str, str, str]] = (
    ("episodes", "condition", "conditions"),
    ("episodes", "participant", "participants"),
    ("measures", "episode", "episodes"),
    ("answers", "participant", "participants"),
    ("answers", "condition", "conditions"),
    ("answers", "episode", "episodes"),
    ("answers", "item", "items"),
    ("exclusions", "participant", "participants"),
    ("exclusions", "episode", "episodes"),
    ("exclusions", "rule", "rules"),
)
"""(table, column, table whose column of this name has to know what stands there, if that table exists)."""


class Rows(Struct, frozen=True):
    """A table as it was read: ``columns`` hold a value or ``None`` for each row, ``lines`` where it stood."""

    table: Table
    file: Path
    columns: Mapping[str, Sequence[Any]]
    lines: Sequence[int]
    counted: str = "line"

    def __len__(self) -> int:
        return len(self.lines)

    def of(self, name: str, default: Any = None) -> Sequence[Any]:
        """A column; where the file has none, the default in every row."""
        return self.columns.get(name) or [default] * len(self)

    def wrong(self, row: int, field: str, why: str) -> NoReturn:
        """Raise what is wrong with a field of a row."""
        place = f"{self.counted} {self.lines[row]}" if 0 <= row < len(self) else ""
        raise BadFile(self.file, ", ".join(part for part in (place, field) if part), why)


Data = Mapping[str, Rows]
"""The tables of a folder by name; one that is not there has no rows."""


def read_data(folder: Path) -> Data:
    """All tables of the folder, checked.

    Raises ``BadFile`` for the first thing that is wrong, ``Refused`` where there are neither measures nor
    answers, ``MissingExtra`` for Parquet without pyarrow.
    """
    if not folder.is_dir():
        raise Refused(f"{folder}: no folder with a study's tables, such as measures.csv and answers.csv")
    data = {table.name: _read(folder, table) for table in TABLES}
    if not len(data["measures"]) and not len(data["answers"]):
        raise Refused(f"{folder}: neither measures nor answers; export a study's data there")
    if len(data["measures"]) and not len(data["episodes"]):
        raise Refused(f"{folder}: measures without episodes, which tell who played them in which condition")
    for name, columns in ROWS_OF_ONE_KEY.items():
        _each_once(data[name], columns)
    for name, column, known in REFERENCES:
        _known(data[name], column, data[known])
    return data


def _read(folder: Path, table: Table) -> Rows:
    sheet, parquet = folder / f"{table.name}.csv", folder / f"{table.name}.parquet"
    if sheet.exists():
        return read_csv(sheet, table)
    if parquet.exists():
        return read_parquet(parquet, table)
    return Rows(table, sheet, {}, ())


# --- files -----------------------------------------------------------------------------------------


def read_csv(file: Path, table: Table) -> Rows:
    """A table out of a CSV file in UTF-8, whose first line names the columns. Raises ``BadFile``."""
    read = cells(read_text(file), file)
    header = [name.strip() for name in next(read, (1, []))[1]]
    found: list[list[str]] = []
    lines: list[int] = []
    for line, row in read:
        found.append(row)
        lines.append(line)
        if len(found) > MOST_ROWS:
            raise BadFile(file, f"line {line}", f"more than {MOST_ROWS} rows")
    rows = Rows(table, file, {}, lines)
    for index, row in enumerate(found):
        if len(row) != len(header):
            rows.wrong(index, "", f"{len(row)} fields where the first line names {len(header)}")
    _columns_are_there(rows, header)
    by_name = dict(zip(header, zip(*found, strict=True), strict=True)) if found else {}
    return _typed(rows, by_name, _from_text)


def read_parquet(file: Path, table: Table) -> Rows:
    """A table out of a Parquet file. Raises ``BadFile``, and ``MissingExtra`` without pyarrow."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtra("data", "Parquet") from error
    content = read_regular(file)
    try:
        opened = parquet.ParquetFile(io.BytesIO(content))
        if opened.metadata.num_rows > MOST_ROWS:
            raise BadFile(file, "", f"more than {MOST_ROWS} rows")
        names = [name for name in opened.schema_arrow.names if name in _names(table)]
        columns = opened.read(columns=names)
        rows = Rows(table, file, {}, range(1, columns.num_rows + 1), "row")
        _columns_are_there(rows, opened.schema_arrow.names)
        by_name = {name: columns.column(name).to_pylist() for name in names}
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise BadFile(file, "", f"not Parquet: {error}") from error
    return _typed(rows, by_name, _from_value)


def _names(table: Table) -> dict[str, Column]:
    return {column.name: column for column in table.columns}


def _columns_are_there(rows: Rows, header: Sequence[str]) -> None:
    for name in rows.table.needed:
        if name not in header:
            near = nearest(name, header)
            hint = f"; is it {shorten(near[0])!r}?" if near else ""
            raise BadFile(rows.file, "", f"no column {name!r}{hint}")
    twice = {name for name in header if header.count(name) > 1} & set(_names(rows.table))
    if twice:
        raise BadFile(rows.file, "", f"two columns {sorted(twice)[0]!r}")


# --- cells -----------------------------------------------------------------------------------------

Reader = Callable[[Type, Any], Any]
"""Makes a cell's value of what stands there; raises ``ValueError`` that says what it should be."""


def _typed(rows: Rows, by_name: Mapping[str, Sequence[Any]], read: Reader) -> Rows:
    columns: dict[str, Sequence[Any]] = {}
    needed = rows.table.needed
    for name, column in _names(rows.table).items():
        if name not in by_name:
            continue
        columns[name] = _column(rows, column, by_name[name], read)
        if name in needed and name != "value" and (column.type == "text"):
            for index, value in enumerate(columns[name]):
                if not value:
                    rows.wrong(index, name, "is empty")
    return Rows(rows.table, rows.file, columns, rows.lines, rows.counted)


def _column(rows: Rows, column: Column, cells: Sequence[Any], read: Reader) -> Sequence[Any]:
    known: dict[Hashable, Any] = {}
    values = []
    for index, cell in enumerate(cells):
        try:
            value = known.get(cell, known)
            if value is known:
                value = known[cell] = read(column.type, cell)
        except TypeError:
            rows.wrong(index, column.name, f"a list where {column.type} is expected")
        except (ValueError, OverflowError) as error:
            rows.wrong(index, column.name, str(error))
        values.append(value)
    return values


def _from_text(kind: Type, cell: str) -> Any:
    if kind == "text":
        if len(cell) > MOST_CHARACTERS:
            raise ValueError(f"more than {MOST_CHARACTERS} characters")
        escaped = cell[:1] == "'" and cell[1:].lstrip(" ").startswith(FORMULA)
        return (cell[1:] if escaped else cell).strip()
    text = cell.strip()
    if kind == "truth":
        if text.lower() not in TRUTHS:
            raise ValueError(f"{shorten(text)!r} is neither true nor false")
        return TRUTHS[text.lower()]
    if text in EMPTY:
        return None
    try:
        return _number(kind, float(text))
    except ValueError:
        raise ValueError(f"{shorten(text)!r} is no {kind}") from None


def _from_value(kind: Type, cell: Any) -> Any:
    if kind == "text":
        return _from_text(kind, "" if cell is None else str(cell))
    if cell is None or (isinstance(cell, float) and cell != cell):
        return None
    if isinstance(cell, str):
        return _from_text(kind, cell)
    if kind == "truth":
        return bool(cell)
    if not isinstance(cell, int | float):
        raise ValueError(f"{shorten(str(cell))!r} is no {kind}")
    return _number(kind, cell)


def _number(kind: Type, value: float) -> float | int:
    if not isfinite(value) or abs(value) > LARGEST or (kind == "integer" and value != int(value)):
        raise ValueError(f"{value} is no {kind}")
    return int(value) if kind == "integer" else float(value)


# --- tables together ---------------------------------------------------------------------------------------


def _each_once(rows: Rows, columns: Sequence[str]) -> None:
    first: dict[tuple[Any, ...], int] = {}
    for index, key in enumerate(zip(*(rows.of(name, "") for name in columns), strict=True)):
        if key in first:
            told = " ".join(str(part) for part in key if part)
            line = rows.lines[first[key]]
            rows.wrong(index, columns[-1], f"{shorten(told)} stands in {rows.counted} {line} already")
        first[key] = index


def _known(rows: Rows, column: str, known: Rows) -> None:
    if not len(known):
        return
    names: Iterable[str] = known.of(column)
    there = set(names)
    for index, name in enumerate(rows.of(column, "")):
        if name and name not in there:
            near = nearest(name, sorted(there))
            hint = f"; did you mean {near[0]}?" if near else ""
            rows.wrong(index, column, f"{shorten(name)!r} is not in {known.file.name}{hint}")


# --- what was named beforehand ----------------------------------------------------------------------------


KINDS = ("metric", "number", "construct")
"""What stands before a name in a study file, such as ``metric:CoS``."""

SCALE = "scale:"
"""Before the key of a variable that is the mean of several items."""


class Outcome(Struct, frozen=True):
    """An outcome of the study file. ``variable``: the key of what it was measured by, ``None`` where the
    data have no value of it. ``primary``: a hypothesis rests on it."""

    key: str
    title: str
    source: str
    variable: str | None
    primary: bool = False
    hypothesis: str = ""


def outcomes_of(data: Data, variables: Sequence[Variable]) -> tuple[Outcome, ...]:
    """The outcomes of the table ``outcomes``, primary ones first, else in its order."""
    rows = data["outcomes"]
    there = {variable.key for variable in variables}
    columns = (rows.of("outcome"), rows.of("source"), rows.of("title", ""), rows.of("hypothesis", ""))
    found = [
        Outcome(key, title or key, source, _measured(source, there), bool(primary), hypothesis)
        for key, source, title, hypothesis, primary in zip(*columns, rows.of("primary"), strict=True)
    ]
    return tuple(sorted(found, key=lambda outcome: not outcome.primary))


def _measured(source: str, there: Iterable[str]) -> str | None:
    kind, colon, name = source.partition(":")
    name = name if colon and kind in KINDS else source
    return next((key for key in (SCALE + name, name) if key in there), None)


def named_first(variables: Iterable[Variable], outcomes: Iterable[Outcome]) -> list[Variable]:
    """The variables in the order of the outcomes; then those that nobody named beforehand, in theirs."""
    place = {outcome.variable: number for number, outcome in reversed(list(enumerate(outcomes)))}
    return sorted(variables, key=lambda variable: place.get(variable.key, len(place)))
