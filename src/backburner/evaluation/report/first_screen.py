"""The page's first screen: how good, where it fails, what it cost, what to bear in mind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from backburner.evaluation.comparing.headline import RULES, Headline
from backburner.evaluation.comparing.ranking import Ranking
from backburner.evaluation.report.agents import AgentSummary, Time, Who, agents_of, telling, time_of
from backburner.evaluation.report.episodes import Listed
from backburner.evaluation.report.verdicts import (
    Marks,
    Verdict,
    beside_greedy,
    looked_at,
    marks_of,
    verdicts,
)
from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.summary import WorldSummary
from backburner.evaluation.scoring.usage import NO_PRICES, Prices
from backburner.evaluation.transcripts.gathered import Spent
from backburner.kernel.scoring import Estimate, Metric

MOST_JUDGED = 6
"""Agents that are put into words; more can be unfolded."""

MOST_TO_MIND = 4
"""Lines to bear in mind; more can be unfolded."""

WORDS = (
    "Of each world one metric: that of the headline score, or the first main one in which agents differ. In "
    "brackets its 95 % interval over scenarios, small and grey where it says little: with fewer than five "
    "scenarios, or if it covers most of the scale. On the bars grey is random play, green the best that is "
    "known. A green figure is the best of the agents that know no more than a player may. Every figure leads "
    "to its episodes."
)


class WorldColumn(Struct, frozen=True):
    """A world on the first screen: one of its main metrics, and how many scenarios somebody played."""

    world: str
    title: str
    metric: Metric
    scenarios: int


class FirstScreen(Struct, frozen=True):
    """``headlines``: empty where nobody has any. ``leaders``: the best in each world. ``scales``: the ends
    that its figures are drawn between. ``over``: how many scenarios each figure is over, by world, agent and
    rules.

    ``asked``: whether a model was asked, stand-ins aside.
    """

    worlds: Sequence[WorldColumn]
    agents: Sequence[AgentSummary]
    headlines: Mapping[Who, Estimate]
    leaders: Mapping[str, frozenset[Who]]
    scales: Mapping[str, tuple[float, float]]
    words: str
    marks: Mapping[str, Mapping[Who, Marks]]
    verdicts: Sequence[Verdict]
    more_verdicts: Sequence[Verdict]
    times: Mapping[Who, Sequence[Time]]
    over: Mapping[tuple[str, str, str], int]
    cost: Sequence[tuple[str, str]]
    mind: Sequence[str]
    more: Sequence[str]
    several_rules: bool
    asked: bool
    priced: bool
    currency: str


def first_screen(
    scores: Sequence[WorldScores],
    summaries: Sequence[WorldSummary],
    found: Sequence[Ranking],
    lines: Sequence[Listed],
    headlines: Sequence[Headline],
    spent: Mapping[Who, Mapping[str, Sequence[Spent]]],
    *,
    unusable: Sequence[str],
    stand_ins: Sequence[str],
    prices: Prices | None = None,
) -> FirstScreen:
    """All that the first screen says."""
    agents = agents_of(scores, summaries, found, lines)
    both = [*zip(scores, summaries, strict=True)]
    marks = {world.world: marks_of(world, summary, telling(summary)) for world, summary in both}
    times = {
        who: [time_of(summary, scored, of[summary.world]) for scored, summary in both if summary.world in of]
        for who, of in spent.items()
    }
    one = looked_at(agents)
    if one is not None:
        beside_greedy((one.agent, one.rules), both, marks, times)
    judged = verdicts(agents, summaries, marks, times)
    to_mind, more = _to_mind(scores, summaries, unusable, stand_ins)
    return FirstScreen(
        [_column(world, summary) for world, summary in zip(scores, summaries, strict=True)],
        agents,
        _headlines(headlines, agents),
        {world.world: _leaders(world, agents) for world in summaries},
        {world.world: _scale(world, marks[world.world]) for world in summaries},
        WORDS,
        marks,
        judged[:MOST_JUDGED],
        judged[MOST_JUDGED:],
        times,
        {(world.world, row.agent, row.rules): world.over(row) for world in summaries for row in world.rows},
        list(_cost(agents, prices or NO_PRICES)),
        to_mind[:MOST_TO_MIND],
        [*to_mind[MOST_TO_MIND:], *more],
        len({agent.rules for agent in agents}) > 1,
        any(agent.calls and not agent.stand_in for agent in agents),
        prices is not None,
        (prices or NO_PRICES).currency,
    )


def _headlines(found: Sequence[Headline], agents: Sequence[AgentSummary]) -> dict[Who, Estimate]:
    scores = {one.agent: one.score for one in reversed(found) if one.score.value is not None}
    known = [(agent.agent, agent.rules) for agent in agents if agent.rules == RULES]
    return {who: scores[who[0]] for who in known if who[0] in scores}


# --- figures -------------------------------------------------------------------------------------------


def _column(world: WorldScores, summary: WorldSummary) -> WorldColumn:
    asked = max((part.asked for part in summary.parts), default=0)
    return WorldColumn(world.world, world.title, telling(summary), asked)


def _leaders(world: WorldSummary, agents: Sequence[AgentSummary]) -> frozenset[Who]:
    """Those with the best figure under each rule set, of compared agents that know no more than they may."""
    informed = {(agent.agent, agent.rules) for agent in agents if agent.informed}
    metric = telling(world)
    sign = -1 if metric.better == "lower" else 1
    leaders: set[Who] = set()
    for part in world.parts:
        rivals = {
            (row.agent, row.rules): sign * value
            for row in part.rows
            if (row.agent, row.rules) not in informed
            and not row.apart
            and (value := row.figures[metric.key].value) is not None
        }
        if part.comparable and metric.better != "neither" and len(set(rivals.values())) > 1:
            leaders |= {who for who, figure in rivals.items() if figure == max(rivals.values())}
    return frozenset(leaders)


def _scale(world: WorldSummary, marks: Mapping[Who, Marks]) -> tuple[float, float]:
    """The metric's two ends, or 0 and the largest figure where it has none."""
    metric = telling(world)
    figures = [row.figures[metric.key] for row in world.rows]
    ends = [end for one in figures for end in (one.value, one.high) if end is not None]
    ends += [mark for one in marks.values() for mark in (one.random, one.best) if mark is not None]
    low = metric.lowest if metric.lowest is not None else min([0.0, *ends])
    high = metric.highest if metric.highest is not None else max(ends, default=1.0)
    return low, high if high > low else low + 1.0


