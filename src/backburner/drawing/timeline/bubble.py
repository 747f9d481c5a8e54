"""What a body says, as speech bubbles above its lane: the words as far as there is room for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from backburner.drawing import palette
from backburner.drawing.svg import Markup, element, shortened, text_width
from backburner.drawing.timeline.bar import LABEL
from backburner.kernel.values import Event
from backburner.kernel.words import one_line

ROW = 21.0
"""Pixels; the height of a row of bubbles."""
HEIGHT, PAD, TAIL, APART = 16.0, 6.0, 4.0, 5.0
"""Pixels: of a bubble, left and right of its words, of its tail, and between two bubbles."""

MOST = 230.0
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
        return self.x < other.x + other.width + APART and other.x < self.x + self.width + APART


def bubbles(said: Iterable[Event], x: Callable[[float], float], left: float, right: float) -> list[Bubble]:
    """A bubble for each event, in the first row in which it meets no other.

    ``x`` places a time between ``left`` and ``right``. A bubble begins at its time, or as much earlier
    as it takes to end within the picture.
    """
    placed: list[Bubble] = []
    for event in said:
        at = min(max(x(event.time), left + PAD), right - PAD)
        words = shortened(one_line(event.label), LABEL, min(MOST, right - left) - 2 * PAD) or "…"
        width = text_width(words, LABEL) + 2 * PAD
        bubble = Bubble(event, at, max(left, min(at - PAD, right - width)), width, words)
        taken = {other.row for other in placed if other.meets(bubble)}
        placed.append(bubble._replace(row=min(set(range(len(taken) + 1)) - taken)))
    return placed


def draw(bubble: Bubble, bottom: float, told: str) -> Markup:
    """The bubble in its row above ``bottom``, the first row lowest; ``told`` is its tooltip."""
    top = bottom - ROW * (bubble.row + 1)
    foot = top + HEIGHT
    tail = f"M{bubble.at - 3:.2f} {foot - 0.5:.2f}l2.5 {TAIL}l2.5 -{TAIL}z"
    return element(
        "g",
        element("title", told),
        element(
            "rect",
            x=bubble.x,
            y=top,
            width=bubble.width,
            height=HEIGHT,
            rx=7,
            fill="#ffffff",
            stroke=palette.MUTED,
            stroke_width=0.75,
        ),
        element("path", d=tail, fill="#ffffff", stroke=palette.MUTED, stroke_width=0.75),
        element("path", d=f"M{bubble.at - 2.4:.2f} {foot:.2f}h4.2", stroke="#ffffff", stroke_width=1.5),
        element("text", bubble.label, x=bubble.x + PAD, y=top + HEIGHT / 2 + 0.36 * LABEL, class_="said"),
        class_="bubble",
    )


def swatch() -> Markup:
    """A bubble as it stands in a legend, 20 pixels wide."""
    return draw(Bubble(Event(0, "said"), 6, 0, 20, "…"), ROW - 2, "")
