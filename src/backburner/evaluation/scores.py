"""Scores of recorded episodes: one row for each group, rule set and agent, published rows beside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from backburner.evaluation.failures import Failures, failures_of
from backburner.evaluation.jobs import records
from backburner.evaluation.statistics import estimate_of_episodes
from backburner.kernel import packs, registry
from backburner.kernel.charts import Figure
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.errors import BadFile, Refused, ReplayMismatch
from backburner.kernel.experiments import experiments
from backburner.kernel.replay import check
from backburner.kernel.scoring import Estimate, Measured, Measures, Metric, Published, Section


class Row(Struct, frozen=True):
    """One agent in one cell of an article's table."""

    group: str
    rules: str
    agent: str
    episodes: int
    failed: int
    figures: dict[str, Estimate]


class WorldScores(Struct, frozen=True):
    """Everything that is reported about one world; ``measured``: its episodes with their numbers."""

    world: str
    title: str
    metrics: tuple[Metric, ...]
    rows: tuple[Row, ...]
    published: tuple[Published, ...]
    failures: tuple[Failures, ...]
    measured: tuple[Measured, ...]
    sections: tuple[Section, ...]
    figures: tuple[Figure, ...] = ()


class Records(Struct, frozen=True):
    """The episodes of a folder; ``unusable`` says of each file that could not be read why."""

    episodes: tuple[tuple[Path, Episode], ...]
    unusable: tuple[str, ...]


def load(folder: Path) -> Records:
    """Every finished record under a folder that replays to the states it claims.

    What cannot be used is named in ``unusable``. Raises ``Refused`` if nothing can be used.
    """
    episodes, unusable = [], []
    for path in records(folder):
        try:
            episode = read_episode(path)
            check(episode)
        except BadFile as error:
            unusable.append(str(error) if str(path) in str(error) else f"{path}: {error}")
        except ReplayMismatch as error:
            unusable.append(f"{path}: does not replay, so it is not scored: {error}")
        else:
            if episode.finished:
                episodes.append((path, episode))
            else:
                unusable.append(f"{path}: stops after step {len(episode.entries)}; not scored")
    if not episodes:
        raise Refused(f"{folder}: no finished episode" + "".join(f"\n  {line}" for line in unusable))
    return Records(tuple(episodes), tuple(unusable))


def score(
    episodes: Iterable[Episode], more: Callable[[Episode], Measures] = lambda episode: {}
) -> list[WorldScores]:
    """The article's metrics and analyses, world by world. Failed episodes count as they stand.

    To what a world measures by itself come the proven bounds of its pack, and what ``more`` finds by a
    search, such as ``steps_to_go``.
    """
    scored = []
    for name, scoring, of_world in registry.scorings(list(episodes)):
        bounds = registry.bounds(name)
        measured = [
            (episode, {**scoring.measure(episode), **bounds(episode), **more(episode)})
            for episode in of_world
        ]
        groups = dict.fromkeys(row.group for row in scoring.published)
        order = {group: index for index, group in enumerate(groups)}
        rows = _rows(scoring.metrics, scoring.group, measured)
        in_order = sorted(rows, key=lambda row: (order.get(row.group, len(order)), row.group))
        played = {row.group for row in in_order}
        scored.append(
            WorldScores(
                world=name,
                title=packs.pack(name).title,
                metrics=tuple(scoring.metrics),
                rows=tuple(in_order),
                published=tuple(row for row in scoring.published if row.group in played),
                failures=tuple(failures_of(measured, scoring.kind_of_refusal)),
                measured=tuple(measured),
                sections=tuple(scoring.sections(measured)),
                figures=tuple(
                    figure for figure in scoring.figures(measured, estimate_of_episodes) if figure.charts
                ),
            )
        )
    return scored


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
