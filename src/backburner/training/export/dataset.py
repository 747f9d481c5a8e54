"""The data set as a folder: scenarios are worked through one by one, and then the files are put together.

What a scenario gives is kept in a folder beside the data set, ``<name>.part``, as soon as it is known. The
same command goes on from there after it was stopped; another command, or another version, begins anew. The
data set appears when it is complete, and in one piece. Its card tells what is in the folder, how it was made,
and where ``datasets`` finds it.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import file_digest
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import jinja2
import msgspec
from msgspec import Struct

from backburner.evaluation.running.pool import in_processes
from backburner.evaluation.tables.schema import Table, arrow_library, item_of
from backburner.kernel import __version__, packs, registry
from backburner.kernel.errors import BadFile, Refused, UnknownName
from backburner.kernel.files import check_destination, hold, read_regular, write_whole
from backburner.kernel.oracle import Kept
from backburner.kernel.values import canonical_json
from backburner.training.export.demonstrations import PROMPTED_BY, LeftOut, Settings, check, scenarios_of
from backburner.training.export.rows import rows_of
from backburner.training.export.splits import SPLITS, Division, Split, divide
from backburner.training.export.tables import tables_of, write

# --- the card -----------------------------------------------------------------------------------------------

MOST_NAMED = 20
"""Things that were left out that are named one by one."""


class DataFile(Struct, frozen=True):
    """A file of the data set: its path in the folder, its rows, and the SHA-256 of its bytes."""

    table: str
    split: Split
    path: str
    rows: int
    sha256: str


class Made(Struct, frozen=True):
    """Everything that the card tells.

    ``split``: that of each scenario; ``parts``: of each; ``mixed``: left out, as they have parts of two
    splits. ``versions``: of the package, its worlds and the libraries that decide what is written.
    """

    settings: Settings
    files: tuple[DataFile, ...]
    split: Mapping[str, Split]
    parts: Mapping[str, Sequence[str]]
    mixed: tuple[str, ...]
    left_out: tuple[LeftOut, ...]
    versions: Mapping[str, str]


def command_of(settings: Settings) -> str:
    """The command that writes this data set again."""
    usual = Settings(settings.format, settings.suites)
    said = [f"agents={','.join(settings.agents)}"]
    if settings.format == "messages":
        said.append(f"methods={','.join(settings.methods)}")
    said += ["thoughts=no"] * (not settings.thoughts) + ["unproven=yes"] * settings.unproven
    for key in ("seeds", "rules", "limits", "plan_seconds", "effort", "validation", "test"):
        if getattr(settings, key) != getattr(usual, key):
            said.append(f"{key}={getattr(settings, key)}")
    if settings.hold_out:
        said.append(f"hold_out={','.join(settings.hold_out)}")
    return shlex.join(
        ["backburner", "export", *settings.suites, "--format", f"{settings.format}@{','.join(said)}"]
    )


def card(made: Made) -> str:
    """The text of ``README.md``; the same data gives the same text."""
    ids = {split: [id for id, of in made.split.items() if of == split] for split in SPLITS}
    return _template().render(
        made=made,
        settings=made.settings,
        tables=tables_of(made.settings),
        ids=ids,
        parts={
            split: sorted({part for id in mine for part in made.parts[id]}) for split, mine in ids.items()
        },
        shape=_shape,
        command=command_of(made.settings),
        prompted_by=PROMPTED_BY,
        most_named=MOST_NAMED,
    )


def _template() -> jinja2.Template:
    return jinja2.Environment(
        loader=jinja2.PackageLoader("backburner.training.export"),
        autoescape=False,  # noqa: S701  # it is Markdown
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    ).get_template("card.md.jinja")


SHAPES: Mapping[Any, str] = {str: "string", int: "int64", float: "float64", bool: "bool"}


def _shape(kind: Any) -> str:
    item = item_of(kind)
    if item is None:
        return SHAPES[kind]
    if issubclass(item, Struct):
        return f"list of {{{', '.join(item.__struct_fields__)}}}"
    return "list of strings" if item is str else f"list of {SHAPES[item]}"


MARK = "export.json"
"""The file by which a folder is known as a data set of ours: what it was made of, for programs."""


Advance = Callable[[], None]


class Scenario(Struct, frozen=True):
    """A piece of work: a scenario by its place in the list, and its group."""

    place: int
    id: str
    group: int


def export_data(
    settings: Settings,
    folder: Path,
    *,
    workers: int = 1,
    keep: Path | None = None,
    begin: Callable[[int], None] = lambda number: None,
    advance: Advance = lambda: None,
) -> Made:
    """Write the data set into ``folder``; what was made.

    ``keep``: a file of the oracle's plans, as ``solve`` writes it. ``begin`` hears how many scenarios there
    are, ``advance`` of each that is done. The bytes are the same whatever ``workers`` is. Raises before
    anything is played what ``check`` and ``registry.world`` raise, ``MissingExtra``, ``BadFile`` or
    ``Refused`` for a folder that cannot be written to or holds something else.
    """
    check(settings)
    arrow_library()
    folder = folder.resolve()
    check_folder(folder)
    ids = scenarios_of(settings)
    parts = {id: _parts(id, settings) for id in ids}
    held = held_out(settings.hold_out, parts)
    division = divide(parts, settings.validation, settings.test, held)
    chosen = [Scenario(place, id, division.group[id]) for place, id in enumerate(ids) if id in division.split]
    if not chosen:
        raise Refused("no scenario is left: each has parts that are held out, and others")
    versions = versions_of(sorted({id.partition(":")[0] for names in parts.values() for id in names}))
    with _workshop(folder, canonical_json((settings, versions, chosen))) as workshop:
        begin(len(chosen))
        _work_through(chosen, settings, workshop, workers, keep, advance)
        made = _put_together(chosen, settings, workshop, division, parts, versions)
        _appear(workshop / "data set", folder, workshop)
    return made


def _parts(id: str, settings: Settings) -> tuple[str, ...]:
    world = registry.world(id, rules=settings.rules, limits=settings.limits)
    name = world.id.partition("/")[0]
    return tuple(f"{name}: {part}" for part in registry.parts(world))


def held_out(names: Sequence[str], parts: Mapping[str, Sequence[str]]) -> list[str]:
    """The parts of these names; the world's may be left out. Raises ``UnknownName`` where there is none."""
    known = sorted({part for of in parts.values() for part in of})
    found: list[str] = []
    for name in names:
        mine = [part for part in known if name in (part, part.partition(": ")[2])]
        if not mine:
            raise UnknownName("part", name, [part.partition(": ")[2] for part in known])
        found += mine
    return found


