"""The episode record: a header, one entry for each decision point, an ending. JSON Lines.

Every line is complete in itself and is written as soon as it is known, so that a file whose writer
was killed holds every finished decision point. The header carries scenario, rules and limits in
full: a record needs no other file to be replayed. Seconds and tokens stand in the ``spent`` field
of an entry, which no comparison looks at.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Literal

import msgspec
from msgspec import Struct, field

from backburner.kernel.errors import BadFile
from backburner.kernel.values import Event, Refusal, Seat, Thought, Usage, canonical_json

FORMAT = 1
"""Raised when a line's meaning changes; a reader refuses formats it does not know."""


class Player(Struct, frozen=True):
    """Who decided for a seat."""

    name: str
    informed: bool = False
    settings: dict[str, Any] = field(default_factory=dict)


class Header(Struct, frozen=True, tag="header", tag_field="record"):
    """What was played, under which rules and limits (as plain JSON values), by whom.

    ``seats`` has their order, which a map in JSON does not keep.
    """

    format: int
    version: str
    world: str
    world_version: int
    id: str
    scenario: Any
    scenario_digest: str
    rules: Any
    limits: Any
    seed: int
    players: dict[Seat, Player]
    time_unit: str
    start_digest: str
    seats: tuple[Seat, ...]

    @property
    def rules_name(self) -> str:
        """``standard``, ``released``, or what the user's own rules are called."""
        return str(self.rules.get("name", "custom")) if isinstance(self.rules, Mapping) else "custom"

    @property
    def agent(self) -> str:
        """The players' names in the order of the seats; one name if all have the same."""
        names = [self.players[seat].name for seat in self.seats if seat in self.players]
        return " + ".join(names if len(set(names)) > 1 else names[:1])


class Answer(Struct, frozen=True, omit_defaults=True):
    """One seat's answer: its raw text if it gave one, what was understood, what it thought before."""

    decision: Any = None
    text: str | None = None
    unread: Refusal | None = None
    thoughts: tuple[Thought, ...] = ()


class Entry(Struct, frozen=True, tag="step", tag_field="record", omit_defaults=True):
    """One decision point: answers, what happened, what was refused, the new state's digest."""

    index: int
    answers: dict[Seat, Answer]
    digest: str
    events: tuple[Event, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    usage: dict[Seat, Usage] = field(default_factory=dict, name="spent")


class Ending(Struct, frozen=True, tag="ending", tag_field="record", omit_defaults=True):
    """How it ended. Besides a world's own statuses: ``failed`` (a policy could not answer; ``error``
    says why), ``stopped`` (a policy ended it of its own accord; ``reason`` says why), ``interrupted``
    (somebody stopped it), ``capped`` (the safety cap of ``play``)."""

    status: Literal["ended", "cut off", "failed", "stopped", "interrupted", "capped"]
    reason: str
    numbers: dict[str, int | float]
    steps: int
    error: str = ""


class Episode(Struct, frozen=True):
    """A whole record in memory; ``ending`` is ``None`` if the file stops before it."""

    header: Header
    entries: tuple[Entry, ...]
    ending: Ending | None

    @property
    def finished(self) -> bool:
        """Whether play came to an end of its own: everything but interrupted and half-written."""
        return self.ending is not None and self.ending.status != "interrupted"

    def records(self) -> Iterator[Record]:
        """What each line holds, in order."""
        yield self.header
        yield from self.entries
        if self.ending is not None:
            yield self.ending

    def events(self) -> Iterator[Event]:
        """All events in order."""
        for entry in self.entries:
            yield from entry.events


Record = Header | Entry | Ending
"""What one line holds."""

_decoder: msgspec.json.Decoder[Record] = msgspec.json.Decoder(Record)


def encode_line(record: Record) -> bytes:
    """One line of a record file, with its line break."""
    return canonical_json(record) + b"\n"


class EpisodeFile:
    """Writes one record while it is played. The file bears its own name only when it is finished.

    Until then it is ``<name>.part-<machine>-<process>``: complete lines, readable, never mistaken for a
    finished record, and nobody else's, though other processes and machines write into the same folder.
    Leaving the ``with`` block without ``finish()`` leaves that part file behind.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.part = path.with_name(f"{path.name}.part-{_machine()}-{os.getpid()}")
        self._file: BinaryIO | None = None

    def __enter__(self) -> EpisodeFile:
        try:
            self._file = self.part.open("wb")
        except FileNotFoundError:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.part.open("wb")
        return self

    def write(self, record: Record) -> None:
        """Append one line; it is with the operating system when this returns."""
        if self._file is None:
            raise ValueError("the record file is not open")
        self._file.write(encode_line(record))
        self._file.flush()

    def finish(self, path: Path | None = None) -> None:
        """Close the file and give it its name, or another one, in one step."""
        if self._file is not None:
            self._file.close()
            self._file = None
            self.part.replace(path or self.path)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def part_written_here(part: Path) -> tuple[str, int] | None:
    """The name of the record that a part file belongs to, and the process of this machine that writes or
    wrote it; ``None`` if it is no part file, or one of another machine."""
    name, marked, writer = part.name.rpartition(".part-")
    machine, _, process = writer.rpartition("-")
    if not marked or machine != _machine() or not process.isdecimal():
        return None
    return name, int(process)


@cache
def _machine() -> str:
    # Its end: where names are long, machines that work together differ there.
    return re.sub(r"[^\w.]", "_", platform.node(), flags=re.ASCII)[-32:]


def read_episode(path: Path | str) -> Episode:
    """Read a record, finished or half-written (then ``ending`` is ``None``); raises ``BadFile``."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise BadFile(path, "", error.strerror or str(error)) from error
    return episode_in(content, path)


def episode_in(content: bytes, path: Path | str) -> Episode:
    """The record in a file's content; ``path`` is what the file is called in errors.

    A last line that was cut in the middle is left out. Raises ``BadFile`` naming file, line and
    field for anything else that is not a record.
    """
    lines = content.splitlines(keepends=True)
    records: list[Record] = []
    for number, line in enumerate(lines, 1):
        try:
            records.append(_decoder.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            if number == len(lines) and number > 1 and not line.endswith(b"\n"):
                break
            raise BadFile(path, f"line {number}", f"not a record line ({error})") from error
    return _assemble(path, records)


def _assemble(path: Path | str, records: Sequence[Record]) -> Episode:
    header = records[0] if records else None
    if not isinstance(header, Header):
        raise BadFile(path, "line 1", "an episode record starts with its header")
    if header.format != FORMAT:
        raise BadFile(path, "line 1, field 'format'", f"format {header.format}; this version reads {FORMAT}")
    entries: list[Entry] = []
    for number, record in enumerate(records[1:], 2):
        if isinstance(record, Ending) and number == len(records):
            return Episode(header, tuple(entries), record)
        if not isinstance(record, Entry) or record.index != len(entries):
            raise BadFile(path, f"line {number}", f"expected step {len(entries)}")
        entries.append(record)
    return Episode(header, tuple(entries), ending=None)


def write_episode(episode: Episode, path: Path) -> None:
    """Write a whole record at once; the file appears complete or not at all."""
    with EpisodeFile(path) as file:
        for record in episode.records():
            file.write(record)
        file.finish()
