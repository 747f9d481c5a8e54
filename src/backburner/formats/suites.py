"""Scenarios as files of other programs: one file, or a folder of them with a manifest."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.formats.classical import exported_task
from backburner.formats.files import FORMATS, exported
from backburner.kernel import packs, registry
from backburner.kernel.contract import World
from backburner.kernel.errors import MissingExtra, Refused
from backburner.kernel.files import write_whole
from backburner.kernel.oracle import oracle_of
from backburner.kernel.schedule import problem_of
from backburner.kernel.values import digest, indented_json
from backburner.scheduling.makespan import solve_problem

MANIFEST = "manifest.json"
"""The file of a folder that tells about the others."""

EFFORT = 2.0
"""Of the search for the best plan of each scenario in a manifest: some seconds where it is hard."""


class Row(Struct, frozen=True):
    """A scenario in a manifest. ``problem``: digest of what was exported. ``best``: the least makespan that
    was found, and ``bound`` what no plan beats; ``None`` where nobody has searched."""

    id: str
    file: str
    sha256: str
    problem: str
    lost: tuple[str, ...]
    unit: str
    status: str | None = None
    best: int | None = None
    bound: int | None = None
    licence: str | None = None


class LeftOut(Struct, frozen=True):
    """A scenario that has no file, and why."""

    id: str
    why: str


class Manifest(Struct, frozen=True):
    """What a folder of exported scenarios holds, and what of its sources it does not."""

    format: str
    source: tuple[str, ...]
    files: tuple[Row, ...]
    left_out: tuple[LeftOut, ...] = ()


def export_scenario(id: str, format: str, to: Path, *, strict: bool = False) -> Row:
    """Write a scenario into a file; raises ``Refused`` for one that is no problem, or not of this format."""
    return _write(registry.world_to_look_at(id)[0], format, to, strict)


def export_suites(
    names: Sequence[str],
    format: str,
    folder: Path,
    *,
    strict: bool = False,
    advance: Callable[[], Any] = lambda: None,
) -> Manifest:
    """Write every scenario of these suites into a folder, with a manifest beside them.

    Raises ``Refused`` where no scenario can be written.
    """
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    for id in dict.fromkeys(id for name in names for id in registry.expand(name)):
        try:
            world = registry.world_to_look_at(id)[0]
            file = folder / f"{world.id.replace('/', '-')}{FORMATS[format].suffix}"
            rows.append(_with_best(_write(world, format, file, strict), world, format))
        except Refused as error:
            left_out.append(LeftOut(id, str(error)))
        advance()
    if not rows:
        raise Refused(left_out[0].why)
    manifest = Manifest(format, tuple(names), tuple(rows), tuple(left_out))
    write_whole(folder / MANIFEST, indented_json(manifest))
    return manifest


def _write(world: World[Any, Any, Any], format: str, to: Path, strict: bool) -> Row:
    if FORMATS[format].of_tasks:
        made = exported_task(oracle_of(world).planning(world).task, strict=strict)
        unit, stated = (
            "steps",
            digest([hashlib.sha256(each).hexdigest() for each in (made.content, *made.beside.values())]),
        )
    else:
        problem = problem_of(world)
        made = exported(problem, format, strict=strict)
        unit, stated = problem.unit, digest(problem)
    content, lost, beside = made
    write_whole(to, content)
    for end, more in beside.items():
        write_whole(to.with_name(f"{to.name.removesuffix(FORMATS[format].suffix)}{end}"), more)
    sha256 = hashlib.sha256(content).hexdigest()
    return Row(world.id, to.name, sha256, stated, lost, unit, licence=_licence(world))


def _with_best(row: Row, world: World[Any, Any, Any], format: str) -> Row:
    """The row with the best that is known: of a task what ships, of a problem what is found now."""
    with suppress(MissingExtra):
        of_task = FORMATS[format].of_tasks
        found = oracle_of(world).known(world) if of_task else solve_problem(problem_of(world), effort=EFFORT)
        return (
            row
            if found is None
            else replace(row, status=found.status, best=found.objective, bound=found.bound)
        )
    return row


def _licence(world: World[Any, Any, Any]) -> str | None:
    """The licence of the package that a scenario ships with; nobody knows that of a user's file."""
    with suppress(metadata.PackageNotFoundError):
        if not registry.is_of_file(world.id):
            told = metadata.metadata(packs.pack_of(world).catalogue.partition(".")[0])
            return told["License-Expression"] or told["License"]
    return None
