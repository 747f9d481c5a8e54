"""One attempt: a draft is named, looked at, proven, played, and measured. The same arguments give the same
attempt in any process and on any machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec import UNSET, Struct, field
from msgspec.structs import replace

from backburner.generation.canonical import form, shape, split_of
from backburner.generation.measure import (
    GAP,
    LIMIT_FACTOR,
    Planned,
    gap,
    limit_of,
    of_structure,
    played,
    rounded,
    scripts_of,
)
from backburner.generation.names import NONSENSE, Named, named, themes_of, unnamed
from backburner.generation.steer import Cell, deviation, stream
from backburner.kernel import registry
from backburner.kernel.answers import STANDARD, Answered
from backburner.kernel.contract import World, rules_of
from backburner.kernel.errors import BackburnerError, UnknownLimits, shorten
from backburner.kernel.generating import Draft, Draw, Rejected, Structure, generator_of
from backburner.kernel.oracle import Request, Solution, solve_world
from backburner.kernel.values import digest, indented_json

AnyWorld = World[Any, Any, Any]

KEPT, OUTSIDE, OTHER_SPLIT, UNPROVEN = "fits", "outside", "other split", "not proven"
NOTHING = "the best is nothing"
"""Verdicts, beside the reasons of generators: what was asked for is met; a dial is not; the shape is of
another split; no proof in the effort; no order can be served, so that nobody plays worse than the best."""

OPEN_SPLITS = ("train", "dev", "test")
USUAL_SPLIT = "train"
SPLITS = (*OPEN_SPLITS, "sealed", "open")

PLAUSIBLE = "plausible"

DRAFTS = 64
"""Drafts that an attempt looks at before it proves anything: a split may have a twentieth of all shapes."""


MISSES = 6
"""Of these, so many may lack what is asked of dials that need no proof: then it is the parameters that do."""


def in_split(shape: str, split: str) -> bool:
    """Whether a shape may be kept by a build of this split."""
    own = split_of(shape)
    return own in OPEN_SPLITS if split == "open" else own == split


WIDEST_LIMIT = 1_000_000


class Asked(Struct, frozen=True):
    """What every attempt of a build shares: the world, values of the generator's own arguments (``options``),
    and what the house is asked for. ``cells``: ranges of dials, one mapping for each cell of the grid;
    ``gaps`` among them as ``gap:SCRIPT``."""

    world: str
    seed: int
    options: dict[str, Any]
    cells: tuple[Cell, ...]
    pinned: dict[str, Any]
    split: str
    theme: str
    twins: bool
    effort: float
    bounded: float | None
    proven: bool

    def takes(self, shape: str) -> bool:
        """Whether a shape may be kept: of the split that is asked for, or any in builds that prove nothing
        and ask for none but the usual, which make what they made before there were splits."""
        return in_split(shape, self.split) or (not self.proven and self.split == USUAL_SPLIT)


class Attempt(Struct, frozen=True, omit_defaults=True):
    """What has come of an attempt. ``deviation``: how far it was from what is asked, ``None`` where that
    could not be told; ``unfinished``: how many plays of a script did not finish."""

    cell: int
    number: int
    parameters: dict[str, Any]
    verdict: str
    name: str = ""
    form: str = ""
    shape: str = ""
    deviation: float | None = None
    dials: dict[str, float] = field(default_factory=dict)
    unfinished: dict[str, int] = field(default_factory=dict)
    status: str = ""
    best: int | None = None
    bound: int | None = None
    works: int = 0
    units: int = 0

    @property
    def fits(self) -> bool:
        """Whether it is what was asked for."""
        return self.verdict == KEPT


class Made(Struct, frozen=True):
    """An attempt with the files that it would write, by their paths, and what is proven of each scenario."""

    attempt: Attempt
    files: dict[str, bytes] = field(default_factory=dict)
    answers: tuple[Answered, ...] = ()


def attempt(asked: Asked, cell: int, number: int, parameters: Mapping[str, Any]) -> Made:
    """Draft, name, prove and measure; whatever goes wrong becomes the verdict."""
    told = Attempt(cell, number, dict(parameters), "")
    try:
        return _Tried(asked, told).made()
    except Rejected as error:
        return Made(replace(told, verdict=str(error)))
    except BackburnerError as error:
        return Made(replace(told, verdict=shorten(str(error))))


def scenario_file(world: str, id: str, fields: Mapping[str, Any]) -> bytes:
    """A scenario as a user would write it."""
    return indented_json({"world": world, "id": id, **fields})


def world_of(name: str, id: str, fields: Mapping[str, Any], rules: str = "standard") -> AnyWorld:
    """The world of a scenario's fields, without limits where they follow from what is still to be proven;
    raises ``BadFile``."""
    offered = registry.catalogue(name)
    path, scenario = offered.read({"world": name, "id": id, **fields}, f"draft {id}")
    full = f"{name}/{registry.USER}/{path}"
    try:
        return offered.build(full, scenario, rules, "article")
    except UnknownLimits:
        return offered.build(full, scenario, rules, "none")


class Looked(NamedTuple):
    """A draft that was looked at: its structure, the dials that need no proof, and how far these are from
    what is asked of them; ``drawn``: whether it came by its random numbers, so that the next is another."""

    draft: Draft
    structure: Structure
    shape: str
    dials: dict[str, float]
    deviation: float
    drawn: bool


class _Tried:
    """An attempt under way."""

    def __init__(self, asked: Asked, told: Attempt) -> None:
        self.asked = asked
        self.generator = generator_of(asked.world)
        self.told = told
        self.cell = asked.cells[told.cell]
        self.wanted = self.cell.ranges
        self.draft: Draft

    def made(self) -> Made:
        """The attempt, and the files of what fits."""
        looked = self._drafted()
        self.draft, structure = looked.draft, looked.structure
        theme, whole_form = self._theme(), form(structure)
        self.told = replace(
            self.told,
            name=self.draft.path or whole_form[:12],
            form=whole_form,
            shape=looked.shape,
            works=len(structure.activities),
            units=sum(resource.capacity for resource in structure.resources),
        )
        self._tell(looked.dials)
        if self._outside():
            return self._ended(OUTSIDE)
        if not self.asked.takes(looked.shape):
            return self._ended(OTHER_SPLIT)
        names = {self.told.name: theme}
        if self.asked.twins:
            names[f"{self.told.name}.{NONSENSE}"] = NONSENSE
        tellings: dict[str, Named] = {}
        made: list[tuple[str, Mapping[str, Any], Answered | None]] = []
        for name, in_theme in names.items():
            tellings[name] = self._named(in_theme)
            fields: Mapping[str, Any] = tellings[name].fields
            if not self.asked.proven:
                made.append((name, fields, None))
                continue
            found = self._proven(name, fields, structure)
            if isinstance(found, str):
                return self._ended(found)
            made.append((name, *found))
        self.told = replace(self.told, verdict=KEPT)
        files = {f"{name}.json": scenario_file(self.asked.world, name, fields) for name, fields, _ in made}
        for path, beside in tellings[self.told.name].beside.items():
            files[f"{path}.json"] = indented_json(beside)
        return Made(self.told, files, tuple(answer for _, _, answer in made if answer is not None))

    # --- drafts -----------------------------------------------------------------------------------------

    def _drafted(self) -> Looked:
        """The first of some drafts that is of the split and has what needs no proof, or the nearest to that.

        Raises ``Rejected`` where none is of the split.
        """
        nearest: Looked | None = None
        beside, why = 0, OTHER_SPLIT
        for turn in range(DRAFTS if self.asked.proven else 1):
            try:
                looked = self._look(turn)
            except Rejected as error:
                why = str(error)
                continue
            beside += looked.deviation > 0
            fits = self.asked.takes(looked.shape)
            if (fits or looked.deviation > 0) and (nearest is None or looked.deviation < nearest.deviation):
                nearest = looked
            if (fits and looked.deviation == 0) or beside == MISSES or not looked.drawn:
                break
        if nearest is None:
            raise Rejected(why)
        return nearest

    def _look(self, turn: int) -> Looked:
        random = stream(self.asked.seed, "draft", self.told.cell, self.told.number, turn)
        draw = Draw(self.asked.seed + self.told.number, random)
        before = random.getstate()
        draft = self.generator.draft(self.told.parameters, self.asked.options, draw)
        drawn = random.getstate() != before
        world = self._world("draft", unnamed(draft))
        structure = self.generator.structure(world)
        dials = of_structure(structure)
        if not self.asked.proven or set(self.wanted) & set(self.generator.early):
            dials |= self.generator.own(world, None, ())
        dials = rounded(dials)
        known = {name: wanted for name, wanted in self.wanted.items() if name in dials}
        return Looked(draft, structure, shape(structure), dials, deviation(dials, known), drawn)

    # --- names ------------------------------------------------------------------------------------------

    def _stream(self, of: str) -> Any:
        return stream(self.asked.seed, of, self.told.cell, self.told.number)

    def _theme(self) -> str:
        theme = self.cell.theme or self.asked.theme
        if theme != PLAUSIBLE:
            return theme
        return str(self._stream("theme").choice(themes_of(self.generator.naming)[:-1]))

    def _named(self, theme: str) -> Named:
        """The draft told in a theme; all themes have everything in the same order."""
        return named(self.draft, theme, self.generator.naming, self._stream("names"))

    def _world(self, name: str, fields: Mapping[str, Any]) -> AnyWorld:
        return world_of(self.asked.world, name, fields, self.asked.options.get("rules", "standard"))

    def _tell(self, dials: Mapping[str, float]) -> None:
        dials = {**self.told.dials, **rounded(dials)}
        self.told = replace(self.told, dials=dials, deviation=round(deviation(dials, self.wanted), 6))

    def _outside(self) -> bool:
        return any(
            self.told.dials[name] not in wanted
            for name, wanted in self.wanted.items()
            if name in self.told.dials
        )

    def _ended(self, verdict: str) -> Made:
        return Made(replace(self.told, verdict=verdict))

    # --- what is proven and played ----------------------------------------------------------------------

    def _proven(
        self, name: str, fields: Mapping[str, Any], structure: Structure
    ) -> tuple[Mapping[str, Any], Answered] | str:
        """The fields as they are written, and the answer; or the verdict where it does not fit."""
        fields, limit = self._limited(name, fields)
        world = self._world(name, fields)
        solution = solve_world(world, Request(effort=self.asked.effort))
        self.told = replace(self.told, status=solution.status, best=solution.objective, bound=solution.bound)
        if not self._enough(solution) or solution.objective is None or solution.bound is None:
            # What is asked of its plan is not known, so that nothing is to be drawn around it.
            self.told = replace(self.told, deviation=None)
            return UNPROVEN if solution.status != "infeasible" else "no plan"
        if not solution.objective:
            return NOTHING
        drawn = {**self.told.parameters, **self.asked.options}
        fields = self.generator.with_answer(fields, drawn, solution)
        world = self._world(name, fields)
        plan = Planned(world, self.generator, structure, solution)
        self._tell(plan.dials(self.generator.dials))
        scripts = scripts_of(self.generator, world)
        for script in sorted(scripts, key=lambda each: f"{GAP}:{each}" not in self.wanted):
            if self._outside():
                return OUTSIDE
            self._play(world, script, solution.objective, limit)
        if self._outside():
            return OUTSIDE
        rules = rules_of(world) or STANDARD
        answer = Answered(
            digest(world.scenario),
            self.generator.sense,
            solution.unit,
            "optimal" if solution.status == "optimal" else "feasible",
            solution.objective,
            solution.bound,
            self.told.dials,
            tuple(solution.plan),
            UNSET if rules == STANDARD else rules,
        )
        return fields, answer

    def _play(self, world: AnyWorld, script: str, best: int, limit: int | None) -> None:
        found = gap(world, self.generator, script, best, limit)
        self._tell({f"{GAP}:{script}": found.regret})
        self.told = replace(self.told, unfinished={**self.told.unfinished, script: found.unfinished})

    def _limited(self, name: str, fields: Mapping[str, Any]) -> tuple[Mapping[str, Any], int | None]:
        """The fields with their limit of time: twice what ``serial`` takes."""
        if self.generator.limit in ("", *fields):
            return fields, limit_of(self._world(name, fields), self.generator)
        world = self._world(name, {**fields, self.generator.limit: WIDEST_LIMIT})
        serial = played(world, self.generator, "serial", 0)
        if not serial.complete:
            raise Rejected("serial does not finish")
        limit = LIMIT_FACTOR * serial.value
        return {**fields, self.generator.limit: limit}, limit

    def _enough(self, solution: Solution) -> bool:
        if solution.status in self.generator.statuses:
            return True
        best, bound = solution.objective, solution.bound
        if self.asked.bounded is None or not best or bound is None:
            return False
        return abs(best - bound) / best <= self.asked.bounded
