"""Charts of many cells: heatmaps, and small multiples.

A heatmap has squares with their numbers in them, in shades from light to dark. Small multiples are charts of
the same axes as a row of small pictures under one key. Their vertical axes are the same, and so are the looks
of lines of one name, so that the eye can go from one to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import cos, radians, sin

from backburner.drawing.charts.axes import (
    MARGIN,
    NAME,
    SMALL,
    Panels,
    cut_in_the_middle,
    family_of,
    name_at,
    panel_svg,
    panels_of,
    room_for,
    short,
    small,
    swatch_svg,
)
from backburner.drawing.palette import BAND, INK, MUTED, ON_HANDS
from backburner.drawing.svg import Markup, document, element, joined, rect, text_at, text_width
from backburner.kernel.charts import Chart, Heatmap, Lines

# --- heatmaps ----------------------------------------------------------------------------------------------


SHADES = ("#e9f1f7", "#c9dcea", "#a5c4da", "#7ba7c6", "#5187ae", "#2f6690")
"""From the fill of the hands' bars to their colour."""

DARK = 4
"""From this shade on figures are light."""

HIGH = 34.0
NARROWEST, WIDEST = 46.0, 96.0
"""Pixels of a square: its height, and how narrow and wide it may be."""

SLANT = 38.0
"""Degrees by which the columns' names rise."""

MOST_SLANTED = 150.0
"""Pixels of a column's name."""


def heatmap_svg(chart: Heatmap) -> Markup:
    """The heatmap as a self-contained picture, which says in words too what it shows."""
    left = room_for((*chart.rows, chart.row))
    columns = [cut_in_the_middle(name, NAME, MOST_SLANTED) for name in chart.columns]
    longest = max((text_width(name, NAME) for name in columns), default=0.0)
    top = MARGIN + SMALL + longest * sin(radians(SLANT)) + 14
    figures = [_words(value) for row in chart.cells for value in row]
    wide = min(max(NARROWEST, *(text_width(figure, NAME) + 14 for figure in figures)), WIDEST)
    foot = f"{chart.unit}; columns: {chart.column}".removeprefix("; ")
    slanted = left + wide * len(columns) + longest * cos(radians(SLANT))
    width = max(slanted, left + text_width(foot, SMALL)) + MARGIN
    bottom = top + HIGH * len(chart.rows)
    parts = [small(left - 8, top - 6, chart.row, "end")]
    for at, (shown, whole) in enumerate(zip(columns, chart.columns, strict=True)):
        parts.append(_slanted(left + wide * (at + 0.5), top - 6, shown, whole))
    for at, (name, row) in enumerate(zip(chart.rows, chart.cells, strict=True)):
        y = top + HIGH * at
        parts.append(name_at(y + HIGH / 2 + 4, name, left, INK))
        for place, value in enumerate(row):
            where = f"{name}, {chart.columns[place]}"
            parts.append(_square(chart, left + wide * place, y, wide, value, where))
    parts.append(small(left, bottom + 16, foot, "start"))
    return document(
        width, bottom + 26, "", element("desc", words_of_heatmap(chart)), *parts, title=chart.title
    )


def words_of_heatmap(chart: Heatmap) -> str:
    """The whole chart in words, for those who cannot see it."""
    lines = (
        f"{row}, {column}: {_words(value)}"
        for row, values in zip(chart.rows, chart.cells, strict=True)
        for column, value in zip(chart.columns, values, strict=True)
    )
    return f"{chart.unit}; rows: {chart.row}, columns: {chart.column}. {'; '.join(lines)}"


def shade(chart: Heatmap, value: float) -> int:
    """Which of the ``SHADES`` a number has: the worst of the chart the first, the best the last."""
    known = [each for row in chart.cells for each in row if each is not None]
    low, high = min(known), max(known)
    if high <= low:
        return 0
    share = (value - low) / (high - low)
    return min(int((share if chart.higher_is_better else 1 - share) * len(SHADES)), len(SHADES) - 1)


def _square(chart: Heatmap, x: float, y: float, wide: float, value: float | None, where: str) -> Markup:
    at = None if value is None else shade(chart, value)
    fill = BAND if at is None else SHADES[at]
    ink = MUTED if at is None else ON_HANDS if at >= DARK else INK
    words = _words(value)
    square = rect(x + 1, y + 1, wide - 2, HIGH - 2, fill=fill)
    middle, line = x + wide / 2, y + HIGH / 2 + 4
    figure = text_at(middle, line, words, font_size=NAME, fill=ink, text_anchor="middle")
    return element("g", element("title", f"{where}: {words}"), square, figure)


def _slanted(x: float, y: float, shown: str, whole: str) -> Markup:
    told = (element("title", whole),) if shown != whole else ()
    turned = f"rotate(-{SLANT:g} {x:.1f} {y:.1f})"
    return element("text", *told, shown, x=x, y=y, font_size=NAME, fill=INK, transform=turned)


def _words(value: float | None) -> str:
    return "–" if value is None else short(value)


# --- small multiples ---------------------------------------------------------------------------------------


MOST_LINES = 12
"""More names than that are no key that anybody reads; such charts have a key each."""


def in_panels(charts: Sequence[Chart]) -> list[list[Chart]]:
    """The charts in order; neighbours that can be panels of one picture together, all others alone."""
    found: list[list[Chart]] = []
    for axes, alike in groupby(charts, _axes):
        own = list(alike)
        lines = [chart for chart in own if isinstance(chart, Lines)]
        few = len(panels_of(lines).families) <= MOST_LINES if lines else False
        found += [own] if axes and few and len(own) > 1 else [[chart] for chart in own]
    return found


def _axes(chart: Chart) -> tuple[object, ...]:
    return (chart.x, chart.y, chart.full, chart.stepped) if isinstance(chart, Lines) else ()


def panels_html(charts: Sequence[Lines]) -> Markup:
    """The charts, each with its title, below a key of their lines: ``div.key`` and ``div.panels``."""
    panels = panels_of(charts)
    return joined(
        element("div", *_key(charts, panels), class_="key"),
        element(
            "div",
            *(
                element("figure", element("figcaption", chart.title), panel_svg(chart, panels))
                for chart in charts
            ),
            class_="panels",
        ),
    )


def _key(charts: Sequence[Lines], panels: Panels) -> list[Markup]:
    first = {family_of(line): (chart, line) for chart in charts[::-1] for line in chart.lines[::-1]}
    return [
        element("span", swatch_svg(*first[family], panels), " ", element("span", family))
        for family in panels.families
    ]
