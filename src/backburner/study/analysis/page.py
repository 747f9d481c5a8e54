"""A study's analysis as files: one self-contained page, JSON, and a picture of each chart."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from markupsafe import Markup
from msgspec import Struct

from backburner.drawing.charts import chart_svg
from backburner.evaluation.tables.figures import write_figures
from backburner.evaluation.tables.sections import columns_of_words, number_text
from backburner.evaluation.templates import page_templates
from backburner.kernel import __version__
from backburner.kernel.charts import Figure
from backburner.kernel.errors import one_line
from backburner.kernel.files import write_whole
from backburner.kernel.scoring import Section
from backburner.study.analysis.analysis import Analysis
from backburner.study.analysis.figures import figures
from backburner.study.analysis.sections import study_sections, variable_sections

GLANCE = "Means at a glance"
GLANCE_CAPTION = "The means of every measure and item by condition, with 95 % intervals; each in full below."

PAGE, DATA, PICTURES = "analysis.html", "analysis.json", "figures"


class Shown(Struct, frozen=True):
    """A table of the page; ``words``: which columns hold words."""

    section: Section
    words: list[bool]


class Part(Struct, frozen=True):
    """A part of the page: charts and tables under a title."""

    id: str
    title: str
    text: str
    figure: Figure | None
    tables: list[Shown]


def write_analysis(analysis: Analysis, folder: Path) -> list[Path]:
    """Write page, JSON and pictures into a folder, each whole or not at all; their paths."""
    page, data = folder / PAGE, folder / DATA
    write_whole(data, msgspec.json.format(msgspec.json.encode(analysis), indent=1) + b"\n")
    write_whole(page, html(analysis).encode())
    return [page, data, *write_figures([(PICTURES, figure) for figure in figures(analysis)], folder)]


def html(analysis: Analysis) -> str:
    """The analysis as a page; it loads nothing and needs no network."""
    drawn = figures(analysis)
    means = Figure("means", GLANCE, GLANCE_CAPTION, tuple(figure.charts[0] for figure in drawn))
    parts = [Part("glance", GLANCE, "", means, [])] if len(drawn) > 1 else []
    parts += [
        Part(f"v{place}", result.variable.title, result.variable.text, figure, shown(sections))
        for place, (result, figure) in enumerate(zip(analysis.results, drawn, strict=True), 1)
        for sections in (variable_sections(result, analysis.labels),)
    ]
    unit = ("team", "teams") if analysis.team else ("person", "people")
    heading = f"{analysis.units} {unit[analysis.units != 1]}, {len(analysis.labels)} conditions"
    return page_of(
        "A study with people",
        f"{heading}, {analysis.design} subjects: {', '.join(analysis.labels.values())}.",
        analysis.remarks,
        shown(study_sections(analysis)),
        parts,
    )


def page_of(
    title: str, heading: str, remarks: Sequence[str], first: Sequence[Shown], parts: Sequence[Part]
) -> str:
    """Tables, then parts with charts, as a page in the house's looks."""
    environment = page_templates("backburner.study.analysis")
    environment.filters["line"] = lambda text: one_line(str(text))
    environment.filters["cell"] = _cell
    environment.filters["picture"] = lambda chart: Markup(chart_svg(chart))  # noqa: S704
    return environment.get_template("analysis.html.jinja").render(
        title=title,
        heading=heading,
        remarks=remarks,
        first=first,
        parts=parts,
        made=datetime.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z"),
        version=__version__,
    )


def shown(sections: Sequence[Section]) -> list[Shown]:
    """Tables as the page shows them."""
    return [Shown(section, columns_of_words(section)) for section in sections]


def _cell(value: Any) -> str:
    return "\n".join(map(one_line, number_text(value).split("\n")))
