"""Finding worlds, scenarios and suites by name.

An id is ``world/path@key=value,...`` with the keys in order: ``timearena/cooking1+cooking2``,
``timearena/cooking1@kit=one``. A *suite* is a name that stands for many ids, such as
``timearena/pairs``; options after it apply to each of them. The path of a scenario file does for an
id, that of a folder of them for a suite. Which worlds there are, ``packs`` tells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from backburner.kernel import built, packs, titles
from backburner.kernel.answers import Answered
from backburner.kernel.assessment import USUAL, Annotation, Assessment, FromWords
from backburner.kernel.catalogue import Catalogue
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import (
    FEW,
    BackburnerError,
    BadFile,
    Refused,
    UnknownLimits,
    UnknownName,
    shorten,
)
from backburner.kernel.files import read_json
from backburner.kernel.schedule import Problem
from backburner.kernel.scoring import Measures, PlainScoring, Scoring

USER = "user"
"""The folder, within a world's ids, of scenarios that come from a user's file."""

INDEX = "index.json"
"""No scenario file has this name: in a folder of scenarios it tells about them."""


@cache
def catalogue(name: str) -> Catalogue[World[Any, Any, Any]]:
    """The catalogue of a world; raises what ``pack`` and ``part`` raise."""
    path = packs.pack(name).catalogue
    found = packs.part(name, path)
    if not isinstance(found, Catalogue):
        raise Refused(f"world {name!r}: its pack names {path!r}, which is no Catalogue")
    if found.name != name:
        raise Refused(f"world {name!r}: its catalogue {path!r} calls itself {found.name!r}")
    return found


def scoring(name: str) -> Scoring:
    """The metrics and analyses of a world, or plain ones; raises what ``pack`` and ``part`` raise."""
    path = packs.pack(name).scoring
    found: Scoring = packs.part(name, path) if path else PlainScoring()
    return found


def bounds(name: str) -> Callable[[Episode], Measures]:
    """What gives episodes of a world measures that no play can beat; nothing where there is no such bound."""
    path = packs.pack(name).bounds
    found: Callable[[Episode], Measures] = packs.part(name, path) if path else lambda episode: {}
    return found


def shipped_answers(name: str) -> Mapping[str, Answered]:
    """What is proven of the headline's suites that were built, by the digests of their scenarios; none where
    a world has none."""
    return built.shipped_answers(getattr(catalogue(name), "built", ""))


def assessment(world: World[Any, Any, Any]) -> Assessment:
    """What a world's metrics say beyond scores; an empty one where they say nothing, or nobody knows them.

    Raises what ``part`` raises.
    """
    offered = packs.pack_of(world)
    made: Callable[[Any], Assessment] | None = None
    if offered.assessment:
        made = packs.part(offered.name, offered.assessment)
    return made(world) if made is not None else Assessment()


def parts(world: World[Any, Any, Any]) -> tuple[str, ...]:
    """What the scenario is built of, by names that are the same in every scenario that has the part; sorted.

    The scenario is one part where its world does not say. Raises what ``part`` raises.
    """
    offered = packs.pack_of(world)
    if not offered.parts:
        return (world.id,)
    told: Callable[[Any], Iterable[str]] = packs.part(offered.name, offered.parts)
    return tuple(sorted(set(told(world)))) or (world.id,)


def label_sets(name: str) -> tuple[Annotation, ...]:
    """What is labelled in a world, and into which classes; raises what ``part`` raises."""
    offered = packs.pack(name)
    declared: tuple[Annotation, ...] = packs.part(name, offered.annotations) if offered.annotations else USUAL
    return declared


def from_words(name: str) -> FromWords:
    """How scenarios of a world are made of plain words; raises ``Refused`` where they are not."""
    offered = packs.pack(name)
    if not offered.from_words:
        raise Refused(f"world {name!r}: its scenarios are not made of plain words")
    made: FromWords = packs.part(name, offered.from_words)()
    return made


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
    if world_name not in packs.names() and Path(world_name or "/").is_dir():
        raise BadFile(name, "", "no such scenario file, or folder of them")
    offered = _catalogue_of(name)
    suites = offered.suites()
    members = [_member(world_name, member, options) for member in suites.get(path, (path,))]
    try:
        offered.scenario(*members[0])
    except UnknownName as error:
        if error.nearest or error.name != path:
            raise
        raise UnknownName("scenario or suite", name, (f"{world_name}/{s}" for s in suites)) from error
    return [_canonical(offered, *member) for member in members]


def _catalogue_of(id: str) -> Catalogue[World[Any, Any, Any]]:
    """The catalogue of an id's world; an id without a world is answered with the worlds that have it."""
    name, path, _ = split(id)
    try:
        return catalogue(name)
    except UnknownName as error:
        found = [] if path else [f"{world}/{id}" for world in packs.names() if _is_there(f"{world}/{id}")]
        if not found:
            raise
        raise UnknownName("world", name, (), meant=found[:FEW]) from error


def _is_there(id: str) -> bool:
    """Whether there is a scenario or suite of this id; a world that cannot be used has none."""
    try:
        return bool(expand(id))
    except BackburnerError:
        return False


