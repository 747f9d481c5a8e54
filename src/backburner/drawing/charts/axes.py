"""The value axis that all charts share, and charts of lines.

The axis is a scale from left to right with round numbers on it. Lines are told apart by marker and dash as
much as by colour; their points may have intervals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import ceil, floor, log10

from msgspec import Struct

from backburner.drawing.palette import EDGE, INK, LINE, MUTED
from backburner.drawing.svg import Markup, document, element, joined, shortened, text_at, text_width
from backburner.kernel.charts import Line, Lines, Point
from backburner.kernel.errors import amount, number

# --- axes --------------------------------------------------------------------------------------------------


WIDTH, MARGIN = 560.0, 14.0
MOST_NAMES = 250.0
"""Pixels for the names on the left; longer ones are cut in the middle, and whole in their tooltip."""
NAME, SMALL = 12.0, 10.5
AXIS_HEIGHT = 32.0
MOST_STEPS = 6


class Axis:
    """From ``low`` to ``high``, widened to round numbers, on the pixels between ``left`` and ``right``."""

    def __init__(self, low: float, high: float, left: float, right: float) -> None:
        self.low, self.high, self.step = round_ends(low, high)
        self.left, self.right = left, right

    def x(self, value: float) -> float:
        """Where a value stands."""
        return self.left + (self.right - self.left) * (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        """The round numbers on it, both ends included."""
        count = round((self.high - self.low) / self.step)
        return [round(self.low + index * self.step, 10) for index in range(count + 1)]

    def grid(self, top: float, bottom: float, unit: str) -> Markup:
        """A line for each round number, darker at 0, with the numbers and the unit beneath."""
        parts = []
        for tick in self.ticks():
            x, colour = self.x(tick), LINE if tick else EDGE
            parts.append(element("line", x1=x, x2=x, y1=top, y2=bottom, stroke=colour))
            parts.append(small(x, bottom + 14, compact(tick), "middle"))
        parts.append(small(self.right, bottom + 28, unit, "end"))
        return joined(*parts)


LEAST_SPAN = 1e-9
"""What differs by less is drawn as one number."""


def round_ends(low: float, high: float) -> tuple[float, float, float]:
    """Round numbers at or beyond ``low`` and ``high``, and the round step between two numbers."""
    step = _round_step(high - low if high - low > LEAST_SPAN else 1.0)
    start = floor(low / step + 1e-9) * step
    return start, max(ceil(high / step - 1e-9) * step, start + step), step


def _round_step(span: float) -> float:
    """The least of 1, 2 and 5 times a power of ten that divides ``span`` into few enough steps."""
    power = 10.0 ** floor(log10(span / MOST_STEPS))
    return next(power * factor for factor in (1, 2, 5, 10) if span / (power * factor) <= MOST_STEPS)


def room_for(names: Iterable[str]) -> float:
    """Where names on the left end."""
    widest = max((text_width(name, NAME) for name in names), default=0.0)
    return MARGIN + min(widest + 4, MOST_NAMES) + 8


def name_at(y: float, text: str, left: float, colour: str) -> Markup:
    """A name that ends before the axis begins."""
    shown = cut_in_the_middle(text, NAME, MOST_NAMES)
    told = (element("title", text),) if shown != text else ()
    return element("text", *told, shown, x=left - 8, y=y, font_size=NAME, fill=colour, text_anchor="end")


def cut_in_the_middle(text: str, size: float, room: float) -> str:
    """``text`` with an ellipsis in its middle if it is too long: names often differ only at their ends."""
    kept = len(text)
    shown = text
    while text_width(shown, size) > room and kept > 2:
        kept -= 1
        shown = f"{text[: kept - kept // 2].rstrip()}…{text[len(text) - kept // 2 :].lstrip()}"
    return shown


def compact(value: float) -> str:
    """A number in few characters: ``0.25``, ``9500``, ``12k``, ``2.5M``."""
    for least, size, unit in ((1e9, 1e9, "G"), (1e6, 1e6, "M"), (1e4, 1e3, "k")):
        if abs(value) >= least:
            return f"{number(float(f'{value / size:.4g}'))}{unit}"
    return number(value)


def short(value: float) -> str:
    """Three digits or so: ``0.625``, ``18.9``, ``120``, ``12.35k``."""
    digits = 3 if abs(value) < 1 else 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    return compact(float(f"{value:.{digits}f}"))


def small(x: float, y: float, text: str, anchor: str, colour: str = MUTED) -> Markup:
    """Small print."""
    return text_at(x, y, text, font_size=SMALL, fill=colour, text_anchor=anchor)


# --- lines -------------------------------------------------------------------------------------------------


LEFT, TOP, PLOT, INSET, KEY_ROW, FOOT = 44.0, 26.0, 190.0, 18.0, 18.0, 34.0
PANEL_WIDTH, PANEL_HEIGHT = 280.0, 110.0
MOST_TICKS = 9
"""Numbers under the horizontal axis."""

COLOURS = ("#4477aa", "#ee6677", "#228833", "#b58900", "#66ccee", "#aa3377", "#777777")
"""Paul Tol's bright scheme, the yellow darkened for white paper."""
DASHES = (None, "7 3", "2 2", "10 3 2 3", "4 4", "12 3", "1 3")
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
QUOTED_DASH = "4 3"


