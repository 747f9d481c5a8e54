"""Collab-Overcooked's metrics (article, section 3) over recorded episodes.

Where article and release differ both are there by name: IC and RC over required collaborations
(equations 5 and 6), and over dialogues as released.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import convert

from backburner.kernel import registry
from backburner.kernel.charts import Figure
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.scoring import Estimator, Measured, Measures, Metric, Published, Scoring, Section, mean
from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.optima import known_optimum
from backburner.worlds.collab_overcooked.game.rule_set import STANDARD
from backburner.worlds.collab_overcooked.game.scenarios import Scenario, layout_of
from backburner.worlds.collab_overcooked.metrics import analysis, figures
from backburner.worlds.collab_overcooked.metrics.metrics import BETA
from backburner.worlds.collab_overcooked.metrics.score_chronicle import chronicle
from backburner.worlds.collab_overcooked.metrics.score_kitchen import asked_cook, computed_level
from backburner.worlds.collab_overcooked.metrics.score_measures import (
    against_references,
    capability,
    completion,
)
from backburner.worlds.collab_overcooked.metrics.score_references import references_for
from backburner.worlds.collab_overcooked.metrics.statistics import statistics

SLACK = 1.5
"""The article's gamma: a success takes at most so many times the least steps."""


def success(rows: Sequence[Measures]) -> float | None:
    """100 times the share of episodes that deliver within the limit they were played under."""
    return mean([100 * row["success"] for row in rows])


def within(rows: Sequence[Measures]) -> float | None:
    """The same within 1.5 times the steps of the shortest plan of the very order, where one is known."""
    known = [row for row in rows if "optimum" in row]
    return mean([100.0 * (row.get("steps", float("inf")) <= SLACK * row["optimum"]) for row in known])


def optimality(rows: Sequence[Measures]) -> float | None:
    """The mean of steps taken over least steps, of successes where those are proven."""
    known = [row for row in rows if row.get("proven") and "steps" in row]
    return mean([row["steps"] / row["optimum"] for row in known])


def rouge_l(rows: Sequence[Measures]) -> float | None:
    """The mean over both cooks of ROUGE-L in the place of TES."""
    both = ("ROUGE-L chef", "ROUGE-L assistant")
    return mean([row[key] for row in rows for key in both if key in row])


def mean_of(key: str) -> Callable[[Sequence[Measures]], float | None]:
    """The mean of a number over the episodes that have it."""
    return lambda rows: mean([row[key] for row in rows if key in row])


def initiating(rows: Sequence[Measures]) -> float | None:
    """100 times the share of required collaborations that were asked for, all episodes together."""
    return _percent(capability(rows, "required").ic)


def responding(rows: Sequence[Measures]) -> float | None:
    """100 times the share of required collaborations that an answer planned, all episodes together."""
    return _percent(capability(rows, "required").rc)


def released_initiating(rows: Sequence[Measures]) -> float | None:
    """100 times the share of dialogues whose requests bring the task forward, all episodes together."""
    return _percent(capability(rows, "released").ic)


def released_responding(rows: Sequence[Measures]) -> float | None:
    """100 times the share of dialogues whose answer brings the task forward, all episodes together."""
    return _percent(capability(rows, "released").rc)


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


NEARER = "mean(r before − r after), r: least steps to go; filled by --steps-to-go"
LOST = "mean(steps taken − (r before − r after)); filled by --steps-to-go"

