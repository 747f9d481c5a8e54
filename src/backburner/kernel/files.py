"""Files: JSON read, with messages that name the place in the file; files written whole or not at all.

The optima that ship with a world are such files: one reader and one writer serve all worlds. The file says
where its entries come from, and has one entry on each line. What an entry is, is the world's own: a frozen
struct that tells an optimum of one scenario, such as ``{"id": "timearena/lab1", "minutes": 13,
"status": "optimal", "bound": 13}``.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import IO, Any, BinaryIO, Generic, Self, TypeVar, cast

import msgspec
from msgspec import Struct, structs

from backburner.kernel.bounds import check_json
from backburner.kernel.checks import Key, Steps, first_mistake
from backburner.kernel.errors import BadFile, Refused, UnknownName, shorten
from backburner.kernel.expected import told

try:
    import fcntl
except ImportError:  # Windows: there nothing keeps two commands from one file
    fcntl = None  # type: ignore[assignment]

MOST_BYTES = 2**26
"""So large a file of anything but records may be."""


def read_json(path: Path, type: Any = Any, what: str = "JSON") -> Any:
    """What a file of JSON holds, as ``decoded`` has it; raises ``BadFile``."""
    return decoded(read_regular(path), path, type, what)


def decoded(content: bytes, path: Path | str, type: Any = Any, what: str = "JSON", where: str = "") -> Any:
    """JSON as a value of this type; raises ``BadFile``, also for more values than are read.

    A mark that says UTF-8, which some editors put first, is read over; other encodings are named.
    ``what`` the file should be, for the error.
    """
    content = content.removeprefix(codecs.BOM_UTF8)
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise BadFile(path, where, f"not {what}: it is UTF-16; save it as UTF-8")
    try:
        check_json(content)
        return msgspec.json.decode(content, type=type)
    except (ValueError, RecursionError) as error:  # DecodeError is one, and a too long number another
        raise BadFile(path, where, f"not {what}: {error}") from error


MOST_LINES = 1_000_000


def read_lines(path: Path, type: type[T], what: str) -> Iterator[T]:
    """Each line of a file of JSON Lines, strictly; the last is left out if it was cut in the middle.

    Raises ``BadFile`` naming the line that is not ``what``, as in ``an answer``.
    """
    lines = read_regular(path).splitlines(keepends=True)
    if len(lines) > MOST_LINES:
        raise BadFile(path, "", f"holds more than {MOST_LINES} lines")
    for number, line in enumerate(lines, 1):
        try:
            check_json(line)
            value = msgspec.json.decode(line, type=type)
        except (ValueError, RecursionError) as error:  # as in ``decoded``
            if number == len(lines) and not line.endswith(b"\n"):
                return
            raise BadFile(path, f"line {number}", f"is not {what} ({error})") from error
        yield value


def read_text(path: Path, most_bytes: int = MOST_BYTES) -> str:
    """A text in UTF-8; raises ``BadFile``."""
    content = read_regular(path, most_bytes)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadFile(path, f"line {line}", "not UTF-8") from error


MOST_CELLS = 5_000_000
"""Of a table: they take up to 300 MB beside the text itself."""


def cells(text: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of each row of a CSV table that has any, its heading first; raises ``BadFile``."""
    if text.count(",") + text.count("\n") > MOST_CELLS:
        raise BadFile(path, "", f"more than {MOST_CELLS} cells")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            if row:
                yield reader.line_num, row
    except csv.Error as error:
        raise BadFile(path, f"line {reader.line_num}", f"not CSV: {error}") from error


