"""The pages' files: a fixed list, read once. Nothing is found by a path that somebody sends.

Each is told by the digest of its content, so that a browser asks for it again only to learn that it is the
same.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from msgspec import Struct

from backburner.kernel.errors import Refused

TYPES: Mapping[str, str] = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
"""What may be among the pages' files, and how browsers are told what it is."""

INDEX = "index.html"

LEAST_TO_PRESS = 1000
"""Bytes from which on a file is sent compressed."""


class Page(Struct, frozen=True):
    """A file as it is sent; ``pressed``: compressed, empty where that is not worth it."""

    content: bytes
    pressed: bytes
    type: str
    etag: str

    def headers(self, accepts: str) -> dict[str, str]:
        """The headers of an answer with this file."""
        told = {
            "content-type": self.type,
            "etag": self.etag,
            "cache-control": "no-cache",
            "vary": "accept-encoding",
        }
        return {**told, "content-encoding": "gzip"} if self._presses(accepts) else told

    def body(self, accepts: str) -> bytes:
        """What is sent to a browser that takes these encodings."""
        return self.pressed if self._presses(accepts) else self.content

    def _presses(self, accepts: str) -> bool:
        return bool(self.pressed) and "gzip" in accepts


@cache
def pages() -> Mapping[str, Page]:
    """The files by name; raises ``Refused`` where they are missing."""
    found: dict[str, Page] = {}
    folder = files("backburner.serve") / "assets"
    for file in folder.iterdir() if folder.is_dir() else ():
        suffix = f".{file.name.rpartition('.')[2]}"
        if file.is_file() and suffix in TYPES:
            found[file.name] = _page(file.read_bytes(), TYPES[suffix])
    if INDEX not in found:
        raise Refused("the pages are missing from this installation; in a clone, make web builds them")
    return found


def _page(content: bytes, type: str) -> Page:
    pressed = gzip.compress(content, mtime=0) if len(content) >= LEAST_TO_PRESS else b""
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    return Page(content, pressed if len(pressed) < len(content) else b"", type, etag)
