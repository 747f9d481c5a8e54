"""The timeline as SVG: lanes from top to bottom, time from left to right, the score below.

A curve of how far behind a plan a play was can stand between the two timelines.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from backburner.drawing import palette
from backburner.drawing.svg import Markup, document, element, joined, rect, shortened, text_at, text_width
from backburner.drawing.timeline.chart import (
    BODIES,
    WINDOW_STATES,
    Chart,
    Lane,
    colours_of,
    tick_step,
    told,
    told_window,
    told_words,
)
from backburner.drawing.timeline.marks import (
    BRACKET_ROW,
    BUBBLE_ROW,
    LABEL,
    NOTHING,
    Slot,
    bar,
    bracket_swatch,
    brackets,
    bubble_swatch,
    bubbles,
    draw_bracket,
    draw_bubble,
)
from backburner.kernel.activities import THINKS, Activity
from backburner.kernel.assessment import Window
from backburner.kernel.errors import number
from backburner.kernel.values import Event

MARGIN, TITLE, AXIS, LEGEND, SCORE = 16.0, 34.0, 30.0, 36.0, 48.0
ROW, LANE_GAP, BAR_GAP = 34.0, 8.0, 1.5
MARK = 3.0
"""How wide something is drawn that takes no time."""
NAME, SMALL = 12.0, 11.0
LEAST_WIDTH, GOOD_WIDTH, MOST_WIDTH, MOST_NAME = 900.0, 1180.0, 12_000.0, 170.0
ROOMY_BAR, SHORT_BAR = 34.0, 13.0
"""At most a quarter of the bars are narrower than the first, as long as the picture fits a page, and
than the second in any case."""

STYLE = f"""
.timeline .title {{ font-size: 16px; font-weight: 600; fill: {palette.INK} }}
.timeline .name {{ font-size: {NAME}px; fill: {palette.INK} }}
.timeline .body-name {{ font-weight: 600 }}
.timeline .small {{ font-size: {SMALL}px; fill: {palette.MUTED} }}
.timeline .label {{ font-size: {LABEL}px; fill: {palette.INK}; pointer-events: none }}
.timeline .due {{ font-size: {LABEL}px }}
.timeline .said {{ font-size: {LABEL}px; fill: {palette.INK} }}
.timeline .body .work .label {{ fill: {palette.ON_HANDS} }}
.timeline .activity:hover .bar {{ stroke: {palette.INK}; stroke-width: 1.5 }}
"""


def timeline_svg(
    events: Iterable[Event],
    *,
    title: str = "",
    unit: str = "minutes",
    bodies: Collection[str] = BODIES,
    windows: Sequence[Window] = (),
    standing: Sequence[str] = (),
) -> str:
    """The Gantt chart of an episode's events as a self-contained picture, escaped throughout.

    One lane for each body, then one for each thing that works by itself. Every activity has a
    tooltip with lane, times and duration. ``unit`` is the world's unit of time; lanes named in
    ``bodies`` stand on top, and so do lanes that wait, are refused or start other work. Below the
    activities of a lane stand its ``windows`` as brackets, with a dot where what was wanted
    happened, or a cross where it did not; above them, what was said there as speech bubbles. Bodies have
    their colours in the order of those ``standing`` in the scene.
    """
    chart = Chart(events, bodies, windows, standing)
    return _Picture(chart, frame_of([chart]), unit, title).draw()


class Frame(NamedTuple):
    """What pictures share that stand one above the other: when they begin and end, where time 0 is and how
    wide their plot is in pixels, and the colours of things and of bodies."""

    begin: float
    end: float
    left: float
    width: float
    colours: Mapping[str, str]
    hands: Mapping[str, str]

    @property
    def scale(self) -> float:
        """Pixels for a unit of time."""
        return self.width / (self.end - self.begin)

    def x(self, time: float) -> float:
        """Where a time is."""
        return self.left + (time - self.begin) * self.scale


def frame_of(charts: Sequence[Chart]) -> Frame:
    """The frame that holds all of the charts."""
    names = max((text_width(lane.name, NAME) for chart in charts for lane in chart.lanes), default=0.0)
    begin, end = min(chart.begin for chart in charts), max(chart.end for chart in charts)
    return Frame(
        begin,
        end,
        MARGIN + min(max(names, 50.0), MOST_NAME) + 14,
        min(
            max(_plot_width(chart) * (end - begin) / (chart.end - chart.begin) for chart in charts),
            MOST_WIDTH,
        ),
        *colours_of(charts),
    )


def timelines_svg(charts: Sequence[Chart], titles: Sequence[str], unit: str) -> tuple[Frame, list[str]]:
    """Plays of one scenario in pictures to stand one above the other: one scale, a thing has one colour."""
    frame = frame_of(charts)
    pairs = zip(charts, titles, strict=True)
    return frame, [_Picture(chart, frame, unit, title).draw() for chart, title in pairs]


class _Picture:
    """A chart with its measures: ``tops`` are the upper edges of the lanes, then the lower edge."""

    def __init__(self, chart: Chart, frame: Frame, unit: str, title: str) -> None:
        self.chart, self.frame, self.unit, self.title = chart, frame, unit, title
        self.left, self.width, self.scale, self.x = frame.left, frame.width, frame.scale, frame.x
        right = self.left + self.width
        self.brackets = {lane.name: brackets(lane.windows, self.x, self.left, right) for lane in chart.lanes}
        self.bubbles = {lane.name: bubbles(lane.said, self.x, self.left, right) for lane in chart.lanes}
        self.tops = [MARGIN + (TITLE if title else 0)]
        for lane in chart.lanes:
            self.tops.append(self.tops[-1] + self._height(lane))
        self.bottom = self.tops[-1] + (SCORE if chart.scored else 0)

    def draw(self) -> str:
        lanes = list(zip(self.chart.lanes, self.tops, strict=False))
        return document(
            self.left + self.width + MARGIN,
            self.bottom + AXIS + LEGEND,
            STYLE,
            element("defs", _hatch()),
            text_at(MARGIN, 30, self.title, class_="title"),
            *(self._ground(lane, top, shaded=index % 2 == 0) for index, (lane, top) in enumerate(lanes)),
            self._axis(),
            self._threads(lanes),
            *(self._lane(lane, top) for lane, top in lanes),
            self._score() if self.chart.scored else NOTHING,
            self._legend(),
            title=self.title or "timeline",
            class_="timeline",
        )

    def _height(self, lane: Lane) -> float:
        rows_of_brackets = 1 + max((each.row for each in self.brackets[lane.name]), default=-1)
        return self._talk(lane) + ROW * len(lane.rows) + BRACKET_ROW * rows_of_brackets + LANE_GAP

    def _talk(self, lane: Lane) -> float:
        """The height of what is said in a lane, above its bars."""
        return BUBBLE_ROW * (1 + max((each.row for each in self.bubbles[lane.name]), default=-1))

    # --- the ground ----------------------------------------------------------------------------

    def _ground(self, lane: Lane, top: float, shaded: bool) -> Markup:
        height, talk = self._height(lane), self._talk(lane)
        named = (ROW * len(lane.rows) + LANE_GAP) if lane.rows else height - talk
        fill = palette.BAND if shaded else "none"
        name = shortened(lane.name, NAME, self.left - MARGIN - 10) or lane.name[:1]
        return joined(
            rect(self.left, top, self.width, height, fill=fill),
            text_at(
                self.left - 10,
                top + talk + named / 2 + 4,
                name,
                element("title", lane.name),
                class_="name body-name" if lane.body else "name",
                text_anchor="end",
            ),
        )

    def _axis(self) -> Markup:
        begin, end = self.frame.begin, self.frame.end
        step = tick_step(end - begin, most=max(1, int(self.width / 48)))
        first = int(-(-begin // step)) * step
        ticks = range(first, int(end // 1) + 1, step)
        grid = "".join(f"M{self.x(tick):.2f} {self.tops[0]}V{self.bottom:.2f}" for tick in ticks)
        return element(
            "g",
            element("path", d=grid, stroke=palette.LINE),
            element("path", d=f"M{self.left:.2f} {self.bottom:.2f}h{self.width:.2f}", stroke=palette.WAIT),
            *(self._small(number(tick), self.x(tick), self.bottom + 17, "middle") for tick in ticks),
            self._small(self.unit, self.left - 10, self.bottom + 17, "end"),
            class_="axis",
            data_begin=begin,
            data_left=self.left,
            data_scale=self.scale,
        )

    def _small(self, text: str, x: float, y: float, anchor: str) -> Markup:
        return text_at(x, y, text, class_="small", text_anchor=anchor)

    # --- the activities ------------------------------------------------------------------------

    def _lane(self, lane: Lane, top: float) -> Markup:
        bars = (self._activity(activity, slot) for activity, slot in self._slots(lane, top))
        above = self._bubbles(lane, top + LANE_GAP / 2 + self._talk(lane))
        below = self._windows(lane, top + LANE_GAP / 2 + self._talk(lane) + ROW * len(lane.rows))
        return element("g", *bars, *above, *below, class_="lane body" if lane.body else "lane")

    def _bubbles(self, lane: Lane, bottom: float) -> Iterator[Markup]:
        for each in self.bubbles[lane.name]:
            yield draw_bubble(each, bottom, told_words(each.event, self.unit))

    def _windows(self, lane: Lane, top: float) -> Iterator[Markup]:
        for each in self.brackets[lane.name]:
            window = each.window
            met = None if window.met is None else self.x(window.met)
            yield draw_bracket(each, top, told_window(window, self.unit), met)

    def _slots(self, lane: Lane, top: float) -> Iterator[tuple[Activity, Slot]]:
        """Where each activity is drawn: within its own interval, or as a mark if it takes no time."""
        first = top + self._talk(lane) + LANE_GAP / 2 + 1
        for row, in_row in enumerate(lane.rows):
            y = first + ROW * row
            for activity in in_row:
                x, width = self.x(activity.start), max(0, activity.end - activity.start) * self.scale
                gap = min(BAR_GAP, width / 4)
                yield activity, Slot(x + gap / 2, y, (width - gap) or MARK, ROW - 2)

    def _activity(self, activity: Activity, slot: Slot) -> Markup:
        begun = self.chart.started.get(activity)
        lane = (begun or activity).lane
        colour = self.frame.colours.get(lane) or self.frame.hands.get(lane, palette.HANDS)
        flags = {activity.kind: True, "start": begun is not None, "unfinished": not activity.complete}
        return element(
            "g",
            element("title", told(activity, self.unit)),
            bar(activity, slot, colour, slim=begun is not None),
            class_=" ".join(("activity", *(name for name, holds in flags.items() if holds))),
        )

    def _threads(self, lanes: Iterable[tuple[Lane, float]]) -> Markup:
        """From each start down to the work that it has set going, behind all bars."""
        slot = {activity: slot for lane, top in lanes for activity, slot in self._slots(lane, top)}
        lines = (
            f"M{slot[act].x + 4:.2f} {slot[act].middle:.2f}V{slot[begun].middle:.2f}"
            for act, begun in self.chart.started.items()
        )
        return element(
            "path", d="".join(lines), stroke=palette.MUTED, stroke_dasharray="2 3", class_="threads"
        )

    # --- below ---------------------------------------------------------------------------------

    def _score(self) -> Markup:
        """Steps between the least and the greatest score."""
        (begin, first), *changes = self.chart.score
        values = [value for _, value in self.chart.score]
        low, floor = min(values), self.bottom
        unit = (SCORE - 18) / ((max(values) - low) or 1)
        steps = "".join(f"H{self.x(time):.2f}V{floor - (value - low) * unit:.2f}" for time, value in changes)
        end = self.x(self.chart.end)
        curve = f"M{self.x(begin):.2f} {floor - (first - low) * unit:.2f}{steps}H{end:.2f}"
        last = floor - (values[-1] - low) * unit
        return element(
            "g",
            element("title", f"score at the end: {number(values[-1])}"),
            element(
                "path", d=f"{curve}V{floor:.2f}H{self.x(begin):.2f}z", fill=palette.SCORE, fill_opacity=0.15
            ),
            element("path", d=curve, fill="none", stroke=palette.SCORE, stroke_width=1.5),
            self._small("score", self.left - 10, floor - 8, "end"),
            self._small(number(values[-1]), end - 4, last - 5, "end"),
            class_="score",
        )

    def _legend(self) -> Markup:
        """What the picture holds and no more; the swatches are drawn as the bars are."""
        x, y, parts = self.left, self.bottom + AXIS + LEGEND / 2, []
        for words, swatch in self._swatches():
            parts.append(element("g", swatch, transform=f"translate({x:.2f} {y - 11:.2f})"))
            parts.append(self._small(words, x + 26, y, "start"))
            x += 26 + text_width(words, SMALL) + 20
        return element("g", *parts, class_="legend")

    def _swatches(self) -> Iterator[tuple[str, Markup]]:
        chart, slot = self.chart, Slot(0, 0, 20, 14)
        work = Activity("", "", 0, 1)
        kinds = {activity.kind for activity in chart.activities}
        if any(lane.body for lane in chart.lanes):
            yield "works", bar(work, slot, palette.HANDS, words=False)
        if chart.started:
            yield "starts something", bar(work, Slot(0, -6, 20, 26), palette.alone(0), slim=True)
        if chart.colours:
            yield "goes on by itself", joined(*map(_piece, range(3)))
        if "wait" in kinds:
            thinks = any(activity.label == THINKS for activity in chart.activities)
            yield (
                "waits, or thinks" if thinks else "waits",
                bar(Activity("", "", 0, 1, "wait"), slot, "", words=False),
            )
        if "refused" in kinds:
            yield "refused", bar(Activity("", "", 0, 1, "refused"), slot, "", words=False)
        if not all(activity.complete for activity in chart.activities):
            yield "unfinished", bar(Activity("", "", 0, 1, "work", False), slot, palette.HANDS, words=False)
        if chart.said:
            yield "speaks", bubble_swatch()
        states = {window.state for window in chart.windows}
        for state, words in WINDOW_STATES.items():
            if state in states:
                yield f"limit: {words}", bracket_swatch(state, slot.width, slot.height)


def _plot_width(chart: Chart) -> float:
    durations = sorted(a.end - a.start for a in chart.activities if a.end > a.start)
    bars = (chart.end - chart.begin) / (durations[len(durations) // 4] if durations else 1)
    return min(max(LEAST_WIDTH, min(ROOMY_BAR * bars, GOOD_WIDTH), SHORT_BAR * bars), MOST_WIDTH)


def _piece(index: int) -> Markup:
    """A third of the swatch for the lanes that each have a colour of their own."""
    return element("rect", x=7 * index, width=6, height=14, rx=2, fill=palette.alone(index))


def _hatch() -> Markup:
    return element(
        "pattern",
        element("rect", width=6, height=6, fill=palette.BAND),
        element("path", d="M0 0V6", stroke=palette.WAIT, stroke_width=1.6, stroke_opacity=0.6),
        id="bb-wait",
        width=6,
        height=6,
        patternUnits="userSpaceOnUse",
        patternTransform="rotate(45)",
    )


# --- how far behind ----------------------------------------------------------------------------------------


HEIGHT, PAD = 56.0, 12.0

BEHIND_STYLE = f"""
.behind .name {{ font-size: {NAME}px; fill: {palette.INK} }}
.behind .small {{ font-size: {SMALL}px; fill: {palette.MUTED} }}
"""


def behind_svg(frame: Frame, points: Sequence[tuple[float, float]], unit: str) -> str:
    """The curve through (time, how far behind); below its line of zero the play is ahead."""
    most, least = max((0.0, *(late for _, late in points))), min((0.0, *(late for _, late in points)))
    scale = (HEIGHT - 2 * PAD) / max(most - least, 1.0)

    def y(late: float) -> float:
        return PAD + (most - late) * scale

    path = " ".join(f"{frame.x(time):.2f},{y(late):.2f}" for time, late in points)
    right = frame.left + frame.width
    last_time, last = points[-1]
    area = f"{frame.x(points[0][0]):.2f},{y(0):.2f} {path} {frame.x(last_time):.2f},{y(0):.2f}"
    return document(
        right + MARGIN,
        HEIGHT,
        BEHIND_STYLE,
        element("polygon", points=area, fill=palette.REFUSED, fill_opacity=0.12),
        element("path", d=f"M{frame.left:.2f} {y(0):.2f}H{right:.2f}", stroke=palette.WAIT),
        element("polyline", points=path, fill="none", stroke=palette.REFUSED, stroke_width=1.5),
        text_at(frame.left - 10, HEIGHT / 2 + 4, "behind", class_="name", text_anchor="end"),
        text_at(
            min(frame.x(last_time) + 4, right - 4),
            max(y(last) - 4, SMALL),
            f"{'+' if last > 0 else ''}{number(round(last, 1))} {unit}",
            class_="small",
            text_anchor="start" if frame.x(last_time) + 90 < right else "end",
        ),
        element("g", "", class_="axis", data_begin=frame.begin, data_left=frame.left, data_scale=frame.scale),
        title=f"how far behind the plan, in {unit}",
        class_="timeline behind",
    )
