"""What a report says beside the score tables: tables, each with its text and its charts."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backburner.evaluation.comparing.comparison import Comparison, comparison_chart, comparison_section
from backburner.evaluation.comparing.cross_play import cross_play_section, cross_plays, heatmap
from backburner.evaluation.comparing.headline_tables import headline_sections, headlines_of
from backburner.evaluation.comparing.methods import ablation_sections, prediction_sections
from backburner.evaluation.comparing.power import power_section, repeat_sections
from backburner.evaluation.comparing.ranking import ranking_sections, rankings
from backburner.evaluation.scoring.failures import failures_charts, failures_section
from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.usage import (
    NO_PRICES,
    AgentUsage,
    Prices,
    usage_of,
    usage_sections,
)
from backburner.kernel import registry
from backburner.kernel.charts import Chart
from backburner.kernel.scoring import Section


class ReportPart(Struct, frozen=True):
    """A table with what it says, and its charts."""

    section: Section
    charts: tuple[Chart, ...] = ()


def world_parts(world: WorldScores, prices: Prices | None = None) -> list[ReportPart]:
    """The parts of one world's report: what answers took, who is ahead, then what it tells."""
    ranked = map(ReportPart, ranking_sections(rankings(world)))
    return [*usage_parts(world, prices), *ranked, *analysis_parts(world)]


def analysis_parts(world: WorldScores) -> list[ReportPart]:
    """Cross-play, seeds that repeat, the world's analyses, ablations and predictions."""
    ablations = ablation_sections(world.answered, world.metrics, registry.scoring(world.world).group)
    analyses = (*repeat_sections(world), *world.sections, *ablations, *prediction_sections(world.measured))
    return [*cross_play_parts(world), *map(ReportPart, analyses)]


def cross_play_parts(world: WorldScores) -> list[ReportPart]:
    """Who plays how well with whom; nothing unless agents have played with themselves and with others."""
    return [ReportPart(cross_play_section(one), (heatmap(one),)) for one in cross_plays(world)]


def usage_parts(world: WorldScores, prices: Prices | None = None) -> list[ReportPart]:
    """What the models' answers took, and with ``prices`` what they cost; nothing if no model played."""
    return [*map(ReportPart, usage_sections(usage_in(world, prices), prices))]


def usage_in(world: WorldScores, prices: Prices | None = None) -> list[AgentUsage]:
    """What the answers of a world's agents took, beside the world's first metric."""
    return list(usage_of(world.measured, world.metrics[0], prices or NO_PRICES))


def overall_parts(scores: Sequence[WorldScores]) -> list[ReportPart]:
    """The parts over all worlds: the headline score, where any episode counts for it, and what went wrong."""
    headline = headline_sections(headlines_of(scores)[0])
    return [*map(ReportPart, headline), failures_part(scores)]


def failures_part(scores: Sequence[WorldScores]) -> ReportPart:
    """What went wrong, by world and agent."""
    failures = {world.world: world.failures for world in scores}
    return ReportPart(failures_section(failures), tuple(failures_charts(failures)))


def comparison_parts(comparisons: Sequence[Comparison]) -> list[ReportPart]:
    """The paired differences of two sides, world by world, and how much a comparison needs."""
    parts = []
    for comparison in comparisons:
        parts.append(ReportPart(comparison_section(comparison), (comparison_chart(comparison),)))
        needed = power_section(comparison)
        parts += [] if needed is None else [ReportPart(needed)]
    return parts
