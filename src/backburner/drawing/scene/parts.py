"""What stands on a cell: a place with its stack, a body with what it holds, and what is beside the grid."""

from __future__ import annotations

from collections.abc import Sequence

from backburner.drawing import palette
from backburner.drawing.scene.blocks import (
    GAP,
    SMALL,
    SMALL_LINE,
    Block,
    bar,
    chip,
    column,
    label,
    moved,
    notes,
)
from backburner.drawing.scene.images import Images
from backburner.drawing.scene.shapes import head, shape_of
from backburner.drawing.svg import Markup, element, joined, wrapped
from backburner.kernel.scene import Body, Place, Scene
from backburner.kernel.words import one_line

PAD = 5.0
HEAD = 30.0
"""Pixels; a body seen from above, with its nose."""

LEAST_ROW = 60.0


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
    room = width - 2 * PAD
    on_it = stack(place, room, images).height
    return 2 * PAD + place_head(place, room).height + (on_it + GAP if on_it else 0.0)


def place_part(place: Place, width: float, height: float, images: Images) -> Markup:
    """A place on its cell: name on top, shape in the middle, the stack standing on the lower edge."""
    room = width - 2 * PAD
    top, on_it, shape = place_head(place, room), stack(place, room, images), shape_of(place.kind)
    middle = (PAD + top.height + height) / 2
    image = images.use(place.kind, (*place.marks, *place.traits), 36.0)
    sign = moved(image, width / 2 - 18, middle - 19) if image else moved(shape.sign, width / 2, middle - 2)
    told = [place.kind if place.name.startswith(place.kind) else f"{place.name} ({place.kind})"]
    told += [", ".join(words) for words in (place.marks, place.traits) if words]
    return element(
        "g",
        element("title", "\n".join(told)),
        element(
            "rect", x=1.5, y=1.5, width=width - 3, height=height - 3, rx=6, fill=shape.fill, class_="place"
        ),
        sign,
        moved(top.markup, PAD, PAD - 1),
        moved(on_it.markup, PAD, height - PAD - on_it.height),
    )


def body_block(body: Body, width: float, images: Images) -> Block:
    """Somebody: its words, head and name, what it holds."""
    room = width - 2 * PAD
    image = images.body(body.kind, body.facing, HEAD)
    face = image or moved(head(body.facing), HEAD / 2, HEAD / 2 + 1)
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


def beside_block(scene: Scene, bodies: Sequence[Body], cell: float, width: float, images: Images) -> Block:
    """What is nowhere on the grid, in as many columns as there is room for."""
    pieces = [body_block(body, cell, images) for body in bodies]
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
    title = element("text", "beside", x=PAD, y=SMALL_LINE, class_="mark")
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
