"""What a report says beside the score tables: tables, each with its text and its charts, and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.scripted import RandomPolicy
from backburner.evaluation.comparing.comparison import Comparison, comparison_chart, comparison_section
from backburner.evaluation.comparing.cross_play import cross_play_section, cross_plays, heatmap
from backburner.evaluation.comparing.difficulty import difficulty_of, hardness_of
from backburner.evaluation.comparing.difficulty_tables import (
    dials_charts,
    dials_section,
    hardness_section,
    item_response_section,
    lacking,
)
from backburner.evaluation.comparing.headline_tables import headline_sections, headlines_of
from backburner.evaluation.comparing.item_response import item_response_of
from backburner.evaluation.comparing.latency import curves
from backburner.evaluation.comparing.latency_tables import (
    by_axis,
    latency_chart,
    latency_section,
    places_section,
    sentences,
)
from backburner.evaluation.comparing.methods import ablation_sections, prediction_sections
from backburner.evaluation.comparing.power import power_section, repeat_sections
from backburner.evaluation.comparing.ranking import ranking_sections, rankings
from backburner.evaluation.scoring.answered import METRICS
from backburner.evaluation.scoring.failures import failures_charts, failures_section
from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.usage import (
    NO_PRICES,
    AgentUsage,
    Prices,
    usage_of,
    usage_sections,
)
from backburner.evaluation.tables.words import number_text
from backburner.kernel import registry
from backburner.kernel.charts import Chart
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BackburnerError
from backburner.kernel.replay import world_of
from backburner.kernel.schedule import Problem, problem_of
from backburner.kernel.scoring import Metric, Section, grouped


class ReportPart(Struct, frozen=True):
    """A table with what it says, and its charts."""

    section: Section
    charts: tuple[Chart, ...] = ()


def world_parts(world: WorldScores, prices: Prices | None = None) -> list[ReportPart]:
    """The parts of one world's report: what answers took, who is ahead, then what it tells."""
    ranked = map(ReportPart, ranking_sections(rankings(world)))
    return [*usage_parts(world, prices), *ranked, *analysis_parts(world)]


def analysis_parts(world: WorldScores) -> list[ReportPart]:
    """Scores by speed and by dial, cross-play, seeds that repeat, the world's analyses, ablations and
    predictions."""
    ablations = ablation_sections(world.answered, world.metrics, registry.scoring(world.world).group)
    analyses = (*repeat_sections(world), *world.sections, *ablations, *prediction_sections(world.measured))
    compared = (*latency_parts(world), *difficulty_parts(world), *cross_play_parts(world))
    return [*compared, *map(ReportPart, analyses)]


def latency_parts(world: WorldScores) -> list[ReportPart]:
    """Scores by speed, with their chart; nothing unless an agent played at more than one."""
    parts = []
    for alike in by_axis(curves(world)):
        section = latency_section(alike)
        told = " ".join((*(f"{line}." for line in sentences(alike)), section.text))
        parts.append(ReportPart(replace(section, text=told), (latency_chart(alike),)))
        if alike[0].axis == "tokens":
            parts.append(ReportPart(places_section(alike)))
    return parts


def difficulty_parts(world: WorldScores) -> list[ReportPart]:
    """What makes scenarios hard; nothing unless what was played has answers with dials that vary."""
    found = difficulty_of(world)
    if found is None:
        return []
    names = {episode.header.scenario_digest: episode.header.id for episode, _ in world.measured}
    hardness, rasch = hardness_of(found), item_response_of(found, names)
    parts = [ReportPart(dials_section(found, metric), dials_charts(found, metric)) for metric in METRICS]
    parts += [] if hardness is None else [ReportPart(hardness_section(hardness))]
    parts += [] if rasch is None else [ReportPart(item_response_section(rasch))]
    last = parts[-1].section
    told = " ".join((last.text, *(f"{line[:1].upper()}{line[1:]}." for line in lacking(hardness, rasch))))
    return [*parts[:-1], replace(parts[-1], section=replace(last, text=told))]


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


# --- what is peculiar to a world -------------------------------------------------------------------------


def remarks_on(world: WorldScores) -> Iterator[str]:
    """What is equal for everybody, where it is enough never to idle, and what is to be known of answers."""
    yield from world.on_answers
    yield from _equal(world)
    yield from _never_idle(world)


def _equal(world: WorldScores) -> Iterator[str]:
    agents = {row.agent for row in world.rows}
    same = [(metric, _the_one_value(world, metric)) for metric in world.metrics if metric.better != "neither"]
    told = [f"{metric.key} {number_text(value)}" for metric, value in same if value is not None]
    if told and len(agents) > 1:
        who = "Every agent, random play included," if RandomPolicy.name in agents else "Every agent"
        apart = "only the other metrics tell them apart" if len(told) < len(same) else "they are all equal"
        yield f"{who} has {', '.join(told)}: {apart}."


def _the_one_value(world: WorldScores, metric: Metric) -> float | None:
    """The metric's figure where it is the same in every row."""
    values = {row.figures[metric.key].value for row in world.rows}
    return values.pop() if len(values) == 1 else None


def _never_idle(world: WorldScores) -> Iterator[str]:
    by_scenario = grouped(world.answered, lambda row: (row[0].header.id, row[0].header.rules_name))
    loads = [(_own_load([episode for episode, _ in rows])) for rows in by_scenario.values()]
    enough, known = sum(load is True for load in loads), sum(load is not None for load in loads)
    if enough:
        yield (
            f"In {enough} of {known} scenarios the shortest plan takes exactly as long as the work that the "
            "cook attends to: there it is enough never to idle, in whatever order."
        )


def _own_load(episodes: Sequence[Episode]) -> bool | None:
    """Whether a scenario's optimum is the sum of attended durations; ``None`` if it is no scheduling problem.

    No plan is shorter than that sum, so that one play which takes no longer proves it.
    """
    header = episodes[0].header
    try:
        problem: Problem = problem_of(world_of(episodes[0]))
    except BackburnerError:
        return None
    load = sum(activity.operator_time for activity in problem.activities)
    endings = (episode.ending.numbers for episode in episodes if episode.ending is not None)
    return any(one.get("completed") == 1 and one.get(header.time_unit) == load for one in endings)
