"""Figures: what a world's metrics give, the scores over time, task graphs, and the files of their pictures.

A PDF is made of vectors, with the glyphs that are used embedded, as journals ask for. Typst sets a page of
the picture's size around it. It comes as one wheel without dependencies and brings its fonts (Libertinus,
which articles in LaTeX often have beside them), so that a picture is the same on every machine; signs that
these lack are taken from a font of the machine, if one has them.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree

from msgspec import Struct

from backburner.drawing.charts import chart_svg
from backburner.drawing.graph import graph_svg, graphs_svg
from backburner.drawing.graph_layout import before, layers
from backburner.drawing.svg import FONT, escaped
from backburner.drawing.timeline import timeline_svg
from backburner.evaluation.comparing.cross_play import cross_play_figure, cross_plays
from backburner.evaluation.comparing.difficulty import difficulty_of
from backburner.evaluation.comparing.difficulty_tables import difficulty_figure
from backburner.evaluation.comparing.latency import curves
from backburner.evaluation.comparing.latency_tables import by_axis, latency_figure
from backburner.evaluation.scoring.answered import METRICS
from backburner.evaluation.scoring.scores import WorldScores
from backburner.kernel import registry
from backburner.kernel.activities import score_curve
from backburner.kernel.charts import Chart, Figure, Line, Lines, Point
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused, needs_extra
from backburner.kernel.files import write_whole
from backburner.kernel.replay import story_of, windows_of
from backburner.kernel.schedule import Problem, Schedulable
from backburner.kernel.scoring import Measured, Section, grouped

LONGEST_NAME = 120

PROGRESS_CAPTION = (
    "The score over time, the first seed of each scenario, rule set and agent: the shape of Figure 5 of "
    "TimeArena's article."
)


def all_figures(figures: Sequence[Figure], measured: Sequence[Measured]) -> Iterator[Figure]:
    """A world's figures, then the scores over time of its episodes."""
    yield from figures
    charts = tuple(progress(one_of_each([episode for episode, _ in measured])))
    if charts:
        yield Figure("progress", "Score over time", PROGRESS_CAPTION, charts)


def figures_of(worlds: Iterable[WorldScores]) -> Iterator[tuple[str, Figure]]:
    """(world, figure) of every world's scores by speed and by dial, cross-play, figures, scores over time."""
    for world in worlds:
        yield from ((world.world, latency_figure(alike)) for alike in by_axis(curves(world)))
        if difficulty := difficulty_of(world):
            yield from ((world.world, difficulty_figure(difficulty, metric)) for metric in METRICS)
        if crossed := cross_plays(world):
            yield world.world, cross_play_figure(crossed)
        yield from ((world.world, figure) for figure in all_figures(world.figures, world.measured))


def progress(episodes: Sequence[Episode]) -> Iterator[Lines]:
    """A chart for each scenario and rule set, with a line for each agent; one episode of each.

    Scenarios in which nobody scored have no chart: some worlds report no score before the end.
    """
    of_chart = grouped(episodes, lambda episode: (episode.header.id, episode.header.rules_name))
    for key, mine in of_chart.items():
        if any(event.what == "score" for episode in mine for event in episode.events()):
            lines = {episode.header.agent: _score_line(episode) for episode in mine}
            counts = registry.scoring(mine[0].header.world).counts
            what, full = (counts, 1.0) if counts else ("score", 100.0)
            unit = mine[0].header.time_unit
            yield Lines(" · ".join(key), unit, what, tuple(lines.values()), full, stepped=True)


def one_of_each(episodes: Sequence[Episode]) -> list[Episode]:
    """The first seed of each scenario, rule set and agent, in the order of scenarios and agents."""
    first: dict[tuple[str, str, str], Episode] = {}
    for episode in episodes:
        header = episode.header
        first.setdefault((header.id, header.rules_name, header.agent), episode)
    return sorted(first.values(), key=lambda episode: (episode.header.id, episode.header.agent))


def _score_line(episode: Episode) -> Line:
    """The score of an episode over time, up to its last event."""
    events = list(episode.events())
    curve = score_curve(events)
    end = (max((event.time for event in events), default=0), curve[-1][1])
    return Line(episode.header.agent, tuple(Point(time, score) for time, score in (*curve, end)))


class Picture(Struct, frozen=True):
    """A chart, drawn."""

    title: str
    svg: str


def drawn(chart: Chart) -> Picture:
    """A chart as a picture."""
    return Picture(chart.title, chart_svg(chart))


def write_figures(figures: Iterable[tuple[str, Figure]], folder: Path, kind: str = "svg") -> list[Path]:
    """Write each chart to ``<folder>/<world>/<figure>[-<chart>].<kind>``; the files' paths.

    ``figures``: pairs of world and figure. ``kind``: ``svg`` or ``pdf``. Charts of equal names are
    numbered. Raises ``MissingExtra`` if PDF is wanted and what makes it is not there.
    """
    written: list[Path] = []
    for world, figure in figures:
        for chart in figure.charts:
            name = f"{figure.key}-{_slug(chart.title)}" if len(figure.charts) > 1 else figure.key
            path = _free(folder / world, name[:LONGEST_NAME], kind, written)
            _write(path, chart_svg(chart), chart.title, kind)
            written.append(path)
    return written


