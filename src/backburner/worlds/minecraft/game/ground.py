"""The ground: flat and open, in cells of a block; how far it is, and the way to where one can stand.

A cell is (x, z), counted as the game counts blocks. Ways lead over the eight cells around, as the path finder
takes them: diagonally first, then straight on. Mobs and other bodies are in nobody's way, and the few blocks
that stand about are walked around at no cost; nobody stops on one.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator

from backburner.worlds.minecraft.game.facts import SPRINT_MILLIBLOCKS_A_SECOND, TICKS_A_SECOND

Cell = tuple[int, int]

STRAIGHT, DIAGONAL = 1000, 1414
"""The length of a step in thousandths of a block."""

BESIDE: tuple[Cell, ...] = ((-1, 0), (0, -1), (0, 1), (1, 0))


def squared(one: Cell, other: Cell) -> int:
    """The distance of two cells as the crow flies, squared."""
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def distance(one: Cell, other: Cell) -> float:
    """The distance of two cells as the crow flies, in blocks, with one digit."""
    return round(math.sqrt(squared(one, other)), 1)


def way_length(start: Cell, end: Cell) -> int:
    """The length of the way between two cells, in thousandths of a block."""
    far, near = sorted((abs(start[0] - end[0]), abs(start[1] - end[1])), reverse=True)
    return near * DIAGONAL + (far - near) * STRAIGHT


def way_ticks(start: Cell, end: Cell) -> int:
    """How long it takes to go there: 10 blocks straight on are 10,000 · 20 / 5,600 = 35.7, so 36 ticks."""
    return -(-way_length(start, end) * TICKS_A_SECOND // SPRINT_MILLIBLOCKS_A_SECOND)


def on_the_way(start: Cell, end: Cell, ticks: int) -> Cell:
    """The cell that has been reached after so many ticks."""
    gone = ticks * SPRINT_MILLIBLOCKS_A_SECOND // TICKS_A_SECOND
    if gone >= way_length(start, end):
        return end
    right, down = end[0] - start[0], end[1] - start[1]
    x, z = start
    diagonal = min(abs(right), abs(down), gone // DIAGONAL)
    x, z = x + _towards(right) * diagonal, z + _towards(down) * diagonal
    if diagonal < min(abs(right), abs(down)):
        return x, z
    straight = (gone - diagonal * DIAGONAL) // STRAIGHT
    if x == end[0]:
        return x, z + _towards(down) * straight
    return x + _towards(right) * straight, z


def _towards(difference: int) -> int:
    return (difference > 0) - (difference < 0)


def beside(cell: Cell) -> Iterator[Cell]:
    """The four cells next to one."""
    for right, down in BESIDE:
        yield cell[0] + right, cell[1] + down


def stand_at(start: Cell, thing: Cell, taken: Collection[Cell]) -> Cell | None:
    """Where a body stops that goes up to a thing: the nearest free cell beside it; where it is, if that is
    one already. ``None`` if none is free."""
    if squared(start, thing) <= 1 and start not in taken:
        return start
    free = [cell for cell in beside(thing) if cell not in taken]
    return min(free, key=lambda cell: (way_length(start, cell), cell), default=None)
