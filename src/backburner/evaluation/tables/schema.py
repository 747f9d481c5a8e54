"""The schema of tables that leave the package: a struct for the rows, whose fields say what they hold.

    class StepRow(Struct, frozen=True, kw_only=True):
        step: Annotated[int, means("the decision point, from 0")]
        seconds: Annotated[float | None, means("the duration of its calls", unit="seconds")]

    STEPS = Table("steps", "decision point", StepRow)

A column is named as its field, and holds what the field's type says: texts, whole numbers, numbers, truths,
and in Parquet lists of these and of structs. Any cell may be empty. The names of columns are stable: what is
written today is found under the same name tomorrow.

What stands in records is anybody's: texts are cut to ``LONGEST_TEXT`` characters, and in CSV, which
spreadsheets open, a text that one of them would take for a formula begins with an apostrophe.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import astuple

from backburner.kernel.errors import needs_extra, one_line, shorten
from backburner.kernel.files import write_whole
from backburner.kernel.values import filled

if TYPE_CHECKING:
    import pyarrow

Type = Literal["text", "integer", "number", "truth"]

TYPES: Mapping[Any, Type] = {str: "text", int: "integer", float: "number", bool: "truth"}
"""What the cells of a column are, by the type of its field."""


class Meaning(Struct, frozen=True):
    """What a field of a row holds, and its unit if it has one.

    ``needed``: a file of such rows is read only if it has the column.
    """

    words: str
    unit: str = ""
    needed: bool = False


def means(words: str, unit: str = "", *, needed: bool = False) -> Meaning:
    """The meaning of a field, to stand in its ``Annotated``."""
    return Meaning(words, unit, needed)


class Column(Struct, frozen=True):
    """A column: its name, the Python type of its cells, and what they mean."""

    name: str
    kind: Any
    means: Meaning

    @property
    def type(self) -> Type:
        """What the cells are, in a word; lists have none."""
        return TYPES[self.kind]

    @property
    def meaning(self) -> str:
        """What a cell holds."""
        return self.means.words

    @property
    def unit(self) -> str:
        """The unit of its numbers; empty without one."""
        return self.means.unit


class Table(Struct, frozen=True):
    """A table: its name, what ``row`` each of its rows is about, and the struct ``of`` them."""

    name: str
    row: str
    of: type[Struct]

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns, in the order of the fields."""
        return _columns(self.of)

    @property
    def needed(self) -> tuple[str, ...]:
        """The columns that a file of such rows has to have."""
        return tuple(column.name for column in self.columns if column.means.needed)


@cache
def _columns(rows: type[Struct]) -> tuple[Column, ...]:
    hints = get_type_hints(rows, include_extras=True)
    found = []
    for name in rows.__struct_fields__:
        kind, *notes = get_args(hints[name]) if get_origin(hints[name]) is Annotated else (hints[name],)
        found.append(Column(name, _filled(kind), next(one for one in notes if isinstance(one, Meaning))))
    return tuple(found)


def _filled(kind: Any) -> Any:
    """The type of a cell that is not empty."""
    parts = get_args(kind)
    return next(one for one in parts if one is not type(None)) if type(None) in parts else kind


class ColumnRow(Struct, frozen=True, kw_only=True):
    """What is told of a column of some tables, as a row of one more."""

    table: Annotated[str, means("the table")]
    column: Annotated[str, means("the column")]
    type: Annotated[str, means("text, integer, number or truth")]
    unit: Annotated[str, means("its unit")]
    meaning: Annotated[str, means("what it holds")]


def told_columns(tables: Iterable[Table]) -> Iterator[ColumnRow]:
    """The columns of all tables, one after the other."""
    for table in tables:
        for one in table.columns:
            yield filled(ColumnRow, one, table=table.name, column=one.name)


# --- writing -----------------------------------------------------------------------------------------------


FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A cell that begins so is a formula to a spreadsheet, or becomes one when it is trimmed."""

LONGEST_TEXT = 20_000
"""Characters of a cell; what is longer ends with an ellipsis."""

MOST_INTEGER = 2**63 - 1
"""Greater integers than tables hold are left out."""

BATCH = 50_000
"""Rows that are put into a Parquet file at a time."""


def write_table(table: Table, rows: Iterable[Struct], folder: Path, kind: str) -> Path:
    """Write a table as ``csv`` or ``parquet``; the file. Raises what ``write_parquet`` raises."""
    write = write_csv if kind == "csv" else write_parquet
    return write(table, rows, folder)


def write_csv(table: Table, rows: Iterable[Struct], folder: Path) -> Path:
    """Write a table to ``<folder>/<table>.csv``: UTF-8, commas, a line of names; the file."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([column.name for column in table.columns])
    for row in cells(table, rows):
        writer.writerow([_for_csv(cell) for cell in row])
    file = folder / f"{table.name}.csv"
    write_whole(file, stream.getvalue().encode())
    return file


def write_parquet(table: Table, rows: Iterable[Struct], folder: Path) -> Path:
    """Write a table to ``<folder>/<table>.parquet`` (zstd); the file.

    Each column has its unit and meaning in its metadata. Raises ``MissingExtra`` without pyarrow.
    """
    stream = io.BytesIO()
    names = [column.name for column in table.columns]
    plain = (dict(zip(names, row, strict=True)) for row in cells(table, rows))
    write_groups(table, iter(lambda: list(islice(plain, BATCH)), []), stream, compression="zstd")
    file = folder / f"{table.name}.parquet"
    write_whole(file, stream.getvalue())
    return file


def write_groups(
    table: Table, groups: Iterable[Sequence[Mapping[str, Any]]], to: Path | io.BytesIO, **options: Any
) -> int:
    """Write groups of rows, as JSON has these, one after the other as Parquet; how many rows there were.

    ``options``: those of the writer. Raises ``MissingExtra`` without pyarrow.
    """
    arrow = arrow_library()
    schema, number = schema_of(table), 0
    with arrow.parquet.ParquetWriter(to, schema, **options) as writer:
        for group in groups:
            writer.write_table(arrow.Table.from_pylist(group, schema=schema), row_group_size=len(group))
            number += len(group)
    return number


def arrow_library() -> Any:
    """The library that writes Parquet; raises ``MissingExtra``."""
    with needs_extra("data", "Parquet"):
        import pyarrow
        import pyarrow.parquet
    return pyarrow


def schema_of(table: Table) -> pyarrow.Schema:
    """The table's columns for Arrow, with units and meanings; raises ``MissingExtra``."""
    arrow = arrow_library()
    fields = [
        arrow.field(column.name, _arrow_type(column.kind, arrow), metadata=_about(column))
        for column in table.columns
    ]
    return arrow.schema(fields, metadata={"row": f"one {table.row}"})


def _arrow_type(kind: Any, arrow: Any) -> Any:
    scalars = {str: arrow.string(), int: arrow.int64(), float: arrow.float64(), bool: arrow.bool_()}
    if kind in scalars:
        return scalars[kind]
    if isinstance(kind, type) and issubclass(kind, Struct):
        hints = get_type_hints(kind)
        parts = [(name, _arrow_type(_filled(hints[name]), arrow)) for name in kind.__struct_fields__]
        return arrow.struct(parts)
    return arrow.list_(_arrow_type(item_of(kind), arrow))


def item_of(kind: Any) -> Any:
    """What a list holds; ``None`` of what is no list."""
    return next(iter(get_args(kind)), None)


def _about(column: Column) -> dict[str, str]:
    return {"meaning": column.meaning} | ({"unit": column.unit} if column.unit else {})


def cells(table: Table, rows: Iterable[Struct]) -> Iterator[list[Any]]:
    """Every row with each cell of its column's type, or ``None``; texts bounded."""
    kinds = [column.kind for column in table.columns]
    for row in rows:
        yield [_cell(kind, value) for kind, value in zip(kinds, astuple(row), strict=True)]


def _cell(kind: type, value: Any) -> Any:
    if value is None:
        return None
    if kind is str:
        return shorten(str(value), LONGEST_TEXT).encode("utf-8", "backslashreplace").decode()
    if kind is bool:
        return bool(value)
    try:
        if kind is int:
            return int(value) if abs(value) <= MOST_INTEGER else None
        return float(value) if math.isfinite(value) else None
    except OverflowError:  # an integer that no number holds
        return None


def _for_csv(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if not isinstance(cell, str):
        return repr(cell)
    text = "\n".join(map(one_line, cell.split("\n")))
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text
