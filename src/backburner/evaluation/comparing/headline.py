"""One figure over all worlds: 0 is random play, 100 the best that is possible (docs/headline.md).

A scenario's figure x is the suite's metric over all its seeds. With the mean r of random play and the mean b
of the best values over the suite's scenarios, a suite's score is the mean over scenarios of
100 (x - r(scenario)) / (b - r), a world's that of its suites, the headline that of its worlds. Nothing is
clipped: play that is worse than random is below 0.

The interval of a suite is the one that its metric has anywhere (``statistics``), as scenarios are the unit.
Suites are independent, and their intervals are combined by the method of variance estimates recovery (Zou
and Donner, Statistics in Medicine 27, 2008): with the suites' weights w and intervals from l to u around s,
the lower end is the headline less √Σ (w (s - l))², the upper one likewise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from math import fsum
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec
from msgspec import Struct

from backburner.agents.scripted import RandomPolicy
from backburner.evaluation.scoring.answered import ATTAINED, measures_of
from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.statistics import estimate
from backburner.kernel import packs, registry
from backburner.kernel.building import SEALED
from backburner.kernel.built import EDITIONS as BUILT
from backburner.kernel.episode import Header
from backburner.kernel.errors import Refused
from backburner.kernel.files import write_whole
from backburner.kernel.headline import (
    Hosted,
    Reference,
    References,
    Suite,
    best_of,
    built,
    built_suites_of,
    declared,
    edition,
    ends,
    metrics_of,
    sealed_suites_of,
    suites_of,
)
from backburner.kernel.play import play_now
from backburner.kernel.scoring import Estimate, Measured, Measures, Metric, grouped

RULES = "standard"

PUBLISHED = "published"
"""The edition over the suites of the articles; 0 is random play. In those over suites of drafts with
proof, and ``SEALED``, over hosted ones, 0 is busy play: never idle, and without a thought."""

EDITIONS = (*reversed(BUILT), PUBLISHED)
"""Those that are asked for by name, in the order in which they are shown: the newest first."""

FILE = ".json"
"""How the name of a file ends that is that of a hosted edition."""

MEET = 0.01
"""Random play and the best value meet where they differ by less than this share of the larger one."""

BEYOND = 1e-5
"""By so much a figure may be beyond the best value: references have six digits."""


class SuiteScore(Struct, frozen=True):
    """An agent in one headline suite, over so many ``scenarios`` of ``of``, the others being ``missing``.

    ``score`` has its interval. ``random`` and ``best``: the metric's means over these scenarios, which are 0
    and 100 (in built suites, 0 is busy play, and ``beside`` the points of random play); ``played``: the
    agent's. ``seeds``: the fewest and the most episodes of a scenario.
    """

    world: str
    suite: str
    metric: str
    score: Estimate
    random: float
    best: float
    played: float | None
    scenarios: int
    of: int
    seeds: tuple[int, int]
    missing: tuple[str, ...]
    beside: float | None = None


class WorldScore(Struct, frozen=True):
    """An agent in one world; ``score`` is over its suites, and has no value unless all are complete."""

    world: str
    score: Estimate


class Headline(Struct, frozen=True):
    """An agent's figure over all ``worlds`` of an ``edition``; ``score`` has no value while anything is
    ``missing``, a line each. ``left_out``: lines about what counts for nobody. ``informed``: the agent knew
    more than its seats. ``wrong``: lines about scenarios in which it was better than is possible."""

    agent: str
    edition: str
    score: Estimate
    worlds: tuple[WorldScore, ...]
    suites: tuple[SuiteScore, ...]
    missing: tuple[str, ...]
    left_out: tuple[str, ...]
    informed: bool = False
    wrong: tuple[str, ...] = ()
    of: str = PUBLISHED


class Scale(Struct, frozen=True):
    """The suites that a headline is over, those that are left out as random play meets the best, and why."""

    suites: tuple[Suite, ...]
    left_out: tuple[str, ...]
    of: str = PUBLISHED

    @property
    def worlds(self) -> tuple[str, ...]:
        """The worlds that have a suite."""
        return tuple(dict.fromkeys(suite.world for suite in self.suites))

    @property
    def edition(self) -> str:
        """What two headlines must have in common to be compared."""
        return edition(self.suites)

    @property
    def hosted(self) -> dict[str, Hosted]:
        """Of scenarios that are in no catalogue, by id."""
        return {id: one for suite in self.suites for id, one in suite.hosted.items()}

    def weight(self, suite: Suite) -> float:
        """The suite's share of the headline: worlds have equal ones, and suites within a world."""
        return 1 / (len(self.worlds) * sum(other.world == suite.world for other in self.suites))


