"""Scenes to draw, and readers of what was drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree as ET

from hypothesis import strategies as st

from backburner.drawing.scene.pieces import BOLD, NAME, SMALL, WIDER
from backburner.drawing.svg import text_width
from backburner.kernel.view import Body, Place, Progress, Scene, Thing
from drawing.samples import SVG, parsed, words

SMALL_CLASSES = ("mark", "says", "bar-label")


def kitchen() -> Scene:
    """A patty half cooked, a soup in a pot, a burger, an order beside, two cooks on one cell."""
    cooking = (Progress("cook", 2, 4),)
    soup = Thing("water1", "water", ("boiling",), inside=(Thing("tomato1", "tomato", ("cut",)),))
    burger = tuple(Thing(f"{kind}1", kind) for kind in ("bottombun", "cheese", "topbun"))
    return Scene(
        4,
        3,
        (
            Place("stove1", "stove", (0, 0), stack=(Thing("patty1", "patty", (), ("cookable",), cooking),)),
            Place("stove2", "stove", (1, 0), stack=(Thing("pot1", "pot", inside=(soup,)),)),
            Place("table1", "table", (3, 2), stack=burger),
            Place("oven1", "oven", (3, 0), progress=(Progress("bake", 1, 8, paused=True),)),
        ),
        (
            Body("robot1", "robot", (0, 1), (0, -1), "stove1", says="The patty needs two more steps"),
            Body("robot2", "robot", (0, 1), (1, 0), "", (Thing("plate1", "plate"),)),
            Body("robot3", "robot", None),
        ),
        (Thing("order1", "order", ("late",)),),
        "Make a burger & a <soup>",
    )


class Box(NamedTuple):
    """A text or a chip as it was drawn."""

    what: str
    class_: str
    x: float
    y: float
    width: float
    height: float

    def meets(self, other: Box) -> bool:
        """Whether the two cover a common area (rounding aside)."""
        slack = 0.6
        return (
            self.x + slack < other.x + other.width
            and other.x + slack < self.x + self.width
            and self.y + slack < other.y + other.height
            and other.y + slack < self.y + self.height
        )

    def within(self, width: float, height: float) -> bool:
        return (
            self.x >= -0.1
            and self.y >= -0.1
            and self.x + self.width <= width + 0.1
            and self.y + self.height <= height + 0.1
        )


def size(svg: str) -> tuple[float, float]:
    root = parsed(svg)
    return float(root.get("width", "0")), float(root.get("height", "0"))


def texts(svg: str) -> list[Box]:
    """The written words, with about the room that they take."""
    found = []
    for element, x, y in _placed(parsed(svg), 0.0, 0.0):
        if element.tag == f"{SVG}text" and element.text:
            class_ = element.get("class", "")
            letters = SMALL if class_ in SMALL_CLASSES else 13.0 if class_ == "caption" else NAME
            wide = text_width(element.text, letters) * (WIDER if class_ in BOLD else 1)
            left = x + float(element.get("x", "0")) - (wide / 2 if class_ == "bar-label" else 0)
            top = y + float(element.get("y", "0")) - 0.75 * letters
            found.append(Box(element.text, class_, left, top, wide, 0.9 * letters))
    return found


def tops(svg: str) -> dict[str, float]:
    """The upper edge of each chip, by the name that stands on it."""
    found = {}
    for element, _, y in _placed(parsed(svg), 0.0, 0.0):
        if element.get("class") == "thing":
            found[element.findtext(f"{SVG}title", "").splitlines()[0]] = y
    return found


def _placed(element: ET.Element, x: float, y: float) -> Iterator[tuple[ET.Element, float, float]]:
    """Every element with the corner from which it is drawn."""
    move = re.fullmatch(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
    if move:
        x, y = x + float(move[1]), y + float(move[2])
    yield element, x, y
    for child in element:
        yield from _placed(child, x, y)


progress = st.builds(
    lambda label, done, more, paused: Progress(label, done, done + more, paused),
    words,
    st.integers(0, 30),
    st.integers(0, 30),
    st.booleans(),
)
few_words = st.lists(words, max_size=3).map(tuple)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    """Any scene that fits its grid; every name is used once, whatever is in it."""
    names = (f"{draw(words)}{number}" for number in range(10_000))
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    cells = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    kinds = st.sampled_from(["stove", "table", "Ofen", "patty", "board", "<b>"]) | words

    def things(depth: int) -> tuple[Thing, ...]:
        return tuple(
            Thing(
                next(names),
                draw(kinds),
                draw(few_words),
                draw(few_words),
                tuple(draw(st.lists(progress, max_size=1))),
                things(depth - 1) if depth else (),
            )
            for _ in range(draw(st.integers(0, 2)))
        )

    places = tuple(
        Place(
            next(names),
            draw(kinds),
            at,
            draw(few_words),
            (),
            things(2),
            tuple(draw(st.lists(progress, max_size=2))),
        )
        for at in draw(st.lists(cells, max_size=5, unique=True))
    )
    ways = st.sampled_from([(0, 0), (0, 1), (0, -1), (1, 0), (-1, 0), (-1, -1)])
    bodies = tuple(
        Body(
            next(names),
            "cook",
            draw(st.none() | cells),
            draw(ways),
            draw(words),
            things(1),
            draw(few_words),
            tuple(draw(st.lists(progress, max_size=1))),
            draw(words),
        )
        for _ in range(draw(st.integers(0, 3)))
    )
    return Scene(width, height, places, bodies, things(1), draw(st.text(max_size=300)))
