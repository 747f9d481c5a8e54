"""What results say, and what is worked out of them: values, formulas, and formulas in words.

A value is a whole number or a code. A formula is made of results by a closed list of operations, at most two
of them one within the other. Everything is exact; ``percent`` alone rounds, and says so in its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Annotated, Literal

from msgspec import Meta, Struct

Value = int | str
"""A whole number or a code."""

Kind = Literal["int", "code", "choice"]

MOST_DIGITS = 15
"""Of a number that is read."""

LONGEST_CODE = 40

MOST_DEEP = 2
"""Operations one within the other."""

Column = Annotated[
    str,
    Meta(pattern=r"^[a-z][a-z0-9_]{0,30}\Z", description="use small letters, digits and _"),
]
Written = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9](?:[A-Za-z0-9 ._/-]{0,38}[A-Za-z0-9])?\Z",
        description="use letters and digits, and blanks . _ / - within",
    ),
]
"""A code, or one of several choices."""

Cell = Annotated[int, Meta(ge=-(10**12), le=10**12)] | Written


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    """A result: ``rows`` of whole numbers and codes under their ``columns``."""

    columns: Annotated[tuple[Column, ...], Meta(min_length=1, max_length=4)]
    rows: Annotated[tuple[tuple[Cell, ...], ...], Meta(min_length=1, max_length=8)]


# --- equality of content ------------------------------------------------------------------------------------

_NUMBER = re.compile(r"([+-]?)([0-9](?:[0-9,_ ]*[0-9])?)(?:\.0+)?")


def canonical(value: object, kind: Kind, choices: Sequence[str] = ()) -> Value | None:
    """The value as it is compared; ``None`` if it is none of this kind.

    Of a number blanks, ``,`` and ``_`` between digits do not count, and ``12.0`` is 12; of a code capitals do
    not; a choice is one of the ``choices``, whatever its capitals.
    """
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    if kind == "int":
        return _whole(value)
    text = value.strip() if isinstance(value, str) else str(value) if abs(value) < 10**MOST_DIGITS else ""
    if kind == "code":
        return text.upper() if 0 < len(text) <= LONGEST_CODE and text.isascii() else None
    return next((choice for choice in choices if choice.casefold() == text.casefold()), None)


def _whole(value: int | str) -> int | None:
    if isinstance(value, int):
        return value if abs(value) < 10**MOST_DIGITS else None
    match = _NUMBER.fullmatch(value.strip()) if len(value) <= 4 * MOST_DIGITS else None
    digits = re.sub("[,_ ]", "", match[2]) if match else ""
    return int(f"{match[1]}{digits}") if match and len(digits) <= MOST_DIGITS else None


def kind_of(answer: Value, choices: Sequence[str] = ()) -> Kind:
    """The kind of what is wanted, by a right answer."""
    if choices:
        return "choice"
    return "int" if isinstance(answer, int) else "code"


# --- formulas -----------------------------------------------------------------------------------------------

Comparison = Literal["=", "<", ">", "<=", ">="]


class InTable(
    Struct, frozen=True, tag_field="by", tag="table", forbid_unknown_fields=True, omit_defaults=True
):
    """Something that stands in the result ``of`` a job.

    ``cell``: the one of ``column`` in this ``row``, counted from 1. ``column``: all of its cells, wherever
    several values are taken together. ``lookup``: the cell of ``column`` in the first row where the column
    ``where`` is ``equals``. ``row_of_max``, ``row_of_min``: the cell of ``column`` in the first row where
    ``where`` is greatest or least. ``nth``: the ``row``-th greatest of ``column``. ``count``: how many rows
    have a cell of ``where`` that ``compares`` so with ``equals``.
    """

    take: Literal["cell", "column", "lookup", "row_of_max", "row_of_min", "nth", "count"]
    of: str
    column: str = ""
    row: Annotated[int, Meta(ge=1, le=8)] = 1
    where: str = ""
    compares: Comparison = "="
    equals: Operand = 0


class OfValues(Struct, frozen=True, tag_field="by", tag="values", forbid_unknown_fields=True):
    """What is worked out of several values: ``difference`` is the first less all others, ``percent`` the
    first in hundredths of the second, rounded down, ``code`` all of them joined with hyphens."""

    take: Literal["sum", "difference", "product", "max", "min", "percent", "code"]
    of: Annotated[tuple[Operand, ...], Meta(min_length=1, max_length=8)]


class Choose(Struct, frozen=True, tag_field="by", tag="case", forbid_unknown_fields=True):
    """``then`` if ``left`` compares so with ``right``, and ``otherwise`` if not."""

    left: Operand
    compares: Comparison
    right: Operand
    then: Operand
    otherwise: Operand


Formula = InTable | OfValues | Choose
Operand = Cell | InTable | OfValues | Choose
"""A formula, or a value as it stands."""


class Undefined(ValueError):
    """A formula has no value; the message says why."""


def operands(of: Operand) -> tuple[Operand, ...]:
    """What a formula is directly made of."""
    match of:
        case InTable(take="lookup" | "count"):
            return (of.equals,)
        case OfValues():
            return of.of
        case Choose():
            return of.left, of.right, of.then, of.otherwise
    return ()


def depth(of: Operand) -> int:
    """How many operations stand one within the other; a value, a cell and a column are none."""
    if not isinstance(of, Formula) or (isinstance(of, InTable) and of.take in ("cell", "column")):
        return 0
    return 1 + max(map(depth, operands(of)), default=0)


def jobs_in(of: Operand) -> Iterator[str]:
    """The jobs whose results a formula needs, perhaps more than once."""
    if isinstance(of, InTable):
        yield of.of
    for part in operands(of):
        yield from jobs_in(part)


# --- what they come to --------------------------------------------------------------------------------------


def value(of: Operand, results: Mapping[str, Table]) -> Value:
    """What a formula comes to with these results of jobs; raises ``Undefined``."""
    match of:
        case InTable():
            return _in_table(of, results)
        case OfValues():
            return _of_values(of, results)
        case Choose():
            holds = _compared(value(of.left, results), of.compares, value(of.right, results))
            return value(of.then if holds else of.otherwise, results)
    return of


def _in_table(of: InTable, results: Mapping[str, Table]) -> Value:
    if of.take == "cell":
        cells = _column(of, of.column, results)
        if of.row > len(cells):
            raise Undefined(f"the result of {of.of!r} has no row {of.row}")
        return cells[of.row - 1]
    if of.take == "nth":
        numbers = sorted(_numbers(_column(of, of.column, results)), reverse=True)
        if of.row > len(numbers):
            raise Undefined(f"the result of {of.of!r} has no {of.row} rows")
        return numbers[of.row - 1]
    if of.take == "column":
        raise Undefined("a whole column stands only where several values are taken together")
    where = _column(of, of.where, results)
    if of.take == "count":
        than = value(of.equals, results)
        return sum(_compared(cell, of.compares, than) for cell in where)
    cells = _column(of, of.column, results)
    if of.take == "lookup":
        wanted = value(of.equals, results)
        found = (cell for cell, key in zip(cells, where, strict=True) if _compared(key, "=", wanted))
        first = next(found, None)
        if first is None:
            raise Undefined(f"the result of {of.of!r} has no row where {of.where} is {wanted}")
        return first
    numbers = _numbers(where)
    return cells[numbers.index(max(numbers) if of.take == "row_of_max" else min(numbers))]


def _of_values(of: OfValues, results: Mapping[str, Table]) -> Value:
    if of.take == "difference" and (len(of.of) < 2 or getattr(of.of[0], "take", "") == "column"):
        raise Undefined("a difference is a single value less others")
    values: list[Value] = []
    for part in of.of:
        if isinstance(part, InTable) and part.take == "column":
            values += _column(part, part.column, results)
        else:
            values.append(value(part, results))
    if of.take == "code":
        return "-".join(map(str, values)).upper()
    numbers = _numbers(values)
    match of.take:
        case "sum":
            return sum(numbers)
        case "difference":
            return numbers[0] - sum(numbers[1:])
        case "product":
            return prod(numbers)
        case "max":
            return max(numbers)
        case "min":
            return min(numbers)
    if len(of.of) != 2 or len(numbers) != 2 or numbers[1] <= 0:
        raise Undefined("a percentage is of two numbers, the second of which is above 0")
    return 100 * numbers[0] // numbers[1]


def _column(of: InTable, column: str, results: Mapping[str, Table]) -> list[Value]:
    table = results.get(of.of)
    if table is None:
        raise Undefined(f"the job {of.of!r} has no result")
    if column not in table.columns:
        raise Undefined(f"the result of {of.of!r} has no column {column!r}")
    place = table.columns.index(column)
    return [row[place] for row in table.rows]


def _numbers(values: Sequence[Value]) -> list[int]:
    numbers = [each for each in values if isinstance(each, int)]
    if len(numbers) < len(values):
        raise Undefined("what is no number is taken for one")
    return numbers


def _compared(left: Value, compares: Comparison, right: Value) -> bool:
    if compares == "=":
        return str(left).upper() == str(right).upper()
    one, other = _numbers((left, right))
    if compares in ("<", "<="):
        return one < other or (compares == "<=" and one == other)
    return one > other or (compares == ">=" and one == other)


# --- in words -----------------------------------------------------------------------------------------------

COMPARED: Mapping[Comparison, str] = {
    "=": "is", "<": "is below", ">": "is above", "<=": "is at most", ">=": "is at least",
}  # fmt: skip

TOGETHER = {
    "sum": "the sum of", "product": "the product of", "max": "the greatest of", "min": "the least of",
}  # fmt: skip


def in_words(of: Operand, within: bool = False) -> str:
    """A formula as people are told it; what stands ``within`` another has brackets around it."""
    match of:
        case InTable():
            said = _table_in_words(of)
        case OfValues():
            said = _values_in_words(of)
        case Choose():
            condition = f"{in_words(of.left, True)} {COMPARED[of.compares]} {in_words(of.right, True)}"
            said = f"{in_words(of.then, True)} if {condition}, otherwise {in_words(of.otherwise, True)}"
        case _:
            return f"{of}"
    return f"({said})" if within and depth(of) else said


def _table_in_words(of: InTable) -> str:
    match of.take:
        case "cell":
            return f"the {of.column} in row {of.row} of {of.of}"
        case "column":
            return f"every {of.column} of {of.of}"
        case "lookup":
            return f"the {of.column} of {of.of} where {of.where} is {in_words(of.equals, True)}"
        case "nth":
            return f"number {of.row} of {of.of} by {of.column}, the greatest first"
        case "count":
            than = f"{COMPARED[of.compares]} {in_words(of.equals, True)}"
            return f"the number of rows of {of.of} where {of.where} {than}"
    return (
        f"the {of.column} of {of.of} where {of.where} is {'greatest' if of.take == 'row_of_max' else 'least'}"
    )


def _values_in_words(of: OfValues) -> str:
    parts = [in_words(part, True) for part in of.of]
    if of.take == "difference":
        return " less ".join(parts)
    if of.take == "percent":
        return f"{parts[0]} in percent of {parts[-1]}, rounded down"
    *most, last = parts
    listed = f"{', '.join(most)} and {last}" if most else last
    return f"{listed}, joined with hyphens" if of.take == "code" else f"{TOGETHER[of.take]} {listed}"
