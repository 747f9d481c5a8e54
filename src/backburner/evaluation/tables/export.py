"""What was played as files for other programs: CSV for any program, Parquet for data frames and SQL.

Rows are made of records and their scores, always in the same order, and the same records give the same bytes.

What stands in records is anybody's: texts are cut to ``LONGEST_TEXT`` characters, and in CSV, which
spreadsheets open, a text that one of them would take for a formula begins with an apostrophe.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, json

from backburner.agents.models.stand_in import STAND_IN
from backburner.evaluation.comparing.ranking import Ranking, rankings
from backburner.evaluation.scoring.scores import Records, WorldScores
from backburner.evaluation.scoring.usage import NO_PRICES, Prices, answers_of, model_of
from backburner.evaluation.tables.columns import (
    COLUMNS,
    DECISIONS,
    EPISODES,
    EVENTS,
    FORMULA,
    MEASURES,
    PAIRS,
    RANKS,
    SCORES,
    TABLES,
    Column,
    Table,
    Type,
)
from backburner.kernel import registry
from backburner.kernel.episode import Answer, Entry, Episode
from backburner.kernel.errors import MissingExtra, one_line, shorten
from backburner.kernel.files import write_whole
from backburner.kernel.scoring import Measures
from backburner.kernel.values import Usage, total

if TYPE_CHECKING:
    import pyarrow


Row = tuple[Any, ...]


class Played(Struct, frozen=True):
    """An episode as the tables tell of it: its key, its numbers, where it belongs and if it counts."""

    key: str
    episode: Episode
    measures: Measures
    group: str
    agent: str
    counts: bool


class Export(Struct, frozen=True):
    """All that the tables are made of."""

    worlds: tuple[WorldScores, ...]
    played: tuple[Played, ...]
    prices: Prices | None = None

    def rows(self, table: Table) -> Iterator[Row]:
        """The rows of one of the ``TABLES``, a cell for each of its columns."""
        return ROWS[table.name](self)


def export_of(
    loaded: Records, scored: Sequence[WorldScores], folder: Path, prices: Prices | None = None
) -> Export:
    """What the records in ``folder`` and their scores give, worlds and episodes by their names."""
    paths = {id(episode): path for path, episode in loaded.episodes}
    played = []
    for world in scored:
        belongs = {
            id(episode): (cell.group, line.experiment.agent, id(episode) in counted)
            for cell in world.cells
            for line in cell.lines
            for counted in [{id(episode) for episode, _ in line.rows}]
            for episode, _ in line.experiment.rows
        }
        for episode, measures in world.measured:
            path = paths[id(episode)]
            key = path.relative_to(folder).as_posix() if folder.is_dir() else path.name
            played.append(Played(key, episode, measures, *belongs[id(episode)]))
    return Export(
        tuple(sorted(scored, key=lambda world: world.world)),
        tuple(sorted(played, key=lambda each: (each.episode.header.world, each.key))),
        prices,
    )


# --- episodes --------------------------------------------------------------------------------------------


def _episodes(export: Export) -> Iterator[Row]:
    prices = export.prices or NO_PRICES
    for each in export.played:
        header, ending, players = each.episode.header, each.episode.ending, each.episode.header.players
        spent = total(usage for _, usage in each.episode.costs())
        models = dict.fromkeys(model_of(each.episode, seat) for seat, _ in answers_of(each.episode))
        cost = None if export.prices is None else prices.cost(each.episode)
        yield (
            each.key,
            header.world,
            header.id,
            each.group,
            header.rules_name,
            each.agent,
            header.seed,
            each.counts,
            any(STAND_IN in player.settings for player in players.values()),
            any(player.informed for player in players.values()),
            ", ".join(models),
            ending.status if ending else "",
            ending.reason if ending else "",
            ending.error if ending else "",
            len(each.episode.entries),
            sum(len(list(_refused(entry))) for entry in each.episode.entries),
            *_spent(spent),
            spent.lost,
            cost,
            prices.currency if cost is not None else "",
            header.world_version,
            header.version,
            header.time_unit,
            header.scenario_digest,
        )


def _spent(usage: Usage) -> Row:
    tokens = (usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.reasoning_tokens)
    return usage.calls, *tokens, usage.seconds


def _refused(entry: Entry) -> Iterator[tuple[str, str, str]]:
    """(seat, code, fault) of all refusals of a decision point. What could not be read is among them."""
    for refusal in entry.refusals:
        yield refusal.seat, refusal.code, str(refusal.fault)


def _measures(export: Export) -> Iterator[Row]:
    metrics = {world.world: world.metrics for world in export.worlds}
    for each in export.played:
        for metric in metrics[each.episode.header.world]:
            value = metric.over([each.measures])
            if value is not None:
                yield each.key, "metric", metric.key, metric.unit, value
        for name in sorted(each.measures):
            yield each.key, "measure", name, "", each.measures[name]


# --- figures ---------------------------------------------------------------------------------------------


def _scores(export: Export) -> Iterator[Row]:
    for world in export.worlds:
        main = set(registry.scoring(world.world).main)
        for row in world.rows:
            for metric in world.metrics:
                figure = row.figures[metric.key]
                what = (metric.key, metric.title, metric.unit, metric.better, metric.key in main)
                figures = (figure.value, figure.low, figure.high, figure.method)
                numbers = (row.episodes, row.failed, row.scenarios, len(row.missing))
                yield world.world, row.group, row.rules, row.agent, False, *what, *figures, *numbers, ""
        for printed in world.published:
            for metric in world.metrics:
                if metric.key in printed.figures:
                    what = (metric.key, metric.title, metric.unit, metric.better, metric.key in main)
                    figures = (printed.figures[metric.key], None, None, "")
                    where = (world.world, printed.group, "", printed.agent, True)
                    yield *where, *what, *figures, None, None, None, None, printed.source


def _ranked(export: Export) -> Iterator[Ranking]:
    for world in export.worlds:
        yield from rankings(world)


def _pairs(export: Export) -> Iterator[Row]:
    for found in _ranked(export):
        for pair in found.pairs:
            figure = pair.difference
            yield (
                *(found.world, found.rules, found.metric, found.unit, pair.one, pair.other, pair.scenarios),
                *(figure.value, figure.low, figure.high, figure.method),
                *(pair.effect, pair.p, pair.corrected),
            )


def _ranks(export: Export) -> Iterator[Row]:
    for found in _ranked(export):
        for one in found.standings:
            place = (one.scenarios, one.lead, one.best, one.worst)
            yield found.world, found.rules, found.metric, one.agent, *place


# --- steps -----------------------------------------------------------------------------------------------


def _decisions(export: Export) -> Iterator[Row]:
    for each in export.played:
        for entry in each.episode.entries:
            refused = _of_seats(_refused(entry))
            for seat, answer in entry.answers.items():
                unread = answer.unread
                told = refused.get(seat) or (("", "") if unread is None else (unread.code, str(unread.fault)))
                usage = entry.usage.get(seat, Usage())
                yield (
                    each.key,
                    entry.index,
                    *_answer(each.episode, seat, answer),
                    bool(told[0]),
                    *told,
                    *_spent(usage),
                    json.encode(usage.endings).decode() if usage.endings else "",
                )


def _of_seats(refusals: Iterable[tuple[str, str, str]]) -> Mapping[str, tuple[str, str]]:
    """The first refusal of each seat: code and fault."""
    found: dict[str, tuple[str, str]] = {}
    for seat, code, fault in refusals:
        found.setdefault(seat, (code, fault))
    return found


def _answer(episode: Episode, seat: str, answer: Answer) -> Row:
    player = episode.header.players.get(seat)
    model = "" if player is None else str(player.settings.get("model", ""))
    thoughts = "\n\n".join(thought.text for thought in answer.thoughts)
    decision = json.encode(answer.decision).decode()
    return seat, "" if player is None else player.name, model, answer.text, decision, thoughts


def _events(export: Export) -> Iterator[Row]:
    for each in export.played:
        position = count()
        for entry in each.episode.entries:
            for event in entry.events:
                place = (each.key, entry.index, next(position), event.time)
                yield *place, event.what, event.lane, event.label, event.key, event.kind, event.value


def _columns(export: Export) -> Iterator[Row]:
    for table in TABLES:
        for column in table.columns:
            yield table.name, column.name, column.type, column.unit, column.meaning


ROWS: Mapping[str, Callable[[Export], Iterator[Row]]] = {
    EPISODES.name: _episodes,
    MEASURES.name: _measures,
    SCORES.name: _scores,
    PAIRS.name: _pairs,
    RANKS.name: _ranks,
    DECISIONS.name: _decisions,
    EVENTS.name: _events,
    COLUMNS.name: _columns,
}


# --- files -----------------------------------------------------------------------------------------------


LONGEST_TEXT = 20_000
"""Characters of a cell; what is longer ends with an ellipsis."""

MOST_INTEGER = 2**63 - 1
"""Greater integers than tables hold are left out."""

BATCH = 50_000
"""Rows that are put into a Parquet file at a time."""


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
