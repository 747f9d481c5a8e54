"""Experiments: what is played for an article's tables and figures, and which episodes belong to one.

Reproductions are plain data, which a world's pack names: a file, or values. Episodes of one experiment differ
in nothing but scenario and seed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from backburner.kernel import packs, registry
from backburner.kernel.episode import Episode, Header, Player
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.files import shipped
from backburner.kernel.replay import world_of
from backburner.kernel.scoring import Measured, grouped
from backburner.kernel.values import Seat, digest


class Play(Struct, frozen=True):
    """Episodes that are played: scenarios or suites x agents x seeds under one rule set."""

    scenarios: tuple[str, ...]
    agents: tuple[str, ...]
    rules: str = "released"
    seeds: int = 1


class Reproduction(Struct, frozen=True, kw_only=True):
    """A table or figure of an article that a model or a program makes.

    ``name``: as the article numbers it, such as ``table-2``; ``shows``: what it is about. ``plays``: what is
    played for it. Where nothing is played, ``statistics``: a suite whose data set table it is; ``graphs``:
    scenarios whose task graphs it draws; ``data``: as ``module:function`` what gives (sections, figures) of
    the data set.

    Where ours is: in the score table, with the article's rows in it, if ``scores``; in the analyses with the
    titles ``sections``; in the figures of these names; in a timeline of each episode, if ``timelines``.
    ``printed``: the article's own numbers stand beside. ``differs``: what is not as in the article, for the
    reader. ``with_people``: the command that makes it of data of one's own study, as it takes people; then
    nothing is played for it here. ``missing``: why it cannot be made at all.
    """

    name: str
    shows: str
    plays: tuple[Play, ...] = ()
    statistics: str = ""
    graphs: tuple[str, ...] = ()
    data: str = ""
    scores: bool = False
    sections: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    timelines: bool = False
    printed: bool = True
    differs: str = ""
    with_people: str = ""
    missing: str = ""


def reproductions(world: str) -> Sequence[Reproduction]:
    """What can be made again of a world's article, and what cannot; nothing where the pack names nothing."""
    pack = packs.pack(world)
    package, _, file = pack.reproductions.partition(":data/")
    if file:
        return shipped(package, file.removesuffix(".json"), tuple[Reproduction, ...])
    found: Sequence[Reproduction] = packs.part(world, pack.reproductions) if pack.reproductions else ()
    return found


def reproduction(name: str) -> tuple[str, Reproduction]:
    """(world, what is to be made) of a name such as ``timearena/table-2`` or ``timearena/Figure 4``.

    Raises ``UnknownName``, and ``Refused`` for what cannot be made.
    """
    world, _, rest = name.partition("/")
    known = {each.name: each for each in reproductions(world)}
    wanted = re.sub(r"(?<=[a-z])[\s_-]*(?=\d)", "-", rest.strip().lower())
    if wanted not in known:
        raise UnknownName("table or figure", rest, known, world)
    found = known[wanted]
    if found.missing:
        raise Refused(f"{world}/{found.name} cannot be made: {found.missing}")
    if found.with_people:
        raise Refused(
            f"{world}/{found.name} takes people; of a study's data it is made by: {found.with_people}"
        )
    return world, found


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


_limits: dict[tuple[str, str, str], Any] = {}
"""The article's limits by id, scenario and rules: a world is compiled to know them, and many tables ask."""

MOST_KEPT = 4096


def _article_limits(episode: Episode) -> Any:
    header = episode.header
    key = header.id, header.scenario_digest, digest(header.rules)
    if key not in _limits:
        if len(_limits) >= MOST_KEPT:
            _limits.clear()
        own, catalogue = world_of(episode), registry.catalogue(header.world)
        _limits[key] = msgspec.to_builtins(catalogue.build(own.id, own.scenario, own.rules, "article").limits)
    return _limits[key]
