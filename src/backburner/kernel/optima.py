"""Optima that ship with a world as data: one reader and one writer for the files of all worlds.

Such a file says where its entries come from, and has one entry on each line. What an entry is, is the
world's own: a frozen struct that tells an optimum of one scenario, such as ``{"id": "timearena/lab1",
"minutes": 13, "status": "optimal", "bound": 13}``.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from backburner.kernel.errors import BadFile
from backburner.kernel.files import write_whole

EntryT = TypeVar("EntryT", bound=Struct)


class OptimaFile(Struct, Generic[EntryT], frozen=True):
    """The data file: which commands made it, and its entries."""

    source: str
    optima: tuple[EntryT, ...]


def read_optima(path: Path, kind: type[EntryT]) -> OptimaFile[EntryT]:
    """A file like the shipped one, with entries of this kind; raises ``BadFile``."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=OptimaFile[kind])  # type: ignore[valid-type]
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadFile(path, "", f"no file of optima: {error}") from error


def shipped_optima(package: str, kind: type[EntryT]) -> tuple[EntryT, ...]:
    """The entries of the file ``data/optima.json`` of a world's package."""
    raw = files(package).joinpath("data", "optima.json").read_bytes()
    file: OptimaFile[EntryT] = msgspec.json.decode(raw, type=OptimaFile[kind])  # type: ignore[valid-type]
    return file.optima


def write_entries(path: Path, source: str, entries: Sequence[Any], *, field: str = "optima") -> None:
    """Write ``source``, and under ``field`` the entries; the file is put in its place when it is complete."""
    lines = b",\n ".join(msgspec.json.encode(entry) for entry in entries)
    write_whole(
        path, b'{"source": %b,\n "%b": [\n %b]}\n' % (msgspec.json.encode(source), field.encode(), lines)
    )
