"""Which recorded episodes belong to one experiment: they differ in nothing but scenario and seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from backburner.kernel import registry
from backburner.kernel.episode import Episode, Header, Player
from backburner.kernel.replay import world_of
from backburner.kernel.scoring import Measured, grouped
from backburner.kernel.values import Seat


class Experiment(Struct, frozen=True):
    """The episodes of one agent under one rule set in one cell of an article's table.

    Where an agent was also run with other limits or settings, ``agent`` says what sets this run apart:
    ``react(model) (temperature=0.7)``.
    """

    group: str
    rules: str
    agent: str
    rows: tuple[Measured, ...]


def experiments(rows: Sequence[Measured], group_of: Callable[[Episode], str]) -> Iterator[Experiment]:
    """The experiments among measured episodes of one world, in the order of their first appearance.

    ``group_of``: the cell of the article's table that an episode belongs to.
    """

    def cell(row: Measured) -> tuple[str, str, str]:
        header = row[0].header
        return group_of(row[0]), header.rules_name, header.agent

    for (group, rules, agent), mine in grouped(rows, cell).items():
        for difference, alike in _by_settings(mine).items():
            yield Experiment(group, rules, f"{agent} ({difference})" if difference else agent, tuple(alike))


def _by_settings(rows: Sequence[Measured]) -> dict[str, list[Measured]]:
    """What sets episodes of one agent apart, in words, to the episodes."""
    by_scenario = {episode.header.scenario_digest: episode for episode, _ in rows}
    article_limits = {scenario: _article_limits(episode) for scenario, episode in by_scenario.items()}
    settings = [_settings(e.header, article_limits[e.header.scenario_digest]) for e, _ in rows]
    names = dict.fromkeys(name for own in settings for name in own)
    differing = [name for name in names if len({own.get(name) for own in settings}) > 1]
    alike: dict[str, list[Measured]] = {}
    for own, row in zip(settings, rows, strict=True):
        alike.setdefault(", ".join(f"{key}={own[key]}" for key in differing if key in own), []).append(row)
    return alike


def _settings(header: Header, article_limits: Any) -> dict[str, str]:
    """What could set an episode's experiment apart; the article's limits go without saying."""
    limits: dict[str, str] = {}
    if header.limits != article_limits:
        limits = {key: str(value) for key, value in dict(header.limits).items()}
    return limits | _of_players(header.players)


def _of_players(players: Mapping[Seat, Player]) -> dict[str, str]:
    """What all players have in common by its name, what sets them apart with the seat before it."""
    settings: dict[str, str] = {}
    if len({player.name for player in players.values()}) > 1:
        settings |= {seat: player.name for seat, player in players.items()}
    for key in dict.fromkeys(key for player in players.values() for key in player.settings):
        values = {s: str(player.settings[key]) for s, player in players.items() if key in player.settings}
        common = len(values) == len(players) and len(set(values.values())) == 1
        settings |= (
            {key: next(iter(values.values()))} if common else {f"{s} {key}": v for s, v in values.items()}
        )
    return settings


def _article_limits(episode: Episode) -> Any:
    own = world_of(episode)
    catalogue = registry.catalogue(episode.header.world)
    return msgspec.to_builtins(catalogue.build(own.id, own.scenario, own.rules, "article").limits)
