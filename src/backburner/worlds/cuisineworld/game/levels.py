"""The published levels: which dishes are ordered, and what stands in the kitchen."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct, field


class Level(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Dishes and kinds of location, both in the order of their file.

    The places of a kitchen are named kind and number, counted in this order: ``pot0``, ``pot1``.
    ``interval`` and ``lifetime``, in steps, and ``bodies`` stand in the released file; the article's
    runs set all three anew.
    """

    name: str
    dishes: tuple[str, ...]
    kitchen: tuple[str, ...]
    level_class: str = field(name="class", default="")
    bodies: int = 2
    interval: int = 5
    lifetime: int = 10


class _LevelFile(Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    classes: tuple[str, ...]
    levels: tuple[Level, ...]


@cache
def _level_file() -> _LevelFile:
    raw = files("backburner.worlds.cuisineworld").joinpath("data", "levels.json").read_bytes()
    return msgspec.json.decode(raw, type=_LevelFile)


@cache
def levels() -> dict[str, Level]:
    """The published levels by name, in the order of the file; level 6 was not evaluated."""
    return {level.name: level for level in _level_file().levels}


@cache
def classes() -> dict[str, tuple[str, ...]]:
    """The levels of each class, in the article's order; ``unused`` is none of the article's."""
    return {
        name: tuple(level.name for level in levels().values() if level.level_class == name)
        for name in _level_file().classes
    }


@cache
def evaluated() -> tuple[str, ...]:
    """The twelve levels of the article, class by class."""
    return tuple(level for name, members in classes().items() if name != UNUSED for level in members)


UNUSED = "unused"
