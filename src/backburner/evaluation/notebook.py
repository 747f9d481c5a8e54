"""Worlds, episodes, plans, scores and charts as notebooks show them: pieces of HTML that stand by themselves.

No piece has a script, or names anything outside it. Foreign text is escaped, long text cut. A piece has its
own ground and follows the scheme of the notebook, or of the reader where the notebook tells none.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.planned import plan_policy
from backburner.drawing.charts import chart_svg
from backburner.drawing.graph import graph_svg
from backburner.drawing.palette import dark_variables, themed
from backburner.drawing.scene import scene_svg
from backburner.drawing.scene.pictures import Illustrated
from backburner.drawing.timeline.picture import timelines_svg
from backburner.evaluation.comparing.comparison import Comparison, comparison_chart, comparison_section
from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.summary import summary_of
from backburner.evaluation.tables.score_tables import lines_below, metric_column, title_of
from backburner.evaluation.tables.words import number_text
from backburner.evaluation.templates import page_templates
from backburner.evaluation.transcripts.gathered import Gathered
from backburner.evaluation.transcripts.plans import Plans
from backburner.evaluation.transcripts.steps import bounded, visible
from backburner.evaluation.transcripts.summary import Tile, tables, tiles
from backburner.kernel import registry
from backburner.kernel.charts import Chart
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import amount, number, shorten
from backburner.kernel.oracle import Solution
from backburner.kernel.play import play_now
from backburner.kernel.schedule import Schedulable
from backburner.kernel.scoring import Section
from backburner.kernel.text import Text
from backburner.kernel.values import digest
from backburner.kernel.view import Scene, View

MOST_METRICS = 6
"""Columns of figures in a table of scores."""


class Piece(Struct, frozen=True, kw_only=True):
    """What is shown of a value: a title, words beside it, facts, timelines, pictures, tables, and folded away
    texts and pictures, each with its title."""

    title: str
    beside: str = ""
    tiles: Sequence[Tile] = ()
    timelines: Sequence[str] = ()
    pictures: Sequence[str] = ()
    tables: Sequence[Section] = ()
    texts: Sequence[tuple[str, str]] = ()
    folded: Sequence[tuple[str, str]] = ()


def html_of(value: object) -> str | None:
    """A world, an episode, a plan, scores, a comparison, a scene or a chart as HTML; ``None`` for anything
    else, and where a stranger's world or record raises while it is drawn."""
    try:
        if isinstance(value, Episode):
            return _html(_of_episode(value))
        if isinstance(value, Solution):
            return _html(_of_solution(value))
        if isinstance(value, WorldScores):
            return _html(_of_scores(value))
        if isinstance(value, Comparison):
            return _html(_of_comparison(value))
        if isinstance(value, Scene):
            return _html(Piece(title="", pictures=[scene_svg(value, images=Illustrated())]))
        if isinstance(value, Chart):
            return _html(Piece(title=value.title, pictures=[chart_svg(value)]))
        return _html(_of_world(value)) if isinstance(value, World) else None
    except Exception:  # the text of the value is shown then, which no drawing should keep from anybody
        return None


def _of_world(world: World[Any, Any, Any]) -> Piece:
    """Its opening scene, or its graph, and what each seat is told."""
    scenes, graphs = [], []
    if isinstance(world, View):
        scenes.append(scene_svg(world.scene(world.start()), title=world.id, images=Illustrated()))
    if isinstance(world, Schedulable) and (problem := world.problems().get(world.id)):
        graphs.append(graph_svg(problem, world.id))
    seats = world.seats if isinstance(world, Text) else ()
    return Piece(
        title=registry.title_of(world),
        beside=world.id,
        pictures=scenes or graphs,
        folded=[("what depends on what", graph) for graph in graphs if scenes],
        texts=[(f"what {seat} is told", world.briefing(seat)) for seat in seats],  # type: ignore[attr-defined]
    )