def scale(over: Sequence[str] = ()) -> Scale:
    """The headline suites of some worlds, by default of all that are installed and declare any. ``over`` may
    name an edition as well, else it is that of the articles; or the file of a hosted one of each world.

    Raises ``UnknownName`` for a world that is not there, ``Refused`` for one without a headline or with
    references that cannot be used, and for two editions; ``BadFile``.
    """
    files = [name for name in over if name.endswith(FILE)]
    of, *more = [name for name in over if name in EDITIONS] + [SEALED for _ in files[:1]] or [PUBLISHED]
    worlds = [name for name in over if name not in EDITIONS and name not in files]
    if more or (files and worlds):
        raise Refused(f"a headline is of one edition: {of} or {(more or worlds)[0]}")
    every = [suite for name in files or worlds or _worlds(of) for suite in _suites(name, of)]
    if len({suite.world for suite in every}) < len(files):
        raise Refused(f"{' and '.join(files)}: a hosted edition has one file of each world")
    kept, left_out = [], []
    for suite in every:
        random, best = _means(suite, suite.references)
        if abs(best - random) < MEET * max(abs(best), abs(random)):
            why = f"random play has {random:.4g}, the best is {best:.4g}"
            left_out.append(f"{suite.name} is left out: {suite.metric.key} of {why}")
            continue
        kept.append(suite)
        for id in suite.left_out:
            left_out.append(f"{id} is left out: the best {suite.metric.key} there cannot be told")
    return Scale(tuple(kept), tuple(left_out), of)


def scales(over: Sequence[str] = ()) -> tuple[Scale, ...]:
    """All editions, those that are named first, else in the order in which they are shown; of worlds that are
    named theirs alone. Raises what ``scale`` raises."""
    first = [scale(over)] if over else []
    if first and first[0].of != SEALED and not set(over) <= set(EDITIONS):
        return tuple(first)
    others = [of for of in EDITIONS if of not in over and (of == PUBLISHED or built(of))]
    return (*first, *(scale((of,)) for of in others))


def _worlds(edition: str) -> tuple[str, ...]:
    return declared() if edition == PUBLISHED else built(edition)


def _suites(name: str, edition: str) -> tuple[Suite, ...]:
    if edition == SEALED:
        return sealed_suites_of(Path(name), ATTAINED)
    return suites_of(name) if edition == PUBLISHED else built_suites_of(packs.pack(name).name, ATTAINED)


def every_headline(scored: Sequence[WorldScores]) -> list[Headline]:
    """The headlines of all editions in which a suite came in that was played, in their order; of that of the
    articles whatever was played."""
    found = [one for over in scales() for one in headlines(scored, over)]
    return [
        one
        for one in found
        if one.of == PUBLISHED or any(s.scenarios for s in one.suites if s.suite.startswith(f"{one.of}/"))
    ]


def _means(suite: Suite, ids: Iterable[str]) -> tuple[float, float]:
    chosen = [suite.references[id] for id in ids]
    return fmean(one.random for one in chosen), fmean(one.best for one in chosen)


# --- whose episodes count ------------------------------------------------------------------------------


def counts(header: Header, hosted: Hosted | None = None) -> bool:
    """Whether an episode was played as the headline's are: standard rules, the article's limits; and, where
    its scenario is ``hosted``, that one."""
    limits = _article_limits(header.id) if hosted is None else hosted.limits
    own = hosted is None or header.scenario_digest == hosted.answer.scenario
    return own and header.rules_name == RULES and bool(header.limits == limits)


@lru_cache(maxsize=4096)
def _article_limits(id: str) -> Any:
    return msgspec.to_builtins(registry.world(id).limits)


def headlines(scored: Sequence[WorldScores], over: Scale) -> list[Headline]:
    """The headline of every agent that played any scenario of the scale, in order of their names."""
    by_agent = grouped(counting(scored, over), lambda row: row[0].header.agent)
    return [headline(agent, by_agent[agent], over) for agent in sorted(by_agent)]


