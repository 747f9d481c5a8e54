"""Marks on a map, and the ground below them.

Blocks, bodies and whoever else is about are drawn around (0, 0), with the places where their names can stand.
Ground is seen from above: a colour for each kind of block, lighter where it is high, lines where it rises.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple, TypeVar

from backburner.drawing import palette
from backburner.drawing.scene.appearance import SHAPES
from backburner.drawing.scene.pieces import SMALL
from backburner.drawing.svg import Markup, element, joined, rect, shortened, text_at, text_width
from backburner.kernel.errors import one_line
from backburner.kernel.reported import Ground, Other
from backburner.kernel.view import Body, Place

# --- ground ------------------------------------------------------------------------------------------------


K = TypeVar("K")

STEPS = 4
"""Shades of height, up and down."""

DEEPEN = 0.09
"""How much darker or lighter each of them is."""

LIT = "[lit=true]"
"""Behind the kind of a block that burns."""

STRIP = 30.0
"""Height of what stands below: north, scale, source."""

LENGTHS = (50, 20, 10, 5, 2, 1)
"""Of the scale, in columns."""


def plain_kind(kind: str) -> str:
    """The kind without its state."""
    return kind.partition("[")[0]


@lru_cache(maxsize=8)  # one ground lies under many scenes
def terrain(ground: Ground, cell: float) -> Markup:
    """The ground from (0, 0), each column ``cell`` pixels wide."""
    columns = list(ground.columns())
    usual = ground.usual_height()
    kinds = [plain_kind(kind) for kind, _ in columns]
    shades = [max(-STEPS, min(STEPS, height - usual)) if kind else 0 for kind, height in columns]
    parts = [
        element("path", element("title", kind), d=d, fill=palette.block(kind), class_="block")
        for kind, d in _areas(ground.width, kinds)
        if kind
    ]
    # In black and white, which no scheme turns around: what is high is the lighter one in the dark as well.
    parts += [
        element(
            "path", d=d, fill="white" if shade > 0 else "black", fill_opacity=round(DEEPEN * abs(shade), 2)
        )
        for shade, d in _areas(ground.width, shades)
        if shade
    ]
    heights = [height if kind else None for kind, height in columns]
    if edges := "".join(_edges(ground.width, heights)):
        width = round(1 / cell, 3)
        parts.append(
            element("path", d=edges, fill="none", stroke=palette.INK, stroke_width=width, stroke_opacity=0.45)
        )
    return element("g", *parts, transform=f"scale({cell:.3f})", class_="terrain")


def _areas(width: int, values: Sequence[K]) -> Iterator[tuple[K, str]]:
    """(value, path) for all columns of each value, in units of a column: rectangles as tall as they come."""
    paths: dict[K, list[str]] = {}
    open_: dict[tuple[int, int, K], int] = {}  # (first, end, value) of a stretch, and the row it began in
    depth = len(values) // width
    for row in range(depth + 1):
        now = set(_stretches(values[row * width : (row + 1) * width]))
        for stretch in [each for each in open_ if each not in now]:
            first, end, value = stretch
            top = open_.pop(stretch)
            paths.setdefault(value, []).append(f"M{first} {top}h{end - first}v{row - top}h{first - end}z")
        for stretch in now:
            open_.setdefault(stretch, row)
    for value in sorted(paths, key=str):
        yield value, "".join(sorted(paths[value]))


def _stretches(row: Sequence[K]) -> Iterator[tuple[int, int, K]]:
    """(first, end, value) of what is equal side by side."""
    at = 0
    for value, same in groupby(row):
        first, at = at, at + len(list(same))
        yield first, at, value


def _edges(width: int, heights: Sequence[int | None]) -> Iterator[str]:
    """Lines between columns of different height."""
    for place, height in enumerate(heights):
        x, y = place % width, place // width
        if height is None:
            continue
        if x + 1 < width and heights[place + 1] not in (height, None):
            yield f"M{x + 1} {y}v1"
        if place + width < len(heights) and heights[place + width] not in (height, None):
            yield f"M{x} {y + 1}h1"


def strip(ground: Ground, cell: float, width: float) -> Markup:
    """What stands below: where north is, how long ten blocks are or so, where this was seen."""
    length = next((n for n in LENGTHS if n * cell <= width / 3), LENGTHS[-1])
    bar = length * cell
    words = f"{length} block{'s' if length > 1 else ''}"
    told = one_line(ground.source)
    return element(
        "g",
        element("path", d="M5 15V3M1.5 7.5L5 2.5L8.5 7.5", class_="rule"),
        text_at(13, 13, "north", class_="small"),
        element("path", d=f"M52 6v6h{bar:.1f}v-6", class_="rule"),
        text_at(round(57 + bar, 1), 13, words, class_="small"),
        text_at(0, 26, shortened(told, SMALL, width), element("title", told), class_="small"),
        class_="strip",
    )


# --- marks -------------------------------------------------------------------------------------------------


NAME, LONGEST = 10.0, 96.0
"""The size of a mark's name, and its longest width, in pixels."""

