"""Scores of recorded episodes: one row for each group, rule set and agent, published rows beside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from backburner.evaluation.failing import Failures, failures_of
from backburner.evaluation.jobs import records
from backburner.evaluation.statistics import Estimate, estimate
from backburner.kernel import registry
from backburner.kernel.episode import Episode, Header, Player, read_episode
from backburner.kernel.errors import BadFile, Refused, ReplayMismatch
from backburner.kernel.replay import check, world_of
from backburner.kernel.scoring import Measured, Measures, Metric, Published, Section
from backburner.kernel.values import Seat


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


class Records(Struct, frozen=True):
    """The episodes of a folder; ``unusable`` says of each file that could not be read why."""

    episodes: tuple[tuple[Path, Episode], ...]
    unusable: tuple[str, ...]


def load(folder: Path) -> Records:
    """Every finished record under a folder that replays to the states it claims.

    What cannot be used is named and stops nothing.
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

    Proven bounds stand beside what a world measures by itself (see ``bounds``); ``more`` adds what takes a
    search, such as ``steps_to_go``.
    """
    found = []
    for name, scoring, mine in registry.scorings(list(episodes)):
        bounds = registry.bounds(name)
        measured = [
            (episode, {**scoring.measure(episode), **bounds(episode), **more(episode)}) for episode in mine
        ]
        groups = dict.fromkeys(row.group for row in scoring.published)
        order = {group: place for place, group in enumerate(groups)}
        rows = _rows(scoring.metrics, scoring.group, measured)
        in_order = sorted(rows, key=lambda row: (order.get(row.group, len(order)), row.group))
        played = {row.group for row in in_order}
        found.append(
            WorldScores(
                world=name,
                title=registry.pack(name).title,
                metrics=tuple(scoring.metrics),
                rows=tuple(in_order),
                published=tuple(row for row in scoring.published if row.group in played),
                failures=tuple(failures_of(measured, scoring.kind_of_refusal)),
                measured=tuple(measured),
                sections=tuple(scoring.sections(measured)),
            )
        )
    return found


def _rows(
    metrics: Sequence[Metric], group_of: Callable[[Episode], str], measured: Sequence[Measured]
) -> Iterable[Row]:
    cells: dict[tuple[str, str, str], list[Measured]] = {}
    for episode, measures in measured:
        header = episode.header
        key = (group_of(episode), header.rules_name, header.agent)
        cells.setdefault(key, []).append((episode, measures))
    for (group, rules, agent), cell in cells.items():
        for difference, mine in _experiments(cell):
            yield Row(
                group,
                rules,
                f"{agent} ({difference})" if difference else agent,
                len(mine),
                sum(episode.ending is not None and episode.ending.status == "failed" for episode, _ in mine),
                {metric.key: estimate(metric, [(e.header.id, m) for e, m in mine]) for metric in metrics},
            )


def _experiments(cell: Sequence[Measured]) -> Iterable[tuple[str, list[Measured]]]:
    """(what sets it apart, its episodes): runs with other limits or settings are other experiments."""
    of_each_scenario = {episode.header.scenario_digest: episode for episode, _ in cell}
    article_limits = {scenario: _article_limits(episode) for scenario, episode in of_each_scenario.items()}
    settings = [_settings(e.header, article_limits[e.header.scenario_digest]) for e, _ in cell]
    differing = [
        k for k in dict.fromkeys(k for s in settings for k in s) if len({s.get(k) for s in settings}) > 1
    ]
    found: dict[str, list[Measured]] = {}
    for own, row in zip(settings, cell, strict=True):
        found.setdefault(", ".join(f"{key}={own[key]}" for key in differing if key in own), []).append(row)
    return found.items()


def _settings(header: Header, article_limits: Any) -> dict[str, str]:
    """What could set an episode's experiment apart; the article's limits go without saying."""
    found: dict[str, str] = {}
    if header.limits != article_limits:
        found |= {key: str(value) for key, value in dict(header.limits).items()}
    return found | _of_players(header.players)


def _of_players(players: Mapping[Seat, Player]) -> dict[str, str]:
    """What all players have in common by its name, what sets them apart with the seat before it."""
    found: dict[str, str] = {}
    if len({player.name for player in players.values()}) > 1:
        found |= {seat: player.name for seat, player in players.items()}
    for key in dict.fromkeys(key for player in players.values() for key in player.settings):
        values = {s: str(player.settings[key]) for s, player in players.items() if key in player.settings}
        common = len(values) == len(players) and len(set(values.values())) == 1
        found |= (
            {key: next(iter(values.values()))} if common else {f"{s} {key}": v for s, v in values.items()}
        )
    return found


def _article_limits(episode: Episode) -> Any:
    own = world_of(episode)
    catalogue = registry.catalogue(episode.header.world)
    return msgspec.to_builtins(catalogue.build(own.id, own.scenario, own.rules, "article").limits)
