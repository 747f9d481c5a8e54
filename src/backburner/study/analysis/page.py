"""A study's analysis as files: one self-contained page, JSON, and a picture of each chart."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from backburner.drawing.charts import chart_svg
from backburner.evaluation.scoring.statistics import SAME
from backburner.evaluation.tables.figures import write_figures
from backburner.evaluation.tables.words import number_text
from backburner.evaluation.templates import page_templates
from backburner.kernel.charts import (
    Bar,
    Bars,
    Box,
    Boxes,
    Chart,
    Figure,
    Group,
    Line,
    Lines,
    Point,
    Stack,
    Stacks,
)
from backburner.kernel.errors import one_line
from backburner.kernel.files import write_whole
from backburner.kernel.scoring import Section
from backburner.kernel.values import indented_json
from backburner.study.analysis.analysis import Analysis, Result
from backburner.study.analysis.sections import study_sections, variable_sections

GLANCE = "Means at a glance"
GLANCE_CAPTION = "The means of every measure and item by condition, with 95 % intervals; each in full below."

PAGE, DATA, PICTURES = "analysis.html", "analysis.json", "figures"


class Part(Struct, frozen=True):
    """A part of the page: charts and tables under a title."""

    id: str
    title: str
    text: str
    figure: Figure | None
    tables: list[Section]


def write_analysis(analysis: Analysis, folder: Path) -> list[Path]:
    """Write page, JSON and pictures into a folder, each whole or not at all; their paths."""
    page, data = folder / PAGE, folder / DATA
    write_whole(data, indented_json(analysis))
    write_whole(page, html(analysis).encode())
    return [page, data, *write_figures([(PICTURES, figure) for figure in figures(analysis)], folder)]


def html(analysis: Analysis) -> str:
    """The analysis as a page; it loads nothing and needs no network."""
    drawn = figures(analysis)
    means = Figure("means", GLANCE, GLANCE_CAPTION, tuple(figure.charts[0] for figure in drawn))
    parts = [Part("glance", GLANCE, "", means, [])] if len(drawn) > 1 else []
    parts += [
        Part(
            f"v{place}",
            result.variable.title,
            result.variable.text,
            figure,
            variable_sections(result, analysis.labels),
        )
        for place, (result, figure) in enumerate(zip(analysis.results, drawn, strict=True), 1)
    ]
    crossed = [result.factors for result in analysis.results if result.factors is not None]
    mixed = any(0 < len(factors.between) < len(factors.levels) for factors in crossed)
    design = "mixed" if mixed else analysis.design
    unit = ("team", "teams") if analysis.team else ("person", "people")
    heading = f"{analysis.units} {unit[analysis.units != 1]}, {len(analysis.labels)} conditions"
    return page_of(
        "A study with people",
        f"{heading}, {design} subjects: {', '.join(analysis.labels.values())}.",
        analysis.remarks,
        study_sections(analysis),
        parts,
    )


def page_of(
    title: str, heading: str, remarks: Sequence[str], first: Sequence[Section], parts: Sequence[Part]
) -> str:
    """Tables, then parts with charts, as a page in the house's looks."""
    environment = page_templates("backburner.study.analysis")
    environment.filters["cell"] = _cell
    environment.filters["picture"] = lambda chart: Markup(chart_svg(chart))  # noqa: S704
    return environment.get_template("analysis.html.jinja").render(
        title=title,
        heading=heading,
        remarks=remarks,
        first=first,
        parts=parts,
        made=datetime.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z"),
    )


def _cell(value: Any) -> str:
    return "\n".join(map(one_line, number_text(value).split("\n")))


# --- charts -----------------------------------------------------------------------------------------------


MOST_ANSWERS = 11
"""So many different answers are drawn as parts of a bar; more are no rating."""

CAPTION = "Means by condition with 95 % intervals{within}, and how the values are distributed."
WITHIN = ", differences between units taken out (Cousineau and Morey)"


def figures(analysis: Analysis) -> list[Figure]:
    """A figure for each variable."""
    return [_figure(result, analysis.labels) for result in analysis.results]


