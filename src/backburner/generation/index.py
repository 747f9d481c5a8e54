"""The index of a build; and what counts as seen: what is published, and what is in other indexes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from backburner.generation.attempt import Attempt
from backburner.generation.canonical import form, shape
from backburner.kernel import registry
from backburner.kernel.answers import BIASED
from backburner.kernel.built import EDITIONS
from backburner.kernel.errors import BackburnerError, BadFile, UnknownLimits
from backburner.kernel.files import read_json
from backburner.kernel.generating import Generator, generator_of


class Kept(Struct, frozen=True):
    """A scenario that is kept: its file, and all that was found of it."""

    file: str
    attempt: Attempt


class Index(Struct, frozen=True):
    """What a build has come to. ``unproven``: the share of drafts in each cell that met everything but were
    dropped as nothing was proven of them; ``met_again``: how many were left out as they were seen before."""

    made_by: str
    settings: dict[str, Any]
    scenarios: int
    attempts: int
    counts: dict[str, int]
    unproven: tuple[float, ...]
    met_again: int
    kept: tuple[Kept, ...]

    @property
    def bias(self) -> float:
        """The largest share that was dropped as unproven; 0 up to ``BIASED``."""
        return max((share for share in self.unproven if share > BIASED), default=0.0)


def seen_before(world: str, distinct: str, apart: str, again: bool = False) -> set[str]:
    """The forms (or shapes) of all published scenarios of a world, and of folders and indexes named; but for
    the headline's own, where these are to be made ``again``."""
    generator = generator_of(world)
    published = dict.fromkeys(
        f"{world}/{member}"
        for suite in registry.catalogue(world).suites().values()
        for member in suite
        if not (again and member.partition("/")[0] in EDITIONS)
    )
    found = _marks(generator, published, distinct)
    for place in filter(None, apart.split("+")):
        found |= _marks_at(generator, Path(place), distinct)
    return found


def _marks(generator: Generator, ids: Iterable[str], distinct: str) -> set[str]:
    """The forms (or shapes) of scenarios, of which there are any."""
    of = form if distinct == "form" else shape
    structures = (_structure(generator, id) for id in ids)
    return {of(structure) for structure in structures if structure is not None}


def _structure(generator: Generator, id: str) -> Any:
    try:
        try:
            world = registry.world(id)
        except UnknownLimits:
            world = registry.world(id, limits="none")
        return generator.structure(world)
    except BackburnerError:  # one that follows another, or that this generator can say nothing of
        return None


def _marks_at(generator: Generator, place: Path, distinct: str) -> set[str]:
    if place.name == registry.INDEX or (place.is_dir() and (place / registry.INDEX).exists()):
        file = place if place.name == registry.INDEX else place / registry.INDEX
        try:
            index = msgspec.convert(read_json(file), Index)
        except msgspec.ValidationError as error:
            raise BadFile(file, "", f"is no index of a build ({error})") from error
        return {getattr(kept.attempt, distinct) for kept in index.kept}
    return _marks(generator, registry.expand(str(place)), distinct)
