"""Finding worlds, scenarios and suites by name.

An id is ``world/path@key=value,...`` with the keys in order: ``timearena/cooking1+cooking2``,
``timearena/cooking1@kit=one``. A *suite* is a name that stands for many ids, such as
``timearena/pairs``; options after it apply to each of them. The path of a scenario file does for an
id, that of a folder of them for a suite. Worlds come from the entry-point group
``backburner.worlds``: ours and those of any installed package, each with a ``Pack``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from backburner.kernel.assessment import Assessment
from backburner.kernel.catalogue import Catalogue
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import FEW, BackburnerError, BadFile, Refused, UnknownLimits, UnknownName
from backburner.kernel.files import read_json
from backburner.kernel.pack import Pack
from backburner.kernel.scoring import Measures, PlainScoring, Scoring

GROUP = "backburner.worlds"
"""The entry points that announce worlds."""

_PATH = re.compile(r"\w+(\.\w+)*:\w+")
_OPTION = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

USER = "user"
"""The folder, within a world's ids, of scenarios that come from a user's file."""

INDEX = "index.json"
"""No scenario file has this name: in a folder of scenarios it tells about them."""


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


@cache
def catalogue(name: str) -> Catalogue[World[Any, Any, Any]]:
    """The catalogue of a world; raises what ``pack`` and ``part`` raise."""
    path = pack(name).catalogue
    found = part(name, path)
    if not isinstance(found, Catalogue):
        raise Refused(f"world {name!r}: its pack names {path!r}, which is no Catalogue")
    if found.name != name:
        raise Refused(f"world {name!r}: its catalogue {path!r} calls itself {found.name!r}")
    return found


def scoring(name: str) -> Scoring:
    """The metrics and analyses of a world, or plain ones; raises what ``pack`` and ``part`` raise."""
    path = pack(name).scoring
    found: Scoring = part(name, path) if path else PlainScoring()
    return found


def bounds(name: str) -> Callable[[Episode], Measures]:
    """What gives episodes of a world measures that no play can beat; nothing where there is no such bound."""
    path = pack(name).bounds
    found: Callable[[Episode], Measures] = part(name, path) if path else lambda episode: {}
    return found


def assessment(world: World[Any, Any, Any]) -> Assessment:
    """What a world's metrics say beyond scores; an empty one where they say nothing, or nobody knows them.

    Raises what ``part`` raises.
    """
    offered = pack_of(world)
    made: Callable[[Any], Assessment] | None = None
    if offered.assessment:
        made = part(offered.name, offered.assessment)
    return made(world) if made is not None else Assessment()


def split(id: str) -> tuple[str, str, dict[str, str]]:
    """(world, path, options) of an id."""
    name, _, rest = id.partition("/")
    path, _, tail = rest.partition("@")
    options: dict[str, str] = {}
    for part in filter(None, tail.split(",")):
        key, equals, value = part.partition("=")
        if not equals or key.strip() in options:
            raise Refused(f"{id!r}: an option is written key=value, once; not {part!r}")
        options[key.strip()] = value.strip()
    return name, path, options


def join(name: str, path: str, options: Mapping[str, str]) -> str:
    """The id with its keys in order; the inverse of ``split``."""
    tail = ",".join(f"{key}={value}" for key, value in sorted(options.items()))
    return f"{name}/{path}{f'@{tail}' if tail else ''}"


def expand(name: str) -> list[str]:
    """The scenario ids that an id, a suite, a scenario file (``*.json``) or a folder of them stands for.

    Raises ``UnknownName``, ``BadFile`` for a folder without scenario files.
    """
    if name.endswith(".json") and not Path(name).is_dir():
        return [name]
    if is_folder(name):
        return [str(file) for file in _scenario_files(Path(name))]
    world_name, path, options = split(name)
    if world_name not in names() and Path(world_name or "/").is_dir():
        raise BadFile(name, "", "no such scenario file, or folder of them")
    offered = catalogue(world_name)
    suites = offered.suites()
    members = [_member(world_name, member, options) for member in suites.get(path, (path,))]
    try:
        offered.scenario(*members[0])
    except UnknownName as error:
        if error.nearest or error.name != path:
            raise
        raise UnknownName("scenario or suite", name, (f"{world_name}/{s}" for s in suites)) from error
    return [_canonical(offered, *member) for member in members]


def is_folder(name: str) -> bool:
    """Whether the name is that of a folder; what begins with a world's name is an id."""
    return name.partition("/")[0] not in names() and Path(name).is_dir()