def along(value: float, scale: tuple[float, float]) -> float:
    """Where a figure is on a scale, in per cent; beyond its ends at these."""
    low, high = scale
    return 100 * min(max((value - low) / (high - low), 0.0), 1.0)


# --- what it cost ------------------------------------------------------------------------------------------


def _cost(agents: Sequence[AgentSummary], prices: Prices) -> Iterator[tuple[str, str]]:
    models = [agent for agent in agents if agent.calls and not agent.stand_in]
    if models:
        episodes = sum(agent.episodes for agent in models)
        calls = sum(agent.calls for agent in models)
        tokens = [agent.tokens for agent in models]
        yield "calls", f"{calls:,} ({calls / episodes:,.1f} an episode)"
        known = sum(filter(None, tokens))
        yield "tokens", f"{known:,}" if None not in tokens else f"{known:,} and more: some are unknown"
        yield "time of calls", _duration(sum(agent.seconds for agent in models))
        money = [agent.money for agent in models]
        if prices.models:
            known_money = sum(filter(None, money))
            missing = " and more: some is unknown" if None in money else ""
            yield "money", f"{known_money:,.2f} {prices.currency}{missing}"
    acted = sum(agent.calls for agent in agents if agent.stand_in)
    if acted:
        yield "stand-ins", f"nothing; a model would have been asked {acted:,} times"


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


# --- what to bear in mind ----------------------------------------------------------------------------------


def _to_mind(
    scores: Sequence[WorldScores],
    summaries: Sequence[WorldSummary],
    unusable: Sequence[str],
    stand_ins: Sequence[str],
) -> tuple[list[str], list[str]]:
    """(the main lines, and what they are about in detail)."""
    counting = scores[0].counting if scores else None
    failed = sum(row.failed for world in scores for row in world.rows)
    notes = [(world.title, line) for world in scores for line in world.notes]
    main = [*stand_ins]
    if counting and counting.without:
        main.append(f"left out on demand: {', '.join(counting.without)}")
    if counting and counting.own:
        main.append("each agent is over its own scenarios: rows are not comparable")
    if failed and counting:
        counted = "count as they stand" if counting.failed else "count in no figure"
        main.append(f"{failed} episode{'s' if failed > 1 else ''} ended by a failed call and {counted}")
    main += [line for world in summaries for line in _not_compared(world)]
    if notes:
        main.append(
            f"in {len(notes)} group{'s' if len(notes) > 1 else ''} of tables not all agents have finished "
            "the same scenarios: figures are over what all have"
        )
    if unusable:
        main.append(f"{len(unusable)} record{'s' if len(unusable) > 1 else ''} left out")
    return main, [*(f"{title}: {line}" for title, line in notes), *unusable]


def _not_compared(world: WorldSummary) -> Iterator[str]:
    for part in world.parts:
        for row in part.rows:
            if row.apart:
                finished = f"{row.finished} of {part.asked} scenarios of {world.world}"
                yield f"{row.agent} finished {finished}: not compared"
        if not part.comparable:
            yield f"{world.world}, {part.rules} rules: rows are over different scenarios"
