"""The articles' metrics for Inspect: a world's own measures of each episode, figures over all of them.

Figures are those of ``backburner score``: one for each group of the article's table and each metric, with
95 % intervals over scenarios. Each statistic is a metric with a name of its own, as Inspect tells metrics
apart by their names alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import nan

from inspect_ai.scorer import Metric as InspectMetric
from inspect_ai.scorer import SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from backburner.evaluation.records import left_out
from backburner.evaluation.scoring import statistics
from backburner.inspect.samples import episode_of
from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.scoring import Estimate, Measures, Metric

Rows = Sequence[tuple[str, Measures]]
"""(scenario, numbers of an episode) of the episodes in a group."""


@metric(scores="unreduced")
def figure() -> InspectMetric:
    """The metrics themselves."""
    return _over(lambda metric, rows: metric.over([numbers for _, numbers in rows]))


@metric(scores="unreduced")
def low_95() -> InspectMetric:
    """Where the 95 % intervals begin."""
    return _over(lambda metric, rows: _interval(metric, rows).low, " low 95")


@metric(scores="unreduced")
def high_95() -> InspectMetric:
    """Where the 95 % intervals end."""
    return _over(lambda metric, rows: _interval(metric, rows).high, " high 95")


@metric(scores="unreduced")
def standard_error() -> InspectMetric:
    """The metrics' standard errors over scenarios."""
    return _over(statistics.standard_error, " stderr")


@metric(scores="unreduced")
def failed() -> InspectMetric:
    """How many episodes of each group failed because an agent could not answer; figures are without them."""

    def count(scores: list[SampleScore]) -> Value:
        failures: Counter[str] = Counter()
        for metadata in (score.score.metadata or {} for score in scores):
            failures[f"{metadata['group']}: failed"] += metadata["status"] == "failed"
        return dict(failures)

    return count


def _over(statistic: Callable[[Metric, Rows], float | None], called: str = "") -> InspectMetric:
    """The statistic of each of the world's metrics in each group, where it is defined.

    Names tell the statistic as well: Inspect would number those that are equal.
    """

    def compute(scores: list[SampleScore]) -> Value:
        values = {}
        for (world, group), rows in _groups(scores).items():
            for each in registry.scoring(world).metrics:
                if (value := statistic(each, rows)) is not None:
                    values[f"{group}: {each.key}{called}"] = value
        return values

    return compute


def _groups(scores: list[SampleScore]) -> dict[tuple[str, str], list[tuple[str, Measures]]]:
    groups: dict[tuple[str, str], list[tuple[str, Measures]]] = {}
    for each in scores:
        metadata, numbers = each.score.metadata or {}, each.score.as_dict()
        if metadata["status"] == "failed":
            continue
        measures = {key: value for key, value in numbers.items() if isinstance(value, int | float)}
        cell = groups.setdefault((metadata["world"], metadata["group"]), [])
        cell.append((metadata["scenario"], measures))
    return groups


def _interval(metric: Metric, rows: Rows) -> Estimate:
    """The metric's estimate, kept: Inspect asks for both ends, and again whenever it shows its progress."""
    return _estimate(metric, tuple((scenario, tuple(numbers.items())) for scenario, numbers in rows))


@lru_cache(maxsize=512)
def _estimate(metric: Metric, cell: tuple[tuple[str, tuple[tuple[str, float], ...]], ...]) -> Estimate:
    return statistics.estimate(metric, [(scenario, dict(numbers)) for scenario, numbers in cell])


@scorer(metrics=[figure(), standard_error(), low_95(), high_95(), failed()])
def article() -> Scorer:
    """The numbers that the world measures in the recorded episode, which is replayed first.

    What was interrupted, is no record or does not replay has no score; the explanation says why.
    """

    async def score(state: TaskState, target: Target) -> Score:
        try:
            episode = episode_of(state.store, str(state.sample_id))
            if episode is None or episode.ending is None:
                return Score(value=nan, explanation="the episode was not played to its end")
            check(episode)
            header, ending = episode.header, episode.ending
            scoring = registry.scoring(header.world)
            numbers = {**scoring.measure(episode), **registry.bounds(header.world)(episode)}
        except Exception as error:  # a log may hold what no play of ours would have come to
            return Score(value=nan, explanation=left_out(str(state.sample_id), error))
        return Score(
            value=numbers,
            answer=ending.status,
            explanation=ending.error or ending.reason,
            metadata={
                "world": header.world,
                "group": scoring.group(episode),
                "scenario": header.id,
                "status": ending.status,
            },
        )

    return score
