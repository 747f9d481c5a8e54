"""The grid on which levels are drawn: robots walk on its floor, along rows and columns."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec import Struct

Cell = tuple[int, int]


class Grid(Struct, frozen=True):
    """So many cells; (0, 0) is in the lower left corner."""

    width: int
    height: int

    def cells(self) -> Iterator[Cell]:
        """All cells, column by column."""
        return ((x, y) for x in range(self.width) for y in range(self.height))

    def beside(self, cell: Cell) -> list[Cell]:
        """The cells above, below, to the right and to the left."""
        x, y = cell
        around = ((x, y + 1), (x, y - 1), (x + 1, y), (x - 1, y))
        return [(x, y) for x, y in around if 0 <= x < self.width and 0 <= y < self.height]

    def walkable(self, start: Cell, blocked: Collection[Cell]) -> set[Cell]:
        """The cells that one can walk to from here, this one with them."""
        reached, ahead = {start}, [start]
        while ahead:
            for cell in self.beside(ahead.pop()):
                if cell not in reached and cell not in blocked:
                    reached.add(cell)
                    ahead.append(cell)
        return reached

    def all_beside(self, floor: Collection[Cell], stations: Collection[Cell]) -> bool:
        """Whether one can stand beside each of the stations on this floor."""
        return all(any(cell in floor for cell in self.beside(station)) for station in stations)
