"""What scenes are made of: chips for things, bars for what is under way, places with their stacks, bodies.

Each piece is drawn from (0, 0) downwards and knows its height before anybody decides where it goes, so that
cells can be made to fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from backburner.drawing import palette
from backburner.drawing.scene.appearance import Images, head, shape_of
from backburner.drawing.svg import Markup, element, joined, rect, shortened, text_at, text_width, wrapped
from backburner.kernel.errors import one_line
from backburner.kernel.view import WALL, Body, Place, Progress, Scene, Thing

NAME, SMALL = 10.5, 9.0
LINE, SMALL_LINE, BAR = 15.0, 11.0, 13.0
GAP, INDENT = 2.0, 5.0
CAPTION, CAPTION_LINE = 13.0, 17.0
BOLD, WIDER = ("place-name", "body-name"), 1.1
"""The classes of bold text, and how much wider it is."""


class Block(NamedTuple):
    """A piece and how high it is, in pixels."""

    markup: Markup
    height: float


class Part(NamedTuple):
    """A piece of a scene and where it is, in pixels."""

    x: float
    y: float
    markup: Markup


def drawn(parts: Iterable[Part]) -> Markup:
    """The parts where they are."""
    return joined(*(moved(part.markup, part.x, part.y) for part in parts))


def moved(markup: Markup, x: float, y: float) -> Markup:
    """The markup drawn from (x, y)."""
    return element("g", markup, transform=f"translate({x:.2f} {y:.2f})")


def column(blocks: Iterable[Block], x: float = 0.0, gap: float = GAP) -> Block:
    """Blocks one below the other, ``gap`` pixels apart."""
    parts: list[Markup] = []
    y = 0.0
    for block in blocks:
        parts.append(moved(block.markup, x, y))
        y += block.height + gap
    return Block(joined(*parts), max(0.0, y - gap))


def label(text: str, width: float, size: float = NAME, class_: str = "name") -> Block:
    """One line of text, shortened to the width."""
    height = LINE if size >= NAME else SMALL_LINE
    room = width / WIDER if class_ in BOLD else width
    words = shortened(one_line(text), size, room) or one_line(text)[:1]
    return Block(text_at(0, height - 0.33 * size, words, class_=class_), height)


def notes(words: Sequence[str], width: float) -> Iterator[Block]:
    """Marks in small letters, on two lines at most."""
    for line in wrapped(one_line(", ".join(words)), SMALL, width):
        yield label(line, width, SMALL, "mark")


def bar(progress: Progress, width: float) -> Block:
    """A bar with the progress of something; grey, and labelled so, while it is paused."""
    share = min(max(progress.done / progress.full, 0.0), 1.0) if progress.full > 0 else 1.0
    height = BAR - 1
    fill = palette.WAIT if progress.paused else palette.ALONE[0]
    words = count(progress)
    return Block(
        element(
            "g",
            element("title", words),
            element("rect", width=width, height=height, rx=3, fill="#ffffff"),
            element("rect", width=width * share, height=height, rx=3, fill=fill),
            element(
                "rect", width=width, height=height, rx=3, fill="none", stroke=palette.EDGE, stroke_width=0.75
            ),
            text_at(width / 2, height - 3, shortened(one_line(words), SMALL, width - 2), class_="bar-label"),
            class_="progress paused" if progress.paused else "progress",
        ),
        height,
    )


def chip(thing: Thing, width: float, images: Images) -> Block:
    """A thing as a labelled layer, with its marks, its progress and what is inside it."""
    room = width - 2 * INDENT
    rows = [
        *notes(thing.marks, room),
        *(bar(progress, room) for progress in thing.progress),
        *(chip(inner, room, images) for inner in thing.inside),
    ]
    swatch = images.swatch
    head = label(thing.name, room - swatch - 3)
    body = column([Block(moved(head.markup, swatch + 3, 0), head.height), *rows], INDENT, 1.0)
    height = body.height + (3.0 if rows else 1.0)
    image = images.use(thing.kind, (*thing.marks, *thing.traits), swatch)
    sign = image or element("circle", cx=swatch / 2, cy=swatch / 2, r=4, fill="#ffffff", fill_opacity=0.75)
    return Block(
        element(
            "g",
            element("title", told(thing)),
            element("rect", width=width, height=height, rx=5, fill=palette.food(thing.kind), class_="chip"),
            moved(sign, INDENT - 1, (LINE - swatch) / 2),
            body.markup,
            class_="thing",
        ),
        height,
    )


def chip_width(thing: Thing, swatch: float) -> float:
    """The width at which a chip shortens no name and no word on a bar."""
    inner = [
        text_width(thing.name, NAME) + swatch + 4,
        *(text_width(count(progress), SMALL) + 4 for progress in thing.progress),
        *(chip_width(inner, swatch) for inner in thing.inside),
    ]
    return max(inner) + 2 * INDENT


def count(progress: Progress) -> str:
    """What is under way, and how far it has come."""
    return f"{progress.label} {progress.done}/{progress.full}{' paused' if progress.paused else ''}"


def told(thing: Thing) -> str:
    """Everything about a thing, for its tooltip."""
    lines = [thing.name if thing.name.startswith(thing.kind) else f"{thing.name} ({thing.kind})"]
    lines += [", ".join(words) for words in (thing.marks, thing.traits) if words]
    lines += map(count, thing.progress)
    if thing.inside:
        lines.append(f"inside: {', '.join(inner.name for inner in thing.inside)}")
    return "\n".join(lines)


# --- what stands on a cell, and what is beside the grid -----------------------------------------------


PAD = 5.0
HEAD = 30.0
"""Pixels; a body seen from above, with its nose."""

LEAST_ROW = 60.0
ICON, LEAST_ICON = 36.0, 12.0
"""The size of a place's image, and how small it may become where things lie on it, in pixels."""


