"""What lies in folders of builds and of records, to be compared byte for byte."""

from __future__ import annotations

import json
from pathlib import Path

from backburner.evaluation.records import records
from backburner.kernel.chain import parted


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, by its path in it."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def recorded(folder: Path) -> dict[str, bytes]:
    """The records of a folder, by their paths in it; whatever else lies there is left out."""
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in records(folder)}


def untimed_records(folder: Path) -> dict[str, list[bytes]]:
    """The lines of each record, without what they say was spent in seconds."""
    return {name: list(map(untimed, content.splitlines())) for name, content in recorded(folder).items()}


def untimed(line: bytes) -> bytes:
    """Without the chain as well, which tells of what was spent."""
    line = parted(line).body
    read = json.loads(line)
    for usage in read.get("spent", {}).values():
        usage.pop("seconds", None)
    return json.dumps(read).encode() if "spent" in read else line
