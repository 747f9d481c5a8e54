"""Places in domain and problem files, for messages; JSON read into their structs; files that others name."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self, TypeVar

from backburner.kernel import files
from backburner.kernel.errors import shorten
from backburner.kernel.files import check_regular, read_json

T = TypeVar("T")

LONGEST_NAME, LONGEST_SENTENCE = 100, 1000
"""Characters."""

NAMED = {"action_defs": "action", "predicate_defs": "predicate"}
"""Lists whose entries a message calls by their names alone."""


class Place(files.Place, frozen=True):
    """A place in a file, from the outside in: ``action 'cook'``, ``precons[0]``, ``field 'params'``."""

    def entry(self, field: str, index: int, name: Any = None) -> Self:
        """An entry of a list that stands here."""
        if isinstance(name, str) and field in NAMED:
            return self.at(f"{NAMED[field]} {shorten(name)!r}")
        return super().entry(field, index, name)

    def at_most(self, most: int, given: int, what: str) -> None:
        """Raises ``BadFile`` where more is given than can be read soon."""
        if given > most:
            raise self.wrong(f"{given} {what}; {most} are the most")

    def sentence(self, text: str) -> None:
        """Raises ``BadFile`` for a text that is too long, or that breaks the line or a terminal."""
        self.at_most(LONGEST_SENTENCE, len(text), "characters")
        self.one_line(text)


def converted(raw: Any, type: type[T], place: Place) -> T:
    """JSON values as a struct of ``schema``; raises ``BadFile`` for the first that does not fit."""
    return files.converted(raw, type, place)


def read_part(file: Path, type: type[T]) -> T:
    """What stands in a file that another file names, not checked yet; raises ``BadFile``.

    Somebody else may have named it: what is no regular file, such as a pipe that never ends, is not opened.
    """
    check_regular(file)
    return converted(read_json(file), type, Place(str(file)))


def a(noun: str) -> str:
    """``an item``, ``a station``."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
