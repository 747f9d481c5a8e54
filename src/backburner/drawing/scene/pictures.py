"""The pictures of things: which one a thing of a kind has, by the words in its name, and how it is drawn.

The file ``data/pictures.json`` has the pictures, for these drawings and for the pages of games, whose
``web/src/scene/pictures.tsx`` follows the same rules. A picture is a list of paths in a square of 24, each
with its paint: filled and drawn around, with ``~`` filled alone, with ``/`` a line alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from backburner.drawing.scene.appearance import NONE, Images
from backburner.drawing.svg import Markup, element, joined
from backburner.kernel.files import shipped
from backburner.kernel.view import Place

SIDE = 24
"""Of the square in which pictures are drawn."""

SHORT = 4
"""Longer words are found inside others too: ``tomato`` in ``cherrytomatoes``."""


class Pictures(Struct, frozen=True):
    """``words``: the picture of what a word names, and of foods how they are inside and outside.

    ``states``: words and marks that give a food another shape, or put something ``over`` it. ``cooked``: what
    paints become. ``creatures``: those who are called as their meat.
    """

    source: str
    paints: dict[str, str]
    pictures: dict[str, tuple[str, ...]]
    words: dict[str, tuple[str, str, str]]
    states: dict[str, str]
    over: dict[str, str]
    cooked: dict[str, str]
    creatures: dict[str, str]


PICTURES = shipped("backburner.drawing", "pictures", Pictures)
FOODS = tuple(word for word, (_, flesh, _) in PICTURES.words.items() if flesh)


class Drawn(NamedTuple):
    """A picture, what it is inside and outside, and what has become of it."""

    picture: str
    flesh: str
    skin: str
    states: tuple[str, ...]


def said(text: str) -> str:
    """The words of a name, each with a blank before it."""
    parted = re.sub("([a-z])([A-Z])", r"\1 \2", text).lower()
    return " " + re.sub("[^a-z0-9]+", " ", parted)


def last_of(words: Iterable[str], text: str) -> str:
    """Of the words that stand in what is said, the one that ends last; of several the longest."""
    found, most = "", (-1, 0)
    for word in words:
        sought = word if len(word) > SHORT else f" {word}"
        at = text.rfind(sought)
        if at >= 0 and (at + len(sought), len(word)) > most:
            found, most = word, (at + len(sought), len(word))
    return found


@lru_cache(maxsize=1 << 12)
def picture_of(kind: str, marks: tuple[str, ...] = (), creature: bool = False) -> Drawn | None:
    """What is drawn of a kind with these marks, if there is a picture."""
    text = said(kind)
    word = last_of(PICTURES.words, text)
    own = PICTURES.words[word][0] if word else ""
    own = PICTURES.creatures.get(text.strip(), own) if creature else own
    if not own:
        return None
    food = last_of(FOODS, text)
    _, flesh, skin = PICTURES.words[food] if food else ("", "", "")
    told = "".join(map(said, (kind, *marks))) + " "
    states = [state for name, state in PICTURES.states.items() if f" {name} " in told]
    shapes = [state for state in states if state in PICTURES.pictures and food == word]
    over = dict.fromkeys(state for state in states if state in PICTURES.over)
    return Drawn((*shapes, own)[0], flesh, skin, tuple(over))


# --- drawn -------------------------------------------------------------------------------------------------


AS_THEY_ARE = ("ink", "dim", "shine")
"""The paints that are the same on what has burned."""

HUE = "rgb(47,102,144)"
"""Of bodies: the palette's hands, which no scheme turns around."""

AREA = {"stroke": PICTURES.paints["ink"], "stroke_width": 1.1, "stroke_linejoin": "round"}
LINE = {"fill": "none", "stroke_width": 1.3, "stroke_linecap": "round", "stroke_linejoin": "round"}


class Illustrated(Images):
    """A reader's own images, and our pictures of whatever has none of them; each is on a page once."""

    swatch = 15.0

    def __init__(self, own: Images = NONE) -> None:
        super().__init__()
        self._own = own
        self._used: dict[Drawn, str] = {}

    def use(
        self, kind: str, marks: Collection[str], width: float, height: float | None = None
    ) -> Markup | None:
        """The reader's image, or else our picture."""
        own = self._own.use(kind, marks, width, height)
        return own or self._ours(picture_of(kind, tuple(marks)), width)

    def place(self, place: Place, size: float) -> Markup | None:
        """The image of a place; animals stand about as places do."""
        kind = f"lit {place.kind}" if "burning" in place.marks else place.kind
        return self._own.place(place, size) or self._ours(picture_of(kind, creature=True), size)

    def body(self, kind: str, facing: tuple[int, int], size: float) -> Markup | None:
        """The image of a body that looks this way."""
        way = "side" if facing[0] else "back" if facing[1] < 0 else "front"
        name = "person" if kind == "person" else f"{'robot' if 'robot' in kind else 'cook'} {way}"
        ours = self._ours(Drawn(name, "", "", ()), size)
        if ours and facing[0] < 0:
            ours = element("g", ours, transform=f"translate({size} 0) scale(-1 1)")
        return self._own.body(kind, facing, size) or ours

    def definitions(self) -> Markup:
        """What has been used until now."""
        pictures = (symbol(key, picture) for picture, key in self._used.items())
        return joined(self._own.definitions(), *pictures)

    def _ours(self, found: Drawn | None, size: float) -> Markup | None:
        if found is None:
            return None
        key = self._used.setdefault(found, f"bb-picture-{len(self._used)}")
        return element("use", href=f"#{key}", width=size, height=size)


def symbol(key: str, picture: Drawn) -> Markup:
    """A picture to be used by this name."""
    over = (part for state in picture.states for part in PICTURES.pictures[PICTURES.over[state]])
    parts = [_part(part, _paint(part, picture)) for part in PICTURES.pictures[picture.picture]]
    parts += [_part(part, PICTURES.paints[_name(part)]) for part in over]
    return element("symbol", *parts, id=key, viewBox=f"0 0 {SIDE} {SIDE}")


def _name(part: str) -> str:
    return part.partition(" ")[0].lstrip("~/")


def _paint(part: str, picture: Drawn) -> str:
    name = _name(part)
    foods = {
        "@flesh": picture.flesh or "orange",
        "@skin": picture.skin or "rust",
        "@raw": picture.flesh or "raw",
    }
    own = foods.get(name, name)
    if "hot" in picture.states:
        own = PICTURES.cooked.get(own, own)
    if "burnt" in picture.states and own not in AS_THEY_ARE:
        own = "char"
    return HUE if own == "hue" else PICTURES.paints[own]


def _part(part: str, paint: str) -> Markup:
    path = part.partition(" ")[2]
    if part[0] == "/":
        return element("path", d=path, stroke=paint, **LINE)
    return element("path", d=path, fill=paint, **({} if part[0] == "~" else AREA))
