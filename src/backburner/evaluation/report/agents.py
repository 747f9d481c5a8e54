"""The agents over all worlds, as the first screen has them: how good, where they fail, what they took.

Where an agent's time went is added up over its episodes of a world.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from backburner.evaluation.comparing.ranking import Ranking, Standing
from backburner.evaluation.report.episodes import Listed
from backburner.evaluation.scoring.failures import BAD_ENDINGS
from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.summary import SummaryRow, WorldSummary
from backburner.evaluation.scoring.usage import stood_in
from backburner.evaluation.transcripts.gathered import Spent, added
from backburner.evaluation.transcripts.plans import Kind
from backburner.kernel.errors import amount, number
from backburner.kernel.scoring import Metric, grouped

Who = tuple[str, str]
"""(agent as tables call it, rules)."""


class Worst(Struct, frozen=True):
    """The group of a world's table in which an agent is farthest behind the best figure of anybody."""

    world: str
    group: str
    metric: str
    own: float
    other: float
    who: str
    gap: float


class AgentSummary(Struct, frozen=True):
    """An agent under one rule set over all worlds.

    ``informed``: it knows more than a player may. ``stand_in``: no model, but what stands in for one.
    ``faults``: refused decisions by family, of ``decisions``, of which so many are ``waits``;
    ``endings``: bad ones by status.
    ``tokens`` and ``money`` are ``None`` where they are not known; ``calls`` is 0 where no model was asked.
    ``worlds``: its row in each world's summary; ``places``: where it stands there.
    """

    agent: str
    rules: str
    informed: bool
    stand_in: bool
    episodes: int
    decisions: int
    waits: int
    faults: dict[str, int]
    endings: dict[str, int]
    calls: int
    tokens: int | None
    seconds: float
    money: float | None
    worlds: Mapping[str, SummaryRow]
    places: Mapping[str, Standing]
    worst: Worst | None

    @property
    def kind(self) -> int:
        """0 for who asked a model or had one stood in for, 2 for others who know more than a player may."""
        return 0 if self.calls else 2 if self.informed else 1

    @property
    def refused(self) -> int:
        """Decisions of which something was refused."""
        return sum(self.faults.values())


def telling(world: WorldSummary) -> Metric:
    """The first of the world's main metrics that has a better end, which is one in which two agents differ
    where there is any."""
    return next((metric for metric in world.metrics if metric.better != "neither"), world.metrics[0])


# --- agents over all worlds ----------------------------------------------------------------------------


def agents_of(
    scores: Sequence[WorldScores],
    summaries: Sequence[WorldSummary],
    found: Sequence[Ranking],
    lines: Sequence[Listed],
) -> list[AgentSummary]:
    """All agents by kind, those with more worlds first, then the better ones."""
    of_agents = grouped(lines, lambda line: (line.agent, line.rules))
    informed, stand_ins = _players(scores)
    rows = {(row.agent, row.rules, world.world): row for world in summaries for row in world.rows}
    places = _places(summaries, found)
    agents = [
        _summary(
            who,
            own,
            informed=who in informed,
            stand_in=who in stand_ins,
            worlds={world: row for (*other, world), row in rows.items() if tuple(other) == who},
            places={world: place for (*other, world), place in places.items() if tuple(other) == who},
            worst=_worst(who, scores, summaries),
        )
        for who, own in of_agents.items()
    ]
    return sorted(agents, key=lambda one: (one.kind, -len(one.worlds), _mean_place(one)))


def _places(
    summaries: Sequence[WorldSummary], found: Sequence[Ranking]
) -> dict[tuple[str, str, str], Standing]:
    """(agent, rules, world) to the place by the metric that the first screen shows of the world."""
    main = {world.world: telling(world).key for world in summaries}
    return {
        (one.agent, ranking.rules, ranking.world): one
        for ranking in found
        if ranking.metric == main.get(ranking.world)
        for one in ranking.standings
    }


def _players(scores: Sequence[WorldScores]) -> tuple[set[Who], set[Who]]:
    """Whose players know more than they may, and whose are stand-ins for models."""
    informed: set[Who] = set()
    stand_ins: set[Who] = set()
    for cell, line, (episode, _), _ in (each for world in scores for each in world.played):
        who = line.experiment.agent, cell.rules
        informed |= {who} if episode.informed else set()
        stand_ins |= {who} if stood_in(episode) else set()
    return informed, stand_ins


