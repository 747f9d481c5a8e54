"""The value axis that all charts share: a scale from left to right, with round numbers on it."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor, log10

from backburner.drawing.palette import EDGE, LINE, MUTED
from backburner.drawing.svg import Markup, element, joined, text_width
from backburner.kernel.words import number

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
    return element("text", text, x=x, y=y, font_size=SMALL, fill=colour, text_anchor=anchor)
