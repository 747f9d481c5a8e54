"""What both generators share: the grid on which levels are drawn, and the level that comes of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec import Struct

from backburner.worlds.robotouille.game.schema import ProblemFile

Cell = tuple[int, int]


class Grid(Struct, frozen=True):
    """A grid of cells, (0, 0) in the lower left corner; robots walk on it along rows and columns."""

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
        """The cells that one can walk to from ``start``, itself among them."""
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


class Generated(Struct, frozen=True):
    """A level drawn from a problem; the same arguments give the same level.

    ``effective_seed`` is the seed that drew it: the released generator goes on with the next seed
    when it gets stuck, ours never does.
    """

    problem: ProblemFile
    seed: int
    effective_seed: int
