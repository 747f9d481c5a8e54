"""A window of time as a bracket below its lane: as long as the window, with its label beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from backburner.drawing import palette
from backburner.drawing.svg import Markup, element, shortened, text_width
from backburner.drawing.timeline.bar import LABEL, NOTHING
from backburner.kernel.assessment import Window, WindowState

ROW = 18.0
"""Pixels; the height of a row of brackets."""
REACH, GAP, APART = 4.5, 8.0, 12.0
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
        return self.x + self.width + GAP if self.after else self.x - GAP

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
        return begin < end_other + APART and begin_other < end + APART


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
    on_the_right, on_the_left = right - end - GAP, begin - left - GAP
    after = text_width(window.label, LABEL) <= on_the_right or on_the_right >= on_the_left
    label = shortened(window.label, LABEL, on_the_right if after else on_the_left)
    return Bracket(window, begin, end - begin, label, after)


def draw(bracket: Bracket, top: float, told: str, met: float | None) -> Markup:
    """The bracket in its row below ``top``; ``told`` is its tooltip, ``met`` the place of a dot."""
    state, middle = bracket.window.state, top + ROW * bracket.row + ROW / 2
    colour, right = COLOURS[state], bracket.x + bracket.width
    ends = "".join(f"M{x:.2f} {middle - REACH:.2f}v{2 * REACH}" for x in (bracket.x, right))
    line = f"M{bracket.x:.2f} {middle:.2f}h{bracket.width:.2f}"
    return element(
        "g",
        element("title", told),
        element("path", d=line, stroke=colour, stroke_width=1.5, stroke_dasharray=DASHES[state]),
        element("path", d=ends, stroke=colour, stroke_width=1.5),
        NOTHING if met is None else element("circle", cx=met, cy=middle, r=3.2, fill=colour),
        _cross(right, middle, colour) if state == "missed" else NOTHING,
        _label(bracket, middle, colour) if bracket.label else NOTHING,
        class_=f"window {state}",
    )


def _label(bracket: Bracket, middle: float, colour: str) -> Markup:
    return element(
        "text",
        bracket.label,
        x=bracket.edge,
        y=middle + 0.36 * LABEL,
        class_="due",
        fill=colour,
        text_anchor="start" if bracket.after else "end",
    )


def _cross(x: float, y: float, colour: str) -> Markup:
    """A cross on the end of the window: nothing had happened by then."""
    r = REACH
    d = f"M{x - r:.2f} {y - r:.2f}l{2 * r} {2 * r}m0 {-2 * r}l{-2 * r} {2 * r}"
    return element("path", d=d, stroke=colour, stroke_width=2, stroke_linecap="round")


def swatch(state: WindowState, width: float, height: float) -> Markup:
    """A bracket as it stands in a legend."""
    place = Bracket(Window("", "", 0, 1, state), 1, width - 6, "")
    return draw(place, (height - ROW) / 2, "", width / 2 - 2 if state == "kept" else None)