METRICS = (
    Metric("SR", "success rate", "%", "higher", success, "100 · S / N", share=True),
    Metric("SR*", "success rate by the optimum", "%", "higher", within, "T ≤ 1.5 T*", share=True),
    Metric("Steps", "completion steps", "steps", "lower", mean_of("steps"), "Σ T over successes / S"),
    Metric("T/T*", "steps over least steps", "", "lower", optimality, "mean(T / T*) over successes"),
    Metric("PC", "progress completeness", "", "higher", mean_of("PC"), "mean of the cooks' TES"),
    Metric("TES c", "the chef's TES", "", "higher", mean_of("TES chef"), "(1 + b²) D / (m + b² n)"),
    Metric("TES a", "the assistant's TES", "", "higher", mean_of("TES assistant"), "(1 + b²) D / (m + b² n)"),
    Metric("ROUGE-L", "ROUGE-L of both", "", "higher", rouge_l, "the same with the longest common D"),
    Metric("IC", "initiating", "%", "higher", initiating, "100 · asked for / required"),
    Metric("RC", "responding", "%", "higher", responding, "100 · planned / required"),
    Metric("IC rel.", "initiating as released", "%", "higher", released_initiating, "ITES > 0, dialogues"),
    Metric("RC rel.", "responding as released", "%", "higher", released_responding, "ITES > 0, dialogues"),
    Metric("Near c", "nearer by a chef's call", "steps", "higher", mean_of("change chef"), NEARER),
    Metric("Near a", "nearer by an assistant's", "steps", "higher", mean_of("change assistant"), NEARER),
    Metric("Lost c", "lost by a chef's call", "steps", "lower", mean_of("lost chef"), LOST),
    Metric("Lost a", "lost by an assistant's", "steps", "lower", mean_of("lost assistant"), LOST),
)

TOLD = {("chef",): "", ("assistant",): ", the assistant knows", ("assistant", "chef"): ", both know"}
"""What a group is called for who has the recipes."""


class CollabOvercookedScoring(Scoring):
    """See ``kernel.scoring.Scoring`` for what each part promises.

    ``references``: the name of the set that histories are compared with. ``beta``: the weight of
    redundancy in TES.
    """

    metrics: Sequence[Metric] = METRICS
    published: Sequence[Published] = ()
    """No result of a model is printed in our copy of the article; see ``published``."""

    def __init__(
        self,
        references: str = "released",
        beta: float = BETA,
    ) -> None:
        self.references = references
        self.beta = beta

    def group(self, episode: Episode) -> str:
        """The level; that of another order follows from the behaviours it takes (Table 3)."""
        scenario = convert(episode.header.scenario, Scenario)
        return _kind(scenario) + TOLD.get(tuple(sorted(scenario.informed)), ", nobody knows")

    def measure(self, episode: Episode) -> Measures:
        """The numbers of an episode; those that take references only where the order has any."""
        world, told = chronicle(episode)
        known = known_optimum(world.id, world.rules.name)
        measures = dict(completion(world, told, known))
        try:
            references = references_for(world.scenario, self.references)
        except Refused:
            return measures
        return measures | dict(against_references(world, told, references, self.beta))

    def statistics(self, ids: Sequence[str]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """See ``statistics.statistics``."""
        return statistics(list(map(registry.scenario, ids)))

    def kind_of_refusal(self, refusal: Refusal) -> str:
        """The refusal's code."""
        return refusal.code.replace("_", " ")

    def sections(self, rows: Sequence[Measured]) -> Sequence[Section]:
        """The article's analyses as tables."""
        return analysis.sections(rows, self.references)

    def figures(self, rows: Sequence[Measured], estimate: Estimator) -> Sequence[Figure]:
        """IC and RC by level (Figures 3 and 4), outcomes (5), success over gamma (8), requests (9)."""
        return figures.figures(rows, self.metrics, estimate)


def _kind(scenario: Scenario) -> str:
    if scenario.order_weights:
        return "orders that are drawn"
    if len(scenario.orders) > 1:
        return f"{len(scenario.orders)} orders at once"
    if scenario.level is not None:
        return f"level {scenario.level}"
    asked = asked_cook(scenario)
    level = computed_level(Kitchenware(layout_of(scenario), STANDARD), scenario.orders[0], asked)
    return f"level {'?' if level is None else level}, other orders"


scoring = CollabOvercookedScoring()
