"""A figure: one or more pictures under a title, with what they show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from backburner.drawing.charts import (
    Bar,
    Bars,
    Boxes,
    Stacks,
    Traces,
    bars_svg,
    boxes_svg,
    stacks_svg,
    traces_svg,
)
from backburner.drawing.lines import lines_svg
from backburner.evaluation.scores import WorldScores
from backburner.evaluation.statistics import estimate
from backburner.kernel.episode import Episode
from backburner.kernel.scoring import Curves, Measured, Measures, Metric, grouped

Chart = Bars | Stacks | Boxes | Traces | Curves


class Panel(Struct, frozen=True):
    """One picture of a figure, as SVG."""

    title: str
    svg: str


class Figure(Struct, frozen=True):
    """``key``: what its files are called. ``caption``: what it shows, and which printed figure is like it."""

    key: str
    title: str
    caption: str
    panels: tuple[Panel, ...]


def drawn(chart: Chart) -> Panel:
    """A chart as a picture."""
    match chart:
        case Bars():
            return Panel(chart.title, bars_svg(chart))
        case Stacks():
            return Panel(chart.title, stacks_svg(chart))
        case Boxes():
            return Panel(chart.title, boxes_svg(chart))
        case Traces():
            return Panel(chart.title, traces_svg(chart))
        case Curves():
            return Panel(f"{chart.title} ({chart.y})", lines_svg(chart))


def figure(key: str, title: str, caption: str, charts: Iterable[Chart]) -> list[Figure]:
    """The figure of these charts; none if there is nothing to draw."""
    panels = tuple(map(drawn, charts))
    return [Figure(key, title, caption, panels)] if panels else []


def table(world: WorldScores, title: str) -> list[dict[str, Any]]:
    """The rows of an analysis by column, as the report shows them; none if it is not there."""
    return [
        dict(zip(section.columns, row, strict=True))
        for section in world.sections
        if section.title == title
        for row in section.rows
    ]


def share(name: str, rows: Sequence[Measured], holds: Callable[[Measures], bool]) -> Bar:
    """The per cent of episodes for which something holds, as a bar with its interval over scenarios."""

    def over(measures: Sequence[Measures]) -> float | None:
        return 100 * sum(map(holds, measures)) / len(measures) if measures else None

    return bar(name, Metric(name, name, "%", "neither", over, "", share=True), rows)


def bar(name: str, metric: Metric, rows: Sequence[Measured]) -> Bar:
    """A metric over episodes, as a bar with its interval over scenarios."""
    found = estimate(metric, [(episode.header.id, measures) for episode, measures in rows])
    return Bar(name, found.value, found.low, found.high)


def by_cell(rows: Sequence[Measured], name: Callable[[Episode], str]) -> dict[str, list[Measured]]:
    """The episodes of each name, in the order of their first appearance."""
    return grouped(rows, lambda row: name(row[0]))


def only_numbers(values: dict[str, Any]) -> dict[str, float]:
    """The cells of a table that hold figures; dashes are left out."""
    return {name: float(value) for name, value in values.items() if isinstance(value, int | float)}
