"""The packs of all installed worlds, ours and those of other packages, and their parts.

Nothing of a world is imported until a part of its pack is asked for, so that a list of worlds, or a page
of help, costs next to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from backburner.kernel.errors import BackburnerError, Refused, UnknownName
from backburner.kernel.pack import Pack

if TYPE_CHECKING:
    from backburner.kernel.contract import World

GROUP = "backburner.worlds"
"""The entry points that announce worlds."""

_PATH = re.compile(r"\w+(\.\w+)*:\w+")
_OPTION = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class Installed(Struct, frozen=True):
    """The worlds that there are; ``broken`` has a line about each that cannot be used, by its name."""

    packs: dict[str, Pack]
    broken: dict[str, str]


@cache
def installed() -> Installed:
    """The packs of all worlds, ours and those of other packages; one that does not load breaks no other."""
    announced: dict[str, dict[str, EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        announced.setdefault(point.name, {})[point.value] = point
    found = Installed({}, {})
    for name, points in sorted(announced.items()):
        try:
            found.packs[name] = _pack(name, list(points.values()))
        except Refused as error:
            found.broken[name] = str(error)
    return found


def _pack(name: str, points: Sequence[EntryPoint]) -> Pack:
    """The pack that an entry point names; raises ``Refused`` for whatever is wrong with it."""
    if len(points) > 1:
        offers = " and ".join(f"{_package(point)} ({point.value})" for point in points)
        raise Refused(f"world {name!r} is offered by {offers}; uninstall all but one")
    (point,) = points
    where = f"world {name!r} of {_package(point)}"
    try:
        pack = point.load()
    except (Exception, SystemExit) as error:  # whatever another package does when it is imported
        raise Refused(f"{where}: {point.value} does not load: {_told(error)}") from error
    if not isinstance(pack, Pack):
        raise Refused(f"{where}: {point.value} is no Pack but of type {type(pack).__name__}")
    if pack.name != name:
        raise Refused(f"{where}: the pack calls itself {pack.name!r}")
    try:
        msgspec.convert(msgspec.to_builtins(pack), Pack)
    except (msgspec.ValidationError, TypeError) as error:
        raise Refused(f"{where}: the pack is malformed: {error}") from error
    for path in pack.paths:
        if not _PATH.fullmatch(path):
            raise Refused(f"{where}: the pack names {path!r}, which is not written module:attribute")
    for argument in pack.oracle_arguments:
        if not _OPTION.fullmatch(argument.name):
            raise Refused(f"{where}: the oracle's option {argument.name!r} is not written like time-limit")
    return pack


def _package(point: EntryPoint) -> str:
    return f"package {point.dist.name}" if point.dist is not None else "an unknown package"


def _told(error: BaseException) -> str:
    """An exception in one line."""
    if isinstance(error, BackburnerError):
        return str(error)
    return " ".join(f"{type(error).__name__}: {error}".split())


def names() -> tuple[str, ...]:
    """The worlds that are installed and can be used."""
    return tuple(installed().packs)


def pack(name: str) -> Pack:
    """The pack of a world; raises ``UnknownName`` with the nearest names, ``Refused`` if it is broken."""
    there = installed()
    if name in there.broken:
        raise Refused(there.broken[name])
    if name not in there.packs:
        raise UnknownName("world", name, there.packs)
    return there.packs[name]


def pack_of(world: World[Any, Any, Any]) -> Pack:
    """The pack of a world that is at hand; an empty one for a world that nobody has announced."""
    name = world.id.partition("/")[0]
    there = installed().packs
    return there[name] if name in there else Pack(name=name, title="", version=1, catalogue="")


@cache
def part(name: str, path: str) -> Any:
    """What ``module:attribute`` of a world's pack stands for; raises ``Refused`` if it cannot be imported."""
    module, _, attribute = path.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except BackburnerError:
        raise
    except (Exception, SystemExit) as error:
        raise Refused(
            f"world {name!r}: its pack names {path!r}, which does not load: {_told(error)}"
        ) from error
