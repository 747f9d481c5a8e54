"""Searches that take long and are kept: the figures that worlds ship as data, and the steps to the goal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.planned import answered
from backburner.kernel import packs, registry
from backburner.kernel.answers import STANDARD
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.files import read_optima, write_entries
from backburner.kernel.oracle import (
    Kept,
    Oracle,
    Request,
    Solution,
    check_options,
    chosen_in,
    oracle_of,
    solve_world,
)
from backburner.kernel.scoring import Measures

# --- many scenarios, here or elsewhere ---------------------------------------------------------------------


class Search(Struct, frozen=True):
    """A scenario to be solved under rules and limits of these names."""

    scenario: str
    rules: str
    limits: str
    request: Request


class Solver(Protocol):
    """Who searches in place of this process."""

    def solve(self, searches: Sequence[Search], found: Callable[[int, Solution], None]) -> None:
        """``found`` hears of each solution as soon as it is there, with its place among ``searches``."""


def solve_all(
    searches: Sequence[Search],
    kept: Kept | None = None,
    solver: Solver | None = None,
    progress: Callable[[], None] = lambda: None,
) -> list[Solution]:
    """The solutions, in the order of the searches; each is kept as soon as it is found.

    What is kept and proven, or proven by the answer of a scenario that was built, is not solved again; where
    an answer does not count the note says so. Raises what ``solve_world`` raises, and ``BadFile``.
    """
    solutions: dict[int, Solution] = {}
    elsewhere: dict[int, Search] = {}
    notes: dict[int, str] = {}
    for number, search in enumerate(searches):
        world = _world_of(search)
        oracle_of(world)
        check_options(world, search.request.options)
        known = kept.get(world, *chosen_in(world, search.request)) if kept is not None else None
        if known is None or not known.proven:
            answer, notes[number] = _answered(world, search)
            known = answer or known
        if known is not None and known.proven:
            solutions[number] = known
            progress()
        elif solver is None:
            solutions[number] = solve_world(world, search.request, kept)
            progress()
        else:
            elsewhere[number] = replace(search, request=replace(search.request, known=known))
    if solver is not None and elsewhere:
        numbers = list(elsewhere)

        def found(place: int, solution: Solution) -> None:
            search = elsewhere[numbers[place]]
            solutions[numbers[place]] = solution
            if kept is not None:
                world = _world_of(search)
                kept.add(world, solution, *chosen_in(world, search.request))
            progress()

        solver.solve(list(elsewhere.values()), found)
    return [_noted(solutions[number], notes.get(number, "")) for number in range(len(searches))]


def _answered(world: Any, search: Search) -> tuple[Solution | None, str]:
    """What ``answered`` says where neither the search nor the limits are others than those of a build: limits
    that come from shortest plans are those that they were proven without."""
    usual = registry.catalogue(packs.pack_of(world).name).solve_limits
    if search.limits not in ("article", usual) or chosen_in(world, search.request):
        return None, ""
    return answered(search.scenario, world)


def _noted(solution: Solution, note: str) -> Solution:
    return replace(solution, note="; ".join(filter(None, (note, solution.note)))) if note else solution


def _world_of(search: Search) -> Any:
    return registry.world(search.scenario, rules=search.rules, limits=search.limits)


# --- figures that worlds ship, such as optima: worked out anew, written into a file ------------------------


def collect(
    names: Iterable[str],
    request: Request | None = None,
    *,
    rules: Any = STANDARD,
    kept: Kept | None = None,
    progress: Callable[[Struct], None] | None = None,
) -> list[Struct]:
    """What the oracles find for each scenario or suite among ``names``, in their order.

    The request's time limit holds for each search. A scenario for which no plan is found is left out.
    ``kept``: what was found before, where searches go on from. Each result is handed to ``progress`` as soon
    as it is known. Raises ``UnknownName``, ``MissingExtra``, and ``Refused`` for a scenario of a world that
    ships no such figures.
    """
    request = request or Request()

    def solve(world: Any, asked: Request) -> Solution:
        return solve_world(world, asked, kept)

    optima: list[Struct] = []
    for id in dict.fromkeys(id for name in names for id in registry.expand(name)):
        limits = registry.catalogue(registry.split(id)[0]).solve_limits
        world = registry.world(id, rules=rules, limits=limits)
        check_options(world, request.options)
        for optimum in oracle_of(world).optima(world, request, solve):
            optima.append(optimum)
            if progress is not None:
                progress(optimum)
    return optima


def write_optima(
    path: Path,
    names: Sequence[str],
    request: Request | None = None,
    *,
    rules: Any = STANDARD,
    kept: Kept | None = None,
    progress: Callable[[Struct], None] | None = None,
) -> list[Struct]:
    """``collect`` into a file like the shipped one, one entry on each line.

    A file whose entries name their rules keeps what it holds of other scenarios and rules; the others are
    about standard rules, and written anew. The file is put in its place only when it is complete. Raises
    ``Refused`` besides if ``names`` are of more than one world, as each has a file of its own, or for other
    rules.
    """
    worlds = {registry.split(name)[0] for name in names}
    if len(worlds) > 1:
        raise Refused("an optima file is about one world; write one for each")
    kind = _entry_type(*worlds)
    several_rules = "rules" in kind.__struct_fields__
    if rules != STANDARD and not several_rules:
        raise Refused("the optima file of this world is about standard rules; leave --rules out")
    optima = collect(names, request, rules=rules, kept=kept, progress=progress)
    source = f"backburner solve {' '.join(names)} --write-optima FILE"
    others: list[Struct] = []
    if several_rules and path.exists():
        before, new = read_optima(path, kind), set(map(_about, optima))
        others = [entry for entry in before.optima if _about(entry) not in new]
        source = before.source
    write_entries(path, source, [*others, *optima])
    return optima


def _entry_type(world: str) -> type[Struct]:
    """What an entry of this world's file is; raises ``Refused`` where nothing is shipped."""
    pack = packs.pack(world)
    oracle: Oracle | None = packs.part(world, pack.oracle) if pack.oracle else None
    if oracle is None or oracle.optimum_type is None:
        raise Refused(f"{world}: no optima of this world are shipped")
    return oracle.optimum_type


def _about(optimum: Struct) -> tuple[str, ...]:
    """What tells an entry of a file from the others."""
    return tuple(getattr(optimum, field, "") for field in ("id", "rules", "space"))


# --- how far from the goal: a search that only some worlds have --------------------------------------------


KEPT = "steps-to-go.kept"
"""The file, beside the records, of what was found; it is not looked for again."""

Measure = Callable[[Episode], Measures]


def steps_to_go(folder: Path, time_limit_seconds: float) -> Measure:
    """A function from an episode to its measures: none where the pack of its world has no such search."""
    kept = Kept((folder if folder.is_dir() else folder.parent) / KEPT)

    @cache
    def of_world(name: str) -> Measure:
        part = packs.pack(name).steps_to_go
        if part is None:
            return lambda episode: {}
        make: Callable[[Kept, float], Measure] = packs.part(name, part.path)
        return make(kept, time_limit_seconds)

    return lambda episode: of_world(episode.header.world)(episode)


def about_steps_to_go() -> str:
    """What is searched for in which world, in a line."""
    offered = packs.installed().packs.values()
    return "; ".join(f"{pack.steps_to_go.help} ({pack.name})" for pack in offered if pack.steps_to_go)
