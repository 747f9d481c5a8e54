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

import pandas
from msgspec import Struct
from msgspec.structs import replace

from backburner.evaluation.tables.schema import FORMULA, Column, Table, Type
from backburner.kernel.errors import BadFile, Refused, nearest, needs_extra, shorten
from backburner.kernel.files import cells, read_regular, read_text
from backburner.study.analysis.tables import TABLES

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
    "flow": ("step", "group", "condition", "detail"),
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
    ("flow", "condition", "conditions"),
)
"""(table, column, table whose column of this name has to know what stands there, if that table exists)."""


class Rows(Struct, frozen=True):
    """A table as it was read: ``cells`` is a data frame with all columns of the table, those that the file
    lacks being empty; ``lines`` tells where each row stood."""

    table: Table
    file: Path
    lines: Sequence[int]
    counted: str = "line"
    cells: Any = None

    def __len__(self) -> int:
        return len(self.lines)

    def of(self, name: str) -> list[Any]:
        """The values of a column."""
        found: list[Any] = self.cells[name].tolist()
        return found

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
    return _typed(Rows(table, sheet, ()), {}, _from_text)


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
    rows = Rows(table, file, lines)
    for index, row in enumerate(found):
        if len(row) != len(header):
            rows.wrong(index, "", f"{len(row)} fields where the first line names {len(header)}")
    _columns_are_there(rows, header)
    by_name = dict(zip(header, zip(*found, strict=True), strict=True)) if found else {}
    return _typed(rows, by_name, _from_text)


def read_parquet(file: Path, table: Table) -> Rows:
    """A table out of a Parquet file. Raises ``BadFile``, and ``MissingExtra`` without pyarrow."""
    with needs_extra("data", "Parquet"):
        import pyarrow
        from pyarrow import parquet
    content = read_regular(file)
    try:
        opened = parquet.ParquetFile(io.BytesIO(content))
        if opened.metadata.num_rows > MOST_ROWS:
            raise BadFile(file, "", f"more than {MOST_ROWS} rows")
        names = [name for name in opened.schema_arrow.names if name in _names(table)]
        columns = opened.read(columns=names)
        rows = Rows(table, file, range(1, columns.num_rows + 1), "row")
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
    for name, column in _names(rows.table).items():
        if name not in by_name:
            columns[name] = ["" if column.type == "text" else None] * len(rows)
            continue
        columns[name] = _column(rows, column, by_name[name], read)
        if column.type == "text" and name in rows.table.needed and "" in columns[name]:
            rows.wrong(columns[name].index(""), name, "is empty")
    return replace(rows, cells=pandas.DataFrame(columns, range(len(rows)), dtype=object))


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
    keys = rows.cells[list(columns)]
    for row in keys.index[keys.duplicated()]:
        key = keys.loc[row]
        first = rows.lines[keys.eq(key).all(axis="columns").argmax()]
        told = shorten(" ".join(str(part) for part in key if part))
        rows.wrong(row, columns[-1], f"{told} stands in {rows.counted} {first} already")


def _known(rows: Rows, column: str, known: Rows) -> None:
    names, there = rows.cells[column], known.of(column)
    for row in names.index[(names != "") & ~names.isin(there)] if there else ():
        near = nearest(names[row], sorted(there))
        hint = f"; did you mean {near[0]}?" if near else ""
        rows.wrong(row, column, f"{shorten(names[row])!r} is not in {known.file.name}{hint}")


# --- what was named beforehand ----------------------------------------------------------------------------


KINDS = ("metric", "number", "construct")
"""What stands before a name in a study file, such as ``metric:CoS``."""

SCALE = "scale:"
"""Before the key of a variable that is the mean of several items."""


INTERCEPTS = ("participants", "participants+scenarios")
"""What may be random in an outcome's mixed model."""


class Outcome(Struct, frozen=True):
    """An outcome of the study file. ``variable``: the key of what it was measured by, ``None`` where the
    data have no value of it. ``primary``: a hypothesis rests on it. ``scenarios``: they are random in its
    mixed model, as participants are."""

    key: str
    title: str
    source: str
    variable: str | None
    primary: bool = False
    hypothesis: str = ""
    scenarios: bool = False


def outcomes_of(data: Data, variables: Iterable[str]) -> tuple[Outcome, ...]:
    """The outcomes of the table ``outcomes``, primary ones first, else in its order; ``variables``: the keys
    of what was measured."""
    there = set(variables)
    for place, intercepts in enumerate(data["outcomes"].of("intercepts")):
        if intercepts not in ("", *INTERCEPTS):
            data["outcomes"].wrong(
                place, "intercepts", f"{shorten(intercepts)!r} is none of {', '.join(INTERCEPTS)}"
            )
    found = [
        Outcome(
            row.outcome,
            row.title or row.outcome,
            row.source,
            _measured(row.source, there),
            bool(row.primary),
            row.hypothesis,
            row.intercepts == INTERCEPTS[1],
        )
        for row in data["outcomes"].cells.itertuples()
    ]
    return tuple(sorted(found, key=lambda outcome: not outcome.primary))


def _measured(source: str, there: Iterable[str]) -> str | None:
    kind, colon, name = source.partition(":")
    name = name if colon and kind in KINDS else source
    return next((key for key in (SCALE + name, name) if key in there), None)