def counting(scored: Sequence[WorldScores], over: Scale) -> list[Measured]:
    """The measured episodes that count for the headline."""
    ids = {id for suite in over.suites for id in suite.references}
    rows = [row for world in scored for row in world.answered if row[0].header.id in ids]
    hosted = over.hosted
    answers = {one.answer.scenario: one.answer for one in hosted.values()}
    return [
        (episode, {**measures, **measures_of(episode, answers)} if answers else measures)
        for episode, measures in rows
        if counts(episode.header, hosted.get(episode.header.id))
    ]


def headline(agent: str, rows: Sequence[Measured], over: Scale) -> Headline:
    """The headline of one agent's episodes, all of which count."""
    by_id = grouped(rows, lambda row: row[0].header.id)
    figures = {suite.name: figures_of(suite, by_id) for suite in over.suites}
    suites = tuple(_suite_score(suite, figures[suite.name], by_id) for suite in over.suites)
    worlds = tuple(_world_score(name, suites) for name in over.worlds)
    return Headline(
        agent,
        over.edition,
        combined([one.score for one in worlds]),
        worlds,
        suites,
        tuple(_missing(suites)),
        over.left_out,
        any(episode.informed for episode, _ in rows),
        tuple(line for suite in over.suites for line in _impossible(suite, figures[suite.name])),
        over.of,
    )


def figures_of(suite: Suite, by_id: Mapping[str, Sequence[Measured]]) -> dict[str, float]:
    """The suite's metric of each of its scenarios that was played and has it, all seeds together."""
    found = {
        id: suite.metric.over([measures for _, measures in by_id[id]])
        for id in suite.references
        if id in by_id
    }
    return {id: figure for id, figure in found.items() if figure is not None}


def points(suite: Suite, figures: Mapping[str, float]) -> dict[str, float]:
    """What each scenario adds to the suite's score, whose mean they are: 100 (x - r(scenario)) / (b - r).

    None where r = b, as may be in some scenarios of a suite.
    """
    random, best = _means(suite, figures or suite.references)
    if best == random:
        return {}
    return {
        id: 100 * (figure - suite.references[id].random) / (best - random) for id, figure in figures.items()
    }


Points = Mapping[str, Mapping[str, float]]
"""The points of each scenario, by the name of its suite and its id."""


def points_of(rows: Sequence[Measured], over: Scale) -> Points:
    """The points of one agent's episodes, all of which count."""
    by_id = grouped(rows, lambda row: row[0].header.id)
    return {suite.name: points(suite, figures_of(suite, by_id)) for suite in over.suites}


def _impossible(suite: Suite, figures: Mapping[str, float]) -> Iterable[str]:
    sign = 1 if suite.metric.better == "higher" else -1
    for id, figure in figures.items():
        best = suite.references[id].best
        if sign * (figure - best) > BEYOND * max(1.0, abs(best)):
            yield f"{id}: {suite.metric.key} {figure:.6g} is better than is possible ({best:.6g})"


# --- scores with their intervals -----------------------------------------------------------------------


def _suite_score(
    suite: Suite, figures: Mapping[str, float], by_id: Mapping[str, Sequence[Measured]]
) -> SuiteScore:
    episodes = [len(by_id[id]) for id in figures]
    random, best = _means(suite, figures or suite.references)
    return SuiteScore(
        suite.world,
        suite.suite,
        suite.metric.key,
        _score(suite, figures, random, best),
        random,
        best,
        fmean(figures.values()) if figures else None,
        len(figures),
        len(suite.references),
        (min(episodes, default=0), max(episodes, default=0)),
        tuple(id for id in suite.references if id not in figures),
        _beside(suite, figures, random, best),
    )


def _beside(suite: Suite, figures: Mapping[str, float], random: float, best: float) -> float | None:
    """The points of random play, where that is not 0."""
    own = [suite.beside[id] for id in figures or suite.references if id in suite.beside]
    return 100 * (fmean(own) - random) / (best - random) if own and best != random else None


POINTS = "points"


def _score(suite: Suite, figures: Mapping[str, float], random: float, best: float) -> Estimate:
    """A suite's score; of some scenarios, where random play and the best may meet, perhaps none."""
    found = points(suite, figures)
    if not found:
        return Estimate(None)
    return estimate(points_metric(suite, random, best), [(id, {POINTS: one}) for id, one in found.items()])


