"""TimeArena's four metrics (article, section 4.2), its result table, and its data set table beside ours.

The article's scores do not tell who is slow from who is quick, as long as the time does for all; AS* does.

For one episode: P is the highest progress score, T the minute at which it was first reached (1 if
the score never left 0, as a first minute has then gone by without progress).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from backburner.kernel import registry
from backburner.kernel.activities import OVERLAP, overlap, score_curve
from backburner.kernel.charts import Figure
from backburner.kernel.episode import Episode
from backburner.kernel.files import shipped
from backburner.kernel.headline import Best
from backburner.kernel.scoring import (
    Estimator,
    Measured,
    Measures,
    Metric,
    Published,
    Scoring,
    Section,
    mean,
    mean_of,
    rounded_mean,
)
from backburner.kernel.values import Refusal
from backburner.worlds.timearena.game.catalogue import catalogue, known_optimum
from backburner.worlds.timearena.game.compiled import Compiled
from backburner.worlds.timearena.game.rule_set import STANDARD
from backburner.worlds.timearena.game.scenarios import Scenario
from backburner.worlds.timearena.metrics import analysis


def completion_speed(rows: Sequence[Measures]) -> float | None:
    """CS: the sum of P over the sum of T, in score points per minute, over all episodes."""
    return sum(row["P"] for row in rows) / sum(row["T"] for row in rows) if rows else None


def completion_rate(rows: Sequence[Measures]) -> float | None:
    """CR: 100 times the share of episodes with P = 100; a combination counts as one task."""
    return mean([100.0 * (row["P"] == 100) for row in rows])


def completion_time(rows: Sequence[Measures]) -> float | None:
    """CT: the mean of T over the completed episodes, in minutes."""
    return mean([row["T"] for row in rows if row["P"] == 100])


def regret(rows: Sequence[Measures]) -> float | None:
    """100 (T / T* - 1), mean over completed episodes whose optimum T* is proven."""
    known = [row for row in rows if row["P"] == 100 and row["optimum"] > 0]
    return mean([100 * (row["T"] / row["optimum"] - 1) for row in known])


def timely_score(rows: Sequence[Measures]) -> float | None:
    """AS*: the mean of P · T* / max(T, T*) over the episodes whose optimum T* is proven, 0 to 100.

    It is 100 for whoever completes all in the least minutes that are possible, 50 for twice as many. No play
    has more: P = 100 takes T* minutes, and a lower P gains nothing by being early.
    """
    known = [row for row in rows if row["optimum"] > 0]
    return mean([row["P"] * row["optimum"] / max(row["T"], row["optimum"]) for row in known])


score = partial(Metric, unit="%", better="higher", lowest=0, highest=100)
time = partial(Metric, better="lower", lowest=0)

METRICS = (
    score("AS", "average progress score", over=mean_of("P"), formula="ΣP / N"),
    Metric("CS", "completion speed", "%/min", "higher", completion_speed, "ΣP / ΣT", lowest=0),
    Metric("CR", "task completion rate", "%", "higher", completion_rate, "100 · S / N", share=True),
    time("CT", "average completion time", "min", over=completion_time, formula="ΣT over completed / S"),
    time("regret", "time above the proven optimum", "%", over=regret, formula="100 · mean(T / T* − 1)"),
    OVERLAP,
    score("AS*", "progress score by the optimum", over=timely_score, formula="mean(P · T* / max(T, T*))"),
)


def best(id: str) -> Best:
    """The best AS* of a scenario, by its id: the proven shortest plan has 100."""
    known = known_optimum(id)
    return Best(100.0, "optimum" if known is not None and known.status == "optimal" else "end")


class TimeArenaScoring(Scoring):
    """See ``kernel.scoring.Scoring`` for what each part promises."""

    metrics: Sequence[Metric] = METRICS
    main: Sequence[str] = ("AS", "CS", "CR", "CT")

    @property
    def published(self) -> Sequence[Published]:
        """Table 2 of the article."""
        return published_tables().table2

    def group(self, episode: Episode) -> str:
        """Scenario and number of tasks, as in Table 2; other rules and kits are groups of their own."""
        scenario = episode.header.scenario
        kinds = {task["scenario"] for task in scenario["tasks"]}
        n_tasks = len(scenario["tasks"])
        kind = kinds.pop() if len(kinds) == 1 else "mixed"
        kit = ", one kit" if scenario.get("kit") == "one" else ""
        return f"{kind}, {n_tasks} task{'s' if n_tasks > 1 else ''}{kit}"

    def measure(self, episode: Episode) -> Measures:
        """P, T, the optimum (0 if not known), counts of the article's action types, waits and loops;
        the overlap where everything was completed, the optimum is known and something can be saved."""
        curve = score_curve(episode.events())
        best = max(score for _, score in curve)
        first = next(minute for minute, score in curve if score == best)
        header = episode.header
        world = catalogue.of(header)
        known = known_optimum(header.id) if header.rules_name == "standard" else None
        optimum = known.minutes if known and known.status == "optimal" else 0
        figures = {"P": best, "T": max(first, 1), "optimum": optimum, **analysis.counts(episode, world)}
        if best == 100 and optimum:
            saved = overlap(episode.events(), world.compiled.total_minutes, optimum)
            figures |= {} if saved is None else {"overlap": saved}
        return figures

    def statistics(self, ids: Sequence[str]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """See ``statistics.statistics``."""
        return statistics([(id, registry.scenario(id)) for id in ids])

    def kind_of_refusal(self, refusal: Refusal) -> str:
        """The action type of the article's Table 4."""
        return analysis.TYPE_OF_REFUSAL.get(refusal.code, analysis.INVALID)

    def sections(self, rows: Sequence[Measured]) -> Sequence[Section]:
        """Action types, waits and loops by agent, and why they wait; with and without the kit limit."""
        return analysis.sections(rows, METRICS)

    def figures(self, rows: Sequence[Measured], estimate: Estimator) -> Sequence[Figure]:
        """What agents did (Figure 3), and what one kit changes (Figure 4)."""
        return analysis.figures(rows, METRICS)


