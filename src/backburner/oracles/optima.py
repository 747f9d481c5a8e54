"""The figures that TimeArena ships as data: optima, the script's minutes, the most necessary waits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.kernel.files import write_whole
from backburner.oracles.solve import solve_world
from backburner.oracles.timearena_script import script_plan
from backburner.oracles.waits import most_necessary_waits
from backburner.worlds.timearena import TimeArena
from backburner.worlds.timearena.optima import OptimaFile, Optimum

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
    progress: Callable[[Optimum], None] | None = None,
) -> list[Optimum]:
    """What the oracles find for each TimeArena scenario or suite among ``names``, in their order.

    ``time_limit_seconds`` holds for each search. A scenario for which no plan is found is left out.
    Each result is handed to ``progress`` as soon as it is known. Raises ``UnknownName``,
    ``MissingExtra``, and ``Refused`` for a scenario of another world.
    """
    found = []
    for id in dict.fromkeys(id for name in names for id in registry.expand(name)):
        optimum = _optimum(id, rules, time_limit_seconds)
        if optimum is not None:
            found.append(optimum)
            if progress is not None:
                progress(optimum)
    return found


def _optimum(id: str, rules: Any, time_limit_seconds: float) -> Optimum | None:
    world = registry.world(id, rules=rules)
    if not isinstance(world, TimeArena):
        raise Refused(f"{id}: these figures are defined for scenarios of timearena")
    shortest = solve_world(world, time_limit_seconds=time_limit_seconds)
    if shortest.objective is None or shortest.bound is None:
        return None
    waits = None
    if not world.rules.any_pair_counts:
        waits = most_necessary_waits(world, time_limit_seconds=time_limit_seconds)
    return Optimum(
        id=id,
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
    time_limit_seconds: float = 60.0,
    progress: Callable[[Optimum], None] | None = None,
) -> list[Optimum]:
    """``collect`` under standard rules and the article's limits, into a file like the shipped one.

    One scenario stands on each line. The file is put in its place only when it is complete.
    """
    found = collect(names, time_limit_seconds=time_limit_seconds, progress=progress)
    source = f"backburner solve {' '.join(names)} --write-optima FILE"
    write_whole(path, _as_lines(OptimaFile(source, tuple(found))))
    return found


def _as_lines(file: OptimaFile) -> bytes:
    lines = b",\n ".join(msgspec.json.encode(optimum) for optimum in file.optima)
    return b'{"source": %b,\n "optima": [\n %b]}\n' % (msgspec.json.encode(file.source), lines)
