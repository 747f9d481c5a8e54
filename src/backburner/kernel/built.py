"""The headline's suites that were built and ship: scenarios, their best plans, and what busy play attains.

They stand in one file of a world's package, ``data/built-1.json`` or that of the edition in which the world
came in; an edition is the suites of all worlds that had come by then. ``source`` says which command made
them. An edition never changes: what would be made otherwise is another edition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Struct

from backburner.kernel.answers import Answered
from backburner.kernel.errors import UnknownName
from backburner.kernel.files import shipped_if_there

Edition = Literal["built-1", "built-2"]
EDITIONS: tuple[Edition, ...] = get_args(Edition)
"""The oldest first. The name of that in which a world came in is the first part of its suites' names and of
its scenarios' paths."""

Band = Literal["low", "middle", "high"]
BANDS: tuple[Band, ...] = get_args(Band)
"""How much of the best is lost without thought."""


class BuiltScenario(Struct, frozen=True, forbid_unknown_fields=True):
    """One scenario: its ``name``, the ``fields`` of its file, what is proven of it, and the means that
    ``busy`` and ``random`` attain of it."""

    name: Annotated[str, Meta(max_length=60)]
    band: Band
    fields: dict[str, Any]
    answer: Answered
    busy: float
    random: float


class BuiltFile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A world's scenarios, for which ``version`` of it; ``seeds``: the first and the last of those that
    ``busy`` and ``random`` drew by; the ``edition`` in which they came in."""

    source: str
    version: int
    seeds: tuple[int, int]
    scenarios: tuple[BuiltScenario, ...]
    edition: Edition = EDITIONS[0]

    @property
    def bands(self) -> Mapping[Band, Sequence[BuiltScenario]]:
        """The scenarios of each band that has any."""
        found = {band: [one for one in self.scenarios if one.band == band] for band in BANDS}
        return {band: own for band, own in found.items() if own}


class SealedFile(BuiltFile, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The scenarios of a hosted suite of ``world``; their names are those of its files."""

    world: str


def beside(folder: Path, edition: str) -> Path:
    """The file with the suites that came out of a build into a folder."""
    return folder.with_name(f"{folder.name}.{edition}.json")


@cache
def built_of(package: str) -> BuiltFile | None:
    """What a package ships; ``None`` where it ships nothing."""
    found = (shipped_if_there(package, edition, BuiltFile) for edition in EDITIONS if package)
    return next(filter(None, found), None)


@cache
def suites_of(package: str) -> Mapping[str, Sequence[str]]:
    """The suites that ship, and that of all their scenarios; none where nothing is shipped."""
    built = built_of(package)
    if built is None:
        return {}
    of = built.edition
    names = {f"{of}/{band}": tuple(f"{of}/{one.name}" for one in own) for band, own in built.bands.items()}
    return {of: tuple(name for suite in names.values() for name in suite), **names}


def fields_of(package: str, path: str, world: str) -> Mapping[str, Any] | None:
    """The file of a scenario that ships, by its path; ``None`` for a path of something else.

    Raises ``UnknownName``.
    """
    edition, _, name = path.partition("/")
    built = built_of(package)
    if built is None or edition != built.edition:
        return None
    for one in built.scenarios:
        if one.name == name:
            return {"world": world, "id": name, **one.fields}
    raise UnknownName("scenario", path, [f"{edition}/{one.name}" for one in built.scenarios], world)


@cache
def shipped_answers(package: str) -> Mapping[str, Answered]:
    """What is proven of the scenarios that ship, by the digests of their contents."""
    built = built_of(package)
    return {} if built is None else {one.answer.scenario: one.answer for one in built.scenarios}