def _write(path: Path, picture: str, title: str, kind: str) -> None:
    if kind == "pdf":
        write_whole(path, pdf_of(picture, title))
    else:
        write_whole(path, f'<?xml version="1.0" encoding="UTF-8"?>\n{picture}\n'.encode())


def write_timelines(episodes: Iterable[Episode], folder: Path) -> list[Path]:
    """Write the timeline of each episode to ``<folder>/<world>/timeline-<scenario>-<agent>.svg``."""
    written: list[Path] = []
    for episode in episodes:
        header = episode.header
        title = f"{header.id} · {header.agent}"
        svg = timeline_svg(story_of(episode), title=title, unit=header.time_unit, windows=windows_of(episode))
        name = f"timeline-{_slug(title.partition('/')[2])}"[:LONGEST_NAME]
        path = _free(folder / header.world, name, "svg", written)
        _write(path, svg, title, "svg")
        written.append(path)
    return written


def _slug(title: str) -> str:
    """Letters and digits of a title, in lower case, with a dash for whatever stands between."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "picture"


def _free(folder: Path, name: str, kind: str, taken: Sequence[Path]) -> Path:
    """The first path of this name, or of it with a number, that was not written yet."""
    path, number = folder / f"{name}.{kind}", 2
    while path in taken:
        path, number = folder / f"{name}-{number}.{kind}", number + 1
    return path


# --- pictures as PDF -------------------------------------------------------------------------------------


PDF_FONT = "Libertinus Serif"
POINTS_PER_PIXEL = 0.75
NAME = "picture.svg"


def pdf_of(picture: str, title: str) -> bytes:
    """The picture as a PDF of one page; the same bytes for the same picture.

    Raises ``MissingExtra`` without typst.
    """
    with needs_extra("pdf", "a picture as PDF"):
        import typst
    width, height = _size(picture)
    own = picture.replace(escaped(FONT), PDF_FONT)
    page = (
        f"#set page(width: {width}pt, height: {height}pt, margin: 0pt)\n"
        f'#set document(title: "{_quoted(title)}", date: none)\n'
        f'#image("{NAME}", width: 100%, alt: "{_quoted(_told(picture))}")\n'
    )
    with tempfile.TemporaryDirectory(prefix="backburner-") as folder:
        (Path(folder) / NAME).write_text(own, encoding="utf-8")
        source = Path(folder) / "page.typ"
        source.write_text(page, encoding="utf-8")
        made: bytes = typst.compile(str(source), root=folder, format="pdf")
    return made


def _size(picture: str) -> tuple[float, float]:
    """Width and height in points."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', picture)
    if found is None:
        raise ValueError("a picture without a size")
    return float(found[1]) * POINTS_PER_PIXEL, float(found[2]) * POINTS_PER_PIXEL


def _told(picture: str) -> str:
    """What the picture shows in words, for those who cannot see it."""
    description = ElementTree.fromstring(picture).find("{http://www.w3.org/2000/svg}desc")  # noqa: S314  # our own
    return "" if description is None else description.text or ""


def _quoted(text: str) -> str:
    """``text`` inside of a string of Typst."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")


# --- task graphs -----------------------------------------------------------------------------------------


GRAPH_COLUMNS = ("scenario", "graph", "actions", "edges", "layers", "work", "at least")


def graphs_of(id: str) -> Mapping[str, Problem]:
    """The graphs of a scenario by name; raises ``Refused`` for a world that states none."""
    world, _ = registry.world_to_look_at(id)
    if not isinstance(world, Schedulable):
        raise Refused(f"{world.id} has no dependency graph")
    return world.problems()


def graphs_section(ids: Sequence[str]) -> Section:
    """How many actions and edges each graph has, how many layers, and how long its work takes.

    ``work``: all of it, one after the other; ``at least``: along the longest way through the graph.
    """
    rows = tuple(
        (id.partition("/")[2], "" if name == id else name, *_counts(problem))
        for id in ids
        for name, problem in graphs_of(id).items()
    )
    return Section(
        "Task graphs",
        "Actions and direct dependencies of each graph, its layers, and the time that its work takes, one "
        "after the other and, at least, side by side.",
        GRAPH_COLUMNS,
        rows,
    )


def _counts(problem: Problem) -> tuple[int, int, int, int, int]:
    needed = before(problem)
    durations = {activity.name: activity.duration for activity in problem.activities}
    depth, ends = layers(needed), dict[str, int]()
    for name in sorted(needed, key=depth.__getitem__):
        ends[name] = durations[name] + max((ends[one] for one in needed[name]), default=0)
    edges = sum(map(len, needed.values()))
    high = max(depth.values(), default=-1) + 1
    return len(needed), edges, high, sum(durations.values()), max(ends.values(), default=0)


def write_graphs(ids: Sequence[str], folder: Path) -> Iterator[Path]:
    """Write each scenario's graphs to ``<folder>/<scenario>.svg``; the files' paths."""
    for id in ids:
        path = folder / f"{id.replace('/', '-')}.svg"
        _write(path, _drawn(id), id, "svg")
        yield path


def _drawn(id: str) -> str:
    problems = graphs_of(id)
    return graph_svg(problems[id], id) if id in problems else graphs_svg(problems, id)
