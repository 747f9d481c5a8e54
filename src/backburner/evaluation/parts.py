"""The parts of a report besides the score tables, listed in one place, in the order in which they stand."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backburner.evaluation.ablations import ablation_sections
from backburner.evaluation.comparing import Comparison
from backburner.evaluation.comparing_tables import comparison_chart, comparison_section
from backburner.evaluation.failing import failures_charts, failures_section
from backburner.evaluation.predictions import prediction_sections
from backburner.evaluation.prices import NO_PRICES, Prices
from backburner.evaluation.scores import WorldScores
from backburner.evaluation.spending import Spending, spending_of
from backburner.evaluation.spending_tables import spending_sections
from backburner.kernel import registry
from backburner.kernel.charts import Chart
from backburner.kernel.scoring import Section


class Part(Struct, frozen=True):
    """A table with what it says, and its charts."""

    section: Section
    charts: tuple[Chart, ...] = ()


def world_parts(world: WorldScores, prices: Prices | None = None) -> list[Part]:
    """What one world's report has: what answers took, then the world's own analyses."""
    ablations = ablation_sections(world.measured, world.metrics, registry.scoring(world.world).group)
    predictions = prediction_sections(world.measured)
    return [
        *spending_parts(world, prices),
        *map(Part, world.sections),
        *map(Part, ablations),
        *map(Part, predictions),
    ]


def spending_parts(world: WorldScores, prices: Prices | None = None) -> list[Part]:
    """What the models' answers took, and with ``prices`` what they cost; nothing if no model played."""
    return [*map(Part, spending_sections(spending(world, prices), prices))]


def spending(world: WorldScores, prices: Prices | None = None) -> list[Spending]:
    """What the agents of a world spent, beside the world's first metric."""
    return list(spending_of(world.measured, world.metrics[0], prices or NO_PRICES))


def overall_parts(scores: Sequence[WorldScores], comparisons: Sequence[Comparison] = ()) -> list[Part]:
    """What stands over all worlds: paired differences, and what went wrong."""
    failures = {world.world: world.failures for world in scores}
    wrong = Part(failures_section(failures), tuple(failures_charts(failures)))
    return [*comparison_parts(comparisons), wrong]


def comparison_parts(comparisons: Sequence[Comparison]) -> list[Part]:
    """The paired differences of two sides, world by world."""
    return [Part(comparison_section(found), (comparison_chart(found),)) for found in comparisons]
