"""A wide scene as a map: who is where in marks with names, and beside it, in cards, what they hold.

Scenes in which few things stand on many cells are drawn so, and those whose ground somebody has seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from backburner.drawing import palette
from backburner.drawing.scene.appearance import Images
from backburner.drawing.scene.marks import (
    LONGEST,
    NAME,
    STRIP,
    Box,
    around,
    body_sign,
    half,
    named,
    other_sign,
    place_sign,
    strip,
    terrain,
)
from backburner.drawing.scene.marks import STYLE as MARKS
from backburner.drawing.scene.pieces import (
    CAPTION,
    CAPTION_LINE,
    GAP,
    LINE,
    PAD,
    SMALL,
    STYLE,
    WIDER,
    Block,
    Part,
    bar,
    beside_block,
    body_block,
    chip,
    colours,
    column,
    label,
    moved,
)
from backburner.drawing.svg import Markup, element, joined, shortened, wrapped
from backburner.kernel.errors import one_line
from backburner.kernel.reported import Ground, Other
from backburner.kernel.view import Body, Cell, Place, Scene

WIDTH = 420.0
LEAST_CELL, MOST_CELL = 7.0, 24.0
MARGIN, CARD = 8.0, 136.0
FAR = 64
"""Ground that begins or ends farther away, in cells, belongs to something else."""

WIDE_CELLS, SPARSE = 240, 8
"""So many cells, of which not one in ``SPARSE`` is taken, are a map."""


def is_map(scenes: Sequence[Scene]) -> bool:
    """Whether these scenes are drawn as a map."""
    first = scenes[0]
    cells, taken = first.width * first.height, len(first.places) + len(first.bodies)
    return any(scene.ground for scene in scenes) or (cells >= WIDE_CELLS and taken * SPARSE <= cells)


class Map:
    """A map on which all ``scenes`` have room; from one to the next only what moves in the world moves."""

    style = STYLE + MARKS

    def __init__(self, scenes: Sequence[Scene], images: Images, title: str = "", alike: bool = False) -> None:
        self.scenes, self.images, self.title = scenes, images, one_line(title)
        self._first_ground = next(filter(None, map(_ground_of, scenes)), None)
        self.west, self.north, east, south = _frame(scenes)
        self.columns, self.lines = east - self.west, south - self.north
        self.cell = min(max(LEAST_CELL, WIDTH / self.columns), MOST_CELL)
        self.wide = max(WIDTH, self.columns * self.cell)
        # From scene to scene little changes, and each thing is drawn once.
        self._fills = fills = colours(scenes, alike)
        self._block = lru_cache(maxsize=None)(
            lambda body: body_block(body, self._card, images, fills[body.name])
        )
        self._mark_of = lru_cache(maxsize=None)(self._marked)
        self._place_card = lru_cache(maxsize=None)(self._carded)
        heads = [len(self._head(scene)) for scene in scenes]
        self.top = MARGIN + max(heads) * CAPTION_LINE + (4 if max(heads) else 0)
        bottom = self.top + self.lines * self.cell
        self.below = bottom + (STRIP if self._first_ground else 0) + GAP + 4
        self.area = Box(MARGIN, self.top, MARGIN + self.columns * self.cell, bottom)
        self._names = self._place_names()
        beside = max(self._beside(scene).height for scene in scenes)
        self._corners, self.height = self._cards(self.below + (beside + MARGIN if beside else 0.0))
        self.width = self.wide + 2 * MARGIN

    def middle(self, at: tuple[float, float]) -> tuple[float, float]:
        """The middle of one of the world's own cells, in pixels."""
        x, y = at[0] - self.west + 0.5, at[1] - self.north + 0.5
        return MARGIN + x * self.cell, self.top + y * self.cell

    def ground(self) -> Markup:
        """What is the same in all scenes: the floor, lines between cells, north and the scale."""
        width, height = self.columns * self.cell, self.lines * self.cell
        area = {"x": self.area.left, "y": self.area.top, "width": width, "height": height}
        lines = [f"M{n} 0v{self.lines}" for n in range(1, self.columns)]
        lines += [f"M0 {n}h{self.columns}" for n in range(1, self.lines)]
        thin = round(0.5 / self.cell, 3)
        grid = element("path", d="".join(lines), class_="grid", stroke_width=thin, stroke_opacity=0.6)
        known = self._first_ground
        below = moved(strip(known, self.cell, self.wide), MARGIN, self.area.bottom) if known else Markup("")
        return element(
            "g",
            element("rect", fill=palette.FLOOR[0], **area),
            element("g", grid, transform=f"translate({MARGIN:.2f} {self.top:.2f}) scale({self.cell:.3f})"),
            element("rect", fill="none", stroke=palette.EDGE, **area),
            below,
            class_="ground",
        )

    def parts(self, scene: Scene) -> dict[str, Part]:
        """Everything in a scene by a name that it keeps from scene to scene, in the order of drawing."""
        by_name: dict[str, Part] = {}
        ground = _ground_of(scene) or self._first_ground
        if ground:
            x, y = self.middle((ground.corner[0] - 0.5, ground.corner[1] - 0.5))
            by_name["ground"] = Part(x, y, self._terrain(ground))
        for place in scene.places:
            x, y = self.middle(_shifted(scene, place.at))
            by_name[f"place {place.name}"] = Part(x, y, self._mark_of(place))
        by_name |= self._bodies(scene)
        for name, block in self._card_blocks(scene).items():
            by_name[name] = Part(*self._corners[name], block.markup)
        beside = self._beside(scene)
        if beside.height:
            by_name["beside"] = Part(MARGIN, self.below, beside.markup)
        if lines := [label(line, self.wide, CAPTION, "caption") for line in self._head(scene)]:
            by_name["caption"] = Part(MARGIN, MARGIN, column(lines, gap=CAPTION_LINE - LINE).markup)
        return by_name

    # --- on the ground ------------------------------------------------------------------------------------

    def _terrain(self, ground: Ground) -> Markup:
        """The ground with those who were about when it was seen."""
        west, north = ground.corner
        marks = [
            moved(
                other_sign(other, self.cell),
                (other.at[0] - west) * self.cell,
                (other.at[1] - north) * self.cell,
            )
            for other in ground.others
            if _inside(ground, other)
        ]
        return joined(terrain(ground, self.cell), *marks)

    def _marked(self, place: Place) -> Markup:
        told = "\n".join([place.name, *(", ".join(words) for words in (place.marks, place.traits) if words)])
        image = self.images.place(place, 2 * half(self.cell))
        sign = moved(image, -half(self.cell), -half(self.cell)) if image else place_sign(place, self.cell)
        name = self._names[place.name][0] if place.name in self._names else Markup("")
        return element("g", element("title", told), sign, name, class_="map-place")

    def _place_names(self) -> dict[str, tuple[Markup, Box]]:
        """The names of places that have room, those of blocks first, and their boxes, seen from the marks."""
        where = {
            place.name: (place, self.middle(_shifted(scene, place.at)))
            for scene in self.scenes
            for place in scene.places
        }
        taken = [self._mark_box(spot) for _, spot in where.values()]
        found: dict[str, tuple[Markup, Box]] = {}
        for place, spot in sorted(where.values(), key=lambda each: not palette.is_block(each[0].kind)):
            words = shortened(one_line(place.name), NAME, LONGEST)
            if box := self._room(words, spot, taken):
                taken.append(box)
                found[place.name] = named(words, spot, box), box.moved(-spot[0], -spot[1])
        return found

    def _bodies(self, scene: Scene) -> dict[str, Part]:
        """The bodies on the ground; those on one cell stand a little apart."""
        crowd: dict[Cell, int] = {}
        spots: list[tuple[Body, tuple[float, float]]] = []
        for body in scene.bodies:
            if body.at is None:
                continue
            number = crowd[body.at] = crowd.get(body.at, -1) + 1
            x, y = self.middle(_shifted(scene, body.at))
            spots.append((body, (x + half(self.cell) * number, y + half(self.cell) * number)))
        taken = [self._mark_box(spot) for _, spot in spots]
        others = [box for place in scene.places for box in self._boxes_of(scene, place)]
        found: dict[str, Part] = {}
        for body, spot in spots:
            words = shortened(one_line(body.name), NAME, LONGEST / WIDER)
            box = self._room(words, spot, [*taken, *others], WIDER) or self._room(words, spot, taken, WIDER)
            taken += [box] if box else []
            name = named(words, spot, box, "map-name map-body") if box else Markup("")
            image = self.images.body(body.kind, body.facing, 2 * half(self.cell))
            own = body_sign(body, self.cell, self._fills[body.name])
            sign = moved(image, -half(self.cell), -half(self.cell)) if image else own
            found[f"body {body.name}"] = Part(*spot, element("g", element("title", body.name), sign, name))
        return found

    def _boxes_of(self, scene: Scene, place: Place) -> list[Box]:
        """What a place takes on the map: its mark, and its name if that has room."""
        spot, name = self.middle(_shifted(scene, place.at)), self._names.get(place.name)
        return [self._mark_box(spot), *([name[1].moved(*spot)] if name else [])]

    def _mark_box(self, spot: tuple[float, float]) -> Box:
        (x, y), size = spot, half(self.cell)
        return Box(x - size, y - size, x + size, y + size)

    def _room(
        self, words: str, spot: tuple[float, float], taken: Sequence[Box], wider: float = 1.0
    ) -> Box | None:
        """Where there is room for a name, if anywhere."""
        for box in around(words, spot, self.cell, wider):
            if words and box.within(self.area) and not any(box.meets(other) for other in taken):
                return box
        return None

    # --- cards --------------------------------------------------------------------------------------------

    @property
    def _across(self) -> int:
        return max(1, int(self.wide / CARD))

    @property
    def _card(self) -> float:
        return self.wide / self._across

    def _card_blocks(self, scene: Scene) -> Mapping[str, Block]:
        """The cards of a scene: of bodies, and of places where something lies or is under way."""
        cards = {f"card {body.name}": self._block(body) for body in scene.bodies}
        for place in scene.places:
            if place.stack or place.progress:
                cards[f"card of {place.name}"] = self._place_card(place)
        return cards

    def _carded(self, place: Place) -> Block:
        room = self._card - 2 * PAD
        rows = [label(place.name, room, class_="place-name")]
        rows += [label(", ".join(place.marks), room, SMALL, "mark")] if place.marks else []
        rows += [bar(progress, room) for progress in place.progress]
        rows += [chip(thing, room, self.images) for thing in place.stack]
        return column(rows, PAD)

    def _cards(self, y: float) -> tuple[dict[str, tuple[float, float]], float]:
        """The upper left corner of each card that some scene has, beginning at ``y``, and where all end."""
        heights: dict[str, float] = {}
        for scene in self.scenes:
            for name, block in self._card_blocks(scene).items():
                heights[name] = max(heights.get(name, 0.0), block.height)
        names = sorted(heights, key=lambda name: name.startswith("card of "))
        corners: dict[str, tuple[float, float]] = {}
        for start in range(0, len(names), self._across):
            row = names[start : start + self._across]
            for place, name in enumerate(row):
                corners[name] = (MARGIN + place * self._card, y)
            y += max(heights[name] for name in row) + 6
        return corners, y

    def _beside(self, scene: Scene) -> Block:
        return beside_block(scene, (), self._card, self.wide, self.images)

    def _head(self, scene: Scene) -> Sequence[str]:
        told = [self.title, one_line(scene.caption)]
        return [line for words in told if words for line in wrapped(words, CAPTION, self.wide, lines=2)]


