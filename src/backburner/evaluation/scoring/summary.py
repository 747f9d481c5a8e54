"""A world in one small table: who played, the world's main metrics, what it took, what is missing.

All groups of the article's tables are taken together, over the scenarios that all agents have finished, as
in the group tables. An agent that has finished so few that it would leave the others next to nothing stands
by itself below, over what it has, and is compared with nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from backburner.evaluation.scoring.answered import ATTAINED, METRICS
from backburner.evaluation.scoring.scores import AgentInCell, Counting, WorldScores, cells, scenarios_of
from backburner.evaluation.scoring.statistics import estimate_of_episodes
from backburner.evaluation.scoring.usage import NO_PRICES, AgentUsage, Prices, stood_in, usage_of
from backburner.kernel import packs, registry
from backburner.kernel.experiments import Experiment, experiments
from backburner.kernel.scoring import Estimate, Metric, Published, grouped

LEAST_SCENARIOS = 3
"""An agent that would leave fewer common scenarios than that stands apart, unless it takes none away."""


class SummaryRow(Struct, frozen=True):
    """One agent under one rule set.

    ``episodes``: those that its ``figures`` are over. ``failed``: those that ended because a call failed.
    ``finished``: how many scenarios it has finished. ``apart``: if it is compared with nobody. ``stand_in``:
    if a stand-in for a model played. ``usage``: what its answers took, if it asked any.
    """

    agent: str
    rules: str
    episodes: int
    failed: int
    finished: int
    apart: bool
    stand_in: bool
    figures: dict[str, Estimate]
    usage: AgentUsage | None = None


class RulesSummary(Struct, frozen=True):
    """The agents under one rule set, best ones first, those that stand apart last.

    ``scenarios``: how many the compared ones are compared over, of ``asked`` that somebody played.
    ``comparable``: whether the rows that do not stand apart are over the same scenarios.
    """

    rules: str
    scenarios: int
    asked: int
    comparable: bool
    rows: tuple[SummaryRow, ...]


class WorldSummary(Struct, frozen=True):
    """A world's summary: its main metrics, the most telling one first; ``groups``: cells of the article's
    table that were played; ``printed``: if it is a single one, the article's best row and its oracle's."""

    world: str
    metrics: tuple[Metric, ...]
    groups: tuple[str, ...]
    parts: tuple[RulesSummary, ...]
    currency: str = ""
    printed: tuple[Published, ...] = ()
    title: str = ""

    def over(self, row: SummaryRow) -> int:
        """How many scenarios a row's figures are over."""
        compared = (part.scenarios for part in self.parts if part.rules == row.rules)
        return row.finished if row.apart else next(compared, 0)

    @property
    def rows(self) -> list[SummaryRow]:
        """The rows of all rule sets."""
        return [row for part in self.parts for row in part.rows]


def summary_of(world: WorldScores, prices: Prices | None = None) -> WorldSummary:
    """The summary of a world's scores; with ``prices`` it has what models cost."""
    metrics = with_the_headlines(world)
    played = experiments(world.measured, lambda episode: "")
    of_rules = grouped(played, lambda experiment: experiment.rules)
    parts = tuple(
        rules_summary(rules, own, metrics, world.counting, prices or NO_PRICES)
        for rules, own in of_rules.items()
    )
    groups = dict.fromkeys(row.group for row in world.rows)
    currency = "" if prices is None else prices.currency
    printed = best_printed(world, next(iter(groups))) if len(groups) == 1 else []
    shown = differing_first(metrics, [row.figures for part in parts for row in part.rows if not row.apart])
    title = world.title.partition(" (")[0]
    return WorldSummary(world.world, shown, tuple(groups), parts, currency, tuple(printed), title)


def best_printed(scores: WorldScores, group: str) -> list[Published]:
    """The printed row that is best in the first metric, and those with a note, which are no agent's play."""
    printed = [row for row in scores.published if row.group == group]
    metric = scores.metrics[0]
    played = [row for row in printed if not row.note and metric.key in row.figures]
    sign = -1 if metric.better == "higher" else 1
    best = sorted(played, key=lambda row: sign * row.figures[metric.key])[:1]
    return best + [row for row in printed if row.note]


