"""Labels on disk: who put which case into which class, when, and by which version of a label set.

``labels/`` in a folder of records has a file for each annotator, JSON Lines that are only added to. A line
stands or falls alone; what somebody says of a case last is what counts, and an empty label takes it back. So
a session that is killed loses nothing, two annotators never write one file, and nobody need read what
others say.
"""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from io import FileIO
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from backburner.kernel.episode import Episode
from backburner.kernel.errors import BadFile, Refused, one_line, shorten
from backburner.kernel.files import hold, read_regular
from backburner.kernel.values import canonical_json, digest

FOLDER, SUFFIX = "labels", ".labels"
"""Where the files are, in a folder of records, and what their names end with."""

LONGEST_REMARK = 2000
MOST_FILE_BYTES = 64 << 20
MOST_UNUSABLE = 20
"""Lines of a file that are told to be unusable; of the others only their number is."""

MOST_WRONG = 1000
"""With more of them a file is not read on: it is something else."""

Role = Literal["person", "judge", "adjudicator"]
"""Who labels: a person, a language model, or a person whose word settles what others disagree about."""

JUDGE = "judge:"
"""What the names of models begin with that label."""

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Short = Annotated[str, Meta(max_length=400)]


class Key(Struct, frozen=True, order=True):
    """Which case: of which set of which world, in the record with this digest, at which step and seat."""

    world: str
    set: str
    record: str
    at: int = -1
    seat: str = ""


class Said(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line: an annotator's label of one case.

    ``record``: the digest of the episode, see ``record_digest``; ``at`` and ``seat``: the decision, -1 and
    nothing for the episode. An empty ``label`` takes back what was said. ``time``: in UTC. ``blind``:
    agents' names and other people's labels were hidden. Of a judge: ``model``, the version of its
    ``prompts``, and ``unreadable`` if its answers held no label.
    """

    annotator: Name
    role: Role
    world: Name
    set: Name
    version: Annotated[int, Meta(ge=1)]
    record: Annotated[str, Meta(pattern=r"^[0-9a-f]{16}$")]
    label: Short
    time: Annotated[str, Meta(max_length=40)]
    at: Annotated[int, Meta(ge=-1, le=10**9)] = -1
    seat: Short = ""
    remark: Annotated[str, Meta(max_length=LONGEST_REMARK)] = ""
    blind: bool = False
    model: Short = ""
    prompts: Short = ""
    unreadable: bool = False

    @property
    def key(self) -> Key:
        """The case that the line is about."""
        return Key(self.world, self.set, self.record, self.at, self.seat)


def record_digest(episode: Episode) -> str:
    """What a label calls an episode: the digest of all that was played, whatever file holds it.

    What it cost has no part in it, nor the record's format.
    """
    header, ending = replace(episode.header, format=0), episode.ending
    played = [(entry.answers, entry.digest) for entry in episode.entries]
    end = None if ending is None else (ending.status, ending.reason, ending.numbers, ending.steps)
    return digest((header, played, end))


def now() -> str:
    """The time, as lines have it."""
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


# --- reading -----------------------------------------------------------------------------------------------


class Labels(Struct, frozen=True):
    """What lies in a folder: what each annotator says last of each case, and what cannot be used and why."""

    said: tuple[Said, ...] = ()
    unusable: tuple[str, ...] = ()

    @property
    def annotators(self) -> dict[str, Role]:
        """Everybody who has said something, in order of their names, with their role; of an adjudicator who
        annotated as well the other one."""
        found: dict[str, Role] = {}
        for said in sorted(self.said, key=lambda said: said.annotator):
            if found.get(said.annotator, "adjudicator") == "adjudicator":
                found[said.annotator] = said.role
        return found


NONE = Labels()


def folder_of(records: Path) -> Path:
    """Where the labels of these records are: beside a single record, in a folder of them."""
    return (records if records.is_dir() else records.parent) / FOLDER


def read_labels(records: Path) -> Labels:
    """All labels in a folder of records. What is no label is named, whatever it is; never raises."""
    lines: list[Said] = []
    unusable: list[str] = []
    folder = folder_of(records)
    for path in sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else ():
        try:
            found, wrong = _read(path)
        except BadFile as error:
            unusable.append(str(error))
            continue
        lines += found
        unusable += wrong[:MOST_UNUSABLE]
        if len(wrong) > MOST_UNUSABLE:
            unusable.append(f"{path}: and {len(wrong) - MOST_UNUSABLE} more lines that are no labels")
    return Labels(tuple(last(lines)), tuple(unusable))


def last(lines: Iterable[Said]) -> Iterator[Said]:
    """What everybody says last of each case in each role; nothing where that is taken back."""
    found: dict[tuple[str, str, Key], Said] = {}
    for said in lines:
        found[said.annotator, said.role, said.key] = said
    return (said for said in found.values() if said.label or said.unreadable)


_decode = msgspec.json.Decoder(Said).decode


def _read(path: Path) -> tuple[list[Said], list[str]]:
    """(labels, what is none) of a file; a last line that was being written is passed over."""
    whole, _, _ = read_regular(path, MOST_FILE_BYTES).rpartition(b"\n")
    found, wrong = [], []
    for number, line in enumerate(whole.split(b"\n") if whole else (), 1):
        try:
            found.append(_decode(line))
        except (ValueError, RecursionError) as error:
            wrong.append(str(BadFile(path, f"line {number}", f"no label ({shorten(str(error))})")))
            if len(wrong) > MOST_WRONG:
                break
    return found, wrong


# --- writing -----------------------------------------------------------------------------------------------


def file_of(records: Path, annotator: str) -> Path:
    """The file of an annotator's labels. Names that no file can have are told apart by a fingerprint."""
    plain = re.sub(r"[^A-Za-z0-9._=-]+", "-", annotator)[:80].strip(".-") or "annotator"
    name = plain if plain == annotator else f"{plain}~{digest(annotator)[:8]}"
    return folder_of(records) / f"{name}{SUFFIX}"


def check_name(annotator: str) -> str:
    """The name, if an annotator can be called so; raises ``Refused``."""
    if annotator.startswith(JUDGE):
        raise Refused(f"annotator {shorten(annotator)!r}: models are called so; --judge asks one")
    if not 1 <= len(annotator) <= 60 or one_line(annotator) != annotator or annotator != annotator.strip():
        raise Refused(f"annotator {shorten(one_line(annotator))!r}: a name has 1 to 60 printable characters")
    return annotator


class LabelFile:
    """An annotator's file, open for adding lines; each is on the disk when ``add`` returns, or is not there.

    Raises ``Refused`` if another session has it open, ``BadFile`` where it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: FileIO = path.open("a+b", buffering=0)
        except OSError as error:
            raise BadFile(path, "", error.strerror or str(error)) from error
        if not hold(self._file):
            self._file.close()
            raise Refused(f"{self.path}: another session writes these labels")
        self._cut_half_a_line()

    def _cut_half_a_line(self) -> None:
        self._file.seek(0)
        content = self._file.read()
        if (rest := len(content) - content.rfind(b"\n") - 1) > 0:
            self._file.truncate(len(content) - rest)

    def add(self, lines: Sequence[Said]) -> None:
        """Add all of these lines, or none."""
        before = self._file.seek(0, os.SEEK_END)
        content = b"".join(canonical_json(said) + b"\n" for said in lines)
        try:
            if self._file.write(content) != len(content):
                raise OSError("the disk is full")
            os.fsync(self._file.fileno())
        except OSError as error:
            self._file.truncate(before)
            raise BadFile(self.path, "", error.strerror or str(error)) from error

    def __enter__(self) -> LabelFile:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()
