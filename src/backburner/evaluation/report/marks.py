"""What random play, greedy and the best known get, to stand on the scale of a figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.planned import GREEDY, ORACLE, world_agent
from backburner.agents.scripted import RandomPolicy
from backburner.evaluation.comparing.headline import counts
from backburner.evaluation.report.agents import Time, Who, telling
from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.summary import WorldSummary
from backburner.evaluation.transcripts.gathered import never_begun
from backburner.kernel import packs, registry
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BackburnerError, Refused
from backburner.kernel.experiments import Experiment, experiments
from backburner.kernel.headline import Reference, suites_of
from backburner.kernel.play import play_now
from backburner.kernel.replay import world_of
from backburner.kernel.scoring import Measured, Metric, grouped, mean

RANDOM = RandomPolicy().name

MOST_PLAYED = 40
"""Scenarios of a world in which greedy is played for a report that has no play of it."""


class Marks(Struct, frozen=True):
    """Means of a metric over the scenarios that a figure is over; ``None`` where one is not known of all."""

    random: float | None = None
    greedy: float | None = None
    best: float | None = None

    def share(self, value: float) -> float | None:
        """Where a figure is on the way from random play (0) to the best (1); ``None`` where these meet or one
        is not known."""
        if self.random is None or self.best is None or abs(self.best - self.random) < 1e-9:
            return None
        return (value - self.random) / (self.best - self.random)


NO_MARKS = Marks()


def marks_of(world: WorldScores, summary: WorldSummary, metric: Metric) -> dict[Who, Marks]:
    """The marks of each row of a world's summary in one metric.

    Random play and the best value are those that the headline is measured against, where the scenarios, rules
    and limits are its own; elsewhere those of the agents ``random`` and ``oracle`` of the same run.
    """
    played = list(experiments(world.measured, lambda episode: ""))
    references = _references(world.world, metric)
    found: dict[Who, Marks] = {}
    for part in summary.parts:
        own = {one.agent: _counting(world, one) for one in played if one.rules == part.rules}
        known = {id: references[id] for id in _in_the_headline(own.values()) if id in references}
        together = [_ids(own[row.agent]) for row in part.rows if not row.apart]
        common = set.intersection(*together) if together and not world.counting.own else set()
        for row in part.rows:
            ids = common if common and not row.apart else _ids(own[row.agent])
            found[row.agent, row.rules] = Marks(
                _over(metric, own.get(RANDOM, ()), ids, {id: one.random for id, one in known.items()}),
                _over(metric, own.get(GREEDY, ()), ids, {}),
                _over(metric, own.get(ORACLE, ()), ids, {id: one.best for id, one in known.items()}),
            )
    return found


def beside_greedy(
    who: Who,
    worlds: Iterable[tuple[WorldScores, WorldSummary]],
    marks: dict[str, dict[Who, Marks]],
    times: dict[Who, list[Time]],
) -> None:
    """Play greedy where the run has no play of it, and add what it gets to the marks of one agent; where no
    plan is known, what greedy did tells which work the agent never began."""
    for world, summary in worlds:
        played = experiments(world.measured, lambda episode: "")
        own = [row for one in played if (one.agent, one.rules) == who for row in _counting(world, one)]
        mark = marks[world.world].get(who, NO_MARKS)
        plays = greedy_plays(own) if mark.greedy is None else {}
        if not plays:
            continue
        measure = registry.scoring(world.world).measure
        value = telling(summary).over([measure(play) for play in plays.values()])
        marks[world.world][who] = replace(mark, greedy=value)
        never = Counter(
            label for episode, _ in own for label in never_begun(episode, plays[episode.header.id])
        )
        times[who] = [
            replace(one, never=dict(never.most_common())) if _unplanned(one, world.world) else one
            for one in times.get(who, [])
        ]


def _unplanned(time: Time, world: str) -> bool:
    return time.world == world and not time.plan


def greedy_plays(rows: Iterable[Measured]) -> dict[str, Episode]:
    """One play of greedy in each scenario of these episodes; none where a world has no such agent, or where
    there are so many scenarios that it would take long."""
    starts = {episode.header.id: episode for episode, _ in rows}
    if len(starts) > MOST_PLAYED:
        return {}
    try:
        return {id: _greedy(episode) for id, episode in starts.items()}
    except Exception:  # a stranger's scenario or agent: the report says nothing of greedy then
        return {}


def _greedy(like: Episode) -> Episode:
    world = world_of(like)
    return play_now(world, world_agent(GREEDY, world), like.header.seed)


def _references(name: str, metric: Metric) -> Mapping[str, Reference]:
    """By scenario, where the world's headline is over this metric."""
    try:
        if packs.pack(name).headline is None:
            return {}
        suites = [suite for suite in suites_of(name) if suite.metric.key == metric.key]
    except Refused:  # told where the headline is
        return {}
    return {id: reference for suite in suites for id, reference in suite.references.items()}


def _in_the_headline(agents: Iterable[Sequence[Measured]]) -> Iterator[str]:
    """The scenarios of which every episode was played as the headline's are."""
    rows = [row for own in agents for row in own]
    for id, of_id in grouped(rows, lambda row: row[0].header.id).items():
        try:
            if all(counts(episode.header) for episode, _ in of_id):
                yield id
        except BackburnerError:  # a scenario that is not here any more
            continue


def _counting(world: WorldScores, one: Experiment) -> list[Measured]:
    return [row for row in one.rows if world.counting.counts(row)]


def _ids(rows: Iterable[Measured]) -> set[str]:
    return {episode.header.id for episode, _ in rows}


def _over(
    metric: Metric, rows: Sequence[Measured], ids: set[str], known: Mapping[str, float]
) -> float | None:
    """The mean of what is known of these scenarios; else an agent's figure, if it has finished them all."""
    if ids and ids <= known.keys():
        return mean(known[id] for id in sorted(ids))
    own = [row for row in rows if row[0].header.id in ids]
    return metric.over([measures for _, measures in own]) if ids and _ids(own) == ids else None