def is_folder(name: str) -> bool:
    """Whether the name is that of a folder; what begins with a world's name is an id."""
    return name.partition("/")[0] not in packs.names() and Path(name).is_dir()


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


def line(id: str) -> list[str]:
    """The ids of all episodes that are played up to this one where one follows the other, itself the last.

    Just the id, or the path of a scenario file, where the episode stands alone.
    """
    found = [id]
    while not id.endswith(".json"):
        name, path, options = split(id)
        offered = catalogue(name)
        before = offered.follows(path, options)
        if before is None:
            break
        id = _canonical(offered, *before)
        found.insert(0, id)
    return found


def stands_alone(id: str) -> bool:
    """Whether an episode of this id begins with nothing that another left."""
    try:
        return len(line(id)) == 1
    except BackburnerError:  # of a world or scenario that nobody here knows
        return True


def following(
    id: str, before: World[Any, Any, Any], state: Any, *, rules: Any, limits: Any
) -> World[Any, Any, Any]:
    """The world of an id as it is played after an episode of ``before`` that ended in ``state``."""
    name, path, options = split(id)
    offered = catalogue(name)
    scenario = offered.continued(offered.scenario(path, options), before, state)
    return offered.build(_canonical(offered, path, options), scenario, rules, limits)


def is_of_file(id: str) -> bool:
    """Whether the id is that of a scenario that came from a user's file."""
    return id.partition("/")[2].startswith(f"{USER}/")


def scenario(id: str) -> Any:
    """The scenario of an id; raises ``UnknownName``."""
    name, path, options = split(id)
    return catalogue(name).scenario(path, options)


def title(id: str, of: Any = None) -> str:
    """What a scenario is called for people; ``of``: the scenario, where it is at hand.

    An id that names none any more, or a file, is told by its last part.
    """
    try:
        return _title(id) if of is None else _titled(id, of)
    except BackburnerError:
        return titles.title(titles.Called((titles.plain(id.rpartition("/")[2]),)), {}, {})


@lru_cache(maxsize=4096)
def _title(id: str) -> str:
    return _titled(id, scenario(id))


def _titled(id: str, of: Any) -> str:
    name, path, options = split(id)
    return catalogue(name).title(path, options, of)


def title_of(world: World[Any, Any, Any]) -> str:
    """What a world's scenario is called for people."""
    return title(world.id, world.scenario)


def world(
    id: str | PathLike[str], *, rules: Any = "standard", limits: Any = "article"
) -> World[Any, Any, Any]:
    """One scenario compiled under one rule set and one set of limits.

    ``id`` is a scenario id or the path of a scenario file. ``rules`` and ``limits`` are names of
    presets or values of the world's own types. Raises ``UnknownName``, ``BadFile``, ``Refused`` for a
    folder and for what is none of these, or ``UnknownLimits`` where the article's limits cannot be told.
    """
    if not isinstance(id, str | PathLike):
        raise Refused(f"a scenario is an id, or a file; not {shorten(repr(id))}")
    id = fspath(id)
    if is_folder(id):
        raise Refused(f"{id} is a folder of scenarios; name one of its files")
    if id.endswith(".json"):
        name, path, scenario = read_scenario_file(Path(id))
        return catalogue(name).build(f"{name}/{USER}/{path}", scenario, rules, limits)
    _, path, options = split(id)
    offered = _catalogue_of(id)
    try:
        scenario = offered.scenario(path, options)
    except UnknownName:
        if members := offered.suites().get(path):
            one = _canonical(offered, *_member(offered.name, members[0], options))
            raise Refused(f"{id} is a suite of {len(members)} scenarios; name one, such as {one}") from None
        raise
    return offered.build(_canonical(offered, path, options), scenario, rules, limits)


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
        raise BadFile(path, "field 'world'", f"names the world of the scenario: {', '.join(packs.names())}")
    try:
        offered = catalogue(raw["world"])
    except UnknownName as error:
        raise BadFile(path, "field 'world'", str(error)) from error
    scenario_path, scenario = offered.read(raw, str(path))
    return raw["world"], scenario_path, scenario


def scenario_file_of(problem: Problem, name: str) -> bytes:
    """A scenario file in which a scheduling problem is played, of the first world that plays any; ``name``:
    what the problem is, in a line.

    Raises ``BadFile`` for a problem that cannot be played, ``Refused`` where no world is installed for it.
    """
    for world_name, offered in packs.installed().packs.items():
        if offered.plays_problems:
            make: Callable[[Problem, str], bytes] = packs.part(world_name, offered.plays_problems)
            return make(problem, name)
    raise Refused("no world is installed that plays any scheduling problem")


def scorings(episodes: Sequence[Episode]) -> Iterator[tuple[str, Scoring, list[Episode]]]:
    """(world, its scoring, its episodes) for each world among ``episodes``."""
    for name in sorted({episode.header.world for episode in episodes}):
        mine = [episode for episode in episodes if episode.header.world == name]
        yield name, scoring(name), mine
