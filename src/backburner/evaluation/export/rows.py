"""The rows of the exported tables, made of records and their scores, always in the same order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from msgspec import Struct, json

from backburner.agents.models.stand_in import STAND_IN
from backburner.evaluation.comparing.ranking import Ranking, rankings
from backburner.evaluation.export.columns import (
    COLUMNS,
    DECISIONS,
    EPISODES,
    EVENTS,
    MEASURES,
    PAIRS,
    RANKS,
    SCORES,
    TABLES,
    Table,
)
from backburner.evaluation.scoring.scores import Records, WorldScores
from backburner.evaluation.scoring.usage import NO_PRICES, Prices, answers_of, model_of
from backburner.kernel import registry
from backburner.kernel.episode import Answer, Entry, Episode
from backburner.kernel.scoring import Measures
from backburner.kernel.values import Usage, total

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
