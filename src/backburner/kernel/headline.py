"""What the headline score of a world is measured against: data that its pack declares and ships.

A pack names its headline suites, each with one of its metrics (``pack.Headline``). For every scenario of
these there is a *reference*: the metric's mean in random play, which is 0 of the score, and the best value
that any play can have, which is 100. References stand in ``data/headline.json`` of the pack's package;
``backburner solve WORLD --write-references FILE`` makes them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel import packs, registry
from backburner.kernel.answers import Answered
from backburner.kernel.building import SEALED
from backburner.kernel.built import EDITIONS, BuiltFile, SealedFile, built_of
from backburner.kernel.errors import BackburnerError, BadFile, Refused
from backburner.kernel.files import Place, converted, read_json
from backburner.kernel.pack import Headline
from backburner.kernel.scoring import Metric
from backburner.kernel.values import digest

FILE = "headline.json"

Proof = Literal["optimum", "bound", "end"]
"""Where a best value is from: a play that has it is known and proven best; no play can have a better one;
or it is where the metric ends (``Metric.highest``, for times ``lowest``)."""


class Best(Struct, frozen=True):
    """The best value that a metric can have in one scenario."""

    value: float
    proof: Proof


class Reference(Struct, frozen=True, forbid_unknown_fields=True):
    """One scenario: ``random``, the metric over random play with the seeds of the file; ``best``."""

    id: str
    random: float
    best: float
    proof: Proof


class References(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of references: the command that made it (``source``), for which ``version`` of the world, with
    how many ``seeds`` of random play for each scenario, under standard rules and the article's limits.
    ``left_out``: scenarios of the suites whose best value cannot be told."""

    source: str
    version: int
    seeds: int
    left_out: tuple[str, ...]
    references: tuple[Reference, ...]


class Hosted(Struct, frozen=True):
    """What a record of a hosted scenario has to be of: what is proven of it, and the article's limits."""

    answer: Answered
    limits: Any


class Suite(Struct, frozen=True):
    """A headline suite with its metric, and the references of its scenarios by id, but for those that are
    ``left_out`` as they have none. ``beside``: the metric in random play, where that is not what is 0.
    ``hosted``: of scenarios that are in no catalogue."""

    world: str
    suite: str
    metric: Metric
    references: dict[str, Reference]
    left_out: tuple[str, ...] = ()
    beside: dict[str, float] = {}
    hosted: dict[str, Hosted] = {}

    @property
    def name(self) -> str:
        """As an id has it, ``world/suite``."""
        return f"{self.world}/{self.suite}"


def declared() -> tuple[str, ...]:
    """The worlds that are installed and have a headline."""
    return tuple(name for name, pack in packs.installed().packs.items() if pack.headline is not None)


def built(edition: str = EDITIONS[-1]) -> tuple[str, ...]:
    """The worlds that are installed and ship built suites of an edition or of one before it."""
    until = EDITIONS[: EDITIONS.index(edition) + 1]
    ships = {name: built_of(_ships(name)) for name in packs.names()}
    return tuple(name for name, file in ships.items() if file is not None and file.edition in until)


def _ships(name: str) -> str:
    try:
        found: str = getattr(registry.catalogue(name), "built", "")
    except BackburnerError:  # a world that cannot be used
        return ""
    return found


def built_suites_of(name: str, metric: Metric) -> tuple[Suite, ...]:
    """The built suites of a world, whose ``metric`` is a share of the best, in per cent: 0 is ``busy`` play,
    100 the best. Raises ``Refused`` if they are of another version of the world."""
    file = built_of(_ships(name))
    if file is None:
        raise Refused(f"world {name!r} ships no suites of {EDITIONS[-1]}")
    return _of_bands(name, file.edition, file, metric, file.edition)


def sealed_suites_of(path: Path, metric: Metric) -> tuple[Suite, ...]:
    """The suites of a hosted edition, from the file that its host keeps; as ``built_suites_of``.

    Raises ``BadFile`` as well.
    """
    file = converted(read_json(path), SealedFile, Place(str(path)))
    offered = registry.catalogue(file.world)
    hosted: dict[str, Hosted] = {}
    for one in file.scenarios:
        raw = {"world": file.world, "id": one.name, **one.fields}
        _, scenario = offered.read(raw, f"{path}: {one.name}")
        if digest(scenario) != one.answer.scenario:
            raise BadFile(path, f"scenario {one.name!r}, field 'answer'", "is of another scenario")
        id = f"{file.world}/{registry.USER}/{one.name}"
        made = offered.build(id, scenario, "standard", "article")
        hosted[id] = Hosted(one.answer, msgspec.to_builtins(made.limits))
    suites = _of_bands(file.world, SEALED, file, metric, registry.USER)
    return tuple(replace(one, hosted={id: hosted[id] for id in one.references}) for one in suites)


