"""Finding worlds, scenarios and suites by name.

An id is ``world/path@key=value,...`` with the keys in order: ``timearena/cooking1+cooking2``,
``timearena/cooking1@kit=one``. A *suite* is a name that stands for many ids, such as
``timearena/pairs``; options after it apply to each of them. The path of a scenario file does for an
id, that of a folder of them for a suite. Worlds come from the entry-point group
``backburner.worlds``: ours and those of any installed package.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Protocol

from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import FEW, BadFile, Refused, UnknownName
from backburner.kernel.files import read_json
from backburner.kernel.scoring import Scoring

USER = "user"
"""The folder, within a world's ids, of scenarios that come from a user's file."""

INDEX = "index.json"
"""No scenario file has this name: in a folder of scenarios it tells about them."""


class Catalogue(Protocol):
    """What a world's package offers: scenarios, suites, rule sets, limits, scoring.

    ``version`` is raised whenever a recorded score would change.
    """

    @property
    def name(self) -> str:
        """The first part of the ids, such as ``timearena``."""

    @property
    def title(self) -> str:
        """How the world was published, in a line."""

    @property
    def version(self) -> int:
        """Raised whenever a recorded score would change."""

    @property
    def rules(self) -> Mapping[str, Any]:
        """The presets by name; ``standard`` and ``released`` are always there."""

    @property
    def limits(self) -> Sequence[str]:
        """The names of the limit presets; ``article`` and ``none`` are always there."""

    @property
    def solve_limits(self) -> str:
        """The limits under which shortest plans are looked for; ``none`` where limits come from them."""

    @property
    def defaults(self) -> Mapping[str, str]:
        """The values that options have when an id does not name them; ids leave them out."""

    @property
    def scoring(self) -> Scoring:
        """The article's metrics and analyses."""

    def suites(self) -> Mapping[str, Sequence[str]]:
        """Suite path to scenario paths, options included, without the world's name, in a fixed order."""

    def scenario(self, path: str, options: Mapping[str, str]) -> Any:
        """The scenario of this path; raises ``UnknownName`` with the nearest names."""

    def read(self, raw: Mapping[str, Any], source: str) -> tuple[str, Any]:
        """(path, scenario) out of a user's scenario file; raises ``BadFile`` naming ``source``."""

    def build(self, id: str, scenario: Any, rules: Any, limits: Any) -> World[Any, Any, Any]:
        """The world of a scenario; ``rules`` and ``limits`` are preset names or values."""

    def restore(self, id: str, scenario: Any, rules: Any, limits: Any) -> World[Any, Any, Any]:
        """The world of a record's header, whose parts are plain JSON values."""

    def statistics(self, ids: Sequence[str]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """The article's data set table beside ours for these scenarios: column titles, rows."""


@cache
def names() -> tuple[str, ...]:
    """The worlds that are installed."""
    return tuple(sorted({point.name for point in entry_points(group="backburner.worlds")}))


@cache
def catalogue(name: str) -> Catalogue:
    """The catalogue of a world; raises ``UnknownName`` with the nearest names."""
    for point in entry_points(group="backburner.worlds", name=name):
        found: Catalogue = point.load()
        return found
    raise UnknownName("world", name, names())


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


def _canonical(offered: Catalogue, path: str, options: Mapping[str, str]) -> str:
    """The id without the options that have their usual values."""
    told = {key: value for key, value in options.items() if offered.defaults.get(key) != value}
    return join(offered.name, path, told)


def world(id: str, *, rules: Any = "standard", limits: Any = "article") -> World[Any, Any, Any]:
    """One scenario compiled under one rule set and one set of limits.

    ``id`` is a scenario id or the path of a scenario file. ``rules`` and ``limits`` are names of
    presets or values of the world's own types. Raises ``UnknownName``, ``BadFile``, or ``Refused`` for
    a folder.
    """
    if is_folder(id):
        raise Refused(f"{id} is a folder of scenarios; name one of its files")
    if id.endswith(".json"):
        name, path, scenario = read_scenario_file(Path(id))
        return catalogue(name).build(f"{name}/{USER}/{path}", scenario, rules, limits)
    name, path, options = split(id)
    offered = catalogue(name)
    scenario = offered.scenario(path, options)
    return offered.build(_canonical(offered, path, options), scenario, rules, limits)


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


def preset(kind: str, name: Any, known: Mapping[str, Any], where: str) -> Any:
    """A preset by its name, or the value itself if it is not a name."""
    if not isinstance(name, str):
        return name
    if name not in known:
        raise UnknownName(kind, name, known, where)
    return known[name]


def scorings(episodes: Sequence[Episode]) -> Iterator[tuple[str, Scoring, list[Episode]]]:
    """(world, its scoring, its episodes) for each world among ``episodes``."""
    for name in sorted({episode.header.world for episode in episodes}):
        mine = [episode for episode in episodes if episode.header.world == name]
        yield name, catalogue(name).scoring, mine
