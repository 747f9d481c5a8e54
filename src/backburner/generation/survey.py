"""What scenarios ask that are there already: the dials of each, and what the published suites of a world come
to.

A suite is *saturated* in so far as its scenarios ask next to nothing but to be never idle: ``gap:busy`` is
less than .02. It is *at its load* where the optimum is the bodies' own load, so that never idling is optimal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from msgspec import Struct, field

from backburner.agents.planned import answered, shipped_plan
from backburner.generation.measure import (
    CHOICE,
    GAP,
    Planned,
    gap,
    limit_of,
    of_structure,
    rounded,
    scripts_of,
)
from backburner.kernel import packs, registry
from backburner.kernel.errors import BackburnerError, Refused
from backburner.kernel.files import shipped_if_there
from backburner.kernel.generating import generator_of
from backburner.kernel.oracle import Request, Solution, oracle_of, solve_world
from backburner.kernel.pack import Pack
from backburner.kernel.policy import Policy

SATURATED = 0.02

FILE = "dials"


class Surveyed(Struct, frozen=True):
    """The dials of a scenario; ``note``: why there are no more."""

    id: str
    status: str = ""
    best: int | None = None
    dials: dict[str, float] = field(default_factory=dict)
    note: str = ""

    @property
    def saturated(self) -> bool | None:
        """Whether never being idle without thought is nearly enough; ``None`` where that is not known."""
        busy = self.dials.get(f"{GAP}:busy")
        return None if busy is None else busy < SATURATED


class SuiteAsks(Struct, frozen=True, forbid_unknown_fields=True):
    """A published suite: how many ``scenarios`` it has, for how many the best is ``proven``, the medians of
    the ``dials`` over these, how many are ``saturated`` and how many ``at_load``."""

    suite: str
    scenarios: int
    proven: int
    saturated: int
    at_load: int
    dials: dict[str, float]


class Published(Struct, frozen=True, forbid_unknown_fields=True):
    """What is shipped of a world's suites, and the command that made it, for which version of the world."""

    source: str
    version: int
    suites: tuple[SuiteAsks, ...]


def surveyed(id: str, *, choice: bool = False, rules: Any = "standard") -> Surveyed:
    """The dials of one scenario, published or not; what keeps it from being proven becomes the note."""
    try:
        world = registry.world(id, rules=rules)
        generator = generator_of(packs.pack_of(world).name)
        structure = generator.structure(world)
        dials = of_structure(structure)
    except BackburnerError as error:
        return Surveyed(id, note=str(error))
    try:
        solution, policy, wrong = _best(id, world, generator.effort)
        if solution.status not in generator.statuses or solution.objective is None:
            return Surveyed(id, solution.status, None, rounded(dials), "its best is not proven")
        plan = Planned(world, generator, structure, solution, policy)
        dials |= plan.dials(generator.dials)
        limit = limit_of(world, generator)
        for script in scripts_of(generator, world) if solution.objective else ():
            dials[f"{GAP}:{script}"] = gap(world, generator, script, solution.objective, limit).regret
        if choice:
            dials[CHOICE] = plan.choice(generator.effort)
        return Surveyed(id, solution.status, solution.objective, rounded(dials), wrong)
    except BackburnerError as error:
        return Surveyed(id, note=str(error), dials=rounded(dials))


def _best(id: str, world: Any, effort: float) -> tuple[Solution, Policy | None, str]:
    """What ships, where that is a proven plan, with who plays it; else the answer of a scenario that was
    built, or what the effort finds, and why an answer does not count."""
    known = oracle_of(world).known(world)
    if known is not None and known.proven:
        policy = None if known.starts or known.plan else shipped_plan(world)
        if known.starts or known.plan or policy is not None:
            return known, policy, ""
    answer, wrong = answered(id, world)
    return answer or solve_world(world, Request(effort=effort)), None, wrong


def suite_asks(name: str, rows: Sequence[Surveyed]) -> SuiteAsks:
    """What the scenarios of a suite come to."""
    proven = [row for row in rows if row.best is not None]
    names = dict.fromkeys(dial for row in proven for dial in row.dials)
    medians = {
        dial: round(median(row.dials[dial] for row in proven if dial in row.dials), 4) for dial in names
    }
    saturated = sum(bool(row.saturated) for row in proven)
    at_load = sum(row.dials.get("attention") == 1 for row in proven)
    return SuiteAsks(name, len(rows), len(proven), saturated, at_load, medians)


def survey_world(name: str, progress: Callable[[int], None] = lambda total: None) -> Published:
    """What the published suites of a world ask, measured."""
    pack = packs.pack(name)
    suites = {suite: registry.expand(f"{name}/{suite}") for suite in _surveyed(pack)[1]}
    if not suites:
        raise Refused(f"{name}: its pack names no published suites to measure; name a suite")
    total = sum(map(len, suites.values()))
    found = []
    for suite, ids in suites.items():
        rows = []
        for id in ids:
            rows.append(surveyed(id))
            progress(total)
        found.append(suite_asks(suite, rows))
    return Published(f"backburner measure {name} --json", pack.version, tuple(found))


def published(name: str) -> Published | None:
    """What ships of the suites of a world; ``None`` where nothing does."""
    package, _ = _surveyed(packs.pack(name))
    return shipped_if_there(package, FILE, Published) if package else None


def _surveyed(pack: Pack) -> tuple[str, Sequence[str]]:
    """The package that has what ships, and the suites that it is of: those of the headline, if there is
    one."""
    if pack.headline is not None:
        return pack.headline.package, tuple(pack.headline.suites)
    package, _, suites = pack.surveyed.partition(":")
    return package, suites.split("+") if suites else ()
