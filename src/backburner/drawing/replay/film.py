"""Scenes as a film: every part drawn once, and when it is where. What a page's script plays."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backburner.drawing.scene.stage import Part, Stage
from backburner.kernel.episode import Episode

Cut = tuple[int, float, float, int]
"""From this frame on a part is at (x, y) and looks like that drawing; -1: it is not there."""


class Actor(Struct):
    """A part by the name that it keeps, and its cuts in order of time."""

    name: str
    cuts: list[Cut]


class Film(Struct):
    """``times``: when each frame is; ``drawings``: markup that cuts name by its place."""

    times: Sequence[int | float]
    drawings: list[str]
    actors: list[Actor]


def film_of(stage: Stage, times: Sequence[int | float]) -> Film:
    """The film of a stage's scenes, a frame for each."""
    drawings: dict[str, int] = {}
    actors: dict[str, list[Cut]] = {}
    shown: dict[str, Part] = {}
    for frame, scene in enumerate(stage.scenes):
        parts = stage.parts(scene)
        for name, part in parts.items():
            if shown.get(name) != part:
                drawing = drawings.setdefault(part.markup, len(drawings))
                actors.setdefault(name, []).append((frame, round(part.x, 2), round(part.y, 2), drawing))
        for name in shown.keys() - parts.keys():
            last = actors[name][-1]
            actors[name].append((frame, last[1], last[2], -1))
        shown = parts
    return Film(times, list(map(str, drawings)), [Actor(name, cuts) for name, cuts in actors.items()])


def times_of(episode: Episode) -> list[int | float]:
    """When each step begins, in the world's unit of time, and when the last one ends."""
    times: list[int | float] = [0]
    for entry in episode.entries:
        times.append(max((times[-1], *(event.time for event in entry.events))))
    return times
