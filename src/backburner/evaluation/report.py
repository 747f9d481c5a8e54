"""The report: the parts beside the score tables, and one self-contained HTML page with all of it."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from pathlib import Path

import jinja2
from msgspec import Struct

from backburner.drawing.timeline import timeline_svg
from backburner.evaluation.comparison import Comparison, comparison_chart, comparison_section
from backburner.evaluation.failures import failures_charts, failures_section
from backburner.evaluation.figures import drawn, one_of_each, progress
from backburner.evaluation.headline_tables import headline_sections, headlines_of
from backburner.evaluation.methods import ablation_sections, prediction_sections
from backburner.evaluation.power import power_section
from backburner.evaluation.ranking import ranking_sections, rankings
from backburner.evaluation.repeats import repeat_sections
from backburner.evaluation.scores import Records, WorldScores
from backburner.evaluation.tables import about_intervals, columns_of_words, number_text
from backburner.evaluation.usage import (
    NO_PRICES,
    AgentUsage,
    Prices,
    stand_ins,
    usage_of,
    usage_sections,
)
from backburner.kernel import __version__, registry
from backburner.kernel.charts import Chart
from backburner.kernel.episode import Episode
from backburner.kernel.files import write_whole
from backburner.kernel.replay import windows_of
from backburner.kernel.scoring import Section


class ReportPart(Struct, frozen=True):
    """A table with what it says, and its charts."""

    section: Section
    charts: tuple[Chart, ...] = ()


def world_parts(world: WorldScores, prices: Prices | None = None) -> list[ReportPart]:
    """The parts of one world's report: what answers took, who is ahead, seeds that repeat, then analyses,
    ablations and predictions."""
    ablations = ablation_sections(world.answered, world.metrics, registry.scoring(world.world).group)
    ranked = (*ranking_sections(rankings(world)), *repeat_sections(world))
    analyses = (*ranked, *world.sections, *ablations, *prediction_sections(world.measured))
    return [*usage_parts(world, prices), *map(ReportPart, analyses)]


def usage_parts(world: WorldScores, prices: Prices | None = None) -> list[ReportPart]:
    """What the models' answers took, and with ``prices`` what they cost; nothing if no model played."""
    return [*map(ReportPart, usage_sections(usage_in(world, prices), prices))]


def usage_in(world: WorldScores, prices: Prices | None = None) -> list[AgentUsage]:
    """What the answers of a world's agents took, beside the world's first metric."""
    return list(usage_of(world.measured, world.metrics[0], prices or NO_PRICES))


def overall_parts(scores: Sequence[WorldScores], comparisons: Sequence[Comparison] = ()) -> list[ReportPart]:
    """The parts over all worlds: paired differences, and what went wrong."""
    failures = {world.world: world.failures for world in scores}
    wrong = ReportPart(failures_section(failures), tuple(failures_charts(failures)))
    return [*headline_parts(scores), *comparison_parts(comparisons), wrong]


def headline_parts(scores: Sequence[WorldScores]) -> list[ReportPart]:
    """The score over all worlds; nothing where no episode counts for it."""
    return [*map(ReportPart, headline_sections(headlines_of(scores)[0]))]


def comparison_parts(comparisons: Sequence[Comparison]) -> list[ReportPart]:
    """The paired differences of two sides, world by world, and how much a comparison needs."""
    parts = []
    for comparison in comparisons:
        parts.append(ReportPart(comparison_section(comparison), (comparison_chart(comparison),)))
        needed = power_section(comparison)
        parts += [] if needed is None else [ReportPart(needed)]
    return parts


MOST_TIMELINES = 120
"""Timelines are the bulk of the page; the rest is a command away (``backburner replay FILE``)."""

MOST_EVENTS = 4000
"""An episode with more events than that is no picture."""


class Drawn(Struct, frozen=True):
    """An episode's timeline, folded until the reader opens it."""

    title: str
    result: str
    file: str
    svg: str


def write_report(
    loaded: Records,
    scores: Sequence[WorldScores],
    out: Path,
    folder: Path,
    *,
    prices: Prices | None = None,
    comparisons: Sequence[Comparison] = (),
) -> Path:
    """Write the page and return its path. It appears whole or not at all; it needs no network.

    With ``prices`` it has what models cost, with ``comparisons`` the differences of agents or runs.
    """
    episodes = loaded.episodes
    paths = {id(episode): path for path, episode in episodes}
    firsts = one_of_each([episode for _, episode in episodes])
    chosen = [episode for episode in firsts if sum(1 for _ in episode.events()) <= MOST_EVENTS]
    pictures, undrawn = _pictures(paths, chosen[:MOST_TIMELINES], folder)
    page = _template().render(
        scores=scores,
        parts={world.world: world_parts(world, prices) for world in scores},
        overall=overall_parts(scores, comparisons),
        drawn=pictures,
        left_out=max(0, len(episodes) - min(len(chosen), MOST_TIMELINES)),
        curves=list(progress(chosen)),
        unusable=(*loaded.unusable, *undrawn),
        stand_ins=stand_ins(episode for _, episode in episodes),
        n_episodes=len(episodes),
        folder=folder.name or str(folder),
        made=datetime.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z"),
        version=__version__,
        records=sorted({(e.header.world, e.header.world_version, e.header.version) for _, e in episodes}),
    )
    write_whole(out, page.encode())
    return out


def _pictures(
    paths: Mapping[int, Path], episodes: Sequence[Episode], folder: Path
) -> tuple[list[Drawn], list[str]]:
    """The timelines, and a line about each episode that cannot be drawn: records may be a stranger's."""
    pictures: list[Drawn] = []
    undrawn: list[str] = []
    for episode in episodes:
        path = paths[id(episode)]
        try:
            pictures.append(_drawn(path, episode, folder))
        except Exception as error:
            undrawn.append(f"{path}: not drawn, because {type(error).__name__}: {error}")
    return pictures, undrawn


def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("backburner.evaluation"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["drawn"] = drawn
    environment.filters["intervals"] = about_intervals
    environment.filters["number"] = number_text
    environment.filters["words"] = columns_of_words
    return environment.get_template("report.html.jinja")


def _drawn(path: Path, episode: Episode, folder: Path) -> Drawn:
    header, ending = episode.header, episode.ending
    title = f"{header.id} · {header.agent} · {header.rules_name}"
    numbers = ", ".join(f"{name} {value}" for name, value in (ending.numbers if ending else {}).items())
    return Drawn(
        title,
        f"{ending.reason if ending else 'unfinished'} ({numbers})",
        str(path.relative_to(folder)) if folder.is_dir() else path.name,
        timeline_svg(episode.events(), title=title, unit=header.time_unit, windows=windows_of(episode)),
    )