class Panels(Struct, frozen=True):
    """What the panels of small multiples share, so that one key serves all and heights can be compared.

    ``families``: in the order that decides their looks. ``low``, ``high``: the ends of the vertical axis.
    """

    families: tuple[str, ...]
    low: float
    high: float


def panels_of(charts: Sequence[Lines]) -> Panels:
    """What charts of the same axes share."""
    families = dict.fromkeys(family_of(line) for chart in charts for line in chart.lines)
    ends = [end for chart in charts for end in _ends(chart)]
    return Panels(tuple(families), min(ends), max(ends))


def family_of(line: Line) -> str:
    """What decides a line's colour, marker and dash."""
    return line.family or line.name


def _ends(chart: Lines) -> tuple[float, float]:
    """The least and the greatest value that the vertical axis has to show."""
    points = [point for line in chart.lines for point in line.points]
    values = [value for point in points for value in (point.y, point.low, point.high) if value is not None]
    return min([0.0, *values]), max([chart.full, *values]) or 1.0


class _Plot:
    """Where values stand on the pixels of the picture, and how each line looks."""

    def __init__(
        self, chart: Lines, width: float, height: float = PLOT, panels: Panels | None = None
    ) -> None:
        self.chart, self.width, self.height = chart, width, height
        points = [point for line in chart.lines for point in line.points]
        low, high = (panels.low, panels.high) if panels else _ends(chart)
        self.low, self.high, self.step = round_ends(low, high)
        across = sorted({point.x for point in points}) or [0.0]
        self.inset = 0.0 if chart.stepped else INSET
        most = MOST_TICKS if panels is None else MOST_TICKS // 2
        if chart.powers:
            self.ticks = _powers(across[0], across[-1], most)
            across = sorted((*across, *self.ticks))
        elif chart.ticks:
            self.ticks = [place for place, _ in chart.ticks]
        elif chart.stepped:
            self.ticks = list(_round_ticks(across[0], across[-1]))
        else:
            self.ticks = across[:: -(-len(across) // most)]
        self.first = self._along(across[0])
        self.span = self._along(across[-1]) - self.first or 1.0
        self._families = list(panels.families if panels else dict.fromkeys(map(family_of, chart.lines)))

    def x(self, value: float) -> float:
        room = self.width - LEFT - MARGIN - 2 * self.inset
        return LEFT + self.inset + room * (self._along(value) - self.first) / self.span

    def _along(self, value: float) -> float:
        return log10(value) if self.chart.powers and value > 0 else value

    def y(self, value: float) -> float:
        return TOP + self.height * (self.high - value) / (self.high - self.low)

    def family(self, line: Line) -> int:
        """The index of a line's family: it decides colour, marker and dash."""
        return self._families.index(family_of(line))

    def stroke(self, line: Line) -> dict[str, object]:
        index = self.family(line)
        again = index // len(COLOURS)
        dash = QUOTED_DASH if line.quoted else DASHES[(index + again) % len(DASHES)]
        width = 1.3 if line.quoted else 2
        return {"stroke": COLOURS[index % len(COLOURS)], "stroke_width": width, "stroke_dasharray": dash}


def _round_ticks(first: float, last: float) -> Iterator[float]:
    """The round numbers between two amounts of time, at least 1 apart."""
    start, _, step = round_ends(first, last)
    step = max(step, 1.0)
    for index in range(round((last - start) / step) + 1):
        tick = round(start + index * step, 10)
        if first <= tick <= last:
            yield tick


def _powers(first: float, last: float, most: int) -> list[float]:
    """Powers of ten between two numbers, with 2 and 5 times these where there is room for them."""
    if first <= 0:
        return []
    for factors in ((1, 2, 5), (1, 3), (1,)):
        exponents = range(floor(log10(first)), ceil(log10(last)) + 1)
        ticks = [factor * 10.0**exponent for exponent in exponents for factor in factors]
        ticks = [tick for tick in ticks if first * 0.999 <= tick <= last * 1.001]
        if len(ticks) <= most:
            break
    return ticks


def lines_svg(chart: Lines, width: float) -> Markup:
    """The chart as a self-contained picture of this width; later lines are drawn above earlier ones.

    Where lines lie on each other the dashes of the upper one let the lower one through. Quoted lines are
    thin, and their markers are hollow. Stepped lines have no markers.
    """
    plot = _Plot(chart, width)
    key = [_key(plot, line, index) for index, line in enumerate(chart.lines)]
    return _picture(plot, KEY_ROW * len(key) + 4, *key)


def panel_svg(chart: Lines, panels: Panels) -> Markup:
    """The chart as one of several small pictures that share their looks and vertical axis, without a key."""
    return _picture(_Plot(chart, PANEL_WIDTH, PANEL_HEIGHT, panels), 0.0)


def _picture(plot: _Plot, key_height: float, *key: Markup) -> Markup:
    chart = plot.chart
    return document(
        plot.width,
        TOP + plot.height + FOOT + key_height,
        "",
        element("desc", words_of_lines(chart)),
        _grid(plot),
        *(_band(plot, line) for line in chart.lines if chart.bands),
        *(_stepped(plot, line) if chart.stepped else _through_points(plot, line) for line in chart.lines),
        *key,
        title=chart.title,
    )


def swatch_svg(chart: Lines, line: Line, panels: Panels) -> Markup:
    """A piece of the line as it looks in all panels, for their key."""
    plot = _Plot(chart, PANEL_WIDTH, PANEL_HEIGHT, panels)
    sample = element("line", x1=0, x2=34, y1=7, y2=7, **plot.stroke(line))
    marker = "" if chart.stepped else _marker(plot, line, 17, 7)
    return element("svg", sample, marker, width=34, height=14, viewBox="0 0 34 14", aria_hidden="true")


def words_of_lines(chart: Lines) -> str:
    """The whole chart in words, for those who cannot see it; of a stepped line only its end."""
    lines = (f"{line.name}: {_words_of_points(line.points, chart)}" for line in chart.lines)
    return f"{chart.y} over {chart.x}. {'; '.join(lines)}"


def _words_of_points(points: Sequence[Point], chart: Lines) -> str:
    if not chart.stepped:
        words = dict(chart.ticks)
        return ", ".join(f"{short(point.y)} at {words.get(point.x) or number(point.x)}" for point in points)
    return f"{number(points[-1].y)} after {amount(points[-1].x, chart.x)}" if points else "nothing"


def _grid(plot: _Plot) -> Markup:
    right = plot.width - MARGIN
    parts = [small(MARGIN, TOP - 12, plot.chart.y, "start")]
    for index in range(round((plot.high - plot.low) / plot.step) + 1):
        value = round(plot.low + index * plot.step, 10)
        y, colour = plot.y(value), LINE if value else EDGE
        parts.append(element("line", x1=LEFT, x2=right, y1=y, y2=y, stroke=colour))
        parts.append(small(LEFT - 6, y + 3.5, compact(value), "end"))
    foot = TOP + plot.height
    words = dict(plot.chart.ticks)
    parts += [small(plot.x(x), foot + 15, words.get(x, compact(x)), "middle") for x in plot.ticks]
    parts.append(small(right, foot + 29, plot.chart.x, "end"))
    return joined(*parts)


def _stepped(plot: _Plot, line: Line) -> Markup:
    path = ""
    for point in line.points:
        x, y = f"{plot.x(point.x):.1f}", f"{plot.y(point.y):.1f}"
        path += f"H{x}V{y}" if path else f"M{x} {y}"
    words = f"{line.name}: {_words_of_points(line.points, plot.chart)}"
    return element(
        "path", element("title", words), d=path, fill="none", stroke_linejoin="round", **plot.stroke(line)
    )


def _through_points(plot: _Plot, line: Line) -> Markup:
    joined_up = [point for point in line.points if point.x != plot.chart.apart and not plot.chart.loose]
    path = "L".join(f"{plot.x(point.x):.1f} {plot.y(point.y):.1f}" for point in joined_up)
    drawn = element("path", d=f"M{path}", fill="none", **plot.stroke(line)) if path else ""
    intervals = (_interval(plot, line, point) for point in line.points if not plot.chart.bands)
    markers = (
        _marker(
            plot,
            line,
            plot.x(point.x),
            plot.y(point.y),
            element("title", f"{line.name}: {_words_of_points([point], plot.chart)}"),
        )
        for point in line.points
    )
    return joined(drawn, *intervals, *markers)


def _band(plot: _Plot, line: Line) -> Markup:
    """The intervals of a line's points, joined from one to the next."""
    known = [(point.x, point.low, point.high) for point in line.points]
    upper = [(x, high) for x, low, high in known if low is not None and high is not None]
    lower = [(x, low) for x, low, high in known if low is not None and high is not None]
    path = "L".join(f"{plot.x(x):.1f} {plot.y(y):.1f}" for x, y in (*upper, *reversed(lower)))
    if not path:
        return joined()
    colour = plot.stroke(line)["stroke"]
    return element("path", d=f"M{path}z", fill=colour, fill_opacity=0.2, stroke="none")


def _interval(plot: _Plot, line: Line, point: Point) -> str:
    if point.low is None or point.high is None:
        return ""
    path = f"M{plot.x(point.x):.1f} {plot.y(point.low):.1f}V{plot.y(point.high):.1f}"
    return element("path", d=path, stroke=plot.stroke(line)["stroke"], stroke_width=1.2, fill="none")


def _marker(plot: _Plot, line: Line, x: float, y: float, *children: Markup) -> Markup:
    path = MARKERS[plot.family(line) % len(MARKERS)].format(x=f"{x:.1f}", y=f"{y:.1f}")
    colour = plot.stroke(line)["stroke"]
    fill = "#ffffff" if line.quoted else colour
    return element("path", *children, d=path, fill=fill, stroke=colour, stroke_width=1.8)


def _key(plot: _Plot, line: Line, index: int) -> Markup:
    middle = TOP + plot.height + FOOT + KEY_ROW * (index + 0.5)
    sample = element("line", x1=LEFT, x2=LEFT + 40, y1=middle, y2=middle, **plot.stroke(line))
    marker = "" if plot.chart.stepped else _marker(plot, line, LEFT + 20, middle)
    label = shortened(line.name, NAME, plot.width - LEFT - 50 - MARGIN)
    words = text_at(LEFT + 50, middle + 4, label, font_size=NAME, fill=INK)
    return joined(sample, marker, words)
