"""The pictures and videos that a study's texts show: files that stand beside the study's own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path

from msgspec import Struct

from backburner.kernel.files import Place, read_regular
from backburner.study.design import Study
from backburner.study.prose import VIDEOS, blocks_of

MOST_PICTURE_BYTES, MOST_VIDEO_BYTES = 1 << 23, 1 << 26

TYPES: Mapping[str, tuple[str, int, bytes]] = {
    ".png": ("image/png", 0, b"\x89PNG\r\n"),
    ".jpg": ("image/jpeg", 0, b"\xff\xd8\xff"),
    ".jpeg": ("image/jpeg", 0, b"\xff\xd8\xff"),
    ".webp": ("image/webp", 8, b"WEBP"),
    ".gif": ("image/gif", 0, b"GIF8"),
    ".mp4": ("video/mp4", 4, b"ftyp"),
    ".webm": ("video/webm", 0, b"\x1a\x45\xdf\xa3"),
}
"""Ending to the type that browsers are told, and the mark of such a file with its place in it."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")


class Media(Struct, frozen=True):
    """A file that a study shows: where it is, its type for browsers, and its digest."""

    path: Path
    type: str
    digest: str


def media_of(study: Study, folder: Path, place: Place) -> dict[str, Media]:
    """Everything that a study's texts show, by name; raises ``BadFile`` for what cannot be shown."""
    found: dict[str, Media] = {}
    for name, shows, where in _shown(study, place):
        if not shows:
            raise where.wrong(f"say what {name} shows, for those who do not see it: ![what it shows]({name})")
        if name not in found:
            found[name] = _read(name, folder, where)
    return found


def _shown(study: Study, place: Place) -> Iterator[tuple[str, str, Place]]:
    for language, texts in study.texts.items():
        for key, text in texts.items():
            for block in blocks_of(text):
                if block.source:
                    yield block.source, block.lines[0][0].text, place.at("texts").at(language).field(key)


def _read(name: str, folder: Path, where: Place) -> Media:
    ending = Path(name).suffix.lower()
    if not _NAME.fullmatch(name) or ending not in TYPES:
        raise where.wrong(f"{name[:100]!r} is no file beside the study's that ends in {', '.join(TYPES)}")
    path = folder / name
    if not path.exists():
        known = [each.name for each in folder.iterdir() if each.suffix.lower() in TYPES]
        raise where.unknown("picture or video", name, sorted(known))
    content = read_regular(path, MOST_VIDEO_BYTES if ending in VIDEOS else MOST_PICTURE_BYTES)
    kind, begins, mark = TYPES[ending]
    if not content[begins:].startswith(mark):
        raise where.wrong(f"{name} is not of its ending's type, {kind}")
    return Media(path, kind, blake2b(content, digest_size=32).hexdigest())
