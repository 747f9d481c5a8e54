"""The tables of an export, their columns, and how rows become Parquet. The same rows give the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from backburner.kernel.errors import MissingExtra

Kind = Literal["text", "integer", "number", "truth", "texts", "integers", "messages", "choices", "briefings"]

Row = Mapping[str, Any]

GROUP_ROWS, GROUP_BYTES = 1000, 32 << 20
"""A row group ends with so many rows, or when they have so many bytes as JSON: no more is in memory."""


class Column(Struct, frozen=True):
    """A column: its name, what its cells are, what they mean."""

    name: str
    kind: Kind
    meaning: str


class Table(Struct, frozen=True):
    """A table, which is a configuration of the data set: one row for each ``row``."""

    name: str
    row: str
    columns: tuple[Column, ...]


def _columns(kind: Kind, **meanings: str) -> tuple[Column, ...]:
    return tuple(Column(name, kind, meaning) for name, meaning in meanings.items())


EPISODE = (
    *_columns(
        "text",
        world="the world's name",
        scenario="the scenario's id, or the file that it is in",
        rules="the rule set's name",
        agent="who plays",
    ),
    Column("seed", "integer", "of chance in play"),
)

RESULT = (
    Column("completed", "truth", "whether everything was done in the end"),
    Column("objective", "integer", "what the episode is worth: the time it took, or what was served"),
    Column("best", "integer", "what the oracle's plan is worth; null where there is none"),
    Column("proven", "truth", "whether no plan is better than `best`"),
    Column("regret", "integer", "how much worse the episode is than the proven best; null if not proven"),
    Column("unit", "text", "minutes, seconds, steps or what is counted"),
)

MESSAGES = Table(
    "messages",
    "conversation of a prompting method with the demonstration in a model's place",
    (
        Column("id", "text", "scenario, agent, seed, method, seat and first step: no two rows have the same"),
        *EPISODE,
        Column("method", "text", "the prompting method, with its choices"),
        Column("seat", "text", "who is asked"),
        *_columns("integer", first_step="its first decision point, from 0", last_step="its last one"),
        Column("messages", "messages", "role and content, as the method sends them and is answered"),
        Column("own", "integers", "the places of the answers given here; others are told again, or examples"),
        *RESULT,
        Column("informed", "truth", "whether the agent knows more than its seat may know"),
    ),
)

STATES = Table(
    "states",
    "seat at a decision point",
    (
        Column("episode", "text", "scenario, agent and seed"),
        *EPISODE,
        Column("step", "integer", "the decision point, from 0"),
        Column("seat", "text", "who decides"),
        *_columns(
            "text",
            text="what the seat is told",
            state="the state as JSON",
            digest="of the state",
        ),
        Column("menu", "choices", "what the world would accept, each with its worth"),
        Column("menu_complete", "truth", "whether that is everything"),
        *_columns(
            "text",
            decision="what the seat decides, as the menu has it or in the world's words",
            decision_json="the same as a value; null if it could not be read",
            refusal="the code of its first refusal; empty if it was accepted",
        ),
        *_columns(
            "integer",
            now="the time, where the oracle tells it",
            to_go="from now to the earliest time at which everything can be done; null if not known or never",
            lost="how much later that time is after the decision: 0 is optimal, null is unknown or never",
        ),
        *_columns(
            "truth",
            dead="whether not everything can be done any more after it",
            optimal="whether nothing is lost by it, and it is accepted",
            last="whether play is over with it",
        ),
        Column("optimal_decisions", "texts", "the choices of the menu by which nothing is lost"),
        *_columns(
            "number",
            reward="the score when play is over, or 1 if everything is done then; 0 before",
            reward_score="by how much the score has risen",
            reward_potential="the same, shaped by a bound on what is left; no optimal play changes by it",
        ),
        Column("unit", "text", "the unit of times"),
    ),
)

PREFERENCES = Table(
    "preferences",
    "pair of a better and a worse decision",
    (
        *EPISODE,
        Column("step", "integer", "the decision point, from 0"),
        Column("seat", "text", "who decides"),
        Column("kind", "text", "costly: accepted, and loses time; wait; refused: too early, or done already"),
        Column("prompt", "messages", "what plain prompting has sent up to here"),
        Column("chosen", "messages", "the better answer"),
        Column("rejected", "messages", "the worse answer"),
        Column("lost", "integer", "the time that the worse one loses; null if not known, or it loses all"),
        Column("dead", "truth", "whether not everything can be done any more after it"),
        Column("refusal", "text", "the code of the refusal of a refused one; empty for others"),
        Column("unit", "text", "the unit of times"),
    ),
)

SCENARIOS = Table(
    "scenarios",
    "scenario",
    (
        *_columns("text", world="the world's name", scenario="its id, or the file that it is in"),
        Column("parts", "texts", "what it is built of; no part is in two splits"),
        Column("group", "integer", "scenarios that share parts, directly or by others, have the same"),
        *_columns(
            "text",
            rules="the rule set's name",
            limits="when play is cut off, as JSON",
            digest="of the scenario's content",
        ),
        Column("world_version", "integer", "the world's version"),
        *_columns(
            "integer",
            best="what the oracle's plan is worth",
            bound="what no plan can beat",
            greedy="what greedy play is worth; null where there is none, or it does not get everything done",
            greedy_regret="how much worse that is than the proven best",
            critical_path="the longest chain of activities that wait for each other",
            work="all that the operator has to do, one after the other",
            activities="how many there are",
        ),
        Column("status", "text", "optimal, feasible, infeasible or unknown: what is proven of `best`"),
        Column("slack", "number", "the mean over activities of the time that each can be put off, in `best`"),
        Column("branching", "number", "the mean number of choices in the first demonstration's states"),
        Column("values", "text", "why states have no values; empty if they have"),
        Column("unit", "text", "minutes, seconds, steps or what is counted"),
        Column("briefings", "briefings", "what each seat is told before play"),
    ),
)

TABLES: Mapping[str, tuple[Table, ...]] = {
    "messages": (MESSAGES, SCENARIOS),
    "trajectories": (STATES, PREFERENCES, SCENARIOS),
}
"""The tables of each format; the first is what is loaded where nobody names one."""


def arrow() -> Any:
    """The library that writes Parquet; raises ``MissingExtra``."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra("data", "Parquet") from error
    return pyarrow


