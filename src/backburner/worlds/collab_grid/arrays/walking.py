"""The fewest steps from one place of a kitchen to another, for cooks who are never in each other's way.

A *spot* is a tile that some cook can face, by its place in ``Walking.cells``; a *pose* is
``4 * floor + direction``, with the cell's place among all cells of floor. To act takes a step, so that
whoever faces a spot is one step away from having acted there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from backburner.worlds.collab_overcooked.game.layout import Grid

FAR = 1 << 20
"""More steps than any play has."""

Steps = list[list[int]]


class Walking:
    """The distances of one grid between these tiles.

    ``cells``: the tile of each spot. ``steps[pose][spot]``: until a cook in this pose has acted there.
    ``between[cook][spot][other]``: for a cook that has just acted at one spot, until it has at the other.
    ``FAR`` where there is no way.
    """

    def __init__(self, grid: Grid, cells: Iterable[int]) -> None:
        self._grid = grid
        self.cells = tuple(sorted(set(cells) & (grid.reach[0] | grid.reach[1])))
        self._floor = {cell: n for n, cell in enumerate(c for c, free in enumerate(grid.is_floor) if free)}
        self.steps = self._steps()
        self.between = [self._between(cook) for cook in (0, 1)]

    def _steps(self) -> Steps:
        steps = [[FAR] * len(self.cells) for _ in range(4 * len(self._floor))]
        for spot, tile in enumerate(self.cells):
            waiting = list(self._facing(tile))
            for cell, look in waiting:
                steps[4 * self._floor[cell] + look][spot] = 1
            for cell, look in waiting:
                reached = steps[4 * self._floor[cell] + look][spot] + 1
                for before in self._before(cell, look):
                    row = steps[4 * self._floor[before[0]] + before[1]]
                    if reached < row[spot]:
                        row[spot] = reached
                        waiting.append(before)
        return steps

    def _facing(self, tile: int) -> Iterable[tuple[int, int]]:
        """The cells and directions from which a tile is faced."""
        for look, delta in enumerate(self._grid.deltas):
            if tile - delta in self._floor:
                yield tile - delta, look

    def _before(self, cell: int, look: int) -> Iterable[tuple[int, int]]:
        """Where one move leads here from: a step forward, or a turn towards what is no floor."""
        delta = self._grid.deltas[look]
        if cell - delta in self._floor:
            yield from ((cell - delta, before) for before in range(4))
        if cell + delta not in self._floor:
            yield from ((cell, before) for before in range(4))

    def _between(self, cook: int) -> Steps:
        room = self._grid.ways(self._grid.starts[cook], -1)
        rows = []
        for tile in self.cells:
            stands = [(cell, look) for cell, look in self._facing(tile) if cell in room]
            poses = [self.steps[4 * self._floor[cell] + look] for cell, look in stands]
            rows.append([min(steps) for steps in zip(*poses, strict=True)] or [FAR] * len(self.cells))
        return rows

    def carried(self, start: Sequence[int], end: Sequence[int]) -> int:
        """The fewest steps from taking something at one of these tiles until it is put in at one of the
        others, by one cook or by both; ``FAR`` where there is no way."""
        ways = [
            self._carried(self.cells.index(one), self.cells.index(other))
            for one in start
            for other in end
            if one in self.cells and other in self.cells
        ]
        return min(ways, default=FAR)

    def _carried(self, one: int, other: int) -> int:
        """By one cook alone, or over a counter. The assistant can take what the chef puts down in the same
        step; the other way round it takes one more."""
        alone = min(self.between[cook][one][other] for cook in (0, 1))
        counters = [self.cells.index(cell) for cell in self._grid.shared_counters]
        handed = (
            self.between[cook][one][counter] + cook + self.between[1 - cook][counter][other]
            for cook in (0, 1)
            for counter in counters
        )
        return min(alone, min(handed, default=FAR), FAR)
