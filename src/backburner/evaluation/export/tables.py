"""The tables as files: CSV for any program, Parquet for data frames and SQL. The same records give the same
bytes.

What stands in records is anybody's: texts are cut to ``LONGEST_TEXT`` characters, and in CSV, which
spreadsheets open, a text that one of them would take for a formula begins with an apostrophe.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backburner.evaluation.export.columns import TABLES, Column, Table, Type
from backburner.evaluation.export.rows import Export, Row
from backburner.kernel.errors import MissingExtra, one_line, shorten
from backburner.kernel.files import write_whole

if TYPE_CHECKING:
    import pyarrow

LONGEST_TEXT = 20_000
"""Characters of a cell; what is longer ends with an ellipsis."""

MOST_INTEGER = 2**63 - 1
"""Greater integers than tables hold are left out."""

BATCH = 50_000
"""Rows that are put into a Parquet file at a time."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A cell that begins so is a formula to a spreadsheet, or becomes one when it is trimmed."""


def write_csv(export: Export, folder: Path) -> list[Path]:
    """Write every table to ``<folder>/<table>.csv``; the files."""
    return [write_table_csv(table, export.rows(table), folder) for table in TABLES]


def write_parquet(export: Export, folder: Path) -> list[Path]:
    """Write every table to ``<folder>/<table>.parquet``; the files.

    Raises ``MissingExtra`` without pyarrow.
    """
    return [write_table_parquet(table, export.rows(table), folder) for table in TABLES]


def write_table_csv(table: Table, rows: Iterable[Row], folder: Path) -> Path:
    """Write a table to ``<folder>/<table>.csv``: UTF-8, commas, a line of names; the file."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([column.name for column in table.columns])
    for row in cells(table, rows):
        writer.writerow([_for_csv(cell) for cell in row])
    file = folder / f"{table.name}.csv"
    write_whole(file, stream.getvalue().encode())
    return file


def write_table_parquet(table: Table, rows: Iterable[Row], folder: Path) -> Path:
    """Write a table to ``<folder>/<table>.parquet`` (zstd); the file.

    Each column has its unit and meaning in its metadata. Raises ``MissingExtra`` without pyarrow.
    """
    try:
        import pyarrow
        import pyarrow.parquet as parquet
    except ImportError as error:
        raise MissingExtra("data", "Parquet") from error
    schema = schema_of(table, pyarrow)
    stream = io.BytesIO()
    found = cells(table, rows)
    with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        while batch := list(islice(found, BATCH)):
            columns = [list(column) for column in zip(*batch, strict=True)]
            arrays = [pyarrow.array(c, field.type) for c, field in zip(columns, schema, strict=True)]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
    file = folder / f"{table.name}.parquet"
    write_whole(file, stream.getvalue())
    return file


def schema_of(table: Table, arrow: Any) -> pyarrow.Schema:
    """The table's columns for Arrow, with units and meanings."""
    types = {
        "text": arrow.string(),
        "integer": arrow.int64(),
        "number": arrow.float64(),
        "truth": arrow.bool_(),
    }
    return arrow.schema(
        [arrow.field(column.name, types[column.type], metadata=_about(column)) for column in table.columns],
        metadata={"row": f"one {table.row}"},
    )


def _about(column: Column) -> dict[str, str]:
    return {"meaning": column.meaning} | ({"unit": column.unit} if column.unit else {})


def cells(table: Table, rows: Iterable[Row]) -> Iterator[list[Any]]:
    """Every row with each cell of its column's type, or ``None``; texts bounded."""
    types = [column.type for column in table.columns]
    for row in rows:
        yield [_cell(type, value) for type, value in zip(types, row, strict=True)]


def _cell(type: Type, value: Any) -> Any:
    if value is None:
        return None
    if type == "text":
        return shorten(str(value), LONGEST_TEXT).encode("utf-8", "backslashreplace").decode()
    if type == "truth":
        return bool(value)
    try:
        if type == "integer":
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