def place_head(place: Place, width: float) -> Block:
    """What is written on top of a place: its name, its marks, what is under way there."""
    return column(
        [
            label(place.name, width, class_="place-name"),
            *notes(place.marks, width),
            *(bar(progress, width) for progress in place.progress),
        ],
        gap=0.0,
    )


def stack(place: Place, width: float, images: Images) -> Block:
    """What lies on a place, the lowest thing lowest."""
    return column((chip(thing, width, images) for thing in place.stack[::-1]), gap=1.0)


def place_height(place: Place, width: float, images: Images) -> float:
    """How high the cell of a place has to be."""
    if place.kind == WALL:
        return LEAST_ROW
    room = width - 2 * PAD
    on_it = stack(place, room, images).height
    return 2 * PAD + place_head(place, room).height + (on_it + GAP if on_it else 0.0)


def place_part(place: Place, width: float, height: float, images: Images) -> Markup:
    """A place on its cell: name on top, shape in the middle, the stack standing on the lower edge.

    A wall is just there.
    """
    if place.kind == WALL:
        return element("rect", width=width, height=height, fill=palette.EDGE, class_="wall")
    room = width - 2 * PAD
    top, on_it, shape = place_head(place, room), stack(place, room, images), shape_of(place.kind)
    middle = (PAD + top.height + height) / 2
    free = height - 2 * PAD - top.height - on_it.height
    size = max(LEAST_ICON, min(ICON, free)) if place.stack else ICON
    image = images.place(place, size)
    if image is None:
        sign = moved(shape.sign, width / 2, middle - 2)
    else:
        sign = moved(image, (width - size) / 2, PAD + top.height + (free - size) / 2 - 1)
    told = [place.kind if place.name.startswith(place.kind) else f"{place.name} ({place.kind})"]
    told += [", ".join(words) for words in (place.marks, place.traits) if words]
    return element(
        "g",
        element("title", "\n".join(told)),
        rect(1.5, 1.5, width - 3, height - 3, rx=6, fill=shape.fill, class_="place"),
        sign,
        moved(top.markup, PAD, PAD - 1),
        moved(on_it.markup, PAD, height - PAD - on_it.height),
    )


def colours(scenes: Sequence[Scene], alike: bool) -> Mapping[str, str]:
    """The colour of each body that some scene shows, in the order in which they name them; or one for all."""
    names = dict.fromkeys(body.name for scene in scenes for body in scene.bodies)
    return {name: palette.body(0 if alike else index) for index, name in enumerate(names)}


