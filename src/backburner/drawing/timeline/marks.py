"""What a timeline is drawn of: bars are activities, brackets below windows of time, bubbles above words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from backburner.drawing import palette
from backburner.drawing.svg import Markup, element, joined, rect, shortened, text_at, text_width, wrapped
from backburner.kernel.activities import Activity
from backburner.kernel.assessment import Window, WindowState
from backburner.kernel.errors import one_line
from backburner.kernel.values import Event

LABEL = 10.5
"""Pixels; the size of the letters in a bar."""

NOTHING = Markup("")


# --- an activity as a bar: its fill says what kind it is, its inside what is done ---------------------


class Slot(NamedTuple):
    """The place of a bar, in pixels."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> float:
        return self.x + self.width / 2

    @property
    def middle(self) -> float:
        return self.y + self.height / 2

    def slim(self) -> Slot:
        """The middle half of the height."""
        return Slot(self.x, self.y + self.height / 4, self.width, self.height / 2)


def bar(activity: Activity, slot: Slot, colour: str, *, slim: bool = False, words: bool = True) -> Markup:
    """The bar alone, without tooltip. ``slim`` draws the short act of starting something else."""
    place = slot.slim() if slim else slot
    rectangle = element(
        "rect",
        class_="bar",
        **place._asdict(),
        rx=min(4.0, place.width / 3),
        **_paint(activity, colour),
    )
    return joined(
        rectangle,
        _inside(activity, place, slim, words),
        NOTHING if activity.complete else _torn_edge(place),
    )


def _paint(activity: Activity, colour: str) -> dict[str, object]:
    if activity.kind == "wait":
        return {"fill": "url(#bb-wait)", "stroke": palette.WAIT, "stroke_width": 0.75}
    if activity.kind == "refused":
        return {"fill": palette.REFUSED_FILL, "stroke": palette.REFUSED, "stroke_width": 1.25}
    return {"fill": colour}


def _inside(activity: Activity, slot: Slot, slim: bool, words: bool) -> Markup:
    """A cross for a refusal, an arrow for a start, else the label as far as it fits."""
    if activity.kind == "refused":
        return _cross(slot)
    if slim:
        return _arrow(slot)
    return _label(activity.label, slot) if words else NOTHING


def _cross(slot: Slot) -> Markup:
    reach = min(5.0, slot.width / 2 - 2)
    if reach < 1:
        return NOTHING
    d = (
        f"M{slot.centre - reach:.2f} {slot.middle - reach:.2f}l{2 * reach:.2f} {2 * reach:.2f}"
        f"m0 {-2 * reach:.2f}l{-2 * reach:.2f} {2 * reach:.2f}"
    )
    return element("path", d=d, stroke=palette.REFUSED, stroke_width=1.75, stroke_linecap="round")


def _arrow(slot: Slot) -> Markup:
    reach = min(4.0, slot.width / 2 - 2)
    if reach < 1:
        return NOTHING
    left, top = slot.centre - 0.7 * reach, slot.middle - reach
    d = f"M{left:.2f} {top:.2f}v{2 * reach:.2f}l{1.6 * reach:.2f} {-reach:.2f}z"
    return element("path", d=d, fill=palette.INK)


def _label(text: str, slot: Slot) -> Markup:
    lines = wrapped(text, LABEL, slot.width - 3)
    baseline = slot.middle + (0.36 - 0.58 * (len(lines) - 1)) * LABEL
    return joined(
        *(
            text_at(slot.centre, baseline + 1.16 * LABEL * index, line, class_="label", text_anchor="middle")
            for index, line in enumerate(lines)
        )
    )


def _torn_edge(slot: Slot) -> Markup:
    """White teeth over the right end: this was not finished here."""
    depth, tooth = min(5.0, slot.width / 2), slot.height / 8
    teeth = f"l{-depth:.2f} {tooth:.2f}l{depth:.2f} {tooth:.2f}" * 4
    right = slot.x + slot.width
    return element(
        "path",
        d=f"M{right:.2f} {slot.y:.2f}{teeth}h1.5V{slot.y - 1:.2f}h-1.5z",
        fill="#ffffff",
        class_="torn",
    )