def versions_of(worlds: Sequence[str]) -> dict[str, str]:
    """The versions of everything that decides the bytes."""
    found = {"backburner": __version__}
    found |= {f"world {name}": str(packs.pack(name).version) for name in worlds}
    for library in ("pyarrow", "ortools", "numpy"):
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            found[library] = "none"
    return found


def check_folder(folder: Path) -> None:
    """Raises ``BadFile`` or ``Refused`` if a data set cannot be put there."""
    if folder.exists() and not folder.is_dir():
        raise BadFile(folder, "", "is a file; name a folder")
    check_destination(folder / MARK)
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise Refused(f"{folder} holds other files; name a folder of its own for the data set")


# --- the folder beside it ----------------------------------------------------------------------------------


@contextmanager
def _workshop(folder: Path, asked: bytes) -> Iterator[Path]:
    """The folder in which the data set is made; removed when the block is done, and left if it is not.

    What another command has left there is removed first. Raises ``Refused`` while somebody else is at it.
    """
    place = folder.with_name(f"{folder.name}.part")
    if place.exists() and not (place / "asked.json").is_file() and any(place.iterdir()):
        raise Refused(f"{place} holds other files; the data set is made there")
    place.mkdir(parents=True, exist_ok=True)
    with (place / "lock").open("ab") as lock:
        if not hold(lock):
            raise Refused(f"{folder}: another command makes this data set")
        told = place / "asked.json"
        if not told.is_file() or read_regular(told) != asked:
            for name in ("scenarios", "data set", "former"):
                shutil.rmtree(place / name, ignore_errors=True)
            write_whole(told, asked)
        (place / "scenarios").mkdir(exist_ok=True)
        try:
            yield place
        except Refused:  # by what is asked for, and not by an accident: the same would come of it again
            shutil.rmtree(place)
            raise
        shutil.rmtree(place)


