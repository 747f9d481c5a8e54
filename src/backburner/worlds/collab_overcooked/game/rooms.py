"""Kitchens that are drawn: two rooms with a wall of counters between them, all that both cooks reach.

How large the rooms are, the course of the wall, counters that stand within the rooms, where the cooks start
and where everything stands are drawn; what stands there, and in whose room, is the caller's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Literal

from msgspec import Struct

from backburner.worlds.collab_overcooked.game import layout as letters

FEWEST_SHARED = 2
"""Counters that both cooks reach, at least: with one, two things that have to cross it block each other."""

Cell = tuple[int, int]
"""Column and row."""

Floor = tuple[set[Cell], set[Cell]]
"""The cells of floor in each room."""

Where = Literal["first", "second", "wall", "anywhere"]
"""What stands where: at one of the rooms alone, between them, or wherever there is place."""

ROOMS: tuple[Where, Where] = ("first", "second")


class Size(Struct, frozen=True):
    """Cells of floor in each room beside the wall (``wide``) and along it (``deep``): from, to. ``islands``:
    counters that stand within a room, at most."""

    wide: tuple[int, int]
    deep: tuple[int, int]
    islands: int = 0


def drawn_floor(draw: Random, size: Size) -> Floor:
    """Two rooms; each hangs together."""
    first, second = (_without_islands(draw, room, size.islands) for room in _rooms(draw, size))
    return first, second


def furnished(draw: Random, floor: Floor, wanted: Iterable[tuple[str, Where]]) -> tuple[str, ...] | None:
    """The rows of a grid with everything that is ``wanted``, a letter and where it stands, and a cook in each
    room; ``None`` if there is no place left for something, or too few counters that both cooks reach."""
    beside = [_neighbours(room) for room in floor]
    shared = beside[0] & beside[1]
    open_to = {
        "first": beside[0] - beside[1],
        "second": beside[1] - beside[0],
        "wall": shared,
        "anywhere": beside[0] | beside[1],
    }
    tiles = dict.fromkeys((*floor[0], *floor[1]), letters.FLOOR)
    free = beside[0] | beside[1]
    for symbol, where in wanted:
        open_places = sorted(open_to[where] & free)
        if not open_places:
            return None
        place = draw.choice(open_places)
        tiles[place] = symbol
        free.remove(place)
    if len(shared & free) < FEWEST_SHARED:
        return None
    for start, room in zip(letters.STARTS, draw.sample((0, 1), 2), strict=True):
        tiles[draw.choice(sorted(floor[room]))] = start
    return _grid(tiles, draw.random() < 0.5)


def _rooms(draw: Random, size: Size) -> Floor:
    """The cells of both rooms; the wall between them may step aside on its way."""
    left, right, depth = draw.randint(*size.wide), draw.randint(*size.wide), draw.randint(*size.deep)
    column = 1 + left
    rooms: Floor = (set(), set())
    for row in range(1, depth + 1):
        rooms[0].update((x, row) for x in range(1, column))
        rooms[1].update((x, row) for x in range(column + 1, left + right + 2))
        moved = column + draw.choice((0, 0, 0, -1, 1))
        if 2 <= moved <= left + right:
            column = moved
    return rooms


def _without_islands(draw: Random, room: set[Cell], islands: int) -> set[Cell]:
    """The floor of a room with some counters in it; what is left hangs together."""
    floor = set(room)
    for _ in range(draw.randint(0, islands)):
        rest = floor - {draw.choice(sorted(floor))}
        if rest and _hangs_together(rest):
            floor = rest
    return floor


def _hangs_together(cells: set[Cell]) -> bool:
    found: set[Cell] = set()
    waiting = [min(cells)]
    while waiting:
        cell = waiting.pop()
        if cell not in found:
            found.add(cell)
            waiting += [each for each in _around(cell) if each in cells]
    return found == cells


def _around(cell: Cell) -> Iterator[Cell]:
    x, y = cell
    yield from ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))


def _neighbours(floor: set[Cell]) -> set[Cell]:
    """The cells beside a room's floor, where things may stand."""
    return {each for cell in floor for each in _around(cell)} - floor


def _grid(tiles: dict[Cell, str], turned: bool) -> tuple[str, ...]:
    """The rows of a grid, counters wherever nothing else is; ``turned``: with the wall across."""
    placed = {(y, x): tile for (x, y), tile in tiles.items()} if turned else tiles
    floors = [cell for cell, tile in placed.items() if tile in (letters.FLOOR, *letters.STARTS)]
    width, height = (max(cell[axis] for cell in floors) + 2 for axis in (0, 1))
    return tuple("".join(placed.get((x, y), letters.COUNTER) for x in range(width)) for y in range(height))