def points_metric(suite: Suite, random: float, best: float) -> Metric:
    """The mean of points; they end at 100 and, where the metric has a worst value, at what that is worth."""
    lowest, highest = ends(suite.metric)
    worst = lowest if suite.metric.better == "higher" else highest
    least = None if worst is None else 100 * (worst - random) / (best - random)
    return Metric(POINTS, POINTS, "", "higher", _mean_points, "", lowest=least, highest=100.0)


def _mean_points(rows: Sequence[Measures]) -> float | None:
    return fmean(row[POINTS] for row in rows) if rows else None


def _world_score(name: str, suites: Sequence[SuiteScore]) -> WorldScore:
    own = [one for one in suites if one.world == name]
    return WorldScore(name, combined([Estimate(None) if one.missing else one.score for one in own]))


def combined(parts: Sequence[Estimate]) -> Estimate:
    """The mean of independent figures; no value unless all have one, no interval unless all have one."""
    values = [part.value for part in parts if part.value is not None]
    if not parts or len(values) < len(parts):
        return Estimate(None)
    value = fsum(values) / len(parts)
    downs = [part.value - part.low for part in parts if part.value is not None and part.low is not None]
    ups = [part.high - part.value for part in parts if part.value is not None and part.high is not None]
    if min(len(downs), len(ups)) < len(parts):
        return Estimate(value, method="undefined")
    low, high = (fsum(side * side for side in sides) ** 0.5 / len(parts) for sides in (downs, ups))
    return Estimate(value, value - low, value + high, "combined")


NAMED = 3
"""Scenarios that are named of those that are missing in a suite."""


def _missing(suites: Sequence[SuiteScore]) -> Iterable[str]:
    """A line for each world that was not played at all, and for each suite that is not complete."""
    for world, own in grouped(suites, lambda one: one.world).items():
        if not any(one.scenarios for one in own):
            yield f"all of {world}"
            continue
        for one in own:
            if one.missing:
                more = len(one.missing) - NAMED
                named = ", ".join(one.missing[:NAMED]) + (f" and {more} more" if more > 0 else "")
                yield f"{len(one.missing)} of {one.of} scenarios of {world}/{one.suite} ({named})"


# --- what scores are measured against --------------------------------------------------------------------


SEEDS = 50
"""Episodes of random play for each scenario."""


def random_value(name: str, id: str, metric: Metric, seeds: int = SEEDS) -> float:
    """The metric over random play of a scenario with so many seeds, from 0, under standard rules.

    Raises ``Refused`` where it is not defined.
    """
    scoring, world = registry.scoring(name), registry.world(id)
    episodes = (play_now(world, RandomPolicy(), seed) for seed in range(seeds))
    value = metric.over(list(map(scoring.measure, episodes)))
    if value is None:
        raise Refused(f"{id}: {metric.key} of random play is not defined; no headline can be measured by it")
    return value


def make_references(name: str, seeds: int = SEEDS, progress: Callable[[], None] = lambda: None) -> References:
    """The references of a world's headline suites; ``progress`` hears of each scenario.

    Raises ``Refused`` for a world without a headline, or if two of its suites share a scenario.
    """
    found: dict[str, Reference] = {}
    left_out: list[str] = []
    for suite, metric in metrics_of(name).items():
        best = best_of(name, metric)
        for id in registry.expand(f"{name}/{suite}"):
            if id in found or id in left_out:
                raise Refused(f"world {name!r}: two headline suites have {id}")
            known = best(id)
            if known is None:
                left_out.append(id)
            else:
                value = random_value(name, id, metric, seeds)
                found[id] = Reference(id, round(value, 6), round(known.value, 6), known.proof)
            progress()
    source = f"backburner solve {name} --write-references FILE@seeds={seeds}"
    version = packs.pack(name).version
    return References(source, version, seeds, tuple(left_out), tuple(found.values()))


def write_references(path: Path, made: References) -> None:
    """Write the file, a scenario on each line; it is put in its place when it is complete."""
    head = {key: getattr(made, key) for key in ("source", "version", "seeds", "left_out")}
    lines = b",\n ".join(msgspec.json.encode(reference) for reference in made.references)
    write_whole(path, msgspec.json.encode(head)[:-1] + b',\n "references": [\n ' + lines + b"]}\n")
