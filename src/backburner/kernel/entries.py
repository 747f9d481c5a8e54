"""Data files that ship: where their entries come from, and the entries, one on each line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from backburner.kernel.files import write_whole


def write_entries(path: Path, source: str, field: str, entries: Sequence[Any]) -> None:
    """Write ``source`` and under ``field`` the entries; the file is put in its place when it is complete."""
    lines = b",\n ".join(msgspec.json.encode(entry) for entry in entries)
    write_whole(
        path, b'{"source": %b,\n "%b": [\n %b]}\n' % (msgspec.json.encode(source), field.encode(), lines)
    )
