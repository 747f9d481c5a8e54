"""The episode record: a header, one entry for each decision point, an ending. JSON Lines.

Every line is complete in itself and is written as soon as it is known, so that a file whose writer
was killed holds every finished decision point. The header carries scenario, rules and limits in
full: a record needs no other file to be replayed. Seconds and tokens stand in the ``spent`` field
of an entry, which no comparison looks at. Each line is chained to all lines before it (``chain``), and
nothing is read that we would not have written.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, BinaryIO, Literal

import msgspec
from msgspec import Meta, Struct, field
from msgspec.structs import replace

from backburner.kernel import chain
from backburner.kernel.chain import Chain, Link, Seal, Signer
from backburner.kernel.clock import Call, Clock
from backburner.kernel.errors import BadFile, PolicyFailure
from backburner.kernel.files import check_regular, read_regular, rename
from backburner.kernel.shown import Shown
from backburner.kernel.values import Count, Event, Refusal, Seat, Thought, Usage, canonical_json

FORMAT = 2
"""Raised when a line's meaning changes; a reader refuses formats it does not know."""

CLOCKED = 3
"""As ``FORMAT``, of a record in which thinking took time."""

UNCHAINED = 1
"""The format before: the same lines, and nothing that chains them. It is read as ever."""


LONGEST_NAME = 1000
"""Characters of a player's name, or a version, that is written and read; of an id, ten times as many."""


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """Who decided for a seat."""

    name: Annotated[str, Meta(max_length=LONGEST_NAME)]
    informed: bool = False
    settings: dict[str, Any] = field(default_factory=dict)


class Header(
    Struct, frozen=True, forbid_unknown_fields=True, tag="header", tag_field="record", omit_defaults=True
):
    """What was played, under which rules and limits (as plain JSON values), by whom.

    ``seats`` has their order, which a map in JSON does not keep. ``clock``: where thinking took time.
    """

    format: int
    version: Annotated[str, Meta(max_length=LONGEST_NAME)]
    world: str
    world_version: int
    id: Annotated[str, Meta(max_length=10 * LONGEST_NAME)]
    scenario: Any
    scenario_digest: str
    rules: Any
    limits: Any
    seed: int
    players: dict[Seat, Player]
    time_unit: str
    start_digest: str
    seats: tuple[Seat, ...]
    clock: Clock | None = None

    @property
    def rules_name(self) -> str:
        """``standard``, ``released``, or what the user's own rules are called."""
        return str(self.rules.get("name", "custom")) if isinstance(self.rules, Mapping) else "custom"

    @property
    def agent(self) -> str:
        """Who played, under which clock if it has a name: whoever thinks faster is another agent."""
        label = "" if self.clock is None else self.clock.label
        return f"{self.team} @{label}" if label else self.team

    @property
    def team(self) -> str:
        """The players' names in the order of the seats; one name if all have the same."""
        return together([self.players[seat].name for seat in self.seats if seat in self.players])


def together(names: Sequence[str]) -> str:
    """The name of a team of these members; one name if all have the same."""
    return " + ".join(names if len(set(names)) > 1 else names[:1])


