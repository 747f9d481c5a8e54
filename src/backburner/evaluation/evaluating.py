"""An agent over all worlds in one go: which scenarios are played, what its points are so far, in words.

A size is a part of a headline's suites, spread evenly over each; every size holds the smaller ones, so that a
larger one goes on from them. Suites take turns, so that early on every world has something.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from math import fsum
from pathlib import Path
from statistics import fmean

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.spec import AgentSpec
from backburner.evaluation.comparing.headline import (
    FILE,
    POINTS,
    PUBLISHED,
    Headline,
    Scale,
    SuiteScore,
    combined,
    counting,
    figures_of,
    headline,
    points_metric,
    scale,
)
from backburner.evaluation.comparing.headline_tables import name_of
from backburner.evaluation.reproducing import Expense, expenses, spread
from backburner.evaluation.running.chains_of_jobs import Done
from backburner.evaluation.running.clocks import clocked
from backburner.evaluation.running.jobs import Job, jobs_of, plays_again
from backburner.evaluation.scoring import scores
from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.statistics import FEW, Spread, estimate, spread_of, t_reach
from backburner.evaluation.scoring.usage import Prices, answers_of
from backburner.evaluation.tables.words import brackets
from backburner.kernel.built import EDITIONS
from backburner.kernel.clock import Timing
from backburner.kernel.episode import first_and_last
from backburner.kernel.errors import BadFile, Refused, UnknownName, amount
from backburner.kernel.headline import Suite
from backburner.kernel.scoring import Estimate, Measured, grouped
from backburner.kernel.values import total

SIZES: Mapping[str, int | None] = {"small": 1, "middle": 4, "full": None}
"""How many scenarios of each suite are played; ``None``: all."""


def scale_of(over: Sequence[str]) -> Scale:
    """The suites that an evaluation is over: those of the newest edition, or of what is named.

    Raises what ``scale`` raises, and ``Refused`` for hosted suites, whose scenarios only their files hold.
    """
    if hosted := [name for name in over if name.endswith(FILE)]:
        raise Refused(f"{hosted[0]}: run plays the scenarios of a hosted edition from their folder")
    return scale(tuple(over) or EDITIONS[-1:])


def scenarios_of(over: Scale, size: str) -> list[str]:
    """The scenarios of a size, a suite after the other and again; raises ``UnknownName``."""
    if size not in SIZES:
        raise UnknownName("size", size, SIZES)
    most = SIZES[size]
    suites = [list(suite.references) for suite in over.suites]
    chosen = [ids if most is None else spread(ids, most) for ids in suites]
    return [id for turn in zip_longest(*chosen) for id in turn if id is not None]


def jobs_for(over: Scale, size: str, agents: Sequence[AgentSpec], timing: Timing | None) -> list[Job]:
    """Every episode that a size takes, one seed each; raises what ``jobs_of`` and ``clocked`` raise."""
    return clocked(jobs_of(scenarios_of(over, size), agents, 1, "standard", "article"), [timing])


def is_left(job: Job, folder: Path, *, retry_failed: bool) -> bool:
    """Whether a run into the folder still plays it."""
    path = job.path(folder, job.scenario)
    try:
        _, ending = first_and_last(path)
    except FileNotFoundError:
        return True
    except BadFile:
        return False  # the run tells why
    return plays_again(path, ending, retry_failed=retry_failed)


def expense_of(jobs: Iterable[Job]) -> Expense | None:
    """What the calls of these jobs may come to, by how a stand-in plays two episodes of each world; ``None``
    where none asks a model."""
    by_world = grouped(jobs, lambda job: (job.agent.label, job.scenario.partition("/")[0]))
    found = [each for own in by_world.values() for each in asyncio.run(expenses(own))]
    if not found:
        return None
    caps = [each.most_output_tokens for each in found]
    return Expense(
        ", ".join(dict.fromkeys(each.agent for each in found)),
        sum(each.episodes for each in found),
        sum(each.calls for each in found),
        sum(each.input_tokens for each in found),
        sum(each.output_tokens for each in found),
        None if None in caps else sum(cap for cap in caps if cap is not None),
    )


# --- points so far -----------------------------------------------------------------------------------------


class Points(Struct, frozen=True):
    """The points of an agent by what it has played so far: of each world of which that is something, and
    their mean, which estimates the headline."""

    whole: Estimate
    worlds: dict[str, Estimate]


def so_far(rows: Sequence[Measured], over: Scale) -> Points:
    """The points of one agent's episodes, all of which count: of a scenario 100 less what it lacks of the
    best, by the means of the whole suite, so that over a whole suite the mean is its score.

    The interval takes worlds for strata, whose scenarios vary as those of all their suites do together, with
    the degrees of freedom of Satterthwaite (Biometrics Bulletin 2, 1946). Of a world alone there is none over
    few scenarios.
    """
    by_id = grouped(rows, lambda row: row[0].header.id)
    by_world: dict[str, list[tuple[Suite, Mapping[str, float]]]] = {}
    for suite in over.suites:
        if figures := figures_of(suite, by_id):
            by_world.setdefault(suite.world, []).append((suite, figures))
    found = {world: _of_world(own) for world, own in by_world.items()}
    worlds = {
        world: one if spread.scenarios >= FEW else Estimate(one.value)
        for world, (one, spread) in found.items()
    }
    return Points(_stratified([*found.values()]), worlds)


def _stratified(strata: Sequence[tuple[Estimate, Spread]]) -> Estimate:
    """The mean of independent figures; no interval where one of them hangs on a single scenario."""
    whole = combined([one for one, _ in strata])
    parts = [(spread.variance, spread.scenarios - 1) for _, spread in strata]
    known = [(variance / len(parts) ** 2, freedom) for variance, freedom in parts if variance is not None]
    variance = fsum(part for part, _ in known)
    if whole.value is None or len(known) < len(parts) or variance == 0:
        return whole
    freedom = variance**2 / fsum(part**2 / own for part, own in known)
    half = t_reach(freedom) * variance**0.5
    return Estimate(whole.value, whole.value - half, min(100.0, whole.value + half), "stratified")


def _of_world(played: Sequence[tuple[Suite, Mapping[str, float]]]) -> tuple[Estimate, Spread]:
    means, pooled, metrics = [], [], []
    for suite, figures in played:
        ends = suite.references
        zero, best = fmean(one.random for one in ends.values()), fmean(one.best for one in ends.values())
        own = {id: 100 - 100 * (ends[id].best - figure) / (best - zero) for id, figure in figures.items()}
        means.append(fmean(own.values()))
        pooled += [(id, {POINTS: one}) for id, one in own.items()]
        metrics.append(points_metric(suite, zero, best))
    least = [metric.lowest for metric in metrics if metric.lowest is not None]
    metric = replace(metrics[0], lowest=min(least) if len(least) == len(metrics) else None)
    whole, spread, value = estimate(metric, pooled), spread_of(metric, pooled), fmean(means)
    assert spread is not None  # noqa: S101  # there are points
    if whole.value is None or whole.low is None or whole.high is None:
        return Estimate(value, method=whole.method), spread
    moved = value - whole.value  # where suites have unequal numbers of scenarios
    return Estimate(value, whole.low + moved, whole.high + moved, whole.method), spread


class SoFar:
    """What the episodes of an evaluation have come to while it goes on: points, and what they cost."""

    def __init__(self, over: Scale, prices: Prices | None = None) -> None:
        self._over, self._prices = over, prices
        self._rows: dict[str, list[Measured]] = {}
        self._points: dict[str, str] = {}
        self._tokens, self._money = 0, 0.0

    def heard(self, done: Done) -> None:
        """What became of one more episode."""
        if done.path is None:
            return
        loaded = scores.load_files([done.path])
        rows = counting(scores.score(episode for _, episode in loaded.episodes), self._over)
        for episode, measures in rows:
            agent = episode.header.agent
            own = self._rows.setdefault(agent, [])
            own.append((episode, measures))
            points = so_far(own, self._over)
            scenarios = len({each.header.id for each, _ in own})
            of = f"{len(points.worlds)} of {len(self._over.worlds)} worlds"
            self._points[agent] = (
                f"{agent}: {told(points.whole)} over {amount(scenarios, 'scenarios')} of {of}"
            )
        if done.status != "kept":
            for _, episode in loaded.episodes:
                usage = total(usage for _, usage in answers_of(episode))
                self._tokens += usage.input_tokens + usage.output_tokens
                self._money += (self._prices.cost(episode) or 0.0) if self._prices else 0.0

    @property
    def agents(self) -> list[str]:
        """Those of which an episode counts, as records call them."""
        return list(self._rows)

    def told(self) -> Iterator[str]:
        """The points of each agent, and what finished episodes took."""
        if self._tokens:
            money = f", {self._money:,.2f} {self._prices.currency}" if self._prices else ""
            yield f"{self._tokens:,} tokens in finished episodes{money}"
        yield from self._points.values()


# --- the end, in words -------------------------------------------------------------------------------------


def told(points: Estimate) -> str:
    """``43.1 [30, 56] points``."""
    if points.value is None:
        return "no points"
    return f"{points.value:.1f} {brackets(points, 0)}".rstrip() + " points"


def sentence(found: Headline, points: Points) -> str:
    """What an evaluation came to; ``points``: those so far, where it is no headline yet."""
    zero = "random play" if found.of == PUBLISHED else "play that is busy without a thought"
    there, of = _finished(found.suites)
    whole = found.score.value is not None
    score = found.score if whole else points.whole
    over = f"all {of} scenarios" if whole else f"{there} of {of} scenarios, which is no headline yet"
    scale = f"0: {zero}, 100: the best that is possible"
    return f"{name_of(found)} has {told(score)} in {found.of} ({scale}), over {over}."


def missing(found: Headline) -> str:
    """What a partial headline lacks, world by world, in a sentence; empty where nothing is missing."""
    lacks: dict[str, list[str]] = {}
    for world, own in grouped(found.suites, lambda one: one.world).items():
        there, of = _finished(own)
        if there < of:
            lacks.setdefault(f"{of - there} of {of}" if there else f"all {of}", []).append(world)
    parts = [f"{count} scenarios of {', '.join(worlds)}" for count, worlds in lacks.items()]
    return f"Missing are {'; '.join(parts)}." if parts else ""


def _finished(suites: Iterable[SuiteScore]) -> tuple[int, int]:
    own = list(suites)
    return sum(one.scenarios for one in own), sum(one.of for one in own)


def of_agents(
    scored: Sequence[WorldScores], over: Scale, agents: Iterable[str]
) -> list[tuple[Headline, Points]]:
    """The headline of each of these agents that has played anything of the scale, with its points so far."""
    by_agent = grouped(counting(scored, over), lambda row: row[0].header.agent)
    return [
        (headline(agent, by_agent[agent], over), so_far(by_agent[agent], over))
        for agent in agents
        if agent in by_agent
    ]
