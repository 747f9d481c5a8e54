"""The tables that are exported, and their columns: what each holds, in which unit.

CSV and Parquet have the same tables with the same columns. The names are stable: what is written today is
found under the same name tomorrow. Every table but ``columns`` has the episode or the world as its key.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Type = Literal["text", "integer", "number", "truth"]

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A cell that begins so is a formula to a spreadsheet, or becomes one when it is trimmed."""


class Column(Struct, frozen=True):
    """A column: its name, what its cells are, what they mean, and their unit if they have one."""

    name: str
    type: Type
    meaning: str
    unit: str = ""


class Table(Struct, frozen=True):
    """A table: one row for each ``row``."""

    name: str
    row: str
    columns: tuple[Column, ...]


def texts(**meanings: str) -> tuple[Column, ...]:
    """Columns of text, each by its name with its meaning."""
    return tuple(Column(name, "text", meaning) for name, meaning in meanings.items())


def _counts(unit: str, **meanings: str) -> tuple[Column, ...]:
    return tuple(Column(name, "integer", meaning, unit) for name, meaning in meanings.items())


EPISODE = Column("episode", "text", "the record's file, as its path in the folder: joins the tables")
WORLD = Column("world", "text", "the world's name")
RULES = Column("rules", "text", "the rule set's name")
AGENT = Column("agent", "text", "the agent as tables call it, with what sets it apart")
METRIC = Column("metric", "text", "the metric's short name")
UNIT = Column("unit", "text", "the unit of the figures in this row; empty for pure numbers")
LOW = Column("low", "number", "the lower end of the 95 % interval; empty where there is none")
HIGH = Column("high", "number", "its upper end")
METHOD = Column("method", "text", "what made the interval, or why there is none")
STEP = Column("step", "integer", "the decision point, from 0")

SPENT = (
    *_counts("calls", calls="calls to models"),
    *_counts(
        "tokens",
        input_tokens="tokens that models read, as the provider counts them",
        output_tokens="tokens that models wrote, as the provider counts them",
        cached_tokens="those of the input that the provider had kept",
        reasoning_tokens="those of the output that went into thoughts",
    ),
    Column("call_seconds", "number", "the duration of the calls", "seconds"),
)

EPISODES = Table(
    "episodes",
    "finished episode",
    (
        EPISODE,
        WORLD,
        Column("scenario", "text", "the scenario's id"),
        Column("group", "text", "the cell of the article's table that it belongs to"),
        RULES,
        AGENT,
        Column("seed", "integer", "of chance in play"),
        Column("counts", "truth", "whether the figures of ``scores`` are over it"),
        Column("stand_in", "truth", "whether a stand-in played in a model's place"),
        Column("informed", "truth", "whether a player knows more than its seat may know"),
        *texts(
            models="the models that answered, with commas between them",
            status="ended, cut off, failed (a call), stopped (by the agent) or capped",
            reason="the world's word for it",
            error="why a call failed",
        ),
        Column("steps", "integer", "decision points"),
        Column("refusals", "integer", "decisions, or parts of them, that were not carried out"),
        *SPENT,
        Column("lost_calls", "integer", "calls of a killed run whose answer nobody heard", "calls"),
        Column("cost", "number", "what the models cost by the prices that were given; empty if unknown"),
        Column("currency", "text", "the currency of ``cost``"),
        Column("world_version", "integer", "the world's version"),
        *texts(
            backburner_version="the version that played",
            time_unit="the unit of the world's time",
            scenario_digest="of the scenario's content",
        ),
    ),
)

MEASURES = Table(
    "measures",
    "number of an episode",
    (
        EPISODE,
        Column("kind", "text", "metric: of this episode alone; measure: what metrics are made of"),
        Column("name", "text", "the metric's short name, or the measure's"),
        UNIT,
        Column("value", "number", "the number; an undefined metric has no row"),
    ),
)

SCORES = Table(
    "scores",
    "figure: a metric of an agent in a group",
    (
        WORLD,
        Column("group", "text", "the cell of the article's table"),
        RULES,
        AGENT,
        Column("printed", "truth", "whether the article prints it; ours are computed from the episodes"),
        METRIC,
        Column("title", "text", "the metric in words"),
        UNIT,
        Column("better", "text", "higher, lower or neither"),
        Column("main", "truth", "whether it is one of the world's main metrics"),
        Column("value", "number", "the figure; empty where it is not defined"),
        LOW,
        HIGH,
        METHOD,
        *_counts("episodes", n="episodes that it is over", failed="those that ended by a failed call"),
        *_counts(
            "scenarios", scenarios="scenarios that it is over", missing="scenarios that the agent lacks"
        ),
        Column("source", "text", "of a printed figure: where"),
    ),
)

PAIRS = Table(
    "pairs",
    "pair of agents in a metric, all groups together",
    (
        WORLD,
        RULES,
        METRIC,
        UNIT,
        *texts(one="an agent", other="another"),
        Column("scenarios", "integer", "that both have finished", "scenarios"),
        Column("difference", "number", "the mean over scenarios of one's figure less other's"),
        LOW,
        HIGH,
        METHOD,
        Column("effect", "number", "the mean in standard deviations of the differences (Hedges's g)"),
        Column("p", "number", "of the paired permutation test"),
        Column("p_corrected", "number", "the same, corrected for all pairs (Holm)"),
    ),
)

RANKS = Table(
    "ranks",
    "agent in a metric, all groups together",
    (
        WORLD,
        RULES,
        METRIC,
        AGENT,
        Column("scenarios", "integer", "finished ones that have the metric", "scenarios"),
        Column("lead", "number", "the mean of the differences from each of the others; above 0 is better"),
        Column("best", "integer", "the best place that it may have for certain"),
        Column("worst", "integer", "the worst one"),
    ),
)

DECISIONS = Table(
    "decisions",
    "answer of a seat at a decision point",
    (
        EPISODE,
        STEP,
        *texts(
            seat="who decides",
            player="the agent of this seat",
            model="its model; empty if it has none",
            text="the raw answer, if it was one in words",
            decision="what was understood, as JSON; null if nothing was",
            thoughts="what was written on the way, one after the other",
        ),
        Column("refused", "truth", "whether it, or a part of it, was not carried out"),
        Column("refusal", "text", "the world's code of the first refusal"),
        Column("fault", "text", "its family, which all worlds share"),
        *SPENT,
        Column("endings", "text", "calls whose answer did not end of itself, by how it did, as JSON"),
    ),
)

EVENTS = Table(
    "events",
    "thing that happened",
    (
        EPISODE,
        STEP,
        Column("position", "integer", "its place among the episode's events, from 0"),
        Column("time", "number", "when, in the world's unit (``time_unit`` of the episode)"),
        *texts(
            what="start, pause, resume, end, score, delivered, expired or said",
            lane="the body or appliance",
            label="what a person calls it, or what was said",
            key="start and end of one activity share it",
            kind="work, wait or refused",
        ),
        Column("value", "number", "the new score, where it changes"),
    ),
)

COLUMNS = Table(
    "columns",
    "column of these tables",
    (
        *texts(table="the table", column="the column", type="text, integer, number or truth"),
        *texts(unit="its unit", meaning="what it holds"),
    ),
)

TABLES = (EPISODES, MEASURES, SCORES, PAIRS, RANKS, DECISIONS, EVENTS, COLUMNS)
"""All of them, each written to a file of its name."""