def _scenario_files(folder: Path) -> list[Path]:
    """The files that a folder as a suite stands for, by name."""
    files = sorted(file for file in folder.glob("*.json") if file.name != INDEX)
    if not files:
        inside = sorted({str(file.parent) for file in folder.glob("*/*.json")})
        hint = f"; there are some in {', '.join(inside[:FEW])}" if inside else ""
        raise BadFile(folder, "", f"no scenario file (*.json) in this folder{hint}")
    return files


def _member(world_name: str, member: str, options: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """A suite's member, which may bring options of its own, under the options of the whole suite."""
    _, path, own = split(f"{world_name}/{member}")
    return path, own | dict(options)


def _canonical(offered: Catalogue[World[Any, Any, Any]], path: str, options: Mapping[str, str]) -> str:
    """The id without the options that have their usual values."""
    told = {key: value for key, value in options.items() if offered.defaults.get(key) != value}
    return join(offered.name, path, told)


def scenario(id: str) -> Any:
    """The scenario of an id; raises ``UnknownName``."""
    name, path, options = split(id)
    return catalogue(name).scenario(path, options)


def world(id: str, *, rules: Any = "standard", limits: Any = "article") -> World[Any, Any, Any]:
    """One scenario compiled under one rule set and one set of limits.

    ``id`` is a scenario id or the path of a scenario file. ``rules`` and ``limits`` are names of
    presets or values of the world's own types. Raises ``UnknownName``, ``BadFile``, ``Refused`` for a
    folder, or ``UnknownLimits`` where the article's limits cannot be told.
    """
    if is_folder(id):
        raise Refused(f"{id} is a folder of scenarios; name one of its files")
    if id.endswith(".json"):
        name, path, scenario = read_scenario_file(Path(id))
        return catalogue(name).build(f"{name}/{USER}/{path}", scenario, rules, limits)
    name, path, options = split(id)
    offered = catalogue(name)
    return offered.build(_canonical(offered, path, options), offered.scenario(path, options), rules, limits)


def world_to_look_at(
    id: str, *, rules: Any = "standard", limits: Any = "article"
) -> tuple[World[Any, Any, Any], str]:
    """(a world as ``world`` makes it, empty); without limits where they cannot be told, and why that is."""
    try:
        return world(id, rules=rules, limits=limits), ""
    except UnknownLimits as error:
        return world(id, rules=rules, limits="none"), error.why


def read_scenario_file(path: Path) -> tuple[str, str, Any]:
    """(world, scenario path, scenario) out of a user's file; raises ``BadFile``."""
    raw = read_json(path)
    if not isinstance(raw, dict) or not isinstance(raw.get("world"), str):
        raise BadFile(path, "field 'world'", f"names the world of the scenario: {', '.join(names())}")
    try:
        offered = catalogue(raw["world"])
    except UnknownName as error:
        raise BadFile(path, "field 'world'", str(error)) from error
    scenario_path, scenario = offered.read(raw, str(path))
    return raw["world"], scenario_path, scenario


def scorings(episodes: Sequence[Episode]) -> Iterator[tuple[str, Scoring, list[Episode]]]:
    """(world, its scoring, its episodes) for each world among ``episodes``."""
    for name in sorted({episode.header.world for episode in episodes}):
        mine = [episode for episode in episodes if episode.header.world == name]
        yield name, scoring(name), mine
