"""What was played as files for other programs: CSV for any program, Parquet for data frames and SQL.

Rows are made of records and their scores, always in the same order, and the same records give the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from math import inf
from pathlib import Path

from msgspec import Struct, json

from backburner.evaluation.comparing.latency import curves
from backburner.evaluation.comparing.ranking import Ranking, rankings
from backburner.evaluation.scoring.scores import Records, WorldScores
from backburner.evaluation.scoring.usage import NO_PRICES, Prices, answers_of, model_of, stood_in
from backburner.evaluation.tables.rows import (
    COLUMNS,
    DECISIONS,
    EPISODES,
    EVENTS,
    MEASURES,
    PAIRS,
    RANKS,
    SCORES,
    SPEEDS,
    TABLES,
    DecisionRow,
    EpisodeRow,
    EventRow,
    MeasureRow,
    PairRow,
    RankRow,
    ScoreRow,
    SpeedRow,
)
from backburner.evaluation.tables.schema import ColumnRow, Table, told_columns, write_table
from backburner.kernel import registry
from backburner.kernel.clock import SECOND
from backburner.kernel.episode import Answer, Entry, Episode
from backburner.kernel.scoring import Measures
from backburner.kernel.values import Usage, filled, total


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

    def rows(self, table: Table) -> Iterator[Struct]:
        """The rows of one of the ``TABLES``."""
        return ROWS[table.name](self)


def export_of(
    loaded: Records, scored: Sequence[WorldScores], folder: Path, prices: Prices | None = None
) -> Export:
    """What the records in ``folder`` and their scores give, worlds and episodes by their names."""
    paths = {id(episode): path for path, episode in loaded.episodes}
    played = []
    for world in scored:
        belongs = {
            id(episode): (cell.group, line.experiment.agent, counted)
            for cell, line, (episode, _), counted in world.played
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


def _episodes(export: Export) -> Iterator[EpisodeRow]:
    prices = export.prices or NO_PRICES
    for each in export.played:
        header, ending = each.episode.header, each.episode.ending
        spent = total(usage for _, usage in each.episode.costs())
        models = dict.fromkeys(model_of(each.episode, seat) for seat, _ in answers_of(each.episode))
        cost = None if export.prices is None else prices.cost(each.episode)
        yield filled(
            EpisodeRow,
            each,
            header,
            spent,
            episode=each.key,
            scenario=header.id,
            rules=header.rules_name,
            stand_in=stood_in(each.episode),
            informed=each.episode.informed,
            models=", ".join(models),
            status=ending.status if ending else "",
            reason=ending.reason if ending else "",
            error=ending.error if ending else "",
            steps=len(each.episode.entries),
            refusals=sum(len(entry.refusals) for entry in each.episode.entries),
            call_seconds=spent.seconds,
            lost_calls=spent.lost,
            cost=cost,
            currency=prices.currency if cost is not None else "",
            backburner_version=header.version,
        )


def _measures(export: Export) -> Iterator[MeasureRow]:
    metrics = {world.world: world.metrics for world in export.worlds}
    for each in export.played:
        for metric in metrics[each.episode.header.world]:
            value = metric.over([each.measures])
            if value is not None:
                yield MeasureRow(
                    episode=each.key, kind="metric", name=metric.key, unit=metric.unit, value=value
                )
        for name in sorted(each.measures):
            yield MeasureRow(episode=each.key, kind="measure", name=name, unit="", value=each.measures[name])


# --- figures ---------------------------------------------------------------------------------------------


def _scores(export: Export) -> Iterator[ScoreRow]:
    for world in export.worlds:
        main = set(registry.scoring(world.world).main)
        about = {
            metric.key: {"world": world.world, "metric": metric.key, "main": metric.key in main}
            for metric in world.metrics
        }
        for row in world.rows:
            for metric in world.metrics:
                yield filled(
                    ScoreRow,
                    metric,
                    row.figures[metric.key],
                    row,
                    **about[metric.key],
                    printed=False,
                    n=row.episodes,
                    missing=len(row.missing),
                )
        for printed in world.published:
            for metric in world.metrics:
                if metric.key in printed.figures:
                    figure = printed.figures[metric.key]
                    yield filled(
                        ScoreRow, metric, printed, **about[metric.key], rules="", printed=True, value=figure
                    )


def _ranked(export: Export) -> Iterator[Ranking]:
    for world in export.worlds:
        yield from rankings(world)


def _pairs(export: Export) -> Iterator[PairRow]:
    for found in _ranked(export):
        for pair in found.pairs:
            figure = pair.difference
            yield filled(PairRow, found, pair, figure, difference=figure.value, p_corrected=pair.corrected)


def _ranks(export: Export) -> Iterator[RankRow]:
    for found in _ranked(export):
        yield from (filled(RankRow, found, one) for one in found.standings)


def _speeds(export: Export) -> Iterator[SpeedRow]:
    for world in export.worlds:
        for curve in curves(world):
            for speed in curve.speeds:
                yield filled(
                    SpeedRow,
                    curve,
                    speed,
                    speed.score,
                    speed=speed.name,
                    tokens_a_beat=speed.tokens if speed.tokens < inf and curve.axis == "tokens" else None,
                    metric=curve.metric.key,
                    charge=speed.charge / SECOND,
                    as_slow=speed.slow.value,
                    greedy=curve.greedy.value,
                    random=curve.random.value,
                    best=speed.best,
                )


# --- steps -----------------------------------------------------------------------------------------------


def _decisions(export: Export) -> Iterator[DecisionRow]:
    for each in export.played:
        players = each.episode.header.players
        for entry in each.episode.entries:
            for seat, answer in entry.decided.items():
                player = players.get(seat)
                usage = entry.usage.get(seat, Usage())
                code, fault = _refusal(entry, seat, answer)
                yield filled(
                    DecisionRow,
                    usage,
                    answer,
                    episode=each.key,
                    step=entry.index,
                    seat=seat,
                    player="" if player is None else player.name,
                    model="" if player is None else str(player.settings.get("model", "")),
                    decision=json.encode(answer.decision).decode(),
                    thoughts="\n\n".join(thought.text for thought in answer.thoughts),
                    refused=bool(code),
                    refusal=code,
                    fault=fault,
                    call_seconds=usage.seconds,
                    endings=json.encode(usage.endings).decode() if usage.endings else "",
                )


def _refusal(entry: Entry, seat: str, answer: Answer) -> tuple[str, str]:
    """(code, fault) of the first refusal of a seat's decision, or why its answer could not be read."""
    first = next((refusal for refusal in entry.refusals if refusal.seat == seat), answer.unread)
    return ("", "") if first is None else (first.code, str(first.fault))


def _events(export: Export) -> Iterator[EventRow]:
    for each in export.played:
        position = count()
        for entry in each.episode.entries:
            for event in entry.events:
                yield filled(EventRow, event, episode=each.key, step=entry.index, position=next(position))


def _columns(export: Export) -> Iterator[ColumnRow]:
    return told_columns(TABLES)


ROWS: Mapping[str, Callable[[Export], Iterator[Struct]]] = {
    EPISODES.name: _episodes,
    MEASURES.name: _measures,
    SCORES.name: _scores,
    PAIRS.name: _pairs,
    RANKS.name: _ranks,
    SPEEDS.name: _speeds,
    DECISIONS.name: _decisions,
    EVENTS.name: _events,
    COLUMNS.name: _columns,
}


def write_export(export: Export, folder: Path, kind: str) -> list[Path]:
    """Write every table to ``<folder>/<table>.<kind>``, which is ``csv`` or ``parquet``; the files.

    Raises ``MissingExtra`` for Parquet without pyarrow.
    """
    return [write_table(table, export.rows(table), folder, kind) for table in TABLES]