def _appear(made: Path, folder: Path, workshop: Path) -> None:
    """Put the data set in its place; a former one is out of the way before, and removed after."""
    former = workshop / "former"
    if folder.is_dir():
        folder.rename(former)
    made.rename(folder)


def _file(workshop: Path, scenario: Scenario, kind: str) -> Path:
    return workshop / "scenarios" / f"{scenario.place:06}.{kind}.jsonl"


DONE = "left out"
"""The file of a scenario that is written last: with it the others are complete."""


def _work_through(
    chosen: Sequence[Scenario],
    settings: Settings,
    workshop: Path,
    workers: int,
    keep: Path | None,
    advance: Advance,
) -> None:
    """What every scenario gives, in files of its own."""
    missing = []
    for scenario in chosen:
        if _file(workshop, scenario, DONE).exists():
            advance()
        else:
            missing.append(scenario)
    work = partial(work_on, settings=settings, workshop=workshop, keep=keep)
    workers = min(workers, len(missing))
    for _ in in_processes(work, missing, workers) if workers > 1 else map(work, missing):
        advance()


def work_on(scenario: Scenario, *, settings: Settings, workshop: Path, keep: Path | None) -> None:
    """Write what one scenario gives."""
    kept = None if keep is None else Kept(keep)
    given = rows_of(scenario.id, settings, scenario.group, kept)
    for table in tables_of(settings):
        rows = given.rows.get(table.name, ())
        lines = b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
        write_whole(_file(workshop, scenario, table.name), lines)
    lines = b"".join(msgspec.json.encode(one) + b"\n" for one in given.left_out)
    write_whole(_file(workshop, scenario, DONE), lines)


# --- the files of the data set -----------------------------------------------------------------------------


def _put_together(
    chosen: Sequence[Scenario],
    settings: Settings,
    workshop: Path,
    division: Division,
    parts: Mapping[str, Sequence[str]],
    versions: Mapping[str, str],
) -> Made:
    to = workshop / "data set"
    shutil.rmtree(to, ignore_errors=True)
    files = []
    for table in tables_of(settings):
        for split in SPLITS:
            mine = [scenario for scenario in chosen if division.split[scenario.id] == split]
            path = Path(table.name) / f"{split}.parquet"
            rows = _write(table, mine, workshop, to / path)
            if rows:
                files.append(DataFile(table.name, split, path.as_posix(), rows, _sha256(to / path)))
    first = tables_of(settings)[0].name
    left_out = tuple(
        msgspec.json.decode(line, type=LeftOut)
        for scenario in chosen
        for line in _lines(_file(workshop, scenario, DONE))
    )
    if not any(file.table == first for file in files):
        why = f": {left_out[0].what}: {left_out[0].why}" if left_out else ""
        raise Refused(f"nothing can be exported{why}")
    made = Made(settings, tuple(files), division.split, parts, division.mixed, left_out, versions)
    write_whole(to / "README.md", card(made).encode())
    write_whole(to / MARK, canonical_json(made) + b"\n")
    return made


def _write(table: Table, scenarios: Sequence[Scenario], workshop: Path, file: Path) -> int:
    """The rows of these scenarios, in their order; no file where there are none."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = (line for scenario in scenarios for line in _lines(_file(workshop, scenario, table.name)))
    number = write(table, lines, file)
    if not number:
        file.unlink()
    if not any(file.parent.iterdir()):
        file.parent.rmdir()
    return number


def _lines(file: Path) -> Iterator[bytes]:
    with file.open("rb") as stream:
        yield from stream


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def summary(made: Made) -> dict[str, Any]:
    """What was made, in numbers."""
    return {
        "files": [file.path for file in made.files],
        "rows": {f"{file.table}/{file.split}": file.rows for file in made.files},
        "left_out": [f"{one.what}: {one.why}" for one in made.left_out],
    }
