"""Box plots: the quartiles as a box, the median across it, whiskers to the least and the greatest value."""

from __future__ import annotations

from backburner.drawing.charts.axis import AXIS_HEIGHT, MARGIN, WIDTH, Axis, name_at, room_for, small
from backburner.drawing.charts.bars import short
from backburner.drawing.charts.values import Box, Boxes
from backburner.drawing.palette import HANDS, HANDS_FILL, INK
from backburner.drawing.svg import Markup, document, element, joined

ROW, THICK, TOP, WHISKER = 26.0, 15.0, 8.0, 4.0
NUMBERS = 52.0
"""Pixels for how many values a box is made of."""


def boxes_svg(boxes: Boxes) -> Markup:
    """The chart as a self-contained picture; each box has its five numbers in its tooltip."""
    values = [value for box in boxes.boxes for value in (box.low, box.high)]
    left = room_for(box.name for box in boxes.boxes)
    axis = Axis(min([0.0, *values]), max([0.0, *values]) or 1.0, left, WIDTH - MARGIN - NUMBERS)
    bottom = TOP + ROW * len(boxes.boxes)
    return document(
        WIDTH,
        bottom + AXIS_HEIGHT,
        "",
        element("desc", f"{boxes.unit}. {'; '.join(map(told, boxes.boxes))}"),
        axis.grid(TOP, bottom, boxes.unit),
        *(_box(axis, box, TOP + ROW * (row + 0.5)) for row, box in enumerate(boxes.boxes)),
        title=boxes.title,
    )


def told(box: Box) -> str:
    """A box in words."""
    quartiles = f"quartiles {short(box.lower)} and {short(box.upper)}"
    ends = f"{short(box.low)} to {short(box.high)}"
    return f"{box.name}: median {short(box.median)}, {quartiles}, {ends}, n = {box.number}"


def _box(axis: Axis, box: Box, middle: float) -> Markup:
    low, lower, median, upper, high = map(axis.x, (box.low, box.lower, box.median, box.upper, box.high))
    whiskers = "".join(
        f"M{end:.1f} {middle:.1f}H{start:.1f}M{end:.1f} {middle - WHISKER:.1f}V{middle + WHISKER:.1f}"
        for end, start in ((low, lower), (high, upper))
    )
    top, bottom = middle - THICK / 2, middle + THICK / 2
    return joined(
        name_at(middle + 4, box.name, axis.left, INK),
        small(WIDTH - MARGIN, middle + 4, f"n = {box.number}", "end"),
        element("path", d=whiskers, stroke=INK, stroke_width=1.2, fill="none"),
        element(
            "rect",
            element("title", told(box)),
            x=lower,
            y=top,
            width=max(upper - lower, 1.0),
            height=THICK,
            fill=HANDS_FILL,
            stroke=HANDS,
            stroke_width=1.4,
        ),
        element(
            "path",
            d=f"M{median:.1f} {top - 2:.1f}V{bottom + 2:.1f}",
            stroke=INK,
            stroke_width=2.4,
            fill="none",
        ),
    )
