"""How much a foreign file may make us hold, found before any of it is decoded.

A few bytes of JSON become a hundred in memory: 64 MiB of ``[{},{},...]`` would take two gigabytes. So values
are counted in the bytes, and how deep they stand within each other. Archives are bounded by their directory,
and then by what they really hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import accumulate
from pathlib import Path
from zipfile import ZipFile, ZipInfo

from backburner.kernel.errors import BadFile, shorten

MOST_VALUES = 1_000_000
"""Of one JSON document. They take up to 150 MB beside the text itself."""

MOST_NESTED = 100
"""Lists and objects within each other."""


def check_json(content: bytes, most_values: int = MOST_VALUES) -> None:
    """Raises ``ValueError`` for JSON of too many values, or nested too deep, to be decoded.

    Time grows with the text and no faster; no value is made.
    """
    begun = content.count(b"[") + content.count(b"{")
    if begun > MOST_NESTED or begun + content.count(b",") > most_values:
        for _ in _checked((content,), most_values):
            pass


def _checked(portions: Iterable[bytes], most_values: int = MOST_VALUES) -> Iterator[bytes]:
    """The portions of a document, one after the other; raises as ``check_json`` does."""
    values, depth, inside, odd = 0, 0, False, b""
    for portion in portions:
        yield portion
        portion = odd + portion
        odd = portion[-1:] if (len(portion) - len(portion.rstrip(b"\\"))) % 2 else b""
        plain = portion[: len(portion) - len(odd)].replace(b"\\\\", b"").replace(b'\\"', b"")
        for start in range(0, len(plain), _AT_ONCE):
            parts = plain[start : start + _AT_ONCE].translate(None, _OTHERS).split(b'"')
            signs = b"".join(parts[inside::2])
            inside ^= len(parts) % 2 == 0
            values += len(signs) - signs.count(b"]") - signs.count(b"}")
            if values > most_values:
                raise ValueError(f"more than {most_values} values")
            depths = list(accumulate(map(_DEEPER.__getitem__, signs), initial=depth))
            if max(depths) > MOST_NESTED:
                raise ValueError(f"nested deeper than {MOST_NESTED} lists and objects")
            depth = depths[-1]


_AT_ONCE = 1 << 16
_OTHERS = bytes(set(range(256)) - set(b'[]{},"'))
_DEEPER = {ord(","): 0} | dict.fromkeys(b"[{", 1) | dict.fromkeys(b"]}", -1)
"""Outside of texts, one of these signs stands before each value but the first."""


# --- archives --------------------------------------------------------------------------------------------

MOST_MEMBERS = 100_000
MOST_MEMBER_BYTES = 512 << 20
MOST_UNPACKED_BYTES = 8 << 30
MOST_RATIO = 300
"""Of a member's size to its room in the archive, where it has more than ``LEAST_RATED`` bytes."""

LEAST_RATED = 1 << 20
MOST_MEMBER_VALUES = 5_000_000
METHODS = {0: "stored", 8: "deflate", 93: "zstd"}


_READ_AT_ONCE = 1 << 20
_ENTRY = b"PK\x01\x02"
"""What every entry of a directory begins with."""


def unpacked(archive: Path, to: Path) -> None:
    """Write what is in a zip archive of JSON documents to ``to``, as an archive that packs nothing.

    Whoever reads ``to`` reads what was bounded. Raises ``BadFile`` for more, larger or denser members than a
    log has, as the directory tells before anything is inflated; then for a member that is not what the
    directory says, or of more values than are read; and for what is no archive.
    """
    try:
        _count_entries(archive)
        with ZipFile(archive) as source, ZipFile(to, "w") as target:
            members = {info.filename: info for info in source.infolist()}
            _check_directory(archive, members.values())
            for info in members.values():
                _copy(archive, source, info, target)
    except BadFile:
        raise
    except Exception as error:  # whatever a file that is no archive does to those who unpack it
        raise BadFile(archive, "", f"no archive that can be read: {error}") from error


def _count_entries(archive: Path) -> None:
    """Before the directory becomes objects: wherever it is, its entries are told by their beginning."""
    entries, last = 0, b""
    with archive.open("rb") as file:
        while portion := file.read(_READ_AT_ONCE):
            entries += (last + portion).count(_ENTRY)
            last = portion[-len(_ENTRY) + 1 :]
            if entries > MOST_MEMBERS:
                raise BadFile(archive, "", f"more than {MOST_MEMBERS} members")


def _check_directory(archive: Path, members: Iterable[ZipInfo]) -> None:
    size = 0
    for info in members:
        size += info.file_size
        if info.compress_type not in METHODS:
            raise _wrong(archive, info, f"packed by method {info.compress_type}, not {METHODS}")
        if info.file_size > MOST_MEMBER_BYTES:
            raise _wrong(archive, info, f"{info.file_size} bytes; at most {MOST_MEMBER_BYTES} are read")
        if info.file_size > max(LEAST_RATED, MOST_RATIO * info.compress_size):
            raise _wrong(archive, info, f"more than {MOST_RATIO} times as large as its room in the archive")
        if size > MOST_UNPACKED_BYTES:
            raise BadFile(archive, "", f"more than {MOST_UNPACKED_BYTES} bytes in all")


def _copy(archive: Path, source: ZipFile, info: ZipInfo, target: ZipFile) -> None:
    told, size = info.file_size, 0
    info.file_size = told + 1  # where there is more than the directory tells, one byte of it is seen
    try:
        with source.open(info) as packed, target.open(info.filename, "w", force_zip64=True) as plain:
            portions = iter(partial(packed.read, _READ_AT_ONCE), b"")
            for portion in _checked(portions, MOST_MEMBER_VALUES):
                size += len(portion)
                if size > told:
                    break
                plain.write(portion)
    except ValueError as error:
        raise _wrong(archive, info, str(error)) from error
    if size != told:
        raise _wrong(archive, info, "another size than the archive's directory tells")


def _wrong(archive: Path, info: ZipInfo, why: str) -> BadFile:
    return BadFile(archive, f"member {shorten(info.filename)!r}", why)
