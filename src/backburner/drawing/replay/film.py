"""Scenes as a film: every part drawn once, and when it is where. What a page's script plays."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backburner.drawing.scene.stage import Part, Stage
from backburner.kernel.scene import Shot

Cut = tuple[int, float, float, int]
"""From this frame on a part is at (x, y) and looks like that drawing; -1: it is not there."""


class Actor(Struct):
    """A part by the name that it keeps, and its cuts in order of time."""

    name: str
    cuts: list[Cut]


class Film(Struct):
    """``times``: when each frame is; ``steps``: which recorded step led there, -1 for none.

    ``drawings``: markup that cuts name by its place.
    """

    times: list[int | float]
    steps: list[int]
    drawings: list[str]
    actors: list[Actor]


def film_of(stage: Stage, shots: Sequence[Shot]) -> Film:
    """The film of the shots whose scenes are the stage's, a frame for each."""
    drawings: dict[str, int] = {}
    actors: dict[str, list[Cut]] = {}
    shown: dict[str, Part] = {}
    for frame, shot in enumerate(shots):
        parts = stage.parts(shot.scene)
        for name, part in parts.items():
            if shown.get(name) != part:
                drawing = drawings.setdefault(part.markup, len(drawings))
                actors.setdefault(name, []).append((frame, round(part.x, 2), round(part.y, 2), drawing))
        for name in shown.keys() - parts.keys():
            last = actors[name][-1]
            actors[name].append((frame, last[1], last[2], -1))
        shown = parts
    return Film(
        [shot.time for shot in shots],
        [shot.step for shot in shots],
        list(map(str, drawings)),
        [Actor(name, cuts) for name, cuts in actors.items()],
    )
