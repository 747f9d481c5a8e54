"""Records as files: what they are called, and reading those that strangers may have sent.

A file is read strictly, its chain followed, its signature checked where a key is asked for, and everything
that can be derived is derived again. What remains is told as claimed. Whether a record's language models were
asked as it says, ``submissions.vouching`` finds out besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from backburner.evaluation.signing import is_signed
from backburner.kernel.chain import Seal
from backburner.kernel.claims import Fact, Verdict
from backburner.kernel.episode import Episode, read_record
from backburner.kernel.errors import (
    BackburnerError,
    BadFile,
    MissingExtra,
    ReplayMismatch,
    one_line,
    shorten,
    why,
)
from backburner.kernel.replay import verify

RECORD, JOURNAL = ".jsonl", ".calls"
"""What the names of records end with, and those of the journals beside them while an episode is played."""


def records(folder: Path) -> Iterator[Path]:
    """The finished record files under a folder (or the file itself), in order of their names.

    Pipes and links to nothing are among them where they have such a name, for whoever reads them to name.
    """
    if folder.is_file():
        yield folder
    elif folder.is_dir():
        yield from sorted(path for path in folder.rglob(f"*{RECORD}") if not path.is_dir())
    else:
        raise BadFile(folder, "", "no such file or folder")


def former(path: Path, number: int) -> Path:
    """The file of a former attempt of the job with this record."""
    return path.with_name(f"{path.name}.attempt{number}")


def journal_of(record: Path) -> Path:
    """The journal's file of the episode with this record."""
    return record.with_name(record.name + JOURNAL)


# --- reading -----------------------------------------------------------------------------------------------


SIGNATURE = "last line, field 'signature'"


LONGEST = 1000
"""Characters of what is said of a record: it may hold names of any length."""


class Read(Struct, frozen=True):
    """A record that can be used, and what was found out about it."""

    episode: Episode
    verdict: Verdict


class Unusable(BackburnerError):
    """A record cannot be used: ``why``; the message names its file, and that it is left out, in one line."""

    def __init__(self, path: Path, error: Exception | str) -> None:
        self.why = _why(path, error)
        super().__init__(left_out(path, error))


def read_verified(path: Path, key: str = "") -> Read:
    """Read a record and verify it; with a public ``key`` (hexadecimal digits) it must be signed by that.

    Raises ``Unusable``, whatever the record does to its world; and ``MissingExtra`` where a signature has to
    be checked and cannot be.
    """
    with usable(path):
        record = read_record(path)
        signed = _signature(path, record.seal, key)
        verdict = verify(record.episode)
    verified, claimed = list(verdict.verified), list(verdict.claimed)
    if record.seal is None:
        claimed.insert(0, Fact("lines", "nothing chains them (format 1): they may be anybody's"))
    else:
        verified.insert(0, Fact("lines", "each is chained to all before it"))
    if signed is not None:
        (verified if key else claimed).insert(1, signed)
    if record.episode.ending is None and ".part-" not in path.name:
        claimed.insert(0, Fact("ending", "the file is called like a finished record: it was cut, or renamed"))
    return Read(record.episode, replace(verdict, verified=tuple(verified), claimed=tuple(claimed)))


@contextmanager
def usable(path: Path) -> Iterator[None]:
    """Whatever goes wrong within it with the record at ``path``, raised as ``Unusable``."""
    try:
        yield
    except MissingExtra:
        raise
    except ReplayMismatch as error:
        raise Unusable(path, f"it does not replay: {error}") from error
    except Exception as error:  # whatever foreign data does to a world, others are read all the same
        raise Unusable(path, error) from error


def episode_of(path: Path) -> Episode:
    """The episode of the one record that is asked for; raises ``BadFile`` where it cannot be used."""
    try:
        return read_verified(path).episode
    except Unusable as error:
        raise BadFile(path, "", error.why) from error


def left_out(path: Path | str, error: Exception | str) -> str:
    """One line about a record that cannot be used."""
    return one_line(f"{path}: left out, because {_why(path, error)}")


def _why(path: Path | str, error: Exception | str) -> str:
    told = (error if isinstance(error, str) else why(error)).removeprefix(f"{path}: ")
    return one_line(shorten(f"it {told}" if told.startswith(("is ", "holds ")) else told, LONGEST))


def _signature(path: Path, seal: Seal | None, key: str) -> Fact | None:
    """What is known of a record's signature; raises ``BadFile`` for one that is false, or not of ``key``."""
    if seal is None or not seal.key:
        if key:
            raise BadFile(path, SIGNATURE, f"there is none, and {_short(key)} is asked for")
        return None
    try:
        good = is_signed(seal)
    except MissingExtra:
        if key:
            raise
        return Fact("signature", f"of the key {_short(seal.key)}; nothing is installed here that checks it")
    if not good:
        raise BadFile(path, SIGNATURE, "is no signature of this record by its key")
    if key and seal.key != key:
        raise BadFile(path, SIGNATURE, f"is of the key {_short(seal.key)}, not of {_short(key)}")
    if key:
        return Fact("signature", f"of the key {_short(key)}, which was asked for")
    return Fact("signature", f"of the key {_short(seal.key)}; whose that is, --key can tell")


def _short(key: str) -> str:
    return f"{key[:16]}…"