def write_whole(path: Path, content: bytes, *, lasting: bool = False) -> None:
    """Write ``content`` to ``path``: a regular file has all of it or is left as it was.

    A link stays, and what it points to is written. What is there and is no regular file (a device, a pipe,
    ``/dev/stdout``) is written to and never replaced. Folders on the way are made. ``lasting``: what nobody
    can make again is on the disk before it bears its name, which takes some 10 ms; else a machine (not a
    program) that stops may leave the name without the content. Raises ``BadFile`` where no file can be.
    """
    check_destination(path)
    try:
        stream = _stream_behind(path)
        if stream is not None:
            with stream:
                stream.write(content)
            return
        _replace(Path(os.path.realpath(path)), content, lasting)
    except BrokenPipeError:  # whoever read has seen enough
        raise
    except OSError as error:
        raise BadFile(path, "", error.strerror or str(error)) from error


def write_secret(path: Path, content: bytes) -> None:
    """Make a new file that its owner alone may read: it has all of it, or is not there.

    Raises ``BadFile``, also where something stands there already.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
        except BaseException:
            path.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise BadFile(path, "", error.strerror or str(error)) from error


def is_stream(path: Path) -> bool:
    """Whether what is written to ``path`` goes into a pipe, a device or a stream of this process."""
    try:
        regular = stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False
    return not regular or any(map(_is_own_descriptor, _links(path)))


def check_destination(path: Path) -> None:
    """Raise ``BadFile`` if ``path`` is a folder, or if a file stands where a folder on its way should be.

    For those who work for long before they write.
    """
    try:
        if path.is_dir():
            raise BadFile(path, "", "is a folder; name a file in it")
        parent = next(folder for folder in Path(os.path.realpath(path)).parents if folder.exists())
    except (OSError, ValueError) as error:
        raise BadFile(repr(str(path)), "", f"not a file's name: {error}") from error
    if not parent.is_dir():
        raise BadFile(path, "", f"{parent} is a file, not a folder")


def check_unused(folder: Path) -> None:
    """Raise ``Refused`` unless the folder is empty or not there yet."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refused(f"{folder} is in use; name a folder that is empty or new")


def _replace(file: Path, content: bytes, lasting: bool) -> None:
    """Write a temporary file beside ``file`` and rename it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.part-{os.getpid()}")
    try:
        with part.open("wb") as stream:
            stream.write(content)
            stream.flush()
            if lasting:
                os.fsync(stream.fileno())
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def _stream_behind(path: Path) -> BinaryIO | None:
    """What a path that leads to no regular file leads to, open for writing; ``None`` for regular files.

    A stream of this process (``/dev/stdout`` is a link to ``/proc/self/fd/1``) goes on where it is: opened
    anew, a file that a shell redirected it to would be written from its beginning.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return None
    for link in _links(path):
        if _is_own_descriptor(link):
            return os.fdopen(os.dup(int(link.name)), "wb")
    return None if stat.S_ISREG(mode) else path.open("wb")


def _is_own_descriptor(link: Path) -> bool:
    return link.name.isdecimal() and os.path.realpath(link.parent) == os.path.realpath("/proc/self/fd")


def _links(path: Path) -> Iterator[Path]:
    """The links that a path leads over to something that is there, one after the other, itself first."""
    while path.is_symlink():
        yield path
        path = path.parent / path.readlink()


def read_regular(path: Path, most_bytes: int = MOST_BYTES) -> bytes:
    """What a regular file holds, if it is not larger; raises ``BadFile``, and never waits for a pipe."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise BadFile(path, "", "is a folder" if path.is_dir() else "is no regular file")
        if status.st_size > most_bytes:
            raise BadFile(path, "", f"has {status.st_size} bytes; at most {most_bytes} are read")
        return path.read_bytes()
    except OSError as error:
        raise BadFile(path, "", error.strerror or str(error)) from error
    except ValueError as error:
        raise BadFile(repr(str(path)), "", f"not a file's name: {error}") from error


def check_regular(path: Path) -> None:
    """Raise ``BadFile`` if something stands there that is no regular file, nor a link to one."""
    try:
        regular = stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        raise BadFile(repr(str(path)), "", f"not a file's name: {error}") from error
    if not regular:
        raise BadFile(path, "", "is a folder" if path.is_dir() else "is no regular file")


def is_running(process: int) -> bool:
    """Whether a process of this machine is there, which may not have finished what it wrote."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's
        return True
    return True


