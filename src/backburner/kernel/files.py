"""Reading files of JSON, and writing files whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

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
    """Write ``content`` to ``path``: a regular file has all of it or is left as it was.

    A link stays, and what it points to is written. What is there and is no regular file (a device, a pipe,
    ``/dev/stdout``) is written to and never replaced. Folders on the way are made. Raises ``BadFile`` where
    no file can be.
    """
    check_destination(path)
    try:
        stream = _stream_behind(path)
        if stream is not None:
            with stream:
                stream.write(content)
            return
        _replace(Path(os.path.realpath(path)), content)
    except BrokenPipeError:  # whoever read has seen enough
        raise
    except OSError as error:
        raise BadFile(path, "", error.strerror or str(error)) from error


def check_destination(path: Path) -> None:
    """Raise ``BadFile`` if ``path`` is a folder, or if a file stands where a folder on its way should be.

    For those who work for long before they write.
    """
    try:
        if path.is_dir():
            raise BadFile(path, "", "is a folder; name a file in it")
        parent = next(folder for folder in Path(os.path.realpath(path)).parents if folder.exists())
    except (OSError, ValueError) as error:
        raise BadFile(repr(str(path)), "", f"not a file's name: {error}") from error
    if not parent.is_dir():
        raise BadFile(path, "", f"{parent} is a file, not a folder")


def _replace(file: Path, content: bytes) -> None:
    """Write a temporary file beside ``file`` and rename it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.part-{os.getpid()}")
    try:
        part.write_bytes(content)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def _stream_behind(path: Path) -> BinaryIO | None:
    """What a path that leads to no regular file leads to, open for writing; ``None`` for regular files.

    A stream of this process (``/dev/stdout`` is a link to ``/proc/self/fd/1``) goes on where it is: opened
    anew, a file that a shell redirected it to would be written from its beginning.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return None
    for link in _links(path):
        if link.name.isdecimal() and os.path.realpath(link.parent) == os.path.realpath("/proc/self/fd"):
            return os.fdopen(os.dup(int(link.name)), "wb")
    return None if stat.S_ISREG(mode) else path.open("wb")


def _links(path: Path) -> Iterator[Path]:
    """The links that a path leads over to something that is there, one after the other, itself first."""
    while path.is_symlink():
        yield path
        path = path.parent / path.readlink()
