"""Small multiples: charts of the same axes as a row of small pictures under one key.

Their vertical axes are the same, and so are the looks of lines of one name, so that the eye can go from one
to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from backburner.drawing.charts.axes import Panels, family_of, panel_svg, panels_of, swatch_svg
from backburner.drawing.svg import Markup, element, joined
from backburner.kernel.charts import Chart, Lines

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
