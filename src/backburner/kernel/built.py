"""The headline's suites that were built and ship: scenarios, their best plans, and what busy play attains.

They stand in ``data/built-1.json`` of a world's package; ``source`` says which command made them. An edition
never changes: what would be made otherwise is another edition.
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

BUILT = "built-1"
"""The edition, the first part of its suites' names and of its scenarios' paths."""

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


class BuiltFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The scenarios of an edition, for which ``version`` of the world; ``seeds``: the first and the last of
    those that ``busy`` and ``random`` drew by."""

    source: str
    version: int
    seeds: tuple[int, int]
    scenarios: tuple[BuiltScenario, ...]

    @property
    def bands(self) -> Mapping[Band, Sequence[BuiltScenario]]:
        """The scenarios of each band that has any."""
        found = {band: [one for one in self.scenarios if one.band == band] for band in BANDS}
        return {band: own for band, own in found.items() if own}


class SealedFile(BuiltFile, frozen=True, forbid_unknown_fields=True):
    """The scenarios of a hosted suite of ``world``; their names are those of its files."""

    world: str


def beside(folder: Path, edition: str) -> Path:
    """The file with the suites that came out of a build into a folder."""
    return folder.with_name(f"{folder.name}.{edition}.json")


@cache
def built_of(package: str) -> BuiltFile | None:
    """What a package ships; ``None`` where it ships nothing."""
    return shipped_if_there(package, BUILT, BuiltFile) if package else None


@cache
def suites_of(package: str) -> Mapping[str, Sequence[str]]:
    """The suites of the edition, and that of all its scenarios; none where nothing is shipped."""
    built = built_of(package)
    if built is None:
        return {}
    names = {
        f"{BUILT}/{band}": tuple(f"{BUILT}/{one.name}" for one in own) for band, own in built.bands.items()
    }
    return {BUILT: tuple(name for suite in names.values() for name in suite), **names}


def fields_of(package: str, path: str, world: str) -> Mapping[str, Any] | None:
    """The file of a scenario of the edition, by its path; ``None`` for a path of something else.

    Raises ``UnknownName``.
    """
    edition, _, name = path.partition("/")
    built = built_of(package) if edition == BUILT else None
    if built is None:
        return None
    for one in built.scenarios:
        if one.name == name:
            return {"world": world, "id": name, **one.fields}
    raise UnknownName("scenario", path, [f"{BUILT}/{one.name}" for one in built.scenarios], world)


@cache
def shipped_answers(package: str) -> Mapping[str, Answered]:
    """What is proven of the edition's scenarios, by the digests of their contents."""
    built = built_of(package)
    return {} if built is None else {one.answer.scenario: one.answer for one in built.scenarios}
