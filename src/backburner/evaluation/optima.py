"""The figures that worlds ship as data: optima; TimeArena's also with the script's minutes and waits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from backburner.evaluation.keeping import Kept, solve_kept
from backburner.evaluation.solving import solve_world
from backburner.kernel import registry
from backburner.kernel.contract import World
from backburner.kernel.entries import write_entries
from backburner.kernel.errors import Refused
from backburner.worlds.collab_overcooked.game import CollabOvercooked
from backburner.worlds.collab_overcooked.game import optima as collab_overcooked
from backburner.worlds.collab_overcooked.oracle.shipping import optima_of
from backburner.worlds.recipe2plan.game import Recipe2Plan
from backburner.worlds.recipe2plan.game import optima as recipe2plan
from backburner.worlds.robotouille.game import Robotouille
from backburner.worlds.robotouille.game import optima as robotouille
from backburner.worlds.robotouille.oracle.kitchens import as_data
from backburner.worlds.timearena.game import TimeArena
from backburner.worlds.timearena.game import optima as timearena
from backburner.worlds.timearena.oracle.script import script_plan
from backburner.worlds.timearena.oracle.waits import most_necessary_waits

Optimum = timearena.Optimum | recipe2plan.Optimum | robotouille.Optimum | collab_overcooked.Optimum

BOTH_PRESETS: Mapping[str, Callable[[Path], robotouille.OptimaFile | collab_overcooked.OptimaFile]] = {
    "collab_overcooked": collab_overcooked.read_optima,
    "robotouille": robotouille.read_optima,
}
"""Worlds whose file of optima is about both presets, and what reads such a file."""

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
    foods: collab_overcooked.Foods = "own",
    progress: Callable[[Optimum], None] | None = None,
) -> list[Optimum]:
    """What the oracles find for each scenario or suite among ``names``, in their order.

    ``time_limit_seconds`` holds for each search. A scenario for which no plan is found is left out.
    ``kept``: what was found before, where searches go on from (Robotouille's alone).
    ``foods``: what plans of calls may fetch (Collab-Overcooked's alone).
    Each result is handed to ``progress`` as soon as it is known. Raises ``UnknownName``,
    ``MissingExtra``, and ``Refused`` for a scenario of a world that ships no such figures.
    """
    found = []
    for id in dict.fromkeys(id for name in names for id in registry.expand(name)):
        for optimum in _optima(id, rules, time_limit_seconds, kept, foods):
            found.append(optimum)
            if progress is not None:
                progress(optimum)
    return found


def _optima(
    id: str, rules: Any, time_limit_seconds: float, kept: Kept | None, foods: collab_overcooked.Foods
) -> Sequence[Optimum]:
    limits = registry.catalogue(registry.split(id)[0]).solve_limits
    world = registry.world(id, rules=rules, limits=limits)
    if isinstance(world, CollabOvercooked):
        return optima_of(world, foods=foods, time_limit_seconds=time_limit_seconds)
    optimum = _optimum(world, time_limit_seconds, kept)
    return () if optimum is None else (optimum,)


def _optimum(world: World[Any, Any, Any], time_limit_seconds: float, kept: Kept | None) -> Optimum | None:
    if isinstance(world, Robotouille):
        return as_data(world, solve_kept(world, kept, time_limit_seconds=time_limit_seconds))
    if isinstance(world, Recipe2Plan):
        return _recipe2plan(world, time_limit_seconds)
    if isinstance(world, TimeArena):
        return _timearena(world, time_limit_seconds)
    raise Refused(
        f"{world.id}: these figures are defined for collab_overcooked, recipe2plan, robotouille and timearena"
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
) -> list[Optimum]:
    """``collect`` into a file like the shipped one, one scenario on each line.

    Collab-Overcooked's has the optima in both spaces, of calls that may fetch these ``foods``; as
    Robotouille's it is about both presets and keeps what it holds of others; the other worlds' files are
    about standard rules. The file is put in its place only when it is complete. Raises ``Refused``
    besides if ``names`` are of more than one world, as each has a file of its own, or for other rules.
    """
    worlds = {registry.split(name)[0] for name in names}
    if len(worlds) > 1:
        raise Refused("an optima file is about one world; write one for each")
    read = BOTH_PRESETS.get("".join(worlds))
    if read is None and rules != "standard":
        raise Refused("the optima file of this world is about standard rules; leave --rules out")
    found = collect(
        names, rules=rules, time_limit_seconds=time_limit_seconds, kept=kept, foods=foods, progress=progress
    )
    source = f"backburner solve {' '.join(names)} --write-optima FILE"
    others: list[Optimum] = []
    if read is not None and path.exists():
        before, new = read(path), set(map(_about, found))
        others = [one for one in before.optima if _about(one) not in new]
        source = before.source
    write_entries(path, source, "optima", [*others, *found])
    return found


def _about(optimum: Optimum) -> tuple[str, ...]:
    """What tells an entry of a file from the others."""
    return tuple(getattr(optimum, field, "") for field in ("id", "rules", "space"))