# --- a window of time as a bracket: as long as the window, with its label beside it -------------------


BRACKET_ROW = 18.0
"""Pixels; the height of a row of brackets."""
REACH, BRACKET_GAP, BRACKETS_APART = 4.5, 8.0, 12.0
"""Half an upright, the way from bracket to label, and the least way to what stands next in the row."""

COLOURS = {"kept": palette.KEPT, "missed": palette.MISSED, "open": palette.KEPT}
DASHES = {"kept": None, "missed": None, "open": "3 2"}


class Bracket(NamedTuple):
    """Where a window is drawn, in pixels. ``after``: the label, perhaps cut, stands on the right."""

    window: Window
    x: float
    width: float
    label: str
    after: bool = True
    row: int = 0

    @property
    def edge(self) -> float:
        """Where the label is anchored, on the bracket's side."""
        return self.x + self.width + BRACKET_GAP if self.after else self.x - BRACKET_GAP

    @property
    def span(self) -> tuple[float, float]:
        """From where to where bracket and label reach."""
        label = text_width(self.label, LABEL)
        if self.after:
            return self.x, self.edge + label
        return self.edge - label, self.x + self.width

    def meets(self, other: Bracket) -> bool:
        """Whether the two would stand too close to each other in one row."""
        (begin, end), (begin_other, end_other) = self.span, other.span
        return begin < end_other + BRACKETS_APART and begin_other < end + BRACKETS_APART


def brackets(
    windows: Iterable[Window], x: Callable[[float], float], left: float, right: float
) -> list[Bracket]:
    """A bracket for each window, in the first row in which it meets no other.

    ``x`` places a time between ``left`` and ``right``. A label stands on the right of its bracket, or
    on the left where there is more room.
    """
    placed: list[Bracket] = []
    for window in windows:
        bracket = _labelled(window, x(window.opens), x(window.closes), left, right)
        taken = {other.row for other in placed if other.meets(bracket)}
        placed.append(bracket._replace(row=min(set(range(len(taken) + 1)) - taken)))
    return placed


def _labelled(window: Window, begin: float, end: float, left: float, right: float) -> Bracket:
    on_the_right, on_the_left = right - end - BRACKET_GAP, begin - left - BRACKET_GAP
    after = text_width(window.label, LABEL) <= on_the_right or on_the_right >= on_the_left
    label = shortened(window.label, LABEL, on_the_right if after else on_the_left)
    return Bracket(window, begin, end - begin, label, after)


def draw_bracket(bracket: Bracket, top: float, told: str, met: float | None) -> Markup:
    """The bracket in its row below ``top``; ``told`` is its tooltip, ``met`` the place of a dot."""
    state, middle = bracket.window.state, top + BRACKET_ROW * bracket.row + BRACKET_ROW / 2
    colour, right = COLOURS[state], bracket.x + bracket.width
    ends = "".join(f"M{x:.2f} {middle - REACH:.2f}v{2 * REACH}" for x in (bracket.x, right))
    line = f"M{bracket.x:.2f} {middle:.2f}h{bracket.width:.2f}"
    return element(
        "g",
        element("title", told),
        element("path", d=line, stroke=colour, stroke_width=1.5, stroke_dasharray=DASHES[state]),
        element("path", d=ends, stroke=colour, stroke_width=1.5),
        NOTHING if met is None else element("circle", cx=met, cy=middle, r=3.2, fill=colour),
        _missed_cross(right, middle, colour) if state == "missed" else NOTHING,
        _bracket_label(bracket, middle, colour) if bracket.label else NOTHING,
        class_=f"window {state}",
    )


def _bracket_label(bracket: Bracket, middle: float, colour: str) -> Markup:
    return text_at(
        bracket.edge,
        middle + 0.36 * LABEL,
        bracket.label,
        class_="due",
        fill=colour,
        text_anchor="start" if bracket.after else "end",
    )


