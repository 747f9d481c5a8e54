"""A reader's own images in place of our shapes, as a rendering JSON names them (article, Figure 9).

What the file says about scale and offset belongs to the released window and is not looked at: here an
image fills the place of the shape that it stands for.
"""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, field

from backburner.drawing.svg import Markup, element, joined
from backburner.kernel.errors import BadFile

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

    ``missing`` are the files that are named and not there; our shapes stand in for them.
    """

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
            raw = file.read_bytes()
        except FileNotFoundError:
            self.missing.append(str(file))
            return
        except OSError as error:
            raise BadFile(file, "", error.strerror or str(error)) from error
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
    try:
        raw = msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
    except OSError as error:
        raise BadFile(file, "", error.strerror or str(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadFile(file, "", f"no rendering JSON: {error}") from error
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
