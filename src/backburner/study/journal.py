"""The data of a study: an append-only journal, chained, whose content is kept aside so that it can go.

    journal.jsonl        a line for each entry: its number, whose it is, and a commitment to what it says
    kept/<whose>.jsonl   what entries say, each with the salt of its commitment; a file for each participant
    records/             the records of games
    secret               of which links and tokens are made
    lock                 held by whoever writes

A line says nothing but whose entry it is: its ``commitment`` is the digest of a salt of 128 bits and of the
content. While the content is there, anybody can check that it is what was written, and when in the order.
Once a participant is forgotten (a line of kind ``forgotten`` is added, ``kept/<whose>.jsonl`` is removed),
the salts are gone with it, so that not even a guess at the content can be tested; and the chain, which holds
commitments alone, is as valid as ever.

Content is on disk before its line: a killed program may leave content without a line, which is dropped when
the journal is opened again, never a line without content.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec
from msgspec import Raw, Struct

from backburner.kernel.chain import BadLine, Chain, Link, lines_of, link, seal_of
from backburner.kernel.errors import BadFile, Refused
from backburner.kernel.files import MOST_BYTES, hold, read_regular, write_secret, write_whole

STUDY = "study"
"""Whose the entries are that are about no participant; they are never forgotten."""

MOST_ENTRY_BYTES = 1 << 20


class Line(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of the journal. ``reason``, ``date`` (UTC) and ``marks`` are those of a ``forgotten`` one."""

    number: int
    what: Literal["entry", "forgotten"]
    whose: str
    commitment: str = ""
    reason: str = ""
    date: str = ""
    marks: tuple[str, ...] = ()


class Kept(Struct, frozen=True, forbid_unknown_fields=True):
    """What an entry says, and the salt of its commitment."""

    number: int
    salt: str
    entry: Raw


class Entry(Struct, frozen=True):
    """An entry with its content, as JSON."""

    number: int
    whose: str
    content: bytes


def commitment_of(salt: str, content: bytes) -> str:
    """The digest that a line tells of content."""
    return blake2b(bytes.fromhex(salt) + content, digest_size=32).hexdigest()


