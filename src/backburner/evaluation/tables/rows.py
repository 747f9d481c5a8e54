"""The tables that are exported of what was played: a struct for the rows of each.

CSV and Parquet have the same tables with the same columns. Every table but ``columns`` has the episode or the
world as its key.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from backburner.evaluation.tables.schema import ColumnRow, Table, means

Episode = Annotated[str, means("the record's file, as its path in the folder: joins the tables")]
World = Annotated[str, means("the world's name")]
Rules = Annotated[str, means("the rule set's name")]
Agent = Annotated[str, means("the agent as tables call it, with what sets it apart")]
MetricKey = Annotated[str, means("the metric's short name")]
Unit = Annotated[str, means("the unit of the figures in this row; empty for pure numbers")]
Low = Annotated[float | None, means("the lower end of the 95 % interval; empty where there is none")]
High = Annotated[float | None, means("its upper end")]
Method = Annotated[str, means("what made the interval, or why there is none")]
Step = Annotated[int, means("the decision point, from 0")]

Calls = Annotated[int, means("calls to models", "calls")]
InputTokens = Annotated[int, means("tokens that models read, as the provider counts them", "tokens")]
OutputTokens = Annotated[int, means("tokens that models wrote, as the provider counts them", "tokens")]
CachedTokens = Annotated[int, means("those of the input that the provider had kept", "tokens")]
ReasoningTokens = Annotated[int, means("those of the output that went into thoughts", "tokens")]
CallSeconds = Annotated[float, means("the duration of the calls", "seconds")]


class EpisodeRow(Struct, frozen=True, kw_only=True):
    """A finished episode."""

    episode: Episode
    world: World
    scenario: Annotated[str, means("the scenario's id")]
    group: Annotated[str, means("the cell of the article's table that it belongs to")]
    rules: Rules
    agent: Agent
    seed: Annotated[int, means("of chance in play")]
    counts: Annotated[bool, means("whether the figures of ``scores`` are over it")]
    stand_in: Annotated[bool, means("whether a stand-in played in a model's place")]
    informed: Annotated[bool, means("whether a player knows more than its seat may know")]
    models: Annotated[str, means("the models that answered, with commas between them")]
    status: Annotated[str, means("ended, cut off, failed (a call), stopped (by the agent) or capped")]
    reason: Annotated[str, means("the world's word for it")]
    error: Annotated[str, means("why a call failed")]
    steps: Annotated[int, means("decision points")]
    refusals: Annotated[int, means("decisions, or parts of them, that were not carried out")]
    calls: Calls
    input_tokens: InputTokens
    output_tokens: OutputTokens
    cached_tokens: CachedTokens
    reasoning_tokens: ReasoningTokens
    call_seconds: CallSeconds
    lost_calls: Annotated[int, means("calls of a killed run whose answer nobody heard", "calls")]
    cost: Annotated[
        float | None, means("what the models cost by the prices that were given; empty if unknown")
    ]
    currency: Annotated[str, means("the currency of ``cost``")]
    world_version: Annotated[int, means("the world's version")]
    backburner_version: Annotated[str, means("the version that played")]
    time_unit: Annotated[str, means("the unit of the world's time")]
    scenario_digest: Annotated[str, means("of the scenario's content")]


class MeasureRow(Struct, frozen=True, kw_only=True):
    """A number of an episode."""

    episode: Episode
    kind: Annotated[str, means("metric: of this episode alone; measure: what metrics are made of")]
    name: Annotated[str, means("the metric's short name, or the measure's")]
    unit: Unit
    value: Annotated[float, means("the number; an undefined metric has no row")]


class ScoreRow(Struct, frozen=True, kw_only=True):
    """A figure: a metric of an agent in a group."""

    world: World
    group: Annotated[str, means("the cell of the article's table")]
    rules: Rules
    agent: Agent
    printed: Annotated[bool, means("whether the article prints it; ours are computed from the episodes")]
    metric: MetricKey
    title: Annotated[str, means("the metric in words")]
    unit: Unit
    better: Annotated[str, means("higher, lower or neither")]
    main: Annotated[bool, means("whether it is one of the world's main metrics")]
    value: Annotated[float | None, means("the figure; empty where it is not defined")]
    low: Low = None
    high: High = None
    method: Method = ""
    n: Annotated[int | None, means("episodes that it is over", "episodes")] = None
    failed: Annotated[int | None, means("those that ended by a failed call", "episodes")] = None
    scenarios: Annotated[int | None, means("scenarios that it is over", "scenarios")] = None
    missing: Annotated[int | None, means("scenarios that the agent lacks", "scenarios")] = None
    source: Annotated[str, means("of a printed figure: where")] = ""


class PairRow(Struct, frozen=True, kw_only=True):
    """A pair of agents in a metric, all groups together."""

    world: World
    rules: Rules
    metric: MetricKey
    unit: Unit
    one: Annotated[str, means("an agent")]
    other: Annotated[str, means("another")]
    scenarios: Annotated[int, means("that both have finished", "scenarios")]
    difference: Annotated[float | None, means("the mean over scenarios of one's figure less other's")]
    low: Low
    high: High
    method: Method
    effect: Annotated[float | None, means("the mean in standard deviations of the differences (Hedges's g)")]
    p: Annotated[float | None, means("of the paired permutation test")]
    p_corrected: Annotated[float | None, means("the same, corrected for all pairs (Holm)")]


class RankRow(Struct, frozen=True, kw_only=True):
    """An agent in a metric, all groups together."""

    world: World
    rules: Rules
    metric: MetricKey
    agent: Agent
    scenarios: Annotated[int, means("finished ones that have the metric", "scenarios")]
    lead: Annotated[float, means("the mean of the differences from each of the others; above 0 is better")]
    best: Annotated[int, means("the best place that it may have for certain")]
    worst: Annotated[int, means("the worst one")]


class SpeedRow(Struct, frozen=True, kw_only=True):
    """An agent at one speed of its curve, over what was played at all of them."""

    world: World
    rules: Rules
    agent: Annotated[str, means("the agent, without its clock")]
    stand_in: Annotated[bool, means("whether a stand-in played in a model's place")]
    speed: Annotated[str, means("the clock, as the agent's name has it; ∞ without one")]
    tokens_a_beat: Annotated[float | None, means("its tokens a beat; empty without a clock", "tokens")]
    metric: MetricKey
    episodes: Annotated[int, means("those that the figure is over")]
    value: Annotated[float | None, means("the metric")]
    low: Low
    high: High
    charge: Annotated[float, means("of a thought, in the mean", "seconds")]
    silent: Annotated[float, means("the share of the time in which seats thought")]
    stale: Annotated[int, means("decisions that were refused, and would not have been when asked for")]
    decisions: Annotated[int, means("all of them")]
    as_slow: Annotated[float | None, means("the metric of greedy, as slow as the agent")]
    greedy: Annotated[float | None, means("the metric of greedy without a clock")]
    random: Annotated[float | None, means("the metric of random play without a clock")]
    best: Annotated[
        float | None, means("the metric of the best plans of which each decision takes the charge")
    ]


class DecisionRow(Struct, frozen=True, kw_only=True):
    """An answer of a seat at a decision point."""

    episode: Episode
    step: Step
    seat: Annotated[str, means("who decides")]
    player: Annotated[str, means("the agent of this seat")]
    model: Annotated[str, means("its model; empty if it has none")]
    text: Annotated[str | None, means("the raw answer, if it was one in words")]
    decision: Annotated[str, means("what was understood, as JSON; null if nothing was")]
    thoughts: Annotated[str, means("what was written on the way, one after the other")]
    refused: Annotated[bool, means("whether it, or a part of it, was not carried out")]
    refusal: Annotated[str, means("the world's code of the first refusal")]
    fault: Annotated[str, means("its family, which all worlds share")]
    calls: Calls
    input_tokens: InputTokens
    output_tokens: OutputTokens
    cached_tokens: CachedTokens
    reasoning_tokens: ReasoningTokens
    call_seconds: CallSeconds
    endings: Annotated[str, means("calls whose answer did not end of itself, by how it did, as JSON")]


class EventRow(Struct, frozen=True, kw_only=True):
    """A thing that happened."""

    episode: Episode
    step: Step
    position: Annotated[int, means("its place among the episode's events, from 0")]
    time: Annotated[float, means("when, in the world's unit (``time_unit`` of the episode)")]
    what: Annotated[str, means("start, pause, resume, end, score, delivered, expired or said")]
    lane: Annotated[str, means("the body or appliance")]
    label: Annotated[str, means("what a person calls it, or what was said")]
    key: Annotated[str, means("start and end of one activity share it")]
    kind: Annotated[str, means("work, wait or refused")]
    value: Annotated[float | None, means("the new score, where it changes")]


EPISODES = Table("episodes", "finished episode", EpisodeRow)
MEASURES = Table("measures", "number of an episode", MeasureRow)
SCORES = Table("scores", "figure: a metric of an agent in a group", ScoreRow)
PAIRS = Table("pairs", "pair of agents in a metric, all groups together", PairRow)
RANKS = Table("ranks", "agent in a metric, all groups together", RankRow)
SPEEDS = Table("speeds", "agent at one speed", SpeedRow)
DECISIONS = Table("decisions", "answer of a seat at a decision point", DecisionRow)
EVENTS = Table("events", "thing that happened", EventRow)
COLUMNS = Table("columns", "column of these tables", ColumnRow)

TABLES = (EPISODES, MEASURES, SCORES, PAIRS, RANKS, SPEEDS, DECISIONS, EVENTS, COLUMNS)
"""All of them, each written to a file of its name."""
