"""Lines through measured points on one pair of axes, such as shares over the pace of orders."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from backburner.drawing.curves import BOTTOM, COLOURS, HEIGHT, KEY_ROW, LEFT, RIGHT, TOP, WIDTH
from backburner.drawing.palette import INK, LINE, MUTED
from backburner.drawing.svg import Markup, document, element, joined, shortened
from backburner.drawing.words import number
from backburner.kernel.scoring import Curves, Line

Scale = Callable[[float], float]

INSET, DOT = 14.0, 3.0
"""Pixels; between the axes and the outermost points, and half a point."""

QUOTED_DASH = "4 3"
MOST_TICKS = 8
QUARTERS = (0, 0.25, 0.5, 0.75, 1)


def lines_svg(curves: Curves) -> str:
    """The lines as a self-contained picture; the vertical axis goes from 0 to the highest value, at least 1.

    Lines of one family have one colour, quoted ones are dashed and have hollow points. Every point has a
    tooltip.
    """
    points = [point for line in curves.lines for point in line.points]
    highest = max([1.0, *(y for _, y in points)])
    across = sorted({x for x, _ in points})
    first, span = (across[0], across[-1] - across[0] or 1.0) if across else (0.0, 1.0)

    def x(value: float) -> float:
        return LEFT + INSET + (WIDTH - LEFT - RIGHT - 2 * INSET) * (value - first) / span

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / highest

    families = list(dict.fromkeys(line.family for line in curves.lines))
    colours = {family: COLOURS[index % len(COLOURS)] for index, family in enumerate(families)}
    return document(
        WIDTH,
        HEIGHT + KEY_ROW * len(curves.lines) + 4,
        "",
        _grid(x, y, across, highest),
        _text(WIDTH - RIGHT, HEIGHT - 4, curves.x, "end"),
        *(_line(line, x, y, colours) for line in curves.lines),
        *(_key(line, index, colours) for index, line in enumerate(curves.lines)),
        title=f"{curves.title}: {curves.y}",
    )


def _grid(x: Scale, y: Scale, across: Sequence[float], highest: float) -> Markup:
    parts = []
    for value in (quarter * highest for quarter in QUARTERS):
        parts.append(element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y(value), y2=y(value), stroke=LINE))
        parts.append(_text(LEFT - 5, y(value) + 3.5, number(value), "end"))
    every = -(-len(across) // MOST_TICKS) or 1
    parts += [_text(x(value), HEIGHT - BOTTOM + 14, number(value), "middle") for value in across[::every]]
    return joined(*parts)


def _line(line: Line, x: Scale, y: Scale, colours: Mapping[str, str]) -> Markup:
    colour = colours[line.family]
    path = "L".join(f"{x(at):.1f} {y(value):.1f}" for at, value in line.points)
    dots = (
        element(
            "circle",
            element("title", f"{line.name}: {number(round(value, 3))} at {number(at)}"),
            cx=x(at),
            cy=y(value),
            r=DOT,
            fill="#ffffff" if line.quoted else colour,
            stroke=colour,
        )
        for at, value in line.points
    )
    return joined(element("path", d=f"M{path}", fill="none", **_stroke(line, colour)), *dots)


def _stroke(line: Line, colour: str) -> dict[str, object]:
    width = 1.3 if line.quoted else 2
    return {"stroke": colour, "stroke_width": width, "stroke_dasharray": QUOTED_DASH if line.quoted else None}


def _key(line: Line, index: int, colours: Mapping[str, str]) -> Markup:
    middle = HEIGHT + KEY_ROW * index + 6
    stroke = _stroke(line, colours[line.family])
    sample = element("line", x1=LEFT, x2=LEFT + 30, y1=middle, y2=middle, **stroke)
    name = shortened(line.name, 12, WIDTH - LEFT - 50)
    return joined(sample, element("text", name, x=LEFT + 38, y=middle + 4, font_size=12, fill=INK))


def _text(x: float, y: float, text: str, anchor: str) -> Markup:
    return element("text", text, x=x, y=y, font_size=10.5, fill=MUTED, text_anchor=anchor)
