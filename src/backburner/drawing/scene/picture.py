"""A scene as SVG, and scenes as a film.

Cells are large enough for all scenes of an episode, and for whoever is in each. In a film every part is drawn
once, with when it is where.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from backburner.drawing import palette
from backburner.drawing.scene.appearance import FLOOR, NONE, Images
from backburner.drawing.scene.map import Map, is_map
from backburner.drawing.scene.pieces import (
    CAPTION,
    CAPTION_LINE,
    HEAD,
    LEAST_ROW,
    LINE,
    NAME,
    PAD,
    STYLE,
    WIDER,
    Block,
    Part,
    beside_block,
    body_block,
    chip_width,
    colours,
    column,
    drawn,
    label,
    moved,
    place_height,
    place_part,
)
from backburner.drawing.svg import Markup, document, element, joined, rect, text_width, wrapped
from backburner.kernel.errors import one_line, shorten
from backburner.kernel.view import WALL, Body, Cell, Place, Scene, Shot

LEAST_CELL, MOST_CELL = 88.0, 150.0
MARGIN = 8.0
MOST_WORDS = 4000


class Stage:
    """Measures that fit all ``scenes``: from one to the next only what moves in the world moves."""

    style = STYLE

    def __init__(self, scenes: Sequence[Scene], images: Images, alike: bool = False) -> None:
        self.scenes, self.images = scenes, images
        # From scene to scene little changes, and each place and body is measured and drawn once.
        self._place_height = lru_cache(maxsize=None)(lambda place: place_height(place, self.cell, images))
        fills = colours(scenes, alike)
        self._block = lru_cache(maxsize=None)(
            lambda body: body_block(body, self.cell, images, fills[body.name])
        )
        self._place_part = lru_cache(maxsize=None)(self._drawn_place)
        self.columns = max(1, *(scene.width for scene in scenes))
        self.cell = min(max(LEAST_CELL, *(self._wanted(scene) for scene in scenes)), MOST_CELL)
        self.grid = self.columns * self.cell
        captions = [len(self._caption(scene)) for scene in scenes]
        self.top = MARGIN + max(captions) * CAPTION_LINE + (4 if max(captions) else 0)
        self.rows = [LEAST_ROW] * max(1, *(scene.height for scene in scenes))
        for cell, height in (need for scene in scenes for need in self._needs(scene)):
            self.rows[cell[1]] = max(self.rows[cell[1]], height)
        self.bottom = self.top + sum(self.rows)
        beside = max(self._beside(scene).height for scene in scenes)
        self.width = self.grid + 2 * MARGIN
        self.height = self.bottom + (beside + MARGIN if beside else 0.0) + MARGIN

    def corner(self, cell: Cell) -> tuple[float, float]:
        """The upper left corner of a cell."""
        return MARGIN + cell[0] * self.cell, self.top + sum(self.rows[: cell[1]])

    def ground(self) -> Markup:
        """The floor, the same in all scenes."""
        squares: list[Markup] = []
        for y, height in enumerate(self.rows):
            for x in range(self.columns):
                left, top = self.corner((x, y))
                square = rect(left, top, self.cell, height, fill=palette.FLOOR[(x + y) % 2])
                squares.append(square)
                image = self.images.use(FLOOR, (), self.cell, height)
                squares += [moved(image, left, top)] if image else []
        frame = rect(MARGIN, self.top, self.grid, sum(self.rows), fill="none", stroke=palette.LINE)
        return element("g", *squares, frame, class_="ground")

    def parts(self, scene: Scene) -> dict[str, Part]:
        """Everything in a scene by a name that it keeps from scene to scene, in the order of drawing."""
        by_name: dict[str, Part] = {}
        for place in scene.places:
            x, y = self.corner(place.at)
            by_name[f"place {place.name}"] = Part(x, y, self._place_part(place))
        for cell, bodies in self._standing(scene).items():
            x, y = self.corner(cell)
            for body in bodies:
                block = self._block(body)
                by_name[f"body {body.name}"] = Part(x, y + 4, block.markup)
                y += block.height
        beside = self._beside(scene)
        if beside.height:
            by_name["beside"] = Part(MARGIN, self.bottom + MARGIN, beside.markup)
        if lines := [label(line, self.grid, CAPTION, "caption") for line in self._caption(scene)]:
            by_name["caption"] = Part(MARGIN, MARGIN, column(lines, gap=CAPTION_LINE - LINE).markup)
        return by_name

    def _drawn_place(self, place: Place) -> Markup:
        return place_part(place, self.cell, self.rows[place.at[1]], self.images)

    # --- measures ------------------------------------------------------------------------------

    def _wanted(self, scene: Scene) -> float:
        """The width at which no name is shortened."""
        piles = (*(place.stack for place in scene.places), *(body.holding for body in scene.bodies))
        rooms = [chip_width(thing, self.images.swatch) for pile in (*piles, scene.beside) for thing in pile]
        named = (place.name for place in scene.places if place.kind != WALL)
        rooms += [WIDER * text_width(name, NAME) + 2 for name in named]
        rooms += [WIDER * text_width(body.name, NAME) + HEAD + 4 for body in scene.bodies]
        return max(rooms, default=0.0) + 2 * PAD

    def _needs(self, scene: Scene) -> Iterator[tuple[Cell, float]]:
        """(cell, height) for each cell with something on it."""
        for place in scene.places:
            yield place.at, self._place_height(place)
        for cell, bodies in self._standing(scene).items():
            yield cell, 6 + sum(self._block(body).height for body in bodies)

    def _standing(self, scene: Scene) -> Mapping[Cell, Sequence[Body]]:
        """The bodies by the cell on which they stand."""
        by_cell: dict[Cell, list[Body]] = {}
        taken = {place.at for place in scene.places}
        for body in scene.bodies:
            if body.at is not None and body.at not in taken:
                by_cell.setdefault(body.at, []).append(body)
        return by_cell

    def _beside(self, scene: Scene) -> Block:
        standing = {body.name for bodies in self._standing(scene).values() for body in bodies}
        lost = [self._block(body) for body in scene.bodies if body.name not in standing]
        return beside_block(scene, lost, self.cell, self.grid, self.images)

    def _caption(self, scene: Scene) -> Sequence[str]:
        return wrapped(one_line(scene.caption), CAPTION, self.grid, lines=3) if scene.caption else ()


def stage_of(scenes: Sequence[Scene], images: Images, title: str = "", alike: bool = False) -> Stage | Map:
    """What these scenes are drawn on: cells that say all that is on them, or a map where they are many."""
    return Map(scenes, images, title, alike) if is_map(scenes) else Stage(scenes, images, alike)


def scene_svg(scene: Scene, *, title: str = "", images: Images = NONE, alike: bool = False) -> str:
    """A scene seen from above, as a self-contained picture, escaped throughout.

    Places bear their names, what lies on them is a stack of labelled layers, bodies look where they
    face and have below them what they hold. Bars tell how far something has come, grey ones that it
    is paused. Everything has a tooltip. ``images`` stand in for our shapes where there are any. A wide
    scene is a map with marks, what they hold in cards below it, and ``title`` above.
    ``alike``: all bodies have one colour, as in the pictures that models are shown.
    """
    stage = stage_of([scene], images, title, alike)
    parts = drawn(stage.parts(scene).values())  # before what they use is defined
    return document(
        stage.width,
        stage.height,
        stage.style,
        element("desc", in_words(scene)),
        element("defs", images.definitions()),
        stage.ground(),
        parts,
        title=title or "scene",
        class_="scene",
    )


def in_words(scene: Scene) -> str:
    """Who is where with what, for those who do not see the picture; at most ``MOST_WORDS`` characters."""
    told = [one_line(scene.caption)] if scene.caption else []
    for body in scene.bodies:
        at = "" if body.at is None else f" at column {body.at[0] + 1}, row {body.at[1] + 1}"
        held = ", ".join(" ".join((thing.kind, *thing.marks)) for thing in body.holding)
        told.append(f"{body.name}{at}{f' holds {held}' if held else ''}")
    for place in scene.places:
        lies = ", ".join(" ".join((thing.kind, *thing.marks)) for thing in place.stack)
        marks = "".join(f", {mark}" for mark in place.marks)
        where = f"column {place.at[0] + 1}, row {place.at[1] + 1}"
        told.append(f"{place.name} at {where}{marks}{f' with {lies}' if lies else ''}")
    if scene.ground:
        told.append(f"seen on {scene.ground.source or 'a server'}")
    return shorten(one_line(". ".join(told)), MOST_WORDS)


# --- films -------------------------------------------------------------------------------------------------


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


# --- a film as a picture that moves ------------------------------------------------------------------------

SECONDS, LONGEST = 0.7, 24.0
"""How long each scene stays, and the whole film at most; the last scene stays three times as long."""

TOOLTIP = re.compile("<title>[^<]*</title>")
STILL = "@media (prefers-reduced-motion: reduce) { .scene * { animation: none !important; } }"


def moving_svg(shots: Sequence[Shot], *, title: str, images: Images = NONE, most: int = 40) -> str:
    """The scenes one after the other, again and again, as one picture that needs no script.

    Each part is drawn once, and rules of style say when it is where. Who asks for less motion sees the scene
    in the middle. Of a play with more than ``most`` scenes every second, third ... is shown.
    """
    shots = (*shots[: -1 : -(-len(shots) // most)], shots[-1])
    stage = stage_of([shot.scene for shot in shots], images, title)
    film = film_of(stage, shots)
    frames = len(shots)
    rules: list[str] = []

    def animation(states: Mapping[int, str], glide: float) -> str | None:
        """The style of a part that is in these states, each from its frame on; none for a single one."""
        if len(set(states.values())) < 2:
            return None
        stops, before = [], ""
        for frame, state in sorted(states.items()):
            at = 100 * frame / (frames + 2)
            stops += [f"{at - glide:.2f}%{{{before}}}"] if before and glide else []
            stops.append(f"{at:.2f}%{{{state}}}")
            before = state
        name = f"k{len(rules)}"
        rules.append(f"@keyframes {name}{{{''.join(stops)}100%{{{before}}}}}")
        seconds = min(SECONDS * (frames + 2), LONGEST)
        return f"animation:{name} {seconds:.1f}s {'linear' if glide else 'step-end'} infinite"

    def acted(actor: Actor) -> Markup:
        """A part with every look that it has."""
        cuts = actor.cuts if actor.cuts[0][0] == 0 else [(0, *actor.cuts[0][1:3], -1), *actor.cuts]
        middle = next(cut for cut in reversed(cuts) if cut[0] <= frames // 2)
        looks = []
        for drawing in sorted({cut[3] for cut in cuts} - {-1}):
            seen = {cut[0]: f"visibility:{'visible' if cut[3] == drawing else 'hidden'}" for cut in cuts}
            base = "" if middle[3] == drawing else "visibility:hidden;"
            style = base + (animation(seen, 0.0) or "")
            look = Markup(TOOLTIP.sub("", film.drawings[drawing]))
            looks.append(element("g", look, style=style or None))
        places = {cut[0]: f"transform:translate({cut[1]:g}px,{cut[2]:g}px)" for cut in cuts}
        moves = animation(places, 40 / (frames + 2))
        still = f"transform:translate({middle[1]:g}px,{middle[2]:g}px)"
        return element("g", *looks, style=f"{still};{moves}" if moves else still)

    actors = joined(*map(acted, film.actors))
    return document(
        stage.width,
        stage.height,
        f"{stage.style}{''.join(rules)}{STILL}",
        element("desc", f"{frames} scenes; the last: {in_words(shots[-1].scene)}"),
        element("defs", images.definitions()),
        stage.ground(),
        actors,
        title=title,
        class_="scene",
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