# --- pieces ----------------------------------------------------------------------------------------------


def _frame(scenes: Sequence[Scene]) -> tuple[int, int, int, int]:
    """(west, north, east, south) of all that is shown, the last two outside, in the world's own cells."""
    frames = [(*each.corner, each.corner[0] + each.width, each.corner[1] + each.height) for each in scenes]
    for ground in set(filter(None, map(_ground_of, scenes))):
        west, north = ground.corner
        frames.append((west, north, west + ground.width, north + ground.depth))
    west, north = (min(frame[side] for frame in frames) for side in (0, 1))
    east, south = (max(frame[side] for frame in frames) for side in (2, 3))
    return west, north, max(east, west + 1), max(south, north + 1)


def _ground_of(scene: Scene) -> Ground | None:
    """The ground of a scene, if any of it is near."""
    ground, (x, y) = scene.ground, scene.corner
    if ground is None:
        return None
    west, north = ground.corner[0] - x, ground.corner[1] - y
    beside = -ground.width - FAR < west < scene.width + FAR
    return ground if beside and -ground.depth - FAR < north < scene.height + FAR else None


def _shifted(scene: Scene, cell: Cell) -> Cell:
    """A scene's cell as the world's own."""
    return cell[0] + scene.corner[0], cell[1] + scene.corner[1]


def _inside(ground: Ground, other: Other) -> bool:
    x, y = other.at[0] - ground.corner[0], other.at[1] - ground.corner[1]
    return 0 <= x < ground.width and 0 <= y < ground.depth