class Deliberation(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A thought under a clock: the index of the step before which its seat was asked, the microseconds that
    it was charged, the calls that they were charged for, and whether it took too long."""

    asked: Count
    charge: Count
    calls: tuple[Call, ...] = ()
    cut: bool = False


class Answer(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One seat's answer: its raw text if it gave one, what was understood, what it thought before.

    Under a clock, ``thought`` is what it was charged for; a seat that still thought, or had nothing to
    decide, was ``silent``, and the thought with it is one that was cut.
    """

    decision: Any = None
    text: str | None = None
    unread: Refusal | None = None
    thoughts: tuple[Thought, ...] = ()
    thought: Deliberation | None = None
    silent: bool = False

    def thoughts_for(self, purpose: str) -> tuple[str, ...]:
        """The texts of its thoughts of this purpose, in order."""
        return tuple(thought.text for thought in self.thoughts if thought.purpose == purpose)


class Entry(
    Struct, frozen=True, forbid_unknown_fields=True, tag="step", tag_field="record", omit_defaults=True
):
    """One decision point: answers, what happened, what was refused, the new state's digest."""

    index: int
    answers: dict[Seat, Answer]
    digest: str
    events: tuple[Event, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    usage: dict[Seat, Usage] = field(default_factory=dict, name="spent")

    @property
    def decided(self) -> dict[Seat, Answer]:
        """The answers of those who decided something: all but the silences of a clock."""
        return {seat: answer for seat, answer in self.answers.items() if not answer.silent}


CONTEXT_OVERFLOW = "context-overflow"
"""The reason of an episode whose conversation became longer than its model can read."""


class Ending(
    Struct, frozen=True, forbid_unknown_fields=True, tag="ending", tag_field="record", omit_defaults=True
):
    """How it ended. Besides a world's own statuses: ``failed`` (a policy could not answer; ``error``
    says why), ``stopped`` (a policy ended it of its own accord; ``reason`` says why, and of
    ``CONTEXT_OVERFLOW`` the ``error`` quotes the server), ``interrupted``
    (somebody stopped it), ``capped`` (the safety cap of ``play``). ``usage``: what was spent on decisions
    that never came to a step; ``thoughts``: those under a clock that were not over."""

    status: Literal["ended", "cut off", "failed", "stopped", "interrupted", "capped"]
    reason: str
    numbers: dict[str, int | float]
    steps: int
    error: str = ""
    usage: dict[Seat, Usage] = field(default_factory=dict, name="spent")
    thoughts: dict[Seat, Deliberation] = {}

    @property
    def overflowed(self) -> bool:
        """Whether the conversation became too long for the model."""
        return self.status == "stopped" and self.reason == CONTEXT_OVERFLOW


class Episode(Shown, Struct, frozen=True):
    """A whole record in memory; ``ending`` is ``None`` if the file stops before it."""

    header: Header
    entries: tuple[Entry, ...]
    ending: Ending | None

    @property
    def finished(self) -> bool:
        """Whether play came to an end of its own: everything but interrupted and half-written."""
        return self.ending is not None and self.ending.status != "interrupted"

    @property
    def failed(self) -> bool:
        """Whether it ended because an agent could not answer."""
        return self.ending is not None and self.ending.status == "failed"

    @property
    def informed(self) -> bool:
        """Whether a player knew more than its seat may know."""
        return any(player.informed for player in self.header.players.values())

    def records(self) -> Iterator[Record]:
        """What each line holds, in order."""
        yield self.header
        yield from self.entries
        if self.ending is not None:
            yield self.ending

    def costs(self) -> Iterator[tuple[Seat, Usage]]:
        """(seat, what it spent) of every answer in order, and of what was begun when play ended."""
        for entry in self.entries:
            yield from entry.usage.items()
        if self.ending is not None:
            yield from self.ending.usage.items()

    def charges(self, seat: Seat) -> Iterator[int]:
        """What each thought of a seat was charged on a clock, in microseconds, in order."""
        for entry in self.entries:
            answer = entry.answers.get(seat)
            if answer is not None and answer.thought is not None:
                yield answer.thought.charge
        if self.ending is not None and seat in self.ending.thoughts:
            yield self.ending.thoughts[seat].charge

    def events(self) -> Iterator[Event]:
        """All events in order."""
        for entry in self.entries:
            yield from entry.events


Record = Header | Entry | Ending
"""What one line holds."""


def encode_line(record: Record) -> bytes:
    """What one line holds, with a line break; what chains it to others, ``Lines`` adds."""
    return canonical_json(record) + b"\n"


class Lines:
    """Writes one record: its lines, in order, each chained to those before. ``signer`` signs the ending."""

    def __init__(self, signer: Signer | None = None) -> None:
        self._chain, self._signer = Chain(), signer
        self._bytes = 0

    def line(self, record: Record) -> bytes:
        """The next line, with its line break. Raises ``PolicyFailure`` for a step with which nobody could
        read the record again; then the next line is another one."""
        body = canonical_json(record)
        if isinstance(record, Entry):
            try:
                chain.check_size(body, chain.MOST_LINE_BYTES - _LONGEST_ENDING)
            except ValueError as error:
                raise PolicyFailure("record", f"a step {error}") from error
            if self._bytes + len(body) > chain.MOST_BYTES - 2 * _LONGEST_ENDING:
                raise PolicyFailure("record", f"a record has at most {chain.MOST_BYTES} bytes, and is full")
        line = self._chain.line(body, self._signer if isinstance(record, Ending) else None)
        self._bytes += len(line)
        return line

    def follow(self, line: bytes) -> None:
        """A line that was written before, with its line break; the next one comes after it."""
        self._chain.follow(chain.parted(line.removesuffix(b"\n")).body)
        self._bytes += len(line)


def record_on(line: bytes) -> Record:
    """What a line of our own holds. Raises ``msgspec.DecodeError`` for any other."""
    record: Record = _decode(chain.parted(line.removesuffix(b"\n")).body)
    return record


class EpisodeFile:
    """Writes one record while it is played. The file bears its own name only when it is finished.

    Until then it is ``<name>.part-<machine>-<process>``: complete lines, readable, never mistaken for a
    finished record, and nobody else's, though other processes and machines write into the same folder.
    Leaving the ``with`` block without ``finish()`` leaves that part file behind, unless it could not be
    written. A block that is entered again writes the record anew. ``signer`` signs the
    ending. Raises ``BadFile`` where something stands that is no regular file; a link stays a link, and what
    it leads to is written.
    """

    def __init__(self, path: Path, signer: Signer | None = None) -> None:
        self.path = path
        self.part = path.with_name(f"{path.name}.part-{_machine()}-{os.getpid()}")
        self._file: BinaryIO | None = None
        self._lines, self._signer = Lines(signer), signer

    def __enter__(self) -> EpisodeFile:
        check_regular(self.path)
        self._lines = Lines(self._signer)
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
        self._file.write(self._lines.line(record))
        self._file.flush()

    def write_whole(self, content: bytes) -> None:
        """Write all lines of a finished record that was made elsewhere, and that nobody has signed."""
        if self._file is None:
            raise ValueError("the record file is not open")
        self._file.write(content if self._signer is None else chain.signed(content, self._signer))

    def finish(self, path: Path | None = None) -> None:
        """Close the file and give it its name, or another one, in one step."""
        if self._file is not None:
            self._file.close()
            self._file = None
            rename(self.part, path or self.path)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            finally:
                if isinstance(error, OSError):  # such as a full disk, where what was written is in the way
                    self.part.unlink(missing_ok=True)


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


# --- reading --------------------------------------------------------------------------------------------


class RecordFile(Struct, frozen=True):
    """A record as a file holds it; ``seal`` is ``None`` where nothing chains its lines."""

    episode: Episode
    seal: Seal | None


class _Format(Struct, tag="header", tag_field="record"):
    format: int


_decode = msgspec.json.Decoder(Record).decode
_decode_header = msgspec.json.Decoder(Header).decode
_decode_ending = msgspec.json.Decoder(Ending).decode
_decode_format = msgspec.json.Decoder(_Format).decode

_UNREADABLE = (ValueError, RecursionError)
"""What decoding raises: ``DecodeError`` and ``UnicodeDecodeError`` are of the first kind, and so is what is
said of a number of many digits."""


def read_episode(path: Path | str) -> Episode:
    """Read a record, finished or half-written (then ``ending`` is ``None``); raises ``BadFile``."""
    return read_record(path).episode


def read_record(path: Path | str) -> RecordFile:
    """Read a record with what seals it; raises ``BadFile``."""
    return record_in(read_regular(Path(path), chain.MOST_BYTES), path)


def episode_in(content: bytes, path: Path | str) -> Episode:
    """The record in a file's content; ``path`` is what the file is called in errors.

    A last line that was cut in the middle is left out. Raises ``BadFile`` naming file, line and
    field for anything else that is not a record as we write it.
    """
    return record_in(content, path).episode


def record_in(content: bytes, path: Path | str) -> RecordFile:
    """As ``episode_in``, with what seals the record."""
    try:
        lines, begun = chain.lines_of(content)
    except ValueError as error:
        raise BadFile(path, "", str(error)) from error
    chained = _format(path, lines) != UNCHAINED
    records: list[Record] = []
    links: list[Link] = []
    for number, line in enumerate(lines, 1):
        try:
            link = chain.link(line, chained)
            records.append(_decode(link.body))
        except _UNREADABLE as error:
            if begun and 1 < number == len(lines):
                break
            raise BadFile(path, f"line {number}", f"not a record line ({error})") from error
        links.append(link)
    episode = _assemble(path, records)
    try:
        return RecordFile(episode, chain.seal_of(links, ends=episode.ending is not None) if chained else None)
    except chain.BadLine as error:
        raise BadFile(path, f"line {error.number}, field {error.field!r}", error.why) from error


def _format(path: Path | str, lines: Sequence[bytes]) -> int:
    if not lines:
        raise BadFile(path, "line 1", "an episode record starts with its header")
    try:
        chain.check_size(lines[0], chain.MOST_HEADER_BYTES)
        if _is_later_line(lines[0]):
            raise BadFile(path, "line 1", "an episode record starts with its header")
        format = _decode_format(lines[0]).format
    except _UNREADABLE as error:
        raise BadFile(path, "line 1", f"not a record line ({error})") from error
    if format not in (UNCHAINED, FORMAT, CLOCKED):
        known = f"{UNCHAINED} to {CLOCKED}"
        raise BadFile(path, "line 1, field 'format'", f"format {format}; this version reads {known}")
    return format


def _is_later_line(line: bytes) -> bool:
    try:
        return not isinstance(_decode(chain.parted(line).body), Header)
    except _UNREADABLE:
        return False


def _assemble(path: Path | str, records: Sequence[Record]) -> Episode:
    header = records[0] if records else None
    if not isinstance(header, Header):
        raise BadFile(path, "line 1", "an episode record starts with its header")
    if (header.format == CLOCKED) != (header.clock is not None):
        why = f"format {CLOCKED} is that of records with a clock, and of no others"
        raise BadFile(path, "line 1, field 'format'", why)
    entries: list[Entry] = []
    for number, record in enumerate(records[1:], 2):
        if isinstance(record, Ending) and number == len(records):
            if any(thought.asked >= len(entries) for thought in record.thoughts.values()):
                raise BadFile(path, f"line {number}", "a thought that begins in no step")
            return Episode(header, tuple(entries), record)
        if not isinstance(record, Entry) or record.index != len(entries):
            raise BadFile(path, f"line {number}", f"expected step {len(entries)}")
        if any(answer.thought and answer.thought.asked > record.index for answer in record.answers.values()):
            raise BadFile(path, f"line {number}", "a thought that begins in a later step")
        entries.append(record)
    return Episode(header, tuple(entries), ending=None)


def first_and_last(path: Path) -> tuple[Header, Ending]:
    """A finished record's header and ending, by a look at both ends of its file.

    Nothing between them is read, and no chain followed. Raises ``FileNotFoundError`` where there is no
    file, ``BadFile`` where it is no record.
    """
    check_regular(path)
    with path.open("rb") as file:
        first = file.readline(chain.MOST_HEADER_BYTES + 1).rstrip(b"\r\n")
        file.seek(max(0, os.fstat(file.fileno()).st_size - _LONGEST_ENDING))
        last = (file.read().splitlines() or [b""])[-1]
    try:
        chain.check_size(first, chain.MOST_HEADER_BYTES)
        return _decode_header(chain.parted(first).body), _decode_ending(chain.parted(last).body)
    except _UNREADABLE as error:
        raise BadFile(path, "", f"stands where a record should be, and is none ({error})") from error


_LONGEST_ENDING = 65_536


def write_episode(episode: Episode, path: Path, signer: Signer | None = None) -> None:
    """Write a whole record at once, signed if there is a signer; the file appears complete or not at all.

    It has the present format, whichever the episode was read from.
    """
    with EpisodeFile(path, signer) as file:
        for record in episode.records():
            if isinstance(record, Header) and record.clock is None:
                record = replace(record, format=FORMAT)
            file.write(record)
        file.finish()
