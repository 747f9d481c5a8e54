"""What figures show, as values: metrics make them, drawing turns them into pictures."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from backburner.kernel.shown import Shown


class Bar(Struct, frozen=True):
    """One number with its interval, if it has any; ``quoted`` is an article's.

    Without a value the bar is left out, and a dash stands in its place.
    """

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    quoted: bool = False


class Group(Struct, frozen=True):
    """Bars that belong together, under a name."""

    name: str
    bars: tuple[Bar, ...]


class Bars(Shown, Struct, frozen=True):
    """Groups of bars on one axis; it starts at 0 or at the lowest value, and reaches ``full`` at least."""

    title: str
    unit: str
    groups: tuple[Group, ...]
    full: float = 0.0


class Stack(Struct, frozen=True):
    """One bar made of parts, by their names; ``quoted`` is an article's."""

    name: str
    parts: Mapping[str, float]
    quoted: bool = False


class Stacks(Shown, Struct, frozen=True):
    """Stacked bars on one axis from 0 to the longest one, at least ``full``.

    ``parts``: every part's name, in the order of stacking; a name's index in it decides its colour, so
    that charts with the same ``parts`` are coloured alike.
    """

    title: str
    unit: str
    parts: tuple[str, ...]
    stacks: tuple[Stack, ...]
    full: float = 0.0


class Box(Struct, frozen=True):
    """How ``number`` values are spread: the least, the quartiles, the greatest."""

    name: str
    low: float
    lower: float
    median: float
    upper: float
    high: float
    number: int


class Boxes(Shown, Struct, frozen=True):
    """Box plots on one axis; whiskers reach to the least and the greatest value."""

    title: str
    unit: str
    boxes: tuple[Box, ...]


class Point(Struct, frozen=True):
    """A point of a line, with the interval of ``y`` if it has any."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None


class Line(Struct, frozen=True):
    """One line: its points in the order of ``x``; ``quoted`` is an article's, or a bound.

    Lines of one ``family`` have one colour and one marker; without a family a line is alone in its own.
    """

    name: str
    points: tuple[Point, ...]
    family: str = ""
    quoted: bool = False


class Lines(Shown, Struct, frozen=True):
    """Lines on one pair of axes, ``x`` and ``y`` being what these measure; ``y`` reaches ``full`` at least.

    ``stepped``: ``x`` is an amount of time, and each value holds until the next point. ``powers``: ``x``,
    everywhere above 0, is drawn by its logarithm. ``bands``: intervals are drawn as a band along the line.
    ``ticks``: what stands under places of ``x`` in place of numbers; no line leads to a point at ``apart``.
    ``loose``: points stand alone, and no line leads from one to the next.
    """

    title: str
    x: str
    y: str
    lines: tuple[Line, ...]
    full: float = 0.0
    stepped: bool = False
    powers: bool = False
    bands: bool = False
    ticks: tuple[tuple[float, str], ...] = ()
    apart: float | None = None
    loose: bool = False


class Heatmap(Shown, Struct, frozen=True):
    """A number for each row and column, the better the darker; ``None`` where there is none.

    ``rows`` and ``columns`` are names, and ``row`` and ``column`` what these are. ``higher_is_better``
    says which numbers are dark.
    """

    title: str
    unit: str
    row: str
    column: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[float | None, ...], ...]
    higher_is_better: bool = True


Chart = Bars | Stacks | Boxes | Lines | Heatmap


class Figure(Struct, frozen=True):
    """Charts under a title. ``caption``: what they show, and which printed figure is like it.

    ``key``: what its files are called, such as ``figure-3``. A figure without charts is not shown.
    """

    key: str
    title: str
    caption: str
    charts: tuple[Chart, ...]
