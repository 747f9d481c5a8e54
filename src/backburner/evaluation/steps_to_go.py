"""How far from the goal: searches that only some worlds have, run where they are asked for, and kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from backburner.evaluation.keeping import Kept
from backburner.kernel.episode import Episode
from backburner.kernel.scoring import Measures
from backburner.worlds.collab_overcooked.oracle.steps_to_go import to_go_of_calls
from backburner.worlds.robotouille.oracle.steps_to_go import to_go_of_failures

KEPT = "steps-to-go.kept"
"""The file, beside the records, of what was found; it is not looked for again."""

Measure = Callable[[Episode], Measures]

SEARCHED: Mapping[str, Callable[[Kept, float], Measure]] = {
    "collab_overcooked": to_go_of_calls,
    "robotouille": to_go_of_failures,
}
"""What makes a world's measure, of what is kept and the seconds that each search may take."""


def steps_to_go(folder: Path, time_limit_seconds: float) -> Measure:
    """Gives episodes of the worlds in ``SEARCHED`` their measures; nothing to any other episode."""
    kept = Kept((folder if folder.is_dir() else folder.parent) / KEPT)
    made = {world: make(kept, time_limit_seconds) for world, make in SEARCHED.items()}

    def measure(episode: Episode) -> Measures:
        of_world = made.get(episode.header.world)
        return {} if of_world is None else of_world(episode)

    return measure