def _missed_cross(x: float, y: float, colour: str) -> Markup:
    """A cross on the end of the window: nothing had happened by then."""
    r = REACH
    d = f"M{x - r:.2f} {y - r:.2f}l{2 * r} {2 * r}m0 {-2 * r}l{-2 * r} {2 * r}"
    return element("path", d=d, stroke=colour, stroke_width=2, stroke_linecap="round")


def bracket_swatch(state: WindowState, width: float, height: float) -> Markup:
    """A bracket as it stands in a legend."""
    place = Bracket(Window("", "", 0, 1, state), 1, width - 6, "")
    return draw_bracket(place, (height - BRACKET_ROW) / 2, "", width / 2 - 2 if state == "kept" else None)


# --- what a body says as a speech bubble: the words as far as there is room for them ------------------


BUBBLE_ROW = 21.0
"""Pixels; the height of a row of bubbles."""
BUBBLE_HEIGHT, BUBBLE_PAD, BUBBLE_TAIL, BUBBLES_APART = 16.0, 6.0, 4.0, 5.0
"""Pixels: of a bubble, left and right of its words, of its tail, and between two bubbles."""

WIDEST_BUBBLE = 230.0
"""Pixels; wider bubbles are cut, and their tooltip has all of the words."""


class Bubble(NamedTuple):
    """Where something said is drawn, in pixels. ``at``: where its tail points to."""

    event: Event
    at: float
    x: float
    width: float
    label: str
    row: int = 0

    def meets(self, other: Bubble) -> bool:
        """Whether the two would stand too close to each other in one row."""
        return (
            self.x < other.x + other.width + BUBBLES_APART and other.x < self.x + self.width + BUBBLES_APART
        )


def bubbles(said: Iterable[Event], x: Callable[[float], float], left: float, right: float) -> list[Bubble]:
    """A bubble for each event, in the first row in which it meets no other.

    ``x`` places a time between ``left`` and ``right``. A bubble begins at its time, or as much earlier
    as it takes to end within the picture.
    """
    placed: list[Bubble] = []
    for event in said:
        at = min(max(x(event.time), left + BUBBLE_PAD), right - BUBBLE_PAD)
        words = (
            shortened(one_line(event.label), LABEL, min(WIDEST_BUBBLE, right - left) - 2 * BUBBLE_PAD) or "…"
        )
        width = text_width(words, LABEL) + 2 * BUBBLE_PAD
        bubble = Bubble(event, at, max(left, min(at - BUBBLE_PAD, right - width)), width, words)
        taken = {other.row for other in placed if other.meets(bubble)}
        placed.append(bubble._replace(row=min(set(range(len(taken) + 1)) - taken)))
    return placed


def draw_bubble(bubble: Bubble, bottom: float, told: str) -> Markup:
    """The bubble in its row above ``bottom``, the first row lowest; ``told`` is its tooltip."""
    top = bottom - BUBBLE_ROW * (bubble.row + 1)
    foot = top + BUBBLE_HEIGHT
    tail = f"M{bubble.at - 3:.2f} {foot - 0.5:.2f}l2.5 {BUBBLE_TAIL}l2.5 -{BUBBLE_TAIL}z"
    return element(
        "g",
        element("title", told),
        rect(
            bubble.x,
            top,
            bubble.width,
            BUBBLE_HEIGHT,
            rx=7,
            fill="#ffffff",
            stroke=palette.MUTED,
            stroke_width=0.75,
        ),
        element("path", d=tail, fill="#ffffff", stroke=palette.MUTED, stroke_width=0.75),
        element("path", d=f"M{bubble.at - 2.4:.2f} {foot:.2f}h4.2", stroke="#ffffff", stroke_width=1.5),
        text_at(bubble.x + BUBBLE_PAD, top + BUBBLE_HEIGHT / 2 + 0.36 * LABEL, bubble.label, class_="said"),
        class_="bubble",
    )


def bubble_swatch() -> Markup:
    """A bubble as it stands in a legend, 20 pixels wide."""
    return draw_bubble(Bubble(Event(0, "said"), 6, 0, 20, "…"), BUBBLE_ROW - 2, "")
