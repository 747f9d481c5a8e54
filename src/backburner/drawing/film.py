"""Scenes as a film: every part is drawn once, with when it is where."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backburner.drawing.scene.appearance import Images
from backburner.drawing.scene.map import Map
from backburner.drawing.scene.picture import Stage
from backburner.drawing.scene.pieces import Part, drawn
from backburner.drawing.svg import Markup, document, element
from backburner.kernel.view import Shot

Cut = tuple[int, float, float, int]
"""From this frame on a part is at (x, y) and looks like that drawing; -1: it is not there."""


class Actor(Struct):
    """A part by the name that it keeps, and its cuts in order of time."""

    name: str
    cuts: list[Cut]


class Film(Struct):
    """``times``: when each frame is; ``steps``: which recorded step led there, -1 for none.

    ``drawings``: markup that cuts name by its index.
    """

    times: list[int | float]
    steps: list[int]
    drawings: list[str]
    actors: list[Actor]


def film_of(stage: Stage | Map, shots: Sequence[Shot]) -> Film:
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


# --- the first scene -----------------------------------------------------------------------------------


def first_scene(stage: Stage | Map, images: Images) -> Markup:
    """The stage with the first scene on it; a script puts the others there."""
    return document(
        stage.width,
        stage.height,
        stage.style,
        element("defs", images.definitions()),
        stage.ground(),
        element("g", drawn(stage.parts(stage.scenes[0]).values()), class_="actors"),
        title="the scene",
        class_="scene",
    )
