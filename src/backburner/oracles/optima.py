"""The figures that worlds ship as data: optima; TimeArena's also with the script's minutes and waits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.kernel.files import write_whole
from backburner.oracles.collab_overcooked import shipping as cooks
from backburner.oracles.keeping import Kept, solve_kept
from backburner.oracles.kitchens import as_data
from backburner.oracles.solve import solve_world
from backburner.oracles.timearena_script import script_plan
from backburner.oracles.waits import most_necessary_waits
from backburner.worlds.collab_overcooked import optima as collab_overcooked
from backburner.worlds.recipe2plan import Recipe2Plan
from backburner.worlds.recipe2plan import optima as recipe2plan
from backburner.worlds.robotouille import Robotouille
from backburner.worlds.robotouille import optima as robotouille
from backburner.worlds.timearena import TimeArena
from backburner.worlds.timearena import optima as timearena

Optimum = timearena.Optimum | recipe2plan.Optimum | robotouille.Optimum | collab_overcooked.Optimum

SHIPPED = (
    "timearena/all",
    "timearena/singles/cooking@kit=one",
    "timearena/pairs/cooking@kit=one",
    "timearena/triples/cooking@kit=one",
)
"""The published sets, and those that the article's resource constraint (section 4.4) makes different."""


def collect(
    names: Iterable[str],
    *,
    rules: Any = "standard",
    time_limit_seconds: float = 60.0,
    kept: Kept | None = None,
    progress: Callable[[Optimum], None] | None = None,
) -> list[Optimum]:
    """What the oracles find for each scenario or suite among ``names``, in their order.

    ``time_limit_seconds`` holds for each search. A scenario for which no plan is found is left out.
    ``kept``: what was found before, where searches go on from (Robotouille's alone).
    Each result is handed to ``progress`` as soon as it is known. Raises ``UnknownName``,
    ``MissingExtra``, and ``Refused`` for a scenario of a world that ships no such figures.
    """
    found = []
    for id in dict.fromkeys(id for name in names for id in registry.expand(name)):
        optimum = _optimum(id, rules, time_limit_seconds, kept)
        if optimum is not None:
            found.append(optimum)
            if progress is not None:
                progress(optimum)
    return found


def _optimum(id: str, rules: Any, time_limit_seconds: float, kept: Kept | None) -> Optimum | None:
    limits = registry.catalogue(registry.split(id)[0]).solve_limits
    world = registry.world(id, rules=rules, limits=limits)
    if isinstance(world, Robotouille):
        return as_data(world, solve_kept(world, kept, time_limit_seconds=time_limit_seconds))
    if isinstance(world, Recipe2Plan):
        return _recipe2plan(world, time_limit_seconds)
    if isinstance(world, TimeArena):
        return _timearena(world, time_limit_seconds)
    raise Refused(
        f"{id}: these figures are defined for collab_overcooked, recipe2plan, robotouille and timearena"
    )


def _recipe2plan(world: Recipe2Plan, time_limit_seconds: float) -> recipe2plan.Optimum | None:
    found = solve_world(world, time_limit_seconds=time_limit_seconds)
    if found.objective is None or found.bound is None:
        return None
    status: Literal["optimal", "feasible"] = "optimal" if found.status == "optimal" else "feasible"
    return recipe2plan.Optimum(world.id, found.objective, status, found.bound)


def _timearena(world: TimeArena, time_limit_seconds: float) -> timearena.Optimum | None:
    shortest = solve_world(world, time_limit_seconds=time_limit_seconds)
    if shortest.objective is None or shortest.bound is None:
        return None
    waits = None
    if not world.rules.any_pair_counts:
        waits = most_necessary_waits(world, time_limit_seconds=time_limit_seconds)
    return timearena.Optimum(
        id=world.id,
        minutes=shortest.objective,
        status="optimal" if shortest.status == "optimal" else "feasible",
        bound=shortest.bound,
        script_minutes=script_plan(world).minutes,
        most_necessary_waits=waits.objective if waits else None,
        most_necessary_waits_bound=waits.bound if waits else None,
    )


def write_optima(
    path: Path,
    names: Sequence[str] = SHIPPED,
    *,
    rules: Any = "standard",
    time_limit_seconds: float = 60.0,
    kept: Kept | None = None,
    foods: collab_overcooked.Foods = "own",
    progress: Callable[[Optimum], None] | None = None,
) -> Sequence[Optimum]:
    """``collect`` into a file like the shipped one, one scenario on each line.

    Collab-Overcooked's has the optima in both spaces, of calls that may fetch these ``foods``; as
    Robotouille's it is about both presets and keeps what it holds of others; the other worlds' files are
    about standard rules. The file is put in its place only when it is complete. Raises ``Refused``
    besides if ``names`` are of more than one world, as each has a file of its own, or for other rules.
    """
    worlds = {registry.split(name)[0] for name in names}
    if len(worlds) > 1:
        raise Refused("an optima file is about one world; write one for each")
    if worlds == {"collab_overcooked"}:
        return cooks.write_optima(
            path, names, rules=(rules,), foods=lambda _: foods,
            time_limit_seconds=time_limit_seconds, progress=progress,
        )  # fmt: skip
    if worlds != {"robotouille"} and rules != "standard":
        raise Refused("the optima file of this world is about standard rules; leave --rules out")
    found = collect(names, rules=rules, time_limit_seconds=time_limit_seconds, kept=kept, progress=progress)
    source = f"backburner solve {' '.join(names)} --write-optima FILE"
    others: list[Optimum] = []
    if worlds == {"robotouille"} and path.exists():
        new = {(one.id, one.rules) for one in found if isinstance(one, robotouille.Optimum)}
        before = robotouille.read_optima(path)
        others = [one for one in before.optima if (one.id, one.rules) not in new]
        source = before.source
    write_whole(path, _as_lines(source, [*others, *found]))
    return found


def _as_lines(source: str, found: Sequence[Optimum]) -> bytes:
    lines = b",\n ".join(msgspec.json.encode(optimum) for optimum in found)
    return b'{"source": %b,\n "optima": [\n %b]}\n' % (msgspec.json.encode(source), lines)