class Table1Row(Struct, frozen=True):
    """A row of the article's Table 1: means for each task of a scenario."""

    scenario: str
    actions: float
    objects: float
    minutes: float


class _Tables(Struct):
    source: str
    table1: tuple[Table1Row, ...]
    table2: tuple[Published, ...]


def published_tables() -> _Tables:
    """The article's Tables 1 and 2 as numbers."""
    return shipped("backburner.worlds.timearena", "published", _Tables)


# --- the data set ----------------------------------------------------------------------------------------

COLUMNS = (
    "scenario", "combinations", "verbs", "required actions", "objects", "background actions",
    "action minutes", "optimum (min)", "oracle script (min)",
    "article: actions", "article: objects", "article: time (min)",
)  # fmt: skip


def statistics(scenarios: Sequence[tuple[str, Scenario]]) -> tuple[Sequence[str], list[list[Any]]]:
    """Means over these (id, scenario), by kind. The article's "actions" are distinct verbs."""
    rows = []
    printed = {row.scenario: row for row in published_tables().table1}
    for kind in dict.fromkeys(scenario.kind for _, scenario in scenarios):
        of_kind = [(id, scenario) for id, scenario in scenarios if scenario.kind == kind]
        table1 = printed.get(kind) if all(len(s.tasks) == 1 for _, s in of_kind) else None
        article = (table1.actions, table1.objects, table1.minutes) if table1 else (None, None, None)
        rows.append([kind, len(of_kind), *_means(of_kind), *article])
    return COLUMNS, rows


def _means(scenarios: Sequence[tuple[str, Scenario]]) -> list[float | None]:
    tables = [Compiled(scenario, STANDARD) for _, scenario in scenarios]
    optima = [known_optimum(id) for id, _ in scenarios]
    known = [optimum for optimum in optima if optimum is not None]
    script = [optimum.script_minutes for optimum in known if optimum.script_minutes is not None]
    return [
        rounded_mean([len(table.verbs) for table in tables]),
        rounded_mean([len(table.required) for table in tables]),
        rounded_mean([len(table.items) for table in tables]),
        rounded_mean([sum(not required.occupies_agent for required in table.required) for table in tables]),
        rounded_mean([table.total_minutes for table in tables]),
        rounded_mean([optimum.minutes for optimum in known]) if len(known) == len(scenarios) else None,
        rounded_mean(script) if len(script) == len(scenarios) else None,
    ]


scoring = TimeArenaScoring()
