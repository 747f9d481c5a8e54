"""Where in a user's file something stands, and JSON read into structs, with messages that name the place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Self, TypeVar

import msgspec
from msgspec import Struct, structs

from backburner.kernel.errors import BadFile, UnknownName, nearest, shorten

T = TypeVar("T")
P = TypeVar("P", bound="Place")

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Line breaks, and characters that would move a terminal's cursor."""


class Place(Struct, frozen=True):
    """A place in a file, from the outside in: ``recipes[3] 'omelette'``, ``field 'inputs'``."""

    file: str
    parts: tuple[str, ...] = ()

    def at(self, part: str) -> Self:
        """A place within this one."""
        return structs.replace(self, parts=(*self.parts, part))

    def field(self, name: str) -> Self:
        """A field of what stands here."""
        return self.at(f"field {name!r}")

    def entry(self, field: str, index: int, name: Any = None) -> Self:
        """An entry of a list that stands here."""
        told = f" {shorten(name)!r}" if isinstance(name, str) else ""
        return self.at(f"{field}[{index}]{told}")

    def wrong(self, why: str) -> BadFile:
        """The error that something here is wrong."""
        return BadFile(self.file, ", ".join(self.parts), why)

    def unknown(self, kind: str, name: str, known: Iterable[str], why: str = "") -> BadFile:
        """The error that there is nothing of this name, with the nearest names."""
        return self.wrong(f"{UnknownName(kind, name, known)}{f'; {why}' if why else ''}")

    def one_line(self, text: str) -> None:
        """Raises ``BadFile`` for a text that breaks the line, or a terminal."""
        if CONTROL.search(text):
            raise self.wrong(f"{shorten(text)!r} has a line break or another control character")


def converted(raw: Any, type: type[T], place: Place, fields: Iterable[str], named_by: Iterable[str]) -> T:
    """JSON values as a struct; raises ``BadFile`` for the first that does not fit, naming entry and field.

    ``fields``: every field that the file may have anywhere, for the nearest one to an unknown one.
    ``named_by``: fields that an entry of a list is told by, the first that it has.
    """
    try:
        return msgspec.convert(raw, type)
    except msgspec.ValidationError as error:
        why, _, path = str(error).partition(" - at ")
        raise place_of(raw, path, place, named_by).wrong(why + _hint(why, fields)) from error
    except RecursionError as error:
        raise place.wrong("too deeply nested") from error


def place_of(raw: Any, path: str, place: P, named_by: Iterable[str] = ("name",)) -> P:
    """msgspec's ``$.recipes[3].inputs`` as ``recipes[3] 'omelette', field 'inputs'``."""
    field = ""
    for name, index in re.findall(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]", path.strip("`")):
        if name:
            place, field = (place.at(field), name) if field else (place, name)
            raw = raw.get(name) if isinstance(raw, dict) else None
        elif index != "..." and isinstance(raw, list) and int(index) < len(raw):
            raw = raw[int(index)]
            told = next((raw[key] for key in named_by if key in raw), None) if isinstance(raw, dict) else None
            place, field = place.entry(field, int(index), told), ""
    return place.field(field) if field else place


def _hint(why: str, fields: Iterable[str]) -> str:
    """The nearest of all other fields there are, where one is unknown."""
    match = re.search(r"unknown field `(.*)`", why)
    known = nearest(match[1], sorted(set(fields) - {match[1]})) if match else []
    return f"; did you mean {' or '.join(known)}?" if known else ""


def fields_of(*types: type[Struct]) -> set[str]:
    """The names of the fields of these structs."""
    return {field.encode_name for type in types for field in structs.fields(type)}
