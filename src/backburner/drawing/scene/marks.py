"""Marks on a map, drawn around (0, 0): blocks, bodies, whoever else is about; where their names can stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from backburner.drawing import palette
from backburner.drawing.scene.appearance import SHAPES
from backburner.drawing.scene.pieces import SMALL
from backburner.drawing.scene.terrain import LIT, plain_kind
from backburner.drawing.svg import Markup, element, joined, shortened, text_width
from backburner.kernel.errors import one_line
from backburner.kernel.reported import Other
from backburner.kernel.view import Body, Place

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
    return element("text", words, x=round(x, 1), y=round(y, 1), class_=class_)


def body_sign(body: Body, cell: float) -> Markup:
    """Somebody who acts; persons beside those who are commanded have a colour of their own."""
    fill = PERSON if body.kind == "person" else palette.HANDS
    return element("circle", r=half(cell), fill=fill, stroke="#ffffff", stroke_width=1.5)


def place_sign(place: Place, cell: float) -> Markup:
    """Blocks and appliances are square, all else is round."""
    kind, size = plain_kind(place.kind), half(cell)
    if not (palette.is_block(kind) or any(word in kind for word in SHAPES)):
        return element("circle", r=size, fill=palette.food(kind), **LINE)
    square = element(
        "rect", x=-size, y=-size, width=2 * size, height=2 * size, rx=1, fill=palette.block(kind), **LINE
    )
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
        lock = element("rect", x=-1, y=-0.6 * high, width=2, height=high, fill=palette.INK)
        return joined(lid, lock)
    return Markup("")


def other_sign(other: Other, cell: float) -> Markup:
    """Somebody who is no body of the world: a person with a name, or what else was about."""
    size = half(cell)
    told = f"{other.name} ({other.kind})" if other.name else other.kind
    fill = PERSON if other.name else palette.food(other.kind)
    diamond = element("path", d=f"M0 {-size}L{size} 0L0 {size}L{-size} 0z", fill=fill, **LINE)
    words = shortened(one_line(other.name), NAME, LONGEST)
    name = [element("text", words, x=size + 2, y=0.35 * NAME, class_="map-name")] if words else []
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
