"""Reading files of JSON, and writing files whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec

from backburner.kernel.errors import BadFile


def read_json(path: Path) -> Any:
    """What the file holds, as plain values; raises ``BadFile``."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadFile(path, "", error.strerror or str(error)) from error
    except ValueError as error:
        raise BadFile(repr(str(path)), "", f"not a file's name: {error}") from error
    try:
        return msgspec.json.decode(content)
    except (
        ValueError,
        RecursionError,
    ) as error:  # of which DecodeError is one, and a too long number another
        raise BadFile(path, "", f"not JSON: {error}") from error


def write_whole(path: Path, content: bytes) -> None:
    """Write ``content`` to a temporary file beside ``path`` and rename it; nothing half-written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part-{os.getpid()}")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
