"""Simple drawings of what stands in kitchens, chosen by a word in the kind's name.

Each is drawn around (0, 0), about 36 pixels wide. What nobody has drawn is a plain counter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from backburner.drawing import palette
from backburner.drawing.svg import Markup, element, joined

FINE = {"stroke": palette.EDGE, "stroke_width": 1.2, "fill": "none"}


class Shape(NamedTuple):
    """The colour of a place's top, and what is seen on it."""

    fill: str
    sign: Markup


def _circle(x: float, y: float, r: float, **more: object) -> Markup:
    return element("circle", cx=x, cy=y, r=r, **(FINE | more))


def _box(x: float, y: float, width: float, height: float, **more: object) -> Markup:
    return element("rect", x=x, y=y, width=width, height=height, rx=3, **(FINE | more))


def _lines(d: str, **more: object) -> Markup:
    return element("path", d=d, stroke_linecap="round", **(FINE | more))


_BURNERS = joined(
    *(joined(_circle(x, y, 7), _circle(x, y, 3)) for x, y in ((-10, -9), (10, -9), (-10, 9), (10, 9)))
)
_BOARD = joined(
    _box(-17, -12, 34, 24, fill="#f8eedd"),
    _lines("M-9 7L6 -6", stroke_width=2.4),
    _lines("M6 -6L11 -10", stroke_width=4.0),
)
_BASKET = joined(
    _box(-15, -13, 30, 26, fill="#e7d28f"),
    _lines("M-8 -13V13M0 -13V13M8 -13V13M-15 -4H15M-15 5H15"),
    _lines("M15 0H21", stroke_width=3.0),
)
_BASIN = joined(
    _box(-17, -13, 34, 26, fill=palette.BASIN),
    _circle(0, 1, 2.5),
    _lines("M0 -16V-6", stroke_width=3.0),
)
_ROUND = joined(_circle(0, 0, 14, fill="#f1f3f5"), _circle(0, 0, 10), _lines("M14 0H21", stroke_width=3.0))
_OVEN = joined(_box(-16, -14, 32, 28), _box(-11, -5, 22, 14, fill="#f6e3b8"), _lines("M-11 -10H11"))
_CRATE = joined(_box(-15, -13, 30, 26, fill=palette.WOOD), _lines("M-15 -5H15M-15 4H15M-5 -13V13M5 -13V13"))
_HATCH = joined(_lines("M-14 8H14M-11 8A11 12 0 0 1 11 8"), _circle(0, -7, 2, fill=palette.EDGE))
_BLADES = joined(_circle(0, 0, 14, fill="#f1f3f5"), _lines("M-8 -8L8 8M8 -8L-8 8", stroke_width=2.4))
_PLAIN = Markup("")

SHAPES: Mapping[str, Shape] = {
    "stove": Shape(palette.STEEL, _BURNERS),
    "burner": Shape(palette.STEEL, _BURNERS),
    "board": Shape(palette.WOOD, _BOARD),
    "fryer": Shape(palette.STEEL, _BASKET),
    "sink": Shape(palette.STEEL, _BASIN),
    "pan": Shape(palette.COUNTER, _ROUND),
    "pot": Shape(palette.COUNTER, _ROUND),
    "wok": Shape(palette.COUNTER, _ROUND),
    "oven": Shape(palette.STEEL, _OVEN),
    "microwave": Shape(palette.STEEL, _OVEN),
    "steamer": Shape(palette.STEEL, _OVEN),
    "fridge": Shape(palette.STEEL, _OVEN),
    "storage": Shape(palette.COUNTER, _CRATE),
    "dispenser": Shape(palette.COUNTER, _CRATE),
    "serv": Shape(palette.COUNTER, _HATCH),
    "deliver": Shape(palette.COUNTER, _HATCH),
    "blender": Shape(palette.STEEL, _BLADES),
    "mixer": Shape(palette.STEEL, _BLADES),
    "table": Shape(palette.WOOD, _PLAIN),
}
"""The shape of a kind whose name contains the word; the longest word counts."""

OTHER = Shape(palette.COUNTER, _PLAIN)


def shape_of(kind: str) -> Shape:
    """What a place of this kind looks like."""
    words = [word for word in SHAPES if word in kind.lower()]
    return SHAPES[max(words, key=len)] if words else OTHER


def head(facing: tuple[int, int]) -> Markup:
    """Somebody seen from above, about 28 pixels wide: eyes and nose point where it looks."""
    x, y = facing
    nose = (
        element("path", d="M-5 -11L0 -17L5 -11z", fill=palette.HANDS, transform=f"rotate({_turn(facing)})")
        if (x, y) != (0, 0)
        else Markup("")
    )
    eyes = joined(
        *(
            element(
                "circle", cx=4.5 * side * bool(y or not x) + 5 * x, cy=4.5 * side * bool(x) + 5 * y, r=2.2
            )
            for side in (-1, 1)
        )
    )
    return joined(
        nose,
        element("circle", r=12, fill=palette.HANDS),
        element("g", eyes, fill=palette.ON_HANDS),
    )


def _turn(facing: tuple[int, int]) -> int:
    """Degrees clockwise from looking up."""
    x, y = (one and one // abs(one) for one in facing)
    return {(0, -1): 0, (1, -1): 45, (1, 0): 90, (1, 1): 135, (0, 1): 180, (-1, 1): 225, (-1, 0): 270}.get(
        (x, y), 315
    )
