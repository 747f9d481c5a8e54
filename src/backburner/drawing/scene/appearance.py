"""What things in a scene look like: a reader's own images, and simple drawings where there are none.

A rendering JSON names the images (article, Figure 9). What the file says about scale and offset belongs to
the released window and is not looked at: here an image fills the place of the shape that it stands for.

Each drawing is chosen by a word in the kind's name, and drawn around (0, 0), about 36 pixels wide. A kind
without a drawing is a plain counter.
"""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterator, Mapping
from math import atan2, degrees
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct, field

from backburner.drawing import palette
from backburner.drawing.svg import Markup, element, joined, rect
from backburner.kernel.errors import BadFile
from backburner.kernel.files import read_json, read_regular
from backburner.kernel.view import Place

# --- a user's own images -----------------------------------------------------------------------------------


MEDIA = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".svg": "image/svg+xml",
}
"""The kinds of image that browsers show, by the ending of the file's name."""

WAYS = {(0, 1): "front", (0, -1): "back", (-1, 0): "left", (1, 0): "right"}
"""What a body's image is called by the way that it looks; who looks downwards faces the reader."""


FLOOR = " floor"
"""The floor among the kinds; no thing is called so."""

T = TypeVar("T")


class _State(Struct):
    """An image for a thing of which these predicates hold."""

    asset: str
    predicates: tuple[str, ...] = ()


class _Entity(Struct):
    assets: dict[str, str | _State] = field(default_factory=dict)


class _Group(Struct):
    entities: dict[str, _Entity] = field(default_factory=dict)


class Images:
    """Images by kind and state; a picture holds each of them once, however often it is used.

    ``missing`` are the files that are named and not there; our shapes stand in for them. ``swatch``: how wide
    the image of a thing is beside its name, in pixels.
    """

    swatch = 12.0

    def __init__(self) -> None:
        self.missing: list[str] = []
        self._states: dict[str, list[tuple[frozenset[str], str]]] = {}
        self._data: dict[str, str] = {}

    def add(self, kind: str, predicates: Collection[str], file: Path) -> None:
        """An image for things of a kind of which these predicates hold.

        Raises ``BadFile`` for a file that is there and is no image.
        """
        if file.suffix.lower() not in MEDIA:
            raise BadFile(file, "", f"no image that browsers show: its name ends in {', '.join(MEDIA)}")
        try:
            there = file.exists()
        except (OSError, ValueError):  # a name that no file can have
            there = False
        if not there:
            self.missing.append(str(file))
            return
        raw = read_regular(file)
        data = f"data:{MEDIA[file.suffix.lower()]};base64,{base64.b64encode(raw).decode()}"
        key = self._data.setdefault(data, f"bb-image-{len(self._data)}")
        self._states.setdefault(kind, []).append((frozenset(predicates), key))

    def use(
        self, kind: str, marks: Collection[str], width: float, height: float | None = None
    ) -> Markup | None:
        """The image of the state with the most predicates that hold, in pixels; without ``height`` a square.

        A predicate such as ``iscut`` holds if ``marks`` has ``iscut`` or ``cut``.
        """
        holds = {*marks, *(f"is{mark}" for mark in marks)}
        fitting = [(len(needs), key) for needs, key in self._states.get(kind, ()) if needs <= holds]
        if not fitting:
            return None
        return element("use", href=f"#{max(fitting)[1]}", width=width, height=height or width)

    def place(self, place: Place, size: float) -> Markup | None:
        """The image of a place as it is."""
        return self.use(place.kind, (*place.marks, *place.traits), size)

    def body(self, kind: str, facing: tuple[int, int], size: float) -> Markup | None:
        """The image of a body that looks this way."""
        return self.use(kind, (WAYS.get(facing, "front"),), size)

    def definitions(self) -> Markup:
        """What ``use`` refers to, for the ``defs`` of a picture."""
        return joined(
            *(
                element(
                    "symbol",
                    element("image", href=data, width=1, height=1),
                    id=key,
                    viewBox="0 0 1 1",
                    preserveAspectRatio="none",
                )
                for data, key in self._data.items()
            )
        )


NONE = Images()
"""No image at all."""


def read_rendering(file: Path) -> Images:
    """The images that a rendering JSON names, looked for in its own folder.

    Raises ``BadFile`` naming the entry that is wrong.
    """
    raw = read_json(file, dict[str, Any], "a rendering JSON")
    images = Images()
    for kind, predicates, name in _entries(file, raw):
        images.add(kind, predicates, file.parent / name)
    return images


def _entries(file: Path, raw: dict[str, Any]) -> Iterator[tuple[str, Collection[str], str]]:
    """(kind, predicates, name of the image) of each entry."""
    floor = _converted(file, "floor", raw.get("floor", ""), str)
    if floor:
        yield FLOOR, (), floor
    for kind, ways in _converted(file, "player", raw.get("player", {}), dict[str, dict[str, str]]).items():
        yield from ((kind, (way,), name) for way, name in ways.items())
    for group, value in raw.items():
        if group in ("floor", "player") or not isinstance(value, dict) or "entities" not in value:
            continue
        for kind, entity in _converted(file, group, value, _Group).entities.items():
            for asset in entity.assets.values():
                state = _State(asset) if isinstance(asset, str) else asset
                yield kind, state.predicates, state.asset


def _converted(file: Path, entry: str, raw: Any, type: type[T]) -> T:
    try:
        return msgspec.convert(raw, type)
    except msgspec.ValidationError as error:
        raise BadFile(file, f"entry {entry!r}", str(error)) from error


# --- shapes ------------------------------------------------------------------------------------------------


FINE = {"stroke": palette.EDGE, "stroke_width": 1.2, "fill": "none"}


class Shape(NamedTuple):
    """The colour of a place's top, and what is seen on it."""

    fill: str
    sign: Markup


def _circle(x: float, y: float, r: float, **more: object) -> Markup:
    return element("circle", cx=x, cy=y, r=r, **(FINE | more))


def _box(x: float, y: float, width: float, height: float, **more: object) -> Markup:
    return rect(x, y, width, height, rx=3, **FINE | more)


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


def head(facing: tuple[int, int], fill: str) -> Markup:
    """Somebody seen from above, about 28 pixels wide: eyes and nose point where it looks."""
    x, y = facing
    nose = (
        element("path", d="M-5 -11L0 -17L5 -11z", fill=fill, transform=f"rotate({_turn(facing)})")
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
        element("circle", r=12, fill=fill),
        element("g", eyes, fill=palette.ON_HANDS),
    )


def _turn(facing: tuple[int, int]) -> int:
    """Degrees clockwise from looking up."""
    x, y = (step and step // abs(step) for step in facing)
    return round(degrees(atan2(x, -y))) % 360
