"""CuisineWorld's metrics: the collaboration score and what it is made of (article, section 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from backburner.kernel import registry
from backburner.kernel.charts import Figure
from backburner.kernel.episode import Episode
from backburner.kernel.replay import trajectory
from backburner.kernel.scoring import Estimator, Measured, Measures, Metric, Published, Scoring, Section
from backburner.kernel.values import Refusal
from backburner.worlds.cuisineworld.game.catalogue import catalogue
from backburner.worlds.cuisineworld.game.pace import TAUS
from backburner.worlds.cuisineworld.metrics import analysis, failures, figures
from backburner.worlds.cuisineworld.metrics.published import group_name, published_rows, share_key
from backburner.worlds.cuisineworld.metrics.reward import RewardMeter
from backburner.worlds.cuisineworld.metrics.statistics import statistics

UNPACED = 0.0
"""Stands for the pace of scenarios whose intervals come from no factor tau."""


def share(rows: Sequence[Measures]) -> float | None:
    """Orders completed over orders completed or failed, each summed over all episodes.

    Orders still open at the end are left out. Not defined where no order was completed or failed.
    """
    completed = sum(row["completed"] for row in rows)
    total = completed + sum(row["failed"] for row in rows)
    return completed / total if total else None


def cos(rows: Sequence[Measures]) -> float | None:
    """The collaboration score: the mean of the shares of each factor tau (article, Eq. 1)."""
    taus = sorted({row["tau"] for row in rows})
    shares = [share([row for row in rows if row["tau"] == tau]) for tau in taus]
    known = [one for one in shares if one is not None]
    return sum(known) / len(known) if known else None


def _share_at(tau: float) -> Callable[[Sequence[Measures]], float | None]:
    def over(rows: Sequence[Measures]) -> float | None:
        return share([row for row in rows if row["tau"] == tau])

    return over


def _mean_of(name: str) -> Callable[[Sequence[Measures]], float | None]:
    def over(rows: Sequence[Measures]) -> float | None:
        return sum(row[name] for row in rows) / len(rows) if rows else None

    return over


METRICS = (
    Metric(
        "CoS", "collaboration score", "", "higher", cos, "mean over τ of Σ completed / Σ (completed + failed)"
    ),
    *(
        Metric(share_key(tau), f"share served at τ {tau}", "", "higher", _share_at(tau), "Σ c / Σ (c + f)")
        for tau in TAUS
    ),
    Metric("Completed", "orders completed", "orders", "higher", _mean_of("completed"), "mean count"),
    Metric("Failed", "failures as the rules count", "", "lower", _mean_of("failed"), "mean count"),
    Metric("Expired", "orders expired", "orders", "lower", _mean_of("expired"), "mean count"),
    Metric("Open", "orders open at the end", "orders", "neither", _mean_of("open"), "mean count"),
    Metric("Reward", "released reward", "", "higher", _mean_of("reward"), "mean sum"),
)


class CuisineWorldScoring(Scoring):
    """See ``kernel.scoring.Scoring`` for what each part promises."""

    metrics: Sequence[Metric] = METRICS
    counts = "orders served"

    @property
    def published(self) -> Sequence[Published]:
        """Tables 1 to 4 and 6 to 11 of the article, one row for each agent, level and number of bodies."""
        return published_rows()

    def group(self, episode: Episode) -> str:
        """The level and the number of bodies, and what else sets the scenario apart from the article's."""
        scenario = episode.header.scenario
        told = [group_name(str(scenario["level"]), int(scenario.get("bodies", 2)))]
        return ", ".join((*told, *analysis.variants(scenario)))

    def measure(self, episode: Episode) -> Measures:
        """Counts of orders, the released reward, and the failure modes of the article's Appendix E.5."""
        header = episode.header
        world = catalogue.restore(header.id, header.scenario, header.rules, header.limits)
        first = world.start(header.seed)
        moves = [(before, step) for before, _, step in trajectory(episode, world)]
        last = moves[-1][1].state if moves else first
        meter = RewardMeter(world.kitchen, world.scenario.book, first)
        reward = sum(meter.pay(before, step.state) for before, step in moves)
        numbers = {name: float(number) for name, number in world.outcome(last).numbers.items()}
        tau = UNPACED if world.scenario.tau is None else world.scenario.tau
        return {**numbers, "tau": tau, "reward": reward, **failures.counts(world, first, moves)}

    def statistics(self, ids: Sequence[str]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """See ``statistics.statistics``."""
        return statistics([(id, registry.scenario(id)) for id in ids])

    def kind_of_refusal(self, refusal: Refusal) -> str:
        """The refusal's code."""
        return refusal.code.replace("_", " ")

    def sections(self, rows: Sequence[Measured]) -> Sequence[Section]:
        """Table 1 with our rows, the counts of Figure 3, bounds, failure modes, contradictions."""
        return analysis.sections(rows, cos, share)

    def figures(self, rows: Sequence[Measured], estimate: Estimator) -> Sequence[Figure]:
        """The share of orders served over their pace (Figure 3)."""
        return figures.figures(analysis.as_published(rows), share)


scoring = CuisineWorldScoring()