def hold(file: IO[bytes], *, wait: bool = False) -> bool:
    """Keep the open file from other processes that ask for it so, until it is closed; False if one has it,
    unless we ``wait`` for that one.

    True without any effect on a system that has no such locks.
    """
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


def is_at(file: IO[bytes], path: Path) -> bool:
    """Whether the open file is the one at this place, and none that was removed or replaced meanwhile."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def open_to_add(path: Path) -> IO[bytes]:
    """A file open for adding to its end, in folders that are made on the way; raises ``BadFile``."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("ab")
    except OSError as error:
        raise BadFile(path, "", error.strerror or str(error)) from error


@contextmanager
def changing(path: Path) -> Iterator[None]:
    """Where a file is read and written whole: one process after the other. Raises ``BadFile``.

    The file is there then, if it was empty before. On a system without such locks nobody waits.
    """
    while fcntl is not None:
        with open_to_add(path) as file:
            hold(file, wait=True)
            if is_at(file, path):
                yield
                return
    yield


def rename(part: Path, path: Path) -> None:
    """Give a finished file its name; where that is a link, the name of what it leads to.

    Raises ``BadFile`` where something stands that is no regular file.
    """
    check_regular(path)
    target = Path(os.path.realpath(path))
    if target.parent.stat().st_dev == part.stat().st_dev:
        part.replace(target)
        return
    write_whole(target, part.read_bytes(), lasting=True)  # a link to another file system
    part.unlink()


# --- where in a user's file something stands, and JSON read into structs --------------------------------

E = TypeVar("E")
T = TypeVar("T")
P = TypeVar("P", bound="Place")

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Line breaks, and characters that would move a terminal's cursor."""


class Place(Struct, frozen=True):
    """A place in a file, from the outside in: ``recipes[3] 'omelette'``, ``field 'inputs'``."""

    file: str
    parts: tuple[str, ...] = ()

    def at(self, part: str) -> Self:
        """A place within this one."""
        return structs.replace(self, parts=(*self.parts, part))

    def field(self, name: str) -> Self:
        """A field of what stands here."""
        return self.at(f"field {name!r}")

    def entry(self, field: str, index: int, name: Any = None) -> Self:
        """An entry of a list that stands here."""
        told = f" {shorten(name)!r}" if isinstance(name, str) else ""
        return self.at(f"{field}[{index}]{told}")

    def entries(self, field: str, entries: Iterable[E]) -> Iterator[tuple[Self, E]]:
        """The entries of a list that stands here, each with its place, which tells its name."""
        for index, entry in enumerate(entries):
            yield self.entry(field, index, _name_of(entry)), entry

    def wrong(self, why: str) -> BadFile:
        """The error that something here is wrong."""
        return BadFile(self.file, ", ".join(self.parts), why)

    def unknown(self, kind: str, name: str, known: Iterable[str], why: str = "") -> BadFile:
        """The error that there is nothing of this name, with the nearest names."""
        return self.wrong(f"{UnknownName(kind, name, known)}{f'; {why}' if why else ''}")

    def one_line(self, text: str) -> None:
        """Raises ``BadFile`` for a text that breaks the line, or a terminal."""
        if CONTROL.search(text):
            raise self.wrong(f"{shorten(text)!r} has a line break or another control character")


def converted(raw: Any, type: type[T], place: Place) -> T:
    """JSON values as a struct of which everything holds that it declares (see ``checks``).

    Raises ``BadFile`` for the first thing that does not fit, naming entry and field.
    """
    try:
        value = msgspec.convert(raw, type, str_keys=True)
    except msgspec.ValidationError as error:
        steps, why = told(error, raw, type)
        raise place_of(raw, steps, place).wrong(why) from error
    except RecursionError as error:
        raise place.wrong("too deeply nested") from error
    if (mistake := first_mistake(value, type)) is not None:
        raise place_of(raw, mistake[0], place).wrong(mistake[1])
    return value


