"""One activity as a bar: its fill says what kind it is, its inside what is done."""

from __future__ import annotations

from typing import NamedTuple

from backburner.drawing import palette
from backburner.drawing.svg import Markup, element, joined, wrapped
from backburner.kernel.activities import Activity

LABEL = 10.5
"""Pixels; the size of the letters in a bar."""

NOTHING = Markup("")


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
            element(
                "text",
                line,
                x=slot.centre,
                y=baseline + 1.16 * LABEL * index,
                class_="label",
                text_anchor="middle",
            )
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