def _summary(
    who: Who,
    own: Sequence[Listed],
    *,
    informed: bool,
    stand_in: bool,
    worlds: Mapping[str, SummaryRow],
    places: Mapping[str, Standing],
    worst: Worst | None,
) -> AgentSummary:
    faults = sum((Counter(line.faults) for line in own), Counter[str]())
    endings = Counter(line.status for line in own if line.status in BAD_ENDINGS)
    asked = [line for line in own if line.calls]
    tokens = [line.tokens for line in asked]
    money = [line.money for line in asked]
    return AgentSummary(
        *who,
        informed=informed,
        stand_in=stand_in,
        episodes=len(own),
        decisions=sum(line.decisions for line in own),
        waits=sum(line.waits for line in own),
        faults=dict(faults.most_common()),
        endings=dict(endings.most_common()),
        calls=sum(line.calls for line in asked),
        tokens=None if None in tokens else sum(filter(None, tokens)),
        seconds=sum(line.seconds for line in asked),
        money=None if None in money else sum(filter(None, money)),
        worlds=worlds,
        places=places,
        worst=worst,
    )


def _mean_place(one: AgentSummary) -> float:
    """The mean of its places; behind all others without any."""
    places = [
        (place.best + place.worst) / 2
        for world, place in one.places.items()
        if world in one.worlds and not one.worlds[world].apart
    ]
    return sum(places) / len(places) if places else float("inf")


def _worst(who: Who, scores: Sequence[WorldScores], summaries: Sequence[WorldSummary]) -> Worst | None:
    """Where the agent is farthest behind the best, measured by the largest figure of the world's table."""
    found = [
        worst
        for world, summary in zip(scores, summaries, strict=True)
        for worst in _behind(who, world, telling(summary))
    ]
    return max(found, key=lambda worst: worst.gap, default=None)


def _behind(who: Who, world: WorldScores, metric: Metric) -> Iterable[Worst]:
    sign = -1 if metric.better == "lower" else 1
    figures = [(row, value) for row in world.rows if (value := row.figures[metric.key].value) is not None]
    largest = max((abs(value) for _, value in figures), default=0.0)
    for row, value in figures:
        if (row.agent, row.rules) == who:
            rivals = [pair for pair in figures if (pair[0].group, pair[0].rules) == (row.group, row.rules)]
            best, other = max(rivals, key=lambda pair: sign * pair[1])
            gap = sign * (other - value)
            if gap > 0:
                yield Worst(
                    world.title.partition(" (")[0],
                    row.group,
                    metric.key,
                    value,
                    other,
                    best.agent,
                    gap / largest,
                )


# --- where their time went -------------------------------------------------------------------------------


MOST_NAMED = 3
"""Kinds of work and causes that are named."""


class Time(Struct, frozen=True):
    """An agent's time in a world, added up over its ``episodes``: that of all bodies by what they did
    (``mine``; beside it the ``plan``'s, empty without one). ``lost``: how far it fell behind, by cause, in
    ``unit``. ``never``: kinds of the plan's work with the number of episodes in which they were never begun.
    """

    world: str
    title: str
    unit: str
    episodes: int
    mine: Mapping[Kind, float]
    plan: Mapping[Kind, float]
    lost: Mapping[str, float]
    never: Mapping[str, int]


def time_of(summary: WorldSummary, world: WorldScores, episodes: Sequence[Spent]) -> Time:
    """The time of episodes of one agent in one world, added up."""
    never = Counter(label for one in episodes for label in one.never)
    return Time(
        world.world,
        summary.title,
        world.measured[0][0].header.time_unit,
        len(episodes),
        added(one.mine for one in episodes),
        added(one.plan for one in episodes),
        added(one.lost for one in episodes),
        dict(never.most_common()),
    )


def causes(time: Time) -> str:
    """What cost an agent most time against the plans, in words; empty where nothing did, or without any."""
    greatest = sorted(time.lost.items(), key=lambda pair: -pair[1])[:MOST_NAMED]
    told = ", ".join(f"{words} (+{number(round(lost, 1))})" for words, lost in greatest)
    return f"{told}; in {time.unit} over {amount(time.episodes, 'episodes')}" if told else ""