def _figure(result: Result, labels: Mapping[str, str]) -> Figure:
    variable = result.variable
    within = _by_within(result)
    charts = (means_chart(result, labels), *interaction_charts(result), *_spread(result, labels))
    caption = CAPTION.format(within=WITHIN * within)
    return Figure(
        variable.key.replace(":", "-").replace(" ", "-"),
        variable.title,
        f"{variable.text} {caption}".strip(),
        charts,
    )


def _by_within(result: Result) -> bool:
    """Whether error bars compare conditions within units: where each unit has them all."""
    return all(
        each.within.low is not None and abs((each.within.value or 0.0) - (each.mean.value or 0.0)) < SAME
        for each in result.means
    )


def means_chart(result: Result, labels: Mapping[str, str]) -> Bars:
    """The means as bars with error bars, one for each condition."""
    variable, within = result.variable, _by_within(result)
    groups = []
    for each in result.means:
        low, high = (each.within.low, each.within.high) if within else (each.mean.low, each.mean.high)
        bar = Bar(labels[each.condition], each.mean.value, _inside(result, low), _inside(result, high))
        groups.append(Group(labels[each.condition], (bar,)))
    unit = f"{variable.title} ({variable.unit})" if variable.unit else variable.title
    return Bars(f"{variable.title}: means", unit, tuple(groups), variable.highest or 0.0)


def interaction_charts(result: Result) -> tuple[Lines, ...]:
    """Means by the levels of a factor, a line for each level of another: parallel lines are no interaction.

    The last factor within subjects lies along the axis; with three factors and more there is a chart for each
    combination of the levels of the others.
    """
    factors = result.factors
    if factors is None or len(factors.levels) < 2:
        return ()
    along = next(reversed([n for n in factors.levels if n not in factors.between] or [*factors.levels]))
    lines, *others = [name for name in factors.levels if name != along]
    means = {tuple(factors.cells[each.condition].items()): each for each in result.means}
    ticks = tuple((float(place), level) for place, level in enumerate(factors.levels[along]))
    charts = []
    for rest in product(*(factors.levels[name] for name in others)):
        drawn = []
        for level in factors.levels[lines]:
            points = []
            for x, at in ticks:
                cell = {along: at, lines: level} | dict(zip(others, rest, strict=True))
                mean = means[tuple((name, cell[name]) for name in factors.levels)]
                ends = mean.mean if mean.within.low is None else mean.within
                if mean.mean.value is not None:
                    low, high = _inside(result, ends.low), _inside(result, ends.high)
                    points.append(Point(x, mean.mean.value, low, high))
            drawn.append(Line(f"{lines}: {level}", tuple(points)))
        where = f" at {', '.join(rest)}" if rest else ""
        title = f"{result.variable.title}: {along} x {lines}{where}"
        unit = result.variable.unit or result.variable.title
        charts.append(Lines(title, along, unit, tuple(drawn), ticks=ticks))
    return tuple(charts)


def _inside(result: Result, end: float | None) -> float | None:
    """An end of an interval that is drawn no further than the variable reaches."""
    if end is None:
        return None
    low, high = result.variable.lowest, result.variable.highest
    end = end if low is None else max(low, end)
    return end if high is None else min(high, end)


def _spread(result: Result, labels: Mapping[str, str]) -> tuple[Chart, ...]:
    variable = result.variable
    answers = sorted({float(key) for each in result.means for key in each.counts})
    if variable.lowest is not None and variable.highest is not None and answers:
        ends = (int(variable.lowest), int(variable.highest))
        if all(answer == int(answer) for answer in answers) and ends[1] - ends[0] < MOST_ANSWERS:
            answers = [float(answer) for answer in range(ends[0], ends[1] + 1)]
    if not 0 < len(answers) <= MOST_ANSWERS:
        boxes = tuple(
            Box(labels[e.condition], e.lowest, e.lower, e.median, e.upper, e.highest, e.number)
            for e in result.means
        )
        return (Boxes(f"{variable.title}: values", variable.unit or variable.title, boxes),)
    parts = tuple(f"{answer:g}" for answer in answers)
    stacks = []
    for each in result.means:
        total = sum(each.counts.values())
        shares = {part: 100 * each.counts.get(part, 0) / total for part in parts}
        stacks.append(Stack(f"{labels[each.condition]} ({total})", shares))
    return (Stacks(f"{variable.title}: answers", "% of answers", parts, tuple(stacks), 100.0),)
