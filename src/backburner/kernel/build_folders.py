"""The folder of a build: scenario files, and an index of what was looked at, from which a build goes on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from backburner.kernel.errors import BadFile, Refused, shorten
from backburner.kernel.files import read_json, write_whole
from backburner.kernel.registry import INDEX


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
    for name, value in new.settings.items():
        was = found.settings[name]
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
    write_whole(out / INDEX, msgspec.json.format(msgspec.json.encode(index), indent=1) + b"\n")