def schema_of(table: Table) -> Any:
    """The table's columns for Arrow, with their meanings."""
    pyarrow = arrow()
    text, integer, truth = pyarrow.string(), pyarrow.int64(), pyarrow.bool_()
    message = pyarrow.struct([("role", text), ("content", text)])
    choice = pyarrow.struct(
        [
            ("label", text),
            ("passes", truth),
            ("finish", integer),
            ("lost", integer),
            ("dead", truth),
            ("optimal", truth),
        ]
    )
    types = {
        "text": text,
        "integer": integer,
        "number": pyarrow.float64(),
        "truth": truth,
        "texts": pyarrow.list_(text),
        "integers": pyarrow.list_(integer),
        "messages": pyarrow.list_(message),
        "choices": pyarrow.list_(choice),
        "briefings": pyarrow.list_(pyarrow.struct([("seat", text), ("text", text)])),
    }
    fields = [
        pyarrow.field(column.name, types[column.kind], metadata={"meaning": column.meaning})
        for column in table.columns
    ]
    return pyarrow.schema(fields, metadata={"row": f"one {table.row}"})


def write(table: Table, lines: Iterable[bytes], file: Path) -> int:
    """Write rows, each a JSON object on a line, to a Parquet file; how many there were.

    Everything that decides the bytes is set here, and the file holds no time, name or path. Raises
    ``MissingExtra``.
    """
    pyarrow = arrow()
    schema, number = schema_of(table), 0
    options = {
        "version": "2.6",
        "data_page_version": "1.0",
        "compression": "zstd",
        "compression_level": 9,
        "use_dictionary": True,
        "write_statistics": True,
        "store_schema": True,
    }
    with pyarrow.parquet.ParquetWriter(file, schema, **options) as writer:
        rest = iter(lines)
        while group := _group(rest):
            writer.write_table(pyarrow.Table.from_pylist(group, schema=schema), row_group_size=len(group))
            number += len(group)
    return number


def _group(lines: Iterable[bytes]) -> list[Row]:
    rows: list[Row] = []
    size = 0
    for line in islice(lines, GROUP_ROWS):
        rows.append(msgspec.json.decode(line))
        size += len(line)
        if size >= GROUP_BYTES:
            break
    return rows


def checked(table: Table, row: Row) -> Row:
    """The row, if it has just the table's columns; anything else is a bug in who makes rows."""
    names = [column.name for column in table.columns]
    if sorted(row) != sorted(names):
        raise ValueError(f"table {table.name}: {sorted(set(row).symmetric_difference(names))}")
    return row
