"""A submission: a plain folder with one agent's records, and a manifest of what they are said to show.

    submission.json       the manifest: who, settings, versions, costs, figures, and every file's digest
    records/WORLD/...     episode records, one for each scenario and seed

Whoever reads one trusts nothing in it. Sizes are bounded, no link is followed, no path leads out of the
folder, and no text of it can command a terminal or a page.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from backburner.evaluation.scoring.usage import Prices
from backburner.kernel.chain import MOST_BYTES as MOST_RECORD_BYTES
from backburner.kernel.errors import BadFile, shorten
from backburner.kernel.files import Place, converted, read_json, write_whole
from backburner.kernel.values import canonical_json, indented_json

MANIFEST, RECORDS = "submission.json", "records"

FORMAT = 1

MOST_FILES = 50_000

MOST_BYTES = 8 << 30
"""Of all records together."""

Line = Annotated[str, Meta(max_length=200)]
Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
LINK = r"^https?://[^\s<>\"'`\\]+\Z"
Link = Annotated[str, Meta(max_length=500, pattern=LINK)]


class About(Struct, frozen=True, forbid_unknown_fields=True):
    """Who submits, in their own words: one-line texts, and links that begin with https:// or http://."""

    agent: Line = ""
    organisation: Line = ""
    models: Annotated[tuple[Line, ...], Meta(max_length=20)] = ()
    links: Annotated[tuple[Link, ...], Meta(max_length=10)] = ()
    note: Annotated[str, Meta(max_length=1000)] = ""


class Item(Struct, frozen=True, forbid_unknown_fields=True):
    """A record in the folder: its path there, its size and blake2b digest, and which episode it is."""

    path: Annotated[str, Meta(max_length=600)]
    bytes: Annotated[int, Meta(ge=1, le=MOST_RECORD_BYTES)]
    digest: Digest
    id: Annotated[str, Meta(max_length=10_000)]
    seed: int


class Setting(Struct, frozen=True, forbid_unknown_fields=True):
    """Who played a seat of a world, as its records say: the same in all of them."""

    world: str
    seat: str
    name: str
    informed: bool
    settings: dict[str, Any]


class Figure(Struct, frozen=True, forbid_unknown_fields=True):
    """A claimed figure with its interval, as ``Estimate`` has it."""

    value: float | None
    low: float | None = None
    high: float | None = None


class Cost(Struct, frozen=True, forbid_unknown_fields=True):
    """What the answers took; ``money`` in ``currency``, by the ``prices`` that are told, if it is known."""

    calls: int
    input_tokens: int
    output_tokens: int
    seconds: float
    lost: int = 0
    money: float | None = None
    currency: Line = ""


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that a submission says of itself.

    ``agent``: as the records have it. ``edition``: of the headline (``kernel.headline``). ``worlds``: their
    versions. ``seeds``: of each scenario those from 0 to ``seeds`` - 1. ``allowed``: what it has been let
    pass with (``ALLOWED``). ``figures``: the headline score, those of worlds and suites, and every metric, by
    name. ``key``, ``signature``: of somebody who vouches for it all, if anybody does.
    """

    format: int
    made_by: Line
    about: About
    agent: Annotated[str, Meta(max_length=3000)]
    edition: Line
    worlds: dict[str, int]
    seeds: Annotated[int, Meta(ge=1)]
    allowed: tuple[str, ...]
    settings: tuple[Setting, ...]
    figures: dict[str, Figure]
    cost: Cost
    prices: Prices | None
    records: Annotated[tuple[Item, ...], Meta(min_length=1, max_length=MOST_FILES)]
    key: Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?\Z")] = ""
    signature: Annotated[str, Meta(pattern=r"^([0-9a-f]{128})?\Z")] = ""

    @property
    def message(self) -> bytes:
        """What is signed: all of it but key and signature, in its one spelling."""
        plain = canonical_json(replace(self, key="", signature=""))
        return b"backburner submission, " + blake2b(plain, digest_size=32).hexdigest().encode()

    @property
    def name(self) -> str:
        """What it goes by: the name that it gives itself, or its agent's."""
        return self.about.agent or self.agent


STAND_INS, MIXED, UNFINISHED, NO_REQUESTS = ALLOWED = (
    "stand-ins",
    "mixed-settings",
    "unfinished",
    "no-requests",
)
"""What is refused unless it is asked for; the manifest then says so."""


CLOCKED = "clock"
"""The mark of play in which thinking took time: it has no place among those of play without."""


def digest_of(content: bytes) -> str:
    """The digest that a manifest tells of a file."""
    return blake2b(content, digest_size=32).hexdigest()


