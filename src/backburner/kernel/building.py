"""Building new scenarios: what a world's pack says of it, and the folder of a build.

In the folder are scenario files, and an index of what was looked at, from which a build goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Struct

from backburner.kernel.errors import BadFile, Refused, shorten
from backburner.kernel.files import read_json, write_whole
from backburner.kernel.pack import Argument
from backburner.kernel.registry import INDEX
from backburner.kernel.values import indented_json


class Built(Struct, frozen=True):
    """What a build has come to: ``index``, the whole as JSON; and in words, for a person.

    ``columns`` and ``rows`` are a table of what is kept, ``lines`` what stands below it, ``remarks`` what
    should be known besides. ``missing`` says that there is less than was asked for, and what to do.
    """

    index: Any
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[object]] = ()
    lines: Sequence[str] = ()
    remarks: Sequence[str] = ()
    missing: str = ""


SEALED = "sealed"
"""The option that says that a build's seed comes from a secret: it may keep what is of the sealed split.
And the edition of the headline that is over such suites."""


CLUSTER, WORKERS = "cluster", "workers"
"""The options that say what a build runs on, which decide nothing of what is built: a cluster, of which a
command that has connected to it hands the builder its ``Workers``; and how many processes."""


class Standing(Struct, frozen=True):
    """How far a build is: ``kept`` of ``wanted`` are there, after ``attempts`` of ``most``.

    ``proven``: the share of those whose best was looked for of which it is proven. ``file``: what was kept
    just now.
    """

    kept: int
    wanted: int
    attempts: int
    most: int
    proven: float | None = None
    file: str = ""


Progress = Callable[[Standing], None]
"""Hears how far a build is after each attempt, and of each file that is kept."""


class Builder(Struct, frozen=True):
    """Makes new scenarios of a world. ``help`` says how in a few sentences, ``things`` what is looked at,
    such as ``kitchens``.

    ``build(out, options, progress)`` writes into the folder ``out``; ``options`` has a value for each of the
    ``arguments`` that is said or has a default. It raises ``BackburnerError``s.
    """

    help: str
    things: str
    arguments: tuple[Argument, ...]
    build: Callable[[Path, Mapping[str, Any], Progress], Built]


class Index(Protocol):
    """What a build has come to so far."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """What decides about the scenarios; a folder holds those of one choice of settings."""


IndexT = TypeVar("IndexT", bound=Index)


def begun(out: Path, new: IndexT) -> IndexT:
    """The index of the build that was begun in this folder with the same settings, else ``new``.

    Raises ``Refused`` if the folder holds anything else, or what was built with other settings.
    """
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return new
    found = _read(out, type(new))
    for name in dict.fromkeys((*new.settings, *found.settings)):
        was, value = found.settings.get(name), new.settings.get(name)
        if was != value:
            raise Refused(
                f"{out} was built with another {name.replace('_', ' ')}: {_told(was)}, not {_told(value)}; "
                "name another folder"
            )
    return found


def _read(out: Path, kind: type[IndexT]) -> IndexT:
    try:
        return msgspec.convert(read_json(out / INDEX), kind)
    except (BadFile, msgspec.ValidationError) as error:
        hint = f"{out} is in use; name a folder that is empty or new, or one that was built so"
        raise Refused(hint) from error


def _told(value: Any) -> str:
    return "none" if value is None else shorten(str(value))


def write_index(out: Path, index: Index) -> None:
    """Put the index into its place, whole."""
    write_whole(out / INDEX, indented_json(index))
