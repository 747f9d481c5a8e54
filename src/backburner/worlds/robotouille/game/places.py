"""Where in a file something stands, for messages; JSON read into structs with its mistakes told so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec
from msgspec import Struct, structs

from backburner.kernel import places
from backburner.kernel.errors import BadFile, UnknownName, nearest, shorten
from backburner.worlds.robotouille.game import schema

T = TypeVar("T")

NAMED = {"action_defs": "action", "predicate_defs": "predicate"}
"""Lists whose entries are told by their names alone."""

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Line breaks, and what would move a terminal's cursor."""


class Place(places.Place, frozen=True):
    """A place in a file, from the outside in: ``action 'cook'``, ``precons[0]``, ``field 'params'``."""

    def entry(self, field: str, index: int, name: Any = None) -> Self:
        """An entry of a list that stands here."""
        if isinstance(name, str) and field in NAMED:
            return self.at(f"{NAMED[field]} {shorten(name)!r}")
        return super().entry(field, index, name)

    def unknown(self, kind: str, name: str, known: Iterable[str], why: str = "") -> BadFile:
        """The error that there is nothing of this name, with the nearest names."""
        return self.wrong(f"{UnknownName(kind, name, known)}{f'; {why}' if why else ''}")

    def one_line(self, text: str) -> None:
        """Raises ``BadFile`` for a text that breaks the line, or a terminal."""
        if CONTROL.search(text):
            raise self.wrong(f"{shorten(text)!r} has a line break or another control character")


def read_json(file: Path) -> Any:
    """What a JSON file holds; raises ``BadFile``."""
    try:
        return msgspec.json.decode(file.read_bytes())
    except OSError as error:
        raise BadFile(file, "", error.strerror or str(error)) from error
    except (ValueError, RecursionError) as error:  # among them what is no UTF-8, and a huge number
        raise BadFile(file, "", f"not JSON: {error}") from error


def converted(raw: Any, type: type[T], place: Place) -> T:
    """JSON values as a struct; raises ``BadFile`` for the first that does not fit, naming entry and field."""
    try:
        return msgspec.convert(raw, type)
    except msgspec.ValidationError as error:
        why, _, path = str(error).partition(" - at ")
        raise places.place_of(raw, path, place).wrong(why + _hint(why)) from error
    except RecursionError as error:
        raise place.wrong("too deeply nested") from error


def _hint(why: str) -> str:
    """The nearest of all fields there are, where one is unknown."""
    match = re.search(r"unknown field `(.*)`", why)
    fields = set(_fields())
    known = nearest(match[1], sorted(fields)) if match and match[1] not in fields else []
    return f"; did you mean {' or '.join(known)}?" if known else ""


def _fields() -> Iterator[str]:
    for one in vars(schema).values():
        if isinstance(one, type) and issubclass(one, Struct):
            yield from (field.encode_name for field in structs.fields(one))


def a(noun: str) -> str:
    """``an item``, ``a station``."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
