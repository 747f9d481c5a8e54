"""Lines through points, told apart by marker and dash as much as by colour; points may have intervals."""

from __future__ import annotations

from backburner.drawing.charts.axis import MARGIN, NAME, WIDTH, compact, round_ends, small
from backburner.drawing.charts.bars import short
from backburner.drawing.charts.values import Point, Trace, Traces
from backburner.drawing.curves import COLOURS, DASHES
from backburner.drawing.palette import EDGE, INK, LINE
from backburner.drawing.svg import Markup, document, element, joined, shortened
from backburner.drawing.words import number

LEFT, TOP, PLOT, INSET, KEY_ROW, FOOT = 44.0, 26.0, 190.0, 18.0, 18.0, 34.0
MOST_TICKS = 9
"""Numbers under the horizontal axis."""

MARKERS = (
    "M{x} {y}m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "M{x} {y}m-3.6-3.6h7.2v7.2h-7.2z",
    "M{x} {y}m0-5.2l5.2 5.2l-5.2 5.2l-5.2-5.2z",
    "M{x} {y}m0-5l4.6 8h-9.2z",
    "M{x} {y}m0 5l4.6-8h-9.2z",
    "M{x} {y}m-4-4l8 8m0-8l-8 8",
    "M{x} {y}m-5 0h10m-5-5v10",
)
"""Circle, square, diamond, triangles up and down, cross, plus."""


class _Plot:
    """Where values stand on the pixels of the picture."""

    def __init__(self, traces: Traces) -> None:
        points = [point for trace in traces.traces for point in trace.points]
        ends = [value for point in points for value in (point.y, point.low, point.high) if value is not None]
        self.low, self.high, self.step = round_ends(min([0.0, *ends]), max([traces.full, *ends]) or 1.0)
        self.across = sorted({point.x for point in points})
        self.first = self.across[0] if self.across else 0.0
        self.span = (self.across[-1] - self.first if self.across else 0.0) or 1.0

    def x(self, value: float) -> float:
        return LEFT + INSET + (WIDTH - LEFT - MARGIN - 2 * INSET) * (value - self.first) / self.span

    def y(self, value: float) -> float:
        return TOP + PLOT * (self.high - value) / (self.high - self.low)


def traces_svg(traces: Traces) -> Markup:
    """The chart as a self-contained picture; lines are drawn in their order, later ones above.

    Where lines lie on each other the dashes of the upper one let the lower one through.
    """
    plot = _Plot(traces)
    return document(
        WIDTH,
        TOP + PLOT + FOOT + KEY_ROW * len(traces.traces) + 4,
        "",
        element("desc", told(traces)),
        _grid(plot, traces),
        *(_line(plot, trace, index) for index, trace in enumerate(traces.traces)),
        *(_key(trace, index) for index, trace in enumerate(traces.traces)),
        title=traces.title,
    )


def told(traces: Traces) -> str:
    """The whole chart in words, for those who cannot see it."""
    lines = (
        f"{trace.name}: {', '.join(f'{short(point.y)} at {number(point.x)}' for point in trace.points)}"
        for trace in traces.traces
    )
    return f"{traces.y} over {traces.x}. {'; '.join(lines)}"


def _grid(plot: _Plot, traces: Traces) -> Markup:
    parts = [small(MARGIN, TOP - 12, traces.y, "start")]
    for index in range(round((plot.high - plot.low) / plot.step) + 1):
        value = round(plot.low + index * plot.step, 10)
        y, colour = plot.y(value), LINE if value else EDGE
        parts.append(element("line", x1=LEFT, x2=WIDTH - MARGIN, y1=y, y2=y, stroke=colour))
        parts.append(small(LEFT - 6, y + 3.5, compact(value), "end"))
    every = -(-len(plot.across) // MOST_TICKS) or 1
    parts += [small(plot.x(x), TOP + PLOT + 15, compact(x), "middle") for x in plot.across[::every]]
    parts.append(small(WIDTH - MARGIN, TOP + PLOT + 29, traces.x, "end"))
    return joined(*parts)


def _line(plot: _Plot, trace: Trace, index: int) -> Markup:
    colour = COLOURS[index % len(COLOURS)]
    path = "L".join(f"{plot.x(point.x):.1f} {plot.y(point.y):.1f}" for point in trace.points)
    style = {"stroke": colour, "stroke_width": 2, "stroke_dasharray": DASHES[index % len(DASHES)]}
    drawn = element("path", d=f"M{path}", fill="none", **style) if path else ""
    intervals = (_interval(plot, point, colour) for point in trace.points)
    markers = (_marker(plot, trace.name, point, index) for point in trace.points)
    return joined(drawn, *intervals, *markers)


def _interval(plot: _Plot, point: Point, colour: str) -> str:
    if point.low is None or point.high is None:
        return ""
    path = f"M{plot.x(point.x):.1f} {plot.y(point.low):.1f}V{plot.y(point.high):.1f}"
    return element("path", d=path, stroke=colour, stroke_width=1.2, fill="none")


def _marker(plot: _Plot, name: str, point: Point, index: int) -> Markup:
    words = f"{name}: {short(point.y)} at {number(point.x)}"
    return _shape(plot.x(point.x), plot.y(point.y), index, element("title", words))


def _shape(x: float, y: float, index: int, *children: Markup) -> Markup:
    path = MARKERS[index % len(MARKERS)].format(x=f"{x:.1f}", y=f"{y:.1f}")
    colour = COLOURS[index % len(COLOURS)]
    return element("path", *children, d=path, fill="#ffffff", stroke=colour, stroke_width=1.8)


def _key(trace: Trace, index: int) -> Markup:
    middle = TOP + PLOT + FOOT + KEY_ROW * (index + 0.5)
    style = {"stroke": COLOURS[index % len(COLOURS)], "stroke_dasharray": DASHES[index % len(DASHES)]}
    sample = element("line", x1=LEFT, x2=LEFT + 40, y1=middle, y2=middle, stroke_width=2, **style)
    label = shortened(trace.name, NAME, WIDTH - LEFT - 50 - MARGIN)
    words = element("text", label, x=LEFT + 50, y=middle + 4, font_size=NAME, fill=INK)
    return joined(sample, _shape(LEFT + 20, middle, index), words)
