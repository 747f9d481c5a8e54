"""Ground from above: a colour for each kind of block, lighter where it is high, lines where it rises."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TypeVar

from backburner.drawing import palette
from backburner.drawing.scene.pieces import SMALL
from backburner.drawing.svg import Markup, element, shortened
from backburner.kernel.errors import one_line
from backburner.kernel.reported import Ground

K = TypeVar("K")

STEPS = 4
"""Shades of height, up and down."""

DEEPEN = 0.09
"""How much darker or lighter each of them is."""

LIT = "[lit=true]"
"""Behind the kind of a block that burns."""

STRIP = 30.0
"""Height of what stands below: north, scale, source."""

LENGTHS = (50, 20, 10, 5, 2, 1)
"""Of the scale, in columns."""


def plain_kind(kind: str) -> str:
    """The kind without its state."""
    return kind.partition("[")[0]


@lru_cache(maxsize=8)  # one ground lies under many scenes
def terrain(ground: Ground, cell: float) -> Markup:
    """The ground from (0, 0), each column ``cell`` pixels wide."""
    columns = list(ground.columns())
    usual = ground.usual_height()
    kinds = [plain_kind(kind) for kind, _ in columns]
    shades = [max(-STEPS, min(STEPS, height - usual)) if kind else 0 for kind, height in columns]
    parts = [
        element("path", element("title", kind), d=d, fill=palette.block(kind), class_="block")
        for kind, d in _areas(ground.width, kinds)
        if kind
    ]
    # In black and white, which no scheme turns around: what is high is the lighter one in the dark as well.
    parts += [
        element(
            "path", d=d, fill="white" if shade > 0 else "black", fill_opacity=round(DEEPEN * abs(shade), 2)
        )
        for shade, d in _areas(ground.width, shades)
        if shade
    ]
    heights = [height if kind else None for kind, height in columns]
    if edges := "".join(_edges(ground.width, heights)):
        width = round(1 / cell, 3)
        parts.append(
            element("path", d=edges, fill="none", stroke=palette.INK, stroke_width=width, stroke_opacity=0.45)
        )
    return element("g", *parts, transform=f"scale({cell:.3f})", class_="terrain")


def _areas(width: int, values: Sequence[K]) -> Iterator[tuple[K, str]]:
    """(value, path) for all columns of each value, in units of a column: rectangles as tall as they come."""
    paths: dict[K, list[str]] = {}
    open_: dict[tuple[int, int, K], int] = {}  # (first, end, value) of a stretch, and the row it began in
    depth = len(values) // width
    for row in range(depth + 1):
        now = set(_stretches(values[row * width : (row + 1) * width]))
        for stretch in [each for each in open_ if each not in now]:
            first, end, value = stretch
            top = open_.pop(stretch)
            paths.setdefault(value, []).append(f"M{first} {top}h{end - first}v{row - top}h{first - end}z")
        for stretch in now:
            open_.setdefault(stretch, row)
    for value in sorted(paths, key=str):
        yield value, "".join(sorted(paths[value]))


def _stretches(row: Sequence[K]) -> Iterator[tuple[int, int, K]]:
    """(first, end, value) of what is equal side by side."""
    at = 0
    for value, same in groupby(row):
        first, at = at, at + len(list(same))
        yield first, at, value


def _edges(width: int, heights: Sequence[int | None]) -> Iterator[str]:
    """Lines between columns of different height."""
    for place, height in enumerate(heights):
        x, y = place % width, place // width
        if height is None:
            continue
        if x + 1 < width and heights[place + 1] not in (height, None):
            yield f"M{x + 1} {y}v1"
        if place + width < len(heights) and heights[place + width] not in (height, None):
            yield f"M{x} {y + 1}h1"


def strip(ground: Ground, cell: float, width: float) -> Markup:
    """What stands below: where north is, how long ten blocks are or so, where this was seen."""
    length = next((n for n in LENGTHS if n * cell <= width / 3), LENGTHS[-1])
    bar = length * cell
    words = f"{length} block{'s' if length > 1 else ''}"
    told = one_line(ground.source)
    return element(
        "g",
        element("path", d="M5 15V3M1.5 7.5L5 2.5L8.5 7.5", class_="rule"),
        element("text", "north", x=13, y=13, class_="small"),
        element("path", d=f"M52 6v6h{bar:.1f}v-6", class_="rule"),
        element("text", words, x=round(57 + bar, 1), y=13, class_="small"),
        element(
            "text",
            shortened(told, SMALL, width),
            element("title", told),
            x=0,
            y=26,
            class_="small",
        ),
        class_="strip",
    )