# --- reading what a stranger sent ------------------------------------------------------------------------


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a submission; raises ``BadFile`` naming the field that is wrong."""
    file = folder / MANIFEST
    if file.is_symlink():
        raise BadFile(file, "", "is a link; a submission holds files alone")
    place = Place(str(file))
    found = converted(read_json(file), Manifest, place)
    if found.format != FORMAT:
        raise place.field("format").wrong(f"is {found.format}; this version reads {FORMAT}")
    for name, text in texts_of(found.about):
        if not text.isprintable():
            raise place.field(f"about.{name}").wrong("has a line break or another character that is no text")
    for name in found.allowed:
        if name not in ALLOWED:
            raise place.field("allowed").unknown("exception", name, ALLOWED)
    if bool(found.key) != bool(found.signature):
        raise place.field("signature").wrong("a key and a signature come together")
    _check_paths(found.records, place)
    return found


def texts_of(about: About) -> Iterator[tuple[str, str]]:
    """What is said of an agent, text by text, behind the name of its field."""
    for name in about.__struct_fields__:
        value = getattr(about, name)
        yield from ((name, text) for text in ([value] if isinstance(value, str) else value))


_PART = re.compile(r"[^/\\\x00-\x1f\x7f]{1,255}")


def _check_paths(items: Sequence[Item], place: Place) -> None:
    """Every path leads to a file of its own within ``records``; no episode is there twice."""
    paths: set[str] = set()
    digests: dict[str, str] = {}
    episodes: dict[tuple[str, int], str] = {}
    for index, item in enumerate(items):
        here = place.entry("records", index, item.path)
        parts = item.path.split("/")
        plain = all(_PART.fullmatch(part) and part not in (".", "..") for part in parts)
        if not plain or parts[0] != RECORDS or len(parts) < 2 or len(parts) > 12:
            raise here.field("path").wrong(f"is no path of a file in {RECORDS}/")
        if item.path in paths:
            raise here.wrong("is listed twice")
        if item.digest in digests:
            raise here.wrong(f"has the same content as {digests[item.digest]}")
        if (item.id, item.seed) in episodes:
            twice = f"{shorten(item.id)}, seed {item.seed}, is also in {episodes[item.id, item.seed]}"
            raise here.wrong(f"an episode counts once: {twice}")
        paths.add(item.path)
        digests[item.digest] = episodes[item.id, item.seed] = item.path
    if sum(item.bytes for item in items) > MOST_BYTES:
        raise place.field("records").wrong(f"more than {MOST_BYTES} bytes in all")


def files_in(folder: Path) -> dict[str, Path]:
    """Every file of a submission but the manifest, by its path there.

    Raises ``BadFile`` for what is neither a regular file nor a folder (a link leads anywhere), and where
    there are too many files or folders in folders.
    """
    found: dict[str, Path] = {}
    _walk(folder, "", found, 0)
    found.pop(MANIFEST, None)
    return found


MOST_DEEP = 12


def _walk(folder: Path, prefix: str, found: dict[str, Path], depth: int) -> None:
    if depth > MOST_DEEP:
        raise BadFile(folder, "", f"more than {MOST_DEEP} folders within each other")
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise BadFile(folder, "", error.strerror or str(error)) from error
    for entry in entries:
        mode = entry.stat(follow_symlinks=False).st_mode
        path = f"{prefix}{entry.name}"
        if stat.S_ISDIR(mode):
            _walk(Path(entry.path), f"{path}/", found, depth + 1)
        elif stat.S_ISREG(mode):
            found[path] = Path(entry.path)
        else:
            kind = "a link" if stat.S_ISLNK(mode) else "no regular file"
            raise BadFile(entry.path, "", f"is {kind}; a submission holds files alone")
        if len(found) > MOST_FILES + 1:
            raise BadFile(folder, "", f"holds more than {MOST_FILES} files")


def write_manifest(folder: Path, manifest: Manifest) -> Path:
    """Write the manifest, whole; returns its path."""
    file = folder / MANIFEST
    write_whole(file, indented_json(manifest))
    return file


class Submission(Struct, frozen=True):
    """A manifest and where it lies; ``files``: the records, by their paths in it."""

    folder: Path
    manifest: Manifest
    files: dict[str, Path] = field(default_factory=dict)


def read_submission(folder: Path) -> Submission:
    """The manifest with exactly the files that it lists.

    Raises ``BadFile`` for the first file that is missing, that nobody lists, or that is no file.
    """
    if folder.is_symlink() or not folder.is_dir():
        raise BadFile(folder, "", "no folder of a submission")
    there = files_in(folder)
    manifest = read_manifest(folder)
    listed = {item.path for item in manifest.records}
    for path in sorted(listed - there.keys()):
        raise BadFile(folder / path, "", f"is listed in {MANIFEST} and not there")
    for path in sorted(there.keys() - listed):
        raise BadFile(folder / path, "", f"is not listed in {MANIFEST}")
    return Submission(folder, manifest, there)