FIRE = "burning"
"""A mark of places on which something burns."""

FLAME = "#e8590c"
PERSON = palette.ALONE[4]
LINE = {"stroke": palette.INK, "stroke_width": 0.8}


class Box(NamedTuple):
    """A rectangle in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Whether both have a point in common."""
        apart = self.right <= other.left or other.right <= self.left
        return not (apart or self.bottom <= other.top or other.bottom <= self.top)

    def moved(self, x: float, y: float) -> Box:
        """The rectangle so many pixels to the right and down."""
        return Box(self.left + x, self.top + y, self.right + x, self.bottom + y)

    def within(self, other: Box) -> bool:
        """Whether none of it is outside of the other."""
        sides = self.left >= other.left and self.top >= other.top
        return sides and self.right <= other.right and self.bottom <= other.bottom


def half(cell: float) -> float:
    """Half the width of a mark where cells are so wide."""
    return round(max(4.0, 0.55 * cell), 1)


def around(words: str, spot: tuple[float, float], cell: float, wider: float = 1.0) -> Iterator[Box]:
    """Where the name of a mark can stand: right, left, below, above."""
    x, y = spot
    width, away = wider * text_width(words, NAME), half(cell) + 2
    yield Box(x + away, y - NAME / 2, x + away + width, y + NAME / 2)
    yield Box(x - away - width, y - NAME / 2, x - away, y + NAME / 2)
    yield Box(x - width / 2, y + away - 1, x + width / 2, y + away + NAME - 1)
    yield Box(x - width / 2, y - away - NAME + 1, x + width / 2, y - away + 1)


def named(words: str, spot: tuple[float, float], box: Box, class_: str = "map-name") -> Markup:
    """A name in its box, seen from its mark."""
    x, y = box.left - spot[0], box.bottom - 0.2 * NAME - spot[1]
    return text_at(round(x, 1), round(y, 1), words, class_=class_)


def body_sign(body: Body, cell: float, fill: str) -> Markup:
    """Somebody who acts; persons beside those who are commanded have a colour of their own."""
    fill = PERSON if body.kind == "person" else fill
    return element("circle", r=half(cell), fill=fill, stroke="#ffffff", stroke_width=1.5)


def place_sign(place: Place, cell: float) -> Markup:
    """Blocks and appliances are square, all else is round."""
    kind, size = plain_kind(place.kind), half(cell)
    if not (palette.is_block(kind) or any(word in kind for word in SHAPES)):
        return element("circle", r=size, fill=palette.food(kind), **LINE)
    square = rect(-size, -size, 2 * size, 2 * size, rx=1, fill=palette.block(kind), **LINE)
    burns = FIRE in place.marks or place.kind.endswith(LIT)
    return joined(square, _inner(kind, burns, size))


def _inner(kind: str, burns: bool, size: float) -> Markup:
    """What is seen on a block: the mouth of a furnace and its fire, the lid of a chest."""
    if kind.endswith("furnace"):
        fill, part = FLAME if burns else palette.INK, round(0.5 * size, 1)
        mouth = f"M{-part} {part}v{-part}q{part} {-1.5 * part:.1f} {2 * part} 0v{part}z"
        return element("path", d=mouth, fill=fill, **LINE)
    if kind.endswith("chest"):
        lid = element("path", d=f"M{-size} {-0.2 * size:.1f}h{2 * size}", fill="none", **LINE)
        high = round(0.5 * size, 1)
        lock = rect(-1, -0.6 * high, 2, high, fill=palette.INK)
        return joined(lid, lock)
    return Markup("")


def other_sign(other: Other, cell: float) -> Markup:
    """Somebody who is no body of the world: a person with a name, or what else was about."""
    size = half(cell)
    told = f"{other.name} ({other.kind})" if other.name else other.kind
    fill = PERSON if other.name else palette.food(other.kind)
    diamond = element("path", d=f"M0 {-size}L{size} 0L0 {size}L{-size} 0z", fill=fill, **LINE)
    words = shortened(one_line(other.name), NAME, LONGEST)
    name = [text_at(size + 2, 0.35 * NAME, words, class_="map-name")] if words else []
    return element("g", element("title", one_line(told)), diamond, *name)


STYLE = f"""
.scene .map-name {{ font-size: {NAME}px; paint-order: stroke; stroke: #ffffff; stroke-width: 2.5px;
  stroke-linejoin: round }}
.scene .map-body {{ font-weight: 700 }}
.scene .small {{ font-size: {SMALL}px }}
.scene .rule, .scene .grid {{ fill: none; stroke: {palette.MUTED} }}
.scene .grid {{ stroke: {palette.LINE} }}
.scene .block {{ shape-rendering: crispEdges }}
"""