def _of_episode(episode: Episode) -> Piece:
    """How it ended, its timeline above that of a plan that is known, its last scene, what cost time."""
    known = Gathered(Path(), episode, Plans())
    charts, titles = [known.chart], ["" if known.plan_chart is None else "here"]
    if known.plan_chart is not None and not isinstance(known.plan, str):
        charts.append(known.plan_chart)
        titles.append(f"plan: {known.plan.origin}")
    drawn = timelines_svg(charts, titles, known.header.time_unit)[1] if known.drawable else []
    last = [scene_svg(shot.scene, images=Illustrated()) for shot in known.shots[-1:]]
    header, alone = known.header, isinstance(known.plan, str)  # then the text only says how to find a plan
    return Piece(
        title=known.title,
        beside=f"{header.id} · {header.agent} · {header.rules_name} rules · seed {header.seed}",
        tiles=[tile for tile in tiles(known) if known.world is not None or tile.value != "not verified"],
        timelines=drawn,
        folded=[("the last scene", scene) for scene in last],
        tables=[replace(section, text="") if alone else section for section, _ in tables(known)],
    )


def _of_solution(solution: Solution) -> Piece:
    """What it is worth and whether that is proven, the timeline of its play, its decisions."""
    worth = "no plan" if solution.objective is None else amount(solution.objective, solution.unit)
    bound = "" if solution.bound is None else f"none can be better than {number(solution.bound)}"
    facts = [Tile(worth, "the plan"), Tile(solution.status, bound, "good" if solution.proven else "")]
    return Piece(
        title="Plan",
        beside=" · ".join(filter(None, (solution.scenario, f"among {solution.space}", solution.note))),
        tiles=[*facts, Tile(f"{solution.seconds:.2f} s", "of search")],
        timelines=_played(solution),
        texts=[(amount(len(solution.plan), "decisions"), "\n".join(solution.plan))] * bool(solution.plan),
    )


def _played(solution: Solution) -> list[str]:
    """The timeline of a plan, where the world of its scenario is here and plays it to this end."""
    try:
        world = registry.world(solution.scenario, limits="none")
        episode = play_now(world, plan_policy(world, solution))
        numbers = {} if episode.ending is None else episode.ending.numbers
        if numbers.get(solution.unit) != solution.objective:
            return []
        known = Gathered(Path(), episode, Plans())
        return timelines_svg([known.chart], [""], world.time_unit)[1] if known.drawable else []
    except Exception:  # a problem of its own, other rules, a scenario that is gone
        return []


def _of_scores(scores: WorldScores) -> Piece:
    """A row for each agent, as the report begins; what is missing below."""
    summary = summary_of(scores)
    metrics = summary.metrics[:MOST_METRICS]
    columns = [metric_column(metric, summary) for metric in metrics]
    rows = [
        (row.agent, str(row.episodes), *(column.cells[place].strip() for column in columns))
        for place, row in enumerate(summary.rows)
    ]
    titles = ("agent", "n", *(column.title for column in columns))
    return Piece(
        title=scores.title,
        beside=title_of(summary),
        tables=[Section("", "\n".join(lines_below(summary, metrics)), titles, tuple(rows))],
    )


def _drawn(picture: str) -> str:
    """A picture in colours of the scheme, whose parts have names of its own: all pieces stand on one page."""
    names = f"bb-{digest(str(picture))[:8]}-"
    return themed(picture.replace('"bb-picture-', f'"{names}').replace('"#bb-picture-', f'"#{names}'))


def _of_comparison(comparison: Comparison) -> Piece:
    """A row for each metric, and in how many scenarios which side is better."""
    section = comparison_section(comparison)
    cells = [tuple(map(number_text, row)) for row in section.rows]
    chart = chart_svg(comparison_chart(comparison))
    table = replace(section, title="", rows=tuple(cells))
    return Piece(title=section.title, tables=[table], folded=[("who is better how often", chart)])


def _html(piece: Piece) -> str:
    body = _template().render(piece=piece)
    return body.replace("DARK", dark_variables(body), 2)


@cache
def _template() -> jinja2.Template:
    environment = page_templates(xml=True)
    environment.filters |= {"bounded": bounded, "shorten": shorten, "drawn": _drawn, "visible": visible}
    return environment.get_template("notebook.html.jinja")
