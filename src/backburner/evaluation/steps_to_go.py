"""How far from the goal: searches that only some worlds have, run where they are asked for, and kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from backburner.kernel import registry
from backburner.kernel.episode import Episode
from backburner.kernel.oracle import Kept
from backburner.kernel.scoring import Measures

KEPT = "steps-to-go.kept"
"""The file, beside the records, of what was found; it is not looked for again."""

Measure = Callable[[Episode], Measures]


def steps_to_go(folder: Path, time_limit_seconds: float) -> Measure:
    """Gives episodes their measures; nothing to those of worlds whose pack has no such search."""
    kept = Kept((folder if folder.is_dir() else folder.parent) / KEPT)

    @cache
    def of_world(name: str) -> Measure:
        part = registry.pack(name).steps_to_go
        if part is None:
            return lambda episode: {}
        make: Callable[[Kept, float], Measure] = registry.part(name, part.path)
        return make(kept, time_limit_seconds)

    return lambda episode: of_world(episode.header.world)(episode)


def about_steps_to_go() -> str:
    """What is searched for in which world, in a line."""
    packs = registry.installed().packs.values()
    return "; ".join(f"{pack.steps_to_go.help} ({pack.name})" for pack in packs if pack.steps_to_go)