def differing_first(
    metrics: Sequence[Metric], figures: Sequence[Mapping[str, Estimate]]
) -> tuple[Metric, ...]:
    """First the metrics in which two agents differ, then those that are equal for all."""

    def equal(metric: Metric) -> bool:
        return len({row[metric.key].value for row in figures} - {None}) < 2

    return tuple(sorted(metrics, key=equal))


def main_metrics(world: WorldScores) -> tuple[Metric, ...]:
    """The metrics that the world's scoring calls its main ones, in that order."""
    return _named(world, registry.scoring(world.world).main) or world.metrics[:1]


def with_the_headlines(world: WorldScores) -> tuple[Metric, ...]:
    """The metric of the world's headline, those of answers where there are any, then its main ones.

    Where all episodes have answers these come first, as a headline's may know nothing of such scenarios.
    """
    headline = packs.pack(world.world).headline
    main = main_metrics(world)
    first = () if headline is None else _named(world, headline.suites.values())
    of_answers = _named(world, (metric.key for metric in METRICS))
    built = all(ATTAINED.key in measures for _, measures in world.measured)
    first = (*of_answers, *first) if built else (*first, *of_answers)
    return (*first, *(metric for metric in main if metric not in first))


def _named(world: WorldScores, keys: Iterable[str]) -> tuple[Metric, ...]:
    by_key = {metric.key: metric for metric in world.metrics}
    return tuple(by_key[key] for key in dict.fromkeys(keys) if key in by_key)


def rules_summary(
    rules: str, own: Sequence[Experiment], metrics: Sequence[Metric], counting: Counting, prices: Prices
) -> RulesSummary:
    """The agents whose experiments, all groups together, were played under one rule set."""
    asked = scenarios_of(row for experiment in own for row in experiment.rows)
    finished = [_finished(experiment, counting) for experiment in own]
    kept = set(range(len(own)) if counting.own else _together(finished))

    def row(line: AgentInCell, index: int) -> SummaryRow:
        return _row(line, len(finished[index]), index not in kept, metrics, prices)

    (cell,) = cells([own[index] for index in sorted(kept)], counting)
    rows = [row(line, index) for line, index in zip(cell.lines, sorted(kept), strict=True)]
    rows.sort(key=lambda each: _standing(each, metrics))
    for index, experiment in enumerate(own):
        if index not in kept:
            rows.append(row(cells([experiment], counting)[0].lines[0], index))
    over = {tuple(sorted(scenarios_of(line.rows))) for line in cell.lines if line.rows}
    scenarios = len({scenario for own_scenarios in over for scenario in own_scenarios})
    return RulesSummary(rules, scenarios, len(asked), len(over) <= 1, tuple(rows))


def _finished(experiment: Experiment, counting: Counting) -> set[str]:
    return set(scenarios_of(row for row in experiment.rows if counting.counts(row)))


def _together(finished: Sequence[set[str]]) -> list[int]:
    """Which agents are compared, by what each has finished: who has more comes first."""
    order = sorted(range(len(finished)), key=lambda index: -len(finished[index]))
    kept, common = [order[0]], finished[order[0]]
    for index in order[1:]:
        left = common & finished[index]
        if len(left) >= min(len(common), LEAST_SCENARIOS):
            kept, common = [*kept, index], left
    return kept


def _standing(row: SummaryRow, metrics: Sequence[Metric]) -> list[tuple[bool, float]]:
    """Sorts the best ones first, by the first metric in which two differ; what has no figure comes last."""
    values = [(metric, row.figures[metric.key].value) for metric in metrics if metric.better != "neither"]
    return [
        (value is None, 0.0 if value is None else -value if metric.better == "higher" else value)
        for metric, value in values
    ]


def _row(
    line: AgentInCell, finished: int, apart: bool, metrics: Sequence[Metric], prices: Prices
) -> SummaryRow:
    played = line.experiment
    return SummaryRow(
        played.agent,
        played.rules,
        len(line.rows),
        line.failed,
        finished,
        apart,
        any(stood_in(episode) for episode, _ in played.rows),
        {metric.key: estimate_of_episodes(metric, line.rows) for metric in metrics},
        next(iter(usage_of(played.rows, metrics[0], prices)), None),
    )