def _of_bands(name: str, edition: str, file: BuiltFile, metric: Metric, within: str) -> tuple[Suite, ...]:
    version = packs.pack(name).version
    if file.version != version:
        raise Refused(f"world {name!r}: its suites of {edition} are of version {file.version}, not {version}")
    suites = []
    for band, scenarios in file.bands.items():
        own = {f"{name}/{within}/{one.name}": one for one in scenarios}
        references = {id: Reference(id, 100 * one.busy, 100.0, "optimum") for id, one in own.items()}
        beside = {id: 100 * one.random for id, one in own.items()}
        suites.append(Suite(name, f"{edition}/{band}", metric, references, (), beside))
    return tuple(suites)


def metrics_of(name: str) -> dict[str, Metric]:
    """The metric of each headline suite of a world; raises ``Refused`` where there is no such metric."""
    by_key = {metric.key: metric for metric in registry.scoring(name).metrics}
    declared = _headline(name).suites
    for suite, key in declared.items():
        if key not in by_key or by_key[key].better == "neither":
            raise Refused(f"world {name!r}: its headline of {suite} names {key!r}, which is no metric to win")
    return {suite: by_key[key] for suite, key in declared.items()}


def best_of(name: str, metric: Metric) -> Callable[[str], Best | None]:
    """What tells the best value of a scenario, by its id: the pack's own function, or the metric's end.

    It may tell none, and the scenario is left out. Raises ``Refused`` where there is neither.
    """
    path = _headline(name).best
    if path:
        own: Callable[[str], Best | None] = packs.part(name, path)
        return own
    lowest, highest = ends(metric)
    end = highest if metric.better == "higher" else lowest
    if end is None:
        raise Refused(f"world {name!r}: {metric.key} has no end, and the pack's headline names no best")
    return lambda id: Best(end, "end")


def ends(metric: Metric) -> tuple[float | None, float | None]:
    """The values that a metric cannot lie beyond; those of a share are 0 and 100."""
    return (0.0, 100.0) if metric.share else (metric.lowest, metric.highest)


def _headline(name: str) -> Headline:
    headline = packs.pack(name).headline
    if headline is None:
        raise Refused(f"world {name!r} declares no headline")
    return headline


@cache
def suites_of(name: str) -> tuple[Suite, ...]:
    """The headline suites of a world with their references.

    Raises ``Refused`` if the file of references is missing, malformed, of another version of the world, or
    has not exactly the scenarios of these suites; and if two suites share a scenario.
    """
    found = _read(name)
    version = packs.pack(name).version
    remade = f"backburner solve {name} --write-references FILE makes new ones"
    if found.version != version:
        were = f"its references are of version {found.version}, not {version}"
        raise Refused(f"world {name!r}: {were}; {remade}")
    by_id = {reference.id: reference for reference in found.references}
    suites = []
    for suite, metric in metrics_of(name).items():
        every = registry.expand(f"{name}/{suite}")
        ids = [id for id in every if id not in found.left_out]
        if lacking := [id for id in ids if id not in by_id]:
            raise Refused(f"world {name!r}: no reference of {lacking[0]}, or two suites have it; {remade}")
        left_out = tuple(id for id in every if id in found.left_out)
        suites.append(Suite(name, suite, metric, {id: by_id.pop(id) for id in ids}, left_out))
    if by_id:
        raise Refused(f"world {name!r}: {next(iter(by_id))} has a reference and is in no suite; {remade}")
    return tuple(suites)


def _read(name: str) -> References:
    try:
        raw = files(_headline(name).package).joinpath("data", FILE).read_bytes()
        return msgspec.json.decode(raw, type=References)
    except BackburnerError:
        raise
    except Exception as error:  # whatever another package has, or lacks
        raise Refused(f"world {name!r}: no references for its headline ({error})") from error


def edition(suites: tuple[Suite, ...]) -> str:
    """A digest of all that decides what a record is worth: suites, metrics' names, references.

    Headline scores compare only within one edition.
    """
    return digest([(suite.name, suite.metric.key, _plain(suite)) for suite in suites])


def _plain(suite: Suite) -> Any:
    return [msgspec.to_builtins(reference) for reference in suite.references.values()]