def body_block(body: Body, width: float, images: Images, fill: str) -> Block:
    """Somebody: its words, head (in the colour ``fill``) and name, what it holds."""
    room = width - 2 * PAD
    image = images.body(body.kind, body.facing, HEAD)
    face = image or moved(head(body.facing, fill), HEAD / 2, HEAD / 2 + 1)
    beside_head = column(
        [
            label(body.name, room - HEAD - 2, class_="body-name"),
            *(label(line, room - HEAD - 2, SMALL, "mark") for line in _doing(body)),
        ],
        gap=0.0,
    )
    held = [chip(thing, room, images) for thing in body.holding]
    upper = joined(face, moved(beside_head.markup, HEAD + 3, max(0.0, (HEAD - beside_head.height) / 2 - 1)))
    rows = [
        *_bubble(body.says, room),
        Block(upper, max(HEAD + 2, beside_head.height)),
        *(bar(progress, room) for progress in body.progress),
        *held,
    ]
    block = column(rows, PAD)
    return Block(element("g", element("title", _told(body)), block.markup), block.height + GAP)


def _doing(body: Body) -> list[str]:
    """What is written below a body's name."""
    return [*([", ".join(body.marks)] if body.marks else []), *(["holds"] if body.holding else [])]


def _told(body: Body) -> str:
    lines = [f"{body.name}{f' at {body.place}' if body.place else ''}", *body.marks]
    lines += [f"holds {', '.join(thing.name for thing in body.holding)}"] if body.holding else []
    return "\n".join([*lines, *([f"says: {body.says}"] if body.says else [])])


def _bubble(words: str, width: float) -> Sequence[Block]:
    """What somebody says, on three lines at most."""
    lines = wrapped(one_line(words), SMALL, width - 8, lines=3)
    if not lines:
        return []
    text = column((label(line, width - 8, SMALL, "says") for line in lines), 4.0, 0.0)
    height = text.height + 5
    frame = element("rect", width=width, height=height, rx=6, class_="bubble")
    tail = element("path", d=f"M10 {height - 0.5:.2f}l4 5l4 -5z", class_="bubble-tail")
    return [Block(joined(frame, tail, moved(text.markup, 0, 1)), height + 5)]


def beside_block(scene: Scene, bodies: Sequence[Block], cell: float, width: float, images: Images) -> Block:
    """Bodies and things that are nowhere on the grid, in as many columns as there is room for."""
    pieces = [*bodies]
    pieces += [chip(thing, cell - 2 * PAD, images) for thing in scene.beside]
    if not pieces:
        return Block(Markup(""), 0.0)
    columns = max(1, int(width / cell))
    rows = [pieces[at : at + columns] for at in range(0, len(pieces), columns)]
    blocks = [
        Block(
            joined(*(moved(piece.markup, PAD + index * cell, 0) for index, piece in enumerate(row))),
            max(piece.height for piece in row),
        )
        for row in rows
    ]
    title = text_at(PAD, SMALL_LINE, "beside", class_="mark")
    return column([Block(title, SMALL_LINE + GAP), *blocks], gap=4.0)


STYLE = f"""
.scene text {{ font-size: 10.5px; fill: {palette.INK} }}
.scene .place {{ stroke: {palette.EDGE}; stroke-width: 1 }}
.scene .place-name, .scene .body-name {{ font-weight: 600 }}
.scene .mark, .scene .says {{ font-size: {SMALL}px }}
.scene .mark {{ fill: {palette.INK}; font-style: italic }}
.scene .chip {{ stroke: {palette.EDGE}; stroke-width: 0.75 }}
.scene .bar-label {{ font-size: {SMALL}px; text-anchor: middle }}
.scene .bubble {{ fill: #ffffff; stroke: {palette.EDGE} }}
.scene .bubble-tail {{ fill: #ffffff; stroke: {palette.EDGE}; stroke-width: 0.75 }}
.scene .caption {{ font-size: 13px }}
"""