def check(value: Struct, place: Place) -> None:
    """Raises ``BadFile`` for the first thing in a struct that is not as it declares."""
    converted(msgspec.to_builtins(value), type(value), place)


def place_of(raw: Any, steps: Steps, place: P) -> P:
    """A path into JSON as ``recipes[3] 'omelette', field 'inputs'``."""
    field = ""
    for step in steps:
        if isinstance(step, str):
            place, field = (place.at(field), step) if field else (place, step)
            raw = raw.get(step) if isinstance(raw, dict) else None
        elif isinstance(step, Key):
            place, field = place.at(f"{field} {shorten(step.name)!r}".strip()), ""
            raw = raw.get(step.name) if isinstance(raw, dict) else None
        else:
            raw = raw[step] if isinstance(raw, list | tuple) and step < len(raw) else None
            place, field = place.entry(field, step, _name_of(raw)), ""
    return place.field(field) if field else place


NAMED_BY = ("name", "id", "product", "output", "recipe", "kind", "verb", "path", "world", "model", "code")
"""The fields that an entry of a list is told by, the first that it has."""


def _name_of(entry: Any) -> Any:
    if isinstance(entry, dict):
        return next((entry[name] for name in NAMED_BY if name in entry), None)
    if isinstance(entry, Struct):
        return next((getattr(entry, name) for name in NAMED_BY if hasattr(entry, name)), None)
    return entry


# --- what ships with a world ----------------------------------------------------------------------------


def shipped(package: str, name: str, kind: type[T], folder: str = "data") -> T:
    """The value in the file ``data/NAME.json`` or ``data/NAME.json.gz`` of a package, or in another folder of
    it; read once."""
    value: T = _shipped(package, name, cast(Any, kind), folder)  # to mypy a class is not hashable
    return value


def shipped_if_there(package: str, name: str, kind: type[T]) -> T | None:
    """The value of ``shipped``; ``None`` where the package has no such file."""
    there = files(package).joinpath("data", f"{name}.json").is_file()
    return shipped(package, name, kind) if there else None


@cache
def _shipped(package: str, name: str, kind: Any, folder: str) -> Any:
    path = files(package).joinpath(folder, f"{name}.json.gz")
    if path.is_file():
        return msgspec.json.decode(gzip.decompress(path.read_bytes()), type=kind)
    return msgspec.json.decode(files(package).joinpath(folder, f"{name}.json").read_bytes(), type=kind)


EntryT = TypeVar("EntryT", bound=Struct)


class OptimaFile(Struct, Generic[EntryT], frozen=True):
    """The data file: which commands made it, and its entries."""

    source: str
    optima: tuple[EntryT, ...]


def read_optima(path: Path, kind: type[EntryT]) -> OptimaFile[EntryT]:
    """A file like the shipped one, with entries of this kind; raises ``BadFile``."""
    file: OptimaFile[EntryT] = read_json(path, OptimaFile[kind], "a file of optima")  # type: ignore[valid-type]
    return file


def shipped_optima(package: str, kind: type[EntryT]) -> tuple[EntryT, ...]:
    """The entries of the file ``data/optima.json`` of a world's package."""
    file: OptimaFile[EntryT] = shipped(package, "optima", OptimaFile[kind])  # type: ignore[valid-type]
    return file.optima


def write_entries(path: Path, source: str, entries: Sequence[Any], *, field: str = "optima") -> None:
    """Write ``source``, and under ``field`` the entries; the file is put in its place when it is complete."""
    lines = b",\n ".join(msgspec.json.encode(entry) for entry in entries)
    write_whole(
        path, b'{"source": %b,\n "%b": [\n %b]}\n' % (msgspec.json.encode(source), field.encode(), lines)
    )
