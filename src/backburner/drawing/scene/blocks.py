"""Pieces of a scene, each drawn from (0, 0) downwards: chips for things, bars for what is under way.

A piece knows its height before anybody decides where it goes, so cells can be made to fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from backburner.drawing import palette
from backburner.drawing.scene.images import Images
from backburner.drawing.svg import Markup, element, joined, shortened, text_width, wrapped
from backburner.kernel.scene import Progress, Thing
from backburner.kernel.words import one_line

NAME, SMALL = 10.5, 9.0
LINE, SMALL_LINE, BAR = 15.0, 11.0, 13.0
GAP, INDENT = 2.0, 5.0
SWATCH = 12.0
BOLD, WIDER = ("place-name", "body-name"), 1.1
"""The classes of bold text, and how much wider it is."""


class Block(NamedTuple):
    """A piece and how high it is, in pixels."""

    markup: Markup
    height: float


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
    return Block(element("text", words, x=0, y=height - 0.33 * size, class_=class_), height)


def notes(words: Sequence[str], width: float) -> Iterator[Block]:
    """Marks in small letters, on two lines at most."""
    for line in wrapped(one_line(", ".join(words)), SMALL, width):
        yield label(line, width, SMALL, "mark")


def bar(progress: Progress, width: float) -> Block:
    """How far something has come; grey, and called so, while it is paused."""
    share = min(max(progress.done / progress.full, 0.0), 1.0) if progress.full > 0 else 1.0
    height = BAR - 1
    fill = palette.WAIT if progress.paused else palette.ALONE[0]
    words = _count(progress)
    return Block(
        element(
            "g",
            element("title", words),
            element("rect", width=width, height=height, rx=3, fill="#ffffff"),
            element("rect", width=width * share, height=height, rx=3, fill=fill),
            element(
                "rect", width=width, height=height, rx=3, fill="none", stroke=palette.EDGE, stroke_width=0.75
            ),
            element(
                "text",
                shortened(one_line(words), SMALL, width - 2),
                x=width / 2,
                y=height - 3,
                class_="bar-label",
            ),
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
    head = label(thing.name, room - SWATCH - 3)
    body = column([Block(moved(head.markup, SWATCH + 3, 0), head.height), *rows], INDENT, 1.0)
    height = body.height + (3.0 if rows else 1.0)
    image = images.use(thing.kind, (*thing.marks, *thing.traits), SWATCH)
    sign = image or element("circle", cx=SWATCH / 2, cy=SWATCH / 2, r=4, fill="#ffffff", fill_opacity=0.75)
    return Block(
        element(
            "g",
            element("title", told(thing)),
            element("rect", width=width, height=height, rx=5, fill=palette.food(thing.kind), class_="chip"),
            moved(sign, INDENT - 1, 1.5),
            body.markup,
            class_="thing",
        ),
        height,
    )


def chip_width(thing: Thing) -> float:
    """The width at which a chip shortens no name and no word on a bar."""
    inner = [
        text_width(thing.name, NAME) + SWATCH + 4,
        *(text_width(_count(progress), SMALL) + 4 for progress in thing.progress),
        *map(chip_width, thing.inside),
    ]
    return max(inner) + 2 * INDENT


def _count(progress: Progress) -> str:
    return f"{progress.label} {progress.done}/{progress.full}{' paused' if progress.paused else ''}"


def told(thing: Thing) -> str:
    """Everything about a thing, for its tooltip."""
    lines = [thing.name if thing.name.startswith(thing.kind) else f"{thing.name} ({thing.kind})"]
    lines += [", ".join(words) for words in (thing.marks, thing.traits) if words]
    lines += map(_count, thing.progress)
    if thing.inside:
        lines.append(f"inside: {', '.join(inner.name for inner in thing.inside)}")
    return "\n".join(lines)
