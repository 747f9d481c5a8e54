"""Records as files: their names, keys that sign them, and reading those that strangers may have sent.

A file is read strictly, its chain followed, its signature checked where a key is asked for, and everything
that can be derived is derived again. What remains is told as claimed. Whether a record's language models were
asked as it says, ``submissions.vouching`` finds out besides.

Keys are Ed25519, by the library ``cryptography`` (extra ``sign``): who holds one can say that a record is
theirs, and anybody can check it. A key pair is two files: the private key, which nobody else may read and
which is never written anywhere else, and beside it the public key (``.pub``).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.answers import FILE as ANSWERS
from backburner.kernel.chain import Seal
from backburner.kernel.claims import Fact, Verdict, verify
from backburner.kernel.episode import Episode, read_record
from backburner.kernel.errors import (
    BackburnerError,
    BadFile,
    MissingExtra,
    Refused,
    ReplayMismatch,
    needs_extra,
    one_line,
    shorten,
    why,
)
from backburner.kernel.files import read_regular, write_secret, write_whole

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


RECORD, JOURNAL = ".jsonl", ".calls"
"""What the names of records end with, and those of the journals beside them while an episode is played."""


def records(folder: Path) -> Iterator[Path]:
    """The finished record files under a folder (or the file itself), in order of their names. Answers,
    whose file is called like one, are none.

    Pipes and links to nothing are among them where they have such a name, for whoever reads them to name.
    """
    if folder.is_file():
        yield folder
    elif folder.is_dir():
        found = folder.rglob(f"*{RECORD}")
        yield from sorted(path for path in found if path.name != ANSWERS and not path.is_dir())
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


# --- keys --------------------------------------------------------------------------------------------------


PUBLIC = ".pub"
"""What the name of the file with the public key has behind that of the private one."""

MOST_KEY_BYTES = 65_536
"""Of a key's file."""


class KeySigner:
    """Signs with a private key; see ``kernel.chain.Signer``. Nothing shows the key itself."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.key: str = private.public_key().public_bytes_raw().hex()

    def sign(self, message: bytes) -> bytes:
        """The signature, 64 bytes; always the same for a message."""
        signature: bytes = self._private.sign(message)
        return signature


def read_signer(path: Path) -> KeySigner:
    """The key of a private key's file (PEM, without a password); raises ``BadFile`` or ``MissingExtra``."""
    _check_installed("signing records")
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    content = read_regular(path, MOST_KEY_BYTES)
    try:
        private = load_pem_private_key(content, password=None)
    except Exception as error:  # the library's own, of many kinds; their words may tell of the content
        raise BadFile(path, "", f"is no private key that can be read ({type(error).__name__})") from None
    if not isinstance(private, Ed25519PrivateKey):
        raise BadFile(path, "", "is a key of another kind; backburner keys makes Ed25519 keys")
    return KeySigner(private)


def believed_key(path: Path | None) -> str:
    """The key that records have to be signed by, as ``read_public`` has it; empty where no file is named."""
    return "" if path is None else read_public(path)


def read_public(path: Path) -> str:
    """The public key of a file (PEM) as hexadecimal digits; raises ``BadFile`` or ``MissingExtra``."""
    _check_installed("checking a signature")
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    content = read_regular(path, MOST_KEY_BYTES)
    if b"PRIVATE" in content:
        raise BadFile(path, "", f"is a private key; its public key lies beside it: {path}{PUBLIC}")
    try:
        public: object = load_pem_public_key(content)
    except Exception as error:
        raise BadFile(path, "", f"is no public key that can be read ({type(error).__name__})") from None
    if not isinstance(public, Ed25519PublicKey):
        raise BadFile(path, "", "is a key of another kind; backburner keys makes Ed25519 keys")
    key: str = public.public_bytes_raw().hex()
    return key


def make_keys(path: Path) -> tuple[Path, Path]:
    """Make a key pair: (the private key's file, which nobody else can read; the public key's beside it).

    Raises ``Refused`` where one of the files is there already, and ``MissingExtra``.
    """
    _check_installed("making keys")
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    public_path = path.with_name(path.name + PUBLIC)
    if there := [str(file) for file in (path, public_path) if file.exists() or file.is_symlink()]:
        raise Refused(f"{there[0]} is there already; a key is never written over")
    private = Ed25519PrivateKey.generate()
    secret = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    write_secret(path, secret)
    try:
        write_whole(public_path, public, lasting=True)
    except BaseException:
        path.unlink()
        raise
    return path, public_path


def is_signed(seal: Seal) -> bool:
    """Whether the signature is one of the key that is named with it; raises ``MissingExtra``."""
    return is_signature(seal.key, seal.signature, seal.message)


def is_signature(key: str, signature: str, message: bytes) -> bool:
    """Whether this is the key's signature of the message, all in hexadecimal digits but the message.

    Raises ``MissingExtra``.
    """
    _check_installed("checking a signature")
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        public: Ed25519PublicKey = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public.verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _check_installed(what: str) -> None:
    with needs_extra("sign", what):
        import cryptography  # noqa: F401