class Journal:
    """A study's journal, open for reading; ``write`` holds the lock, mends what a killed program left and
    appends.

    An entry is on disk when ``append`` returns, or, once ``write_beside`` was called, when ``settled`` does:
    before that nobody is told of it. Where something cannot be written both raise ``Refused``, from then on.
    """

    def __init__(self, folder: Path, *, write: bool = False) -> None:
        self.folder = folder
        self.file, self.kept, self.records = folder / "journal.jsonl", folder / "kept", folder / "records"
        self._lock: BinaryIO | None = self._locked() if write else None
        self._disk = Disk()
        try:
            self.lines, self._chain = self._read(mend=write)
            self.forgotten = {line.whose: line for line in self.lines if line.what == "forgotten"}
            if write:
                self._mend()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let others write."""
        self._disk.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # --- reading ---

    def entries(self) -> Iterator[Entry]:
        """Every entry whose content is there, in order. Raises ``BadFile`` for content that is missing or
        is not what was written."""
        self._disk.wait()
        kept = {whose: self._kept(whose) for whose in dict.fromkeys(line.whose for line in self.lines)}
        for line in self.lines:
            if line.what == "forgotten" or line.whose in self.forgotten:
                continue
            found = kept[line.whose].get(line.number)
            file = self._file_of(line.whose)
            if found is None:
                raise BadFile(file, f"entry {line.number}", "is missing")
            if commitment_of(found.salt, bytes(found.entry)) != line.commitment:
                raise BadFile(file, f"entry {line.number}", "is not what was written")
            yield Entry(line.number, line.whose, bytes(found.entry))

    def leftovers(self) -> list[Path]:
        """Content of those who are forgotten that is there all the same."""
        return [file for whose in self.forgotten if (file := self._file_of(whose)).exists()]

    def _read(self, *, mend: bool) -> tuple[list[Line], Chain]:
        if not self.file.exists():
            return [], Chain()
        content = read_regular(self.file, 4 * MOST_BYTES)
        try:
            raw, begun = lines_of(content)
            whole = raw[:-1] if begun else raw
            links = [link(line, True) for line in whole]
            seal = seal_of(links, ends=False)
        except BadLine as error:
            raise BadFile(self.file, f"line {error.number}", error.why) from error
        except ValueError as error:
            raise BadFile(self.file, "", f"not a journal: {error}") from error
        if begun and mend:
            _truncate(self.file, len(content) - len(raw[-1]))
        return [self._line(number, each) for number, each in enumerate(links)], Chain(
            bytes.fromhex(seal.chain) if seal.chain else Chain().last
        )

    def _line(self, number: int, each: Link) -> Line:
        try:
            found = msgspec.json.decode(each.body, type=Line)
        except (ValueError, RecursionError) as error:
            raise BadFile(self.file, f"line {number + 1}", f"not of a journal: {error}") from error
        if found.number != number:
            raise BadFile(self.file, f"line {number + 1}", f"has number {found.number}")
        return found

    def _kept(self, whose: str) -> dict[int, Kept]:
        file = self._file_of(whose)
        if whose in self.forgotten or not file.exists():
            return {}
        whole = read_regular(file, 4 * MOST_BYTES).split(b"\n")[:-1]
        try:
            return {found.number: found for found in (msgspec.json.decode(each, type=Kept) for each in whole)}
        except (ValueError, RecursionError) as error:
            raise BadFile(file, "", f"not what was kept: {error}") from error

    def _file_of(self, whose: str) -> Path:
        return self.kept / f"{whose}.jsonl"

    # --- writing ---

    def write_beside(self) -> None:
        """From now on write in a thread, in the same order."""
        self._disk.work_beside()

    async def settled(self) -> None:
        """Until everything that was appended is on disk."""
        await self._disk.settled()

    def append(self, whose: str, entry: Struct) -> Entry:
        """Write an entry. Raises ``Refused`` for one that is forgotten."""
        if whose in self.forgotten:
            raise Refused(f"participant {whose} is forgotten")
        content = msgspec.json.encode(entry)
        if len(content) > MOST_ENTRY_BYTES:
            raise Refused(f"an entry of {len(content)} bytes; at most {MOST_ENTRY_BYTES} are kept")
        kept = Kept(len(self.lines), secrets.token_hex(16), Raw(content))
        self._disk.do(partial(_append, self._file_of(whose), msgspec.json.encode(kept) + b"\n"))
        self._add(Line(kept.number, "entry", whose, commitment_of(kept.salt, content)))
        return Entry(kept.number, whose, content)

    def forget(self, whose: str, reason: str, date: str, marks: tuple[str, ...] = ()) -> None:
        """Add the tombstone of a participant, then remove what was kept of them; all of it is done when this
        returns. ``marks``: by which they are known when they come again."""
        if whose == STUDY or all(line.whose != whose for line in self.lines):
            raise Refused(f"there is no participant {whose}")
        if whose not in self.forgotten:
            line = Line(len(self.lines), "forgotten", whose, reason=reason, date=date, marks=marks)
            self._add(line)
            self.forgotten[whose] = line
        self._disk.wait()
        self._file_of(whose).unlink(missing_ok=True)

    def secret(self) -> bytes:
        """32 bytes that only this folder has; made at the first call."""
        file = self.folder / "secret"
        if not file.exists():
            self.folder.mkdir(0o700, parents=True, exist_ok=True)
            write_secret(file, secrets.token_bytes(32))
        return read_regular(file, 32)

    def keep_record(self, game: str, content: bytes) -> None:
        """Write the record of a game."""
        self._disk.do(partial(write_whole, self.records / f"{game}.jsonl", content, lasting=True))

    def _add(self, line: Line) -> None:
        if self._lock is None:
            raise Refused(f"{self.folder} is open for reading alone")
        self._disk.do(partial(_append, self.file, self._chain.line(msgspec.json.encode(line))))
        self.lines.append(line)

    def _locked(self) -> BinaryIO:
        self.kept.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o700)
        stream = (self.folder / "lock").open("wb")
        if not hold(stream):
            stream.close()
            raise Refused(f"{self.folder} is in use: a program that serves the study writes there")
        return stream

    def _mend(self) -> None:
        """Drop content that has no line, and finish what a killed ``forget`` began."""
        for file in self.leftovers():
            file.unlink()
        last: dict[str, int] = {line.whose: line.number for line in self.lines if line.what == "entry"}
        for file in self.kept.glob("*.jsonl"):
            content = read_regular(file, 4 * MOST_BYTES)
            size = 0
            for each in content.splitlines(keepends=True):
                try:
                    known = msgspec.json.decode(each, type=Kept).number <= last.get(file.stem, -1)
                except (ValueError, RecursionError):
                    known = False
                if not known or not each.endswith(b"\n"):
                    break
                size += len(each)
            if size < len(content):
                _truncate(file, size)


def _append(file: Path, content: bytes) -> None:
    with file.open("ab") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _truncate(file: Path, size: int) -> None:
    with file.open("r+b") as stream:
        stream.truncate(size)


# --- the disk ---------------------------------------------------------------------------------------------


class Disk:
    """Does one piece of work after the other. After the first that fails none is done any more, and
    everything here raises ``Refused``: what came later would not fit what is there."""

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None
        self._last: Future[None] | None = None
        self._failure: Exception | None = None

    def work_beside(self) -> None:
        """From now on in a thread."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "disk")

    def do(self, work: Callable[[], None]) -> None:
        """Do it now, or, if work is done beside, after all that is to be done before it."""
        self._check()
        if self._thread is None:
            self._done(work)
            self._check()
        else:
            self._last = self._thread.submit(self._done, work)

    def wait(self) -> None:
        """Until all of it is done."""
        if self._last is not None:
            self._last.result()
        self._check()

    async def settled(self) -> None:
        """Until all of it is done; nothing is waiting at the moment when this returns."""
        while self._last is not None and not self._last.done():
            await asyncio.shield(asyncio.wrap_future(self._last))  # who waits may go; the work is done
        self._check()

    def close(self) -> None:
        """Do what there is to do, and end the thread."""
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None

    def _done(self, work: Callable[[], None]) -> None:
        if self._failure is None:
            try:
                work()
            except Exception as error:  # told by whatever comes next, in its own thread
                self._failure = error

    def _check(self) -> None:
        if self._failure is not None:
            why = f"nothing more can be kept ({self._failure}); mend that and start again"
            raise Refused(why) from self._failure
