"""The lines of a record, chained: each says which lines came before it, and the last one may be signed.

A line is a JSON object in its one spelling, and its last field is ``chain``: the digest of the former line's
chain and of this object without the field. Whoever changes, drops, doubles or moves a line must write every
line after it anew. The last line of a finished record may have two fields more, ``key`` and ``signature``:
what the owner of an Ed25519 key says of its ``chain``, and so of everything before it.

Nothing here knows what a line means. Reading is bounded before any work is done.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from backburner.kernel.bounds import check_json

MOST_BYTES = 256 << 20
"""Of a file. A hundred thousand decision points of a kilobyte each come to less than half of it."""

MOST_LINE_BYTES = 16 << 20
"""Of one line, with all that models have said on the way to one decision."""

MOST_HEADER_BYTES = 4 << 20
"""Of the first line, which holds one scenario in full; the largest that come with the worlds have 50 kB."""

MOST_LINES = 1_000_000
"""Of a file: ten times the safety cap of play."""

START = bytes(32)
"""What stands for the chain of a former line where there is none."""


class Signer(Protocol):
    """Signs in the name of a key. It never tells the key itself."""

    @property
    def key(self) -> str:
        """The public key, 64 hexadecimal digits."""

    def sign(self, message: bytes) -> bytes:
        """The Ed25519 signature of a message, 64 bytes."""


class Seal(Struct, frozen=True):
    """What the end of a chained record says of the whole: the last chain; who signed it, and the signature,
    all as hexadecimal digits. Without a signature both are empty."""

    chain: str
    key: str = ""
    signature: str = ""

    @property
    def message(self) -> bytes:
        """What is signed."""
        return message_of(bytes.fromhex(self.chain))


class Link(Struct, frozen=True, gc=False):
    """A line taken apart: the object without its chain, as it was written, and what stood after it."""

    body: bytes
    seal: Seal | None


def message_of(chain: bytes) -> bytes:
    """What a signature is made of: it can be mistaken for a signature of nothing else."""
    return b"backburner record, chain " + chain.hex().encode()


class Chain:
    """Adds its chain to one line after the other. ``former``: the chain of the last line that is there."""

    def __init__(self, former: bytes = START) -> None:
        self.last = former

    def line(self, body: bytes, signer: Signer | None = None) -> bytes:
        """The line of an object, with its line break; ``signer`` signs it as the last one."""
        self.follow(body)
        tail = b'%b,"chain":"%b"' % (body[:-1], self.last.hex().encode())
        if signer is not None:
            signature = signer.sign(message_of(self.last)).hex()
            tail += b',"key":"%b","signature":"%b"' % (signer.key.encode(), signature.encode())
        return tail + b"}\n"

    def follow(self, body: bytes) -> str:
        """The chain of an object that comes next, which then is the last."""
        self.last = blake2b(self.last + body, digest_size=32).digest()
        return self.last.hex()


_TAIL = re.compile(
    rb',"chain":"([0-9a-f]{64})"(?:,"key":"([0-9a-f]{64})","signature":"([0-9a-f]{128})")?\}\Z'
)
_LONGEST_TAIL = 400


def parted(line: bytes) -> Link:
    """A line without its line break, taken apart; a line without a chain is all body."""
    start = max(0, len(line) - _LONGEST_TAIL)
    tail = _TAIL.search(line, start)
    if tail is None:
        return Link(line, None)
    chain, key, signature = (part.decode() for part in tail.groups(b""))
    return Link(line[: tail.start()] + b"}", Seal(chain, key, signature))


def signed(content: bytes, signer: Signer) -> bytes:
    """A finished record that nobody has signed, with a signature."""
    before, _, last = content.removesuffix(b"\n").rpartition(b"\n")
    found = parted(last)
    if found.seal is None or found.seal.key:
        raise ValueError("only what is chained and not signed can be signed")
    signature = signer.sign(found.seal.message).hex()
    tail = f',"chain":"{found.seal.chain}","key":"{signer.key}","signature":"{signature}"}}\n'
    return b"%b\n%b%b" % (before, found.body[:-1], tail.encode())


def lines_of(content: bytes) -> tuple[Sequence[bytes], bool]:
    """(the lines of a file, without breaks; whether the last one was begun and has no break).

    Raises ``ValueError`` for a file that is too large to be a record.
    """
    if len(content) > MOST_BYTES:
        raise ValueError(f"of {len(content)} bytes; a record has at most {MOST_BYTES}")
    if content.count(b"\n") > MOST_LINES:
        raise ValueError(f"of more than {MOST_LINES} lines")
    lines = content.split(b"\n")
    begun = lines.pop()
    return [line.removesuffix(b"\r") for line in lines] + ([begun] if begun else []), bool(begun)


def check_size(line: bytes, most_bytes: int = MOST_LINE_BYTES) -> None:
    """Raises ``ValueError`` for a line too long, or nested too deep, to be looked at."""
    if len(line) > most_bytes:
        raise ValueError(f"of {len(line)} bytes; such a line has at most {most_bytes}")
    check_json(line)


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


def check_spelling(body: bytes) -> None:
    """Raises ``ValueError`` unless the object is spelt as we write it: no field twice, no blank, nothing
    that one reader of JSON takes for this and another for that."""
    if _encode(_decode(body)) != body:
        raise ValueError(_spelling(body))


def _spelling(body: bytes) -> str:
    twice: list[str] = []

    def pairs(found: list[tuple[str, Any]]) -> None:
        twice.extend(name for name, number in Counter(name for name, _ in found).items() if number > 1)

    json.loads(body, object_pairs_hook=pairs)
    return f"field {twice[0]!r} stands there twice" if twice else "not spelt as a record is written"


def link(line: bytes, chained: bool) -> Link:
    """A line taken apart; raises ``ValueError`` for one that is too large, or not as we write it."""
    check_size(line)
    if not chained:
        return Link(line, None)
    found = parted(line)
    if found.seal is None:
        raise ValueError("it does not end with its field 'chain'")
    check_spelling(found.body)
    return found


class BadLine(Exception):
    """A line that does not follow from those before it; lines are counted from 1."""

    def __init__(self, number: int, field: str, why: str) -> None:
        self.number, self.field, self.why = number, field, why
        super().__init__(f"line {number}, field {field!r}: {why}")


def seal_of(links: Sequence[Link], ends: bool) -> Seal:
    """The seal of the last line. ``ends``: whether that is an ending, which alone is signed.

    Raises ``BadLine`` for the first line that does not follow those before it.
    """
    followed, seal = Chain(), Seal("")
    for number, each in enumerate(links, 1):
        seal = each.seal or Seal("")
        if followed.follow(each.body) != seal.chain:
            why = "does not fit this line after those before it: something was changed, left out or put in"
            raise BadLine(number, "chain", why)
        if seal.key and (number < len(links) or not ends):
            raise BadLine(number, "signature", "only an ending is signed")
    return seal
