"""Scores of recorded episodes: one row for each group, rule set and agent, published rows beside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from backburner.evaluation.failures import Failures, failures_of
from backburner.evaluation.jobs import records
from backburner.evaluation.statistics import estimate_of_episodes
from backburner.evaluation.verification import Unusable, left_out, read_verified
from backburner.kernel import packs, registry
from backburner.kernel.charts import Figure
from backburner.kernel.episode import Episode
from backburner.kernel.errors import MissingExtra, Refused
from backburner.kernel.experiments import experiments
from backburner.kernel.scoring import Estimate, Measured, Measures, Metric, Published, Scoring, Section


class Row(Struct, frozen=True):
    """One agent in one cell of an article's table."""

    group: str
    rules: str
    agent: str
    episodes: int
    failed: int
    figures: dict[str, Estimate]


class WorldScores(Struct, frozen=True):
    """Everything that is reported about one world; ``measured``: its episodes with their numbers.

    ``left_out`` says of each episode whose numbers could not be computed why.
    """

    world: str
    title: str
    metrics: tuple[Metric, ...]
    rows: tuple[Row, ...]
    published: tuple[Published, ...]
    failures: tuple[Failures, ...]
    measured: tuple[Measured, ...]
    sections: tuple[Section, ...]
    figures: tuple[Figure, ...] = ()
    left_out: tuple[str, ...] = ()


class Records(Struct, frozen=True):
    """The episodes of a folder; ``unusable`` says of each file that could not be read why."""

    episodes: tuple[tuple[Path, Episode], ...]
    unusable: tuple[str, ...]


def load(folder: Path, key: str = "") -> Records:
    """Every finished record under a folder that can be verified; with ``key``, that is signed by it.

    What cannot be used is named in ``unusable``, whatever is wrong with it. Raises ``Refused`` if nothing
    can be used.
    """
    episodes, unusable = [], []
    for path in records(folder):
        try:
            episode = read_verified(path, key).episode
        except Unusable as error:
            unusable.append(str(error))
        else:
            if episode.finished:
                episodes.append((path, episode))
            else:
                unusable.append(f"{path}: left out, because it stops after step {len(episode.entries)}")
    if not episodes:
        raise Refused(f"{folder}: no finished episode" + "".join(f"\n  {line}" for line in unusable))
    return Records(tuple(episodes), tuple(unusable))


def score(
    episodes: Iterable[Episode], more: Callable[[Episode], Measures] = lambda episode: {}
) -> list[WorldScores]:
    """The article's metrics and analyses, world by world. Failed episodes count as they stand.

    To what a world measures by itself come the proven bounds of its pack, and what ``more`` finds by a
    search, such as ``steps_to_go``. An episode for which any of this raises is left out, and named.
    """
    scored = []
    for name, scoring, of_world in registry.scorings(list(episodes)):
        bounds = registry.bounds(name)
        measured: list[Measured] = []
        wrong: list[str] = []
        for episode in of_world:
            try:
                numbers = {**scoring.measure(episode), **bounds(episode), **more(episode)}
            except MissingExtra:
                raise
            except Exception as error:  # a record may be what no play of ours would have come to
                wrong.append(_not_measured(episode, error))
            else:
                measured.append((episode, numbers))
        scored.append(_told(name, scoring, measured, wrong))
    return scored


def used(loaded: Records, scored: Sequence[WorldScores]) -> Records:
    """The records that were measured; those that were not are named with the others that cannot be used."""
    measured = {id(episode) for world in scored for episode, _ in world.measured}
    return Records(
        tuple((path, episode) for path, episode in loaded.episodes if id(episode) in measured),
        (*loaded.unusable, *(line for world in scored for line in world.left_out)),
    )


def _not_measured(episode: Episode, error: Exception) -> str:
    header = episode.header
    return left_out(f"{header.id}, seed {header.seed}, {header.agent}", error)


def _told(name: str, scoring: Scoring, measured: list[Measured], wrong: list[str]) -> WorldScores:
    """All that is told of measured episodes, or of those of them that can be told of."""
    try:
        return _told_of_all(name, scoring, measured, wrong)
    except Exception:
        sound: list[Measured] = []
        for row in measured:
            try:
                _told_of_all(name, scoring, [row], [])
            except Exception as error:
                wrong.append(_not_measured(row[0], error))
            else:
                sound.append(row)
        if len(sound) == len(measured):
            raise
        return _told_of_all(name, scoring, sound, wrong)


def _told_of_all(
    name: str, scoring: Scoring, measured: Sequence[Measured], wrong: Sequence[str]
) -> WorldScores:
    groups = dict.fromkeys(row.group for row in scoring.published)
    order = {group: index for index, group in enumerate(groups)}
    rows = _rows(scoring.metrics, scoring.group, measured)
    in_order = sorted(rows, key=lambda row: (order.get(row.group, len(order)), row.group))
    played = {row.group for row in in_order}
    return WorldScores(
        world=name,
        title=packs.pack(name).title,
        metrics=tuple(scoring.metrics),
        rows=tuple(in_order),
        published=tuple(row for row in scoring.published if row.group in played),
        failures=tuple(failures_of(measured, scoring.kind_of_refusal)),
        measured=tuple(measured),
        sections=tuple(scoring.sections(measured)) if measured else (),
        figures=tuple(
            figure
            for figure in (scoring.figures(measured, estimate_of_episodes) if measured else ())
            if figure.charts
        ),
        left_out=tuple(wrong),
    )


def _rows(
    metrics: Sequence[Metric], group_of: Callable[[Episode], str], measured: Sequence[Measured]
) -> Iterable[Row]:
    for experiment in experiments(measured, group_of):
        played = experiment.rows
        yield Row(
            experiment.group,
            experiment.rules,
            experiment.agent,
            len(played),
            sum(episode.ending is not None and episode.ending.status == "failed" for episode, _ in played),
            {metric.key: estimate_of_episodes(metric, played) for metric in metrics},
        )
