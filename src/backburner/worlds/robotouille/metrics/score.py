"""Robotouille's metrics (article, section 4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from backburner.kernel import registry
from backburner.kernel.charts import Figure
from backburner.kernel.episode import Episode
from backburner.kernel.headline import Best
from backburner.kernel.replay import final_state
from backburner.kernel.scoring import (
    Estimator,
    Measured,
    Measures,
    Metric,
    Published,
    Scoring,
    Section,
    grouped,
    mean,
    mean_of,
    success,
)
from backburner.worlds.robotouille.game.catalogue import Optimum, catalogue, known_optimum
from backburner.worlds.robotouille.game.scenarios import Scenario, tasks
from backburner.worlds.robotouille.game.world import Robotouille
from backburner.worlds.robotouille.metrics import analysis, figures, tables
from backburner.worlds.robotouille.metrics.tables import published_tables

SLACK = 1.5
"""A success takes at most so many times the steps of the shortest plan (article, section 4.2.2)."""


def steps(rows: Sequence[Measures]) -> float | None:
    """The mean number of steps of the successes."""
    return mean([row["steps"] for row in rows if row["success"]])


WITHIN = mean_of("within", 100)
"""100 times the share of episodes that reach the goal within 1.5 times the steps of the known plan."""

OF_SUCCESSES, OF_FAILURES = "mean(T / T*) over successes", "mean(T*left / T*) over failures"

ratio = partial(Metric, unit="", better="lower")

METRICS = (
    Metric("Success", "success rate", "%", "higher", success, "100 · S / N", share=True),
    Metric("Success*", "success rate as stated", "%", "higher", WITHIN, "T ≤ 1.5 T*", share=True),
    Metric("Steps", "steps of successes", "steps", "lower", steps, "Σ T over successes / S", lowest=0),
    ratio("Optimality", "optimality rate", over=mean_of("optimality"), formula=OF_SUCCESSES, lowest=1),
    # Steps of a shortest plan from where play ended, over those from the start.
    ratio("ToGo", "normalised steps to go", over=mean_of("to go"), formula=OF_FAILURES, lowest=0),
    ratio("Repeated", "repeated transitions", over=mean_of("repeated"), formula="mean count", lowest=0),
)


def best(id: str) -> Best:
    """The best success rate of a kitchen, by its id: 100, which a shipped plan has."""
    return Best(100.0, "end" if known_optimum(id, "standard") is None else "optimum")


STATISTICS = (
    "task",
    "title",
    "kitchens",
    "robots",
    "stations",
    "items",
    "horizon (article)",
    "shortest plans",
    "proven",
)
"""The columns of the article's Table 3, and what is proven of the kitchens."""


class RobotouilleScoring(Scoring):
    """See ``kernel.scoring.Scoring`` for what each part promises."""

    metrics: Sequence[Metric] = METRICS
    main: Sequence[str] = ("Success", "Optimality", "Steps", "Success*")

    @property
    def published(self) -> Sequence[Published]:
        """Table 2 of the article."""
        return published_tables().table2

    def group(self, episode: Episode) -> str:
        """The set of the published task, and for several robots how many there are."""
        scenario = episode.header.scenario
        task_set = str(scenario.get("task", "")).partition("/")[0].replace("_", " ") or "other kitchens"
        robots = len(scenario.get("problem", {}).get("players", ()))
        return task_set if robots == 1 else f"{task_set}, {robots} robots"

    def measure(self, episode: Episode) -> Measures:
        """Success, steps, rates against the known shortest plan, and the counts of ``analysis``."""
        world = catalogue.of(episode.header)
        numbers = world.outcome(final_state(episode, world)).numbers
        completed = bool(numbers["completed"])
        measures = {"success": float(completed), "steps": float(numbers["steps"])}
        measures |= dict(_against_optimum(world, completed, int(numbers["steps"])))
        measures |= dict(analysis.counts(episode, world))
        if not completed:
            measures |= dict(analysis.failures(episode, world, analysis.courses(episode, world)))
        return measures

    def statistics(self, ids: Sequence[str]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """One row for each task among the scenarios; shortest plans under standard rules."""
        scenarios = grouped(((id, registry.scenario(id)) for id in ids), lambda pair: pair[1].task)
        return STATISTICS, [_statistics(task, of_task) for task, of_task in scenarios.items()]

    def sections(self, rows: Sequence[Measured]) -> Sequence[Section]:
        """The article's tables of methods, then its questions as tables."""
        return [*tables.comparisons(rows), *tables.questions(rows)]

    def figures(self, rows: Sequence[Measured], estimate: Estimator) -> Sequence[Figure]:
        """Optimality (Figure 3), steps to go (4), failures (5 and 7), repetition (6)."""
        return figures.figures(rows, self.group, estimate)


def _against_optimum(world: Robotouille, completed: bool, taken: int) -> Iterator[tuple[str, float]]:
    known = known_optimum(world.id, world.rules.name, world.scenario.known_plan)
    if known is None:
        return
    yield "within", float(completed and taken <= SLACK * known.steps)
    if known.status == "optimal":
        yield "optimum", float(known.steps)
        if completed:
            yield "optimality", taken / known.steps


def _statistics(path: str, scenarios: Sequence[tuple[str, Scenario]]) -> Sequence[Any]:
    task = tasks()[path]
    problems = [scenario.problem for _, scenario in scenarios]
    known = [optimum for id, _ in scenarios if (optimum := known_optimum(id, "standard")) is not None]
    return (
        path,
        task.title,
        len(scenarios),
        _range([len(problem.players) for problem in problems]),
        _range([len(problem.stations) for problem in problems]),
        _range([len(problem.items) for problem in problems]),
        task.horizon or "–",
        _range([optimum.steps for optimum in known]) if known else "–",
        _proven(known),
    )


def _proven(known: Sequence[Optimum]) -> str:
    return f"{sum(optimum.status == 'optimal' for optimum in known)} of {len(known)}"


def _range(values: Sequence[int]) -> str:
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low} to {high}"


scoring = RobotouilleScoring()
