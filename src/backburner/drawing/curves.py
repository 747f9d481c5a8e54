"""Scores over time: one stepped line for each agent, on one pair of axes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from backburner.drawing.palette import INK, LINE, MUTED
from backburner.drawing.svg import Markup, document, element, joined, shortened
from backburner.drawing.words import amount, number

Curve = Sequence[tuple[int | float, int | float]]
"""(time, score), the score holding until the next time."""

Scale = Callable[[float], float]

WIDTH, HEIGHT = 420.0, 230.0
LEFT, RIGHT, TOP, BOTTOM = 34.0, 12.0, 10.0, 30.0
KEY_ROW = 17.0

COLOURS = ("#4477aa", "#ee6677", "#228833", "#b58900", "#66ccee", "#aa3377", "#777777")
"""Paul Tol's bright scheme, the yellow darkened for white paper; dashes tell lines apart as well."""
DASHES = (None, "7 3", "2 2", "10 3 2 3", "4 4", "12 3", "1 3")


def curves_svg(
    curves: Mapping[str, Curve], *, unit: str, title: str = "score over time", full: float = 100
) -> str:
    """The curves as a self-contained picture; the vertical axis goes from 0 to the highest score, at
    least ``full``."""
    longest = max((time for curve in curves.values() for time, _ in curve), default=0) or 1
    highest = max([full, *(score for curve in curves.values() for _, score in curve)])

    def x(time: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * time / longest

    def y(score: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * score / highest

    parts = [_grid(x, y, longest, highest, unit)]
    for index, (name, curve) in enumerate(curves.items()):
        parts.append(_line(name, curve, x, y, index, unit))
        parts.append(_key(name, index))
    height = HEIGHT + KEY_ROW * len(curves) + 4
    return document(WIDTH, height, "", *parts, title=title)


def _grid(x: Scale, y: Scale, longest: float, highest: float, unit: str) -> Markup:
    parts = []
    for score in (0, highest / 4, highest / 2, 3 * highest / 4, highest):
        parts.append(element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y(score), y2=y(score), stroke=LINE))
        parts.append(_text(LEFT - 5, y(score) + 3.5, number(score), "end"))
    for time in _ticks(longest):
        parts.append(_text(x(time), HEIGHT - BOTTOM + 14, number(time), "middle"))
    parts.append(_text(WIDTH - RIGHT, HEIGHT - 4, unit, "end"))
    return joined(*parts)


def _ticks(longest: float) -> list[int]:
    step = next((s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if longest / s <= 8), 5000)
    return list(range(0, int(longest) + 1, step))


def _line(name: str, curve: Curve, x: Scale, y: Scale, index: int, unit: str) -> Markup:
    path, height = "", None
    for time, score in curve:
        path += f"M{x(time):.1f} {y(score):.1f}" if height is None else f"H{x(time):.1f}V{y(score):.1f}"
        height = score
    last = f"{name}: {number(curve[-1][1])} after {amount(curve[-1][0], unit)}" if curve else name
    return element(
        "path",
        element("title", last),
        d=path,
        fill="none",
        stroke=COLOURS[index % len(COLOURS)],
        stroke_width=2,
        stroke_dasharray=DASHES[index % len(DASHES)],
        stroke_linejoin="round",
    )


def _key(name: str, index: int) -> Markup:
    middle = HEIGHT + KEY_ROW * index + 6
    line = element(
        "line",
        x1=LEFT,
        x2=LEFT + 30,
        y1=middle,
        y2=middle,
        stroke=COLOURS[index % len(COLOURS)],
        stroke_width=2,
        stroke_dasharray=DASHES[index % len(DASHES)],
    )
    label = shortened(name, 12, WIDTH - LEFT - 50)
    return joined(line, element("text", label, x=LEFT + 38, y=middle + 4, font_size=12, fill=INK))


def _text(x: float, y: float, text: str, anchor: str) -> Markup:
    return element("text", text, x=x, y=y, font_size=10.5, fill=MUTED, text_anchor=anchor)
