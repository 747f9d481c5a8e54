"""The fewest steps between poses and tiles for two cooks who are never in each other's way.

A pose is 4 * cell + direction. To act on a tile one walks to a floor cell beside it, faces it, and acts.
"""

from __future__ import annotations

from collections.abc import Iterable

from backburner.worlds.collab_overcooked.game.layout import Grid

FAR = 1 << 20
"""More steps than any plan has."""


class Distances:
    """The distances of one grid.

    ``handover_steps``: for each cook, the steps from when it has put an item on a counter until the partner,
    who waits there, can have taken it.
    """

    def __init__(self, grid: Grid, handover_steps: tuple[int, int]) -> None:
        self._grid = grid
        self._handover_steps = handover_steps
        self._to: dict[int, dict[int, int]] = {}
        self._carried: dict[tuple[int, int, int], int] = {}
        self._taken: dict[tuple[int, int, bool, int], int] = {}
        self._between: dict[tuple[int, int], int] = {}
        self._rooms = tuple(
            frozenset(4 * cell + facing for cell in grid.ways(start, -1) for facing in range(4))
            for start in grid.starts
        )

    def stands(self, cook: int, tile: int) -> list[int]:
        """The poses in which a cook faces a tile."""
        return [pose for pose in self._facing(tile) if pose in self._rooms[cook]]

    def _facing(self, tile: int) -> Iterable[int]:
        deltas = self._grid.deltas
        for facing, delta in enumerate(deltas):
            cell = tile - delta
            if 0 <= cell < len(self._grid.tiles) and self._grid.is_floor[cell]:
                yield 4 * cell + facing

    def act(self, pose: int, tile: int) -> int:
        """The steps until a cook in this pose has acted on this tile."""
        distances = self._to.get(tile)
        if distances is None:
            distances = self._to[tile] = self._search(tile)
        return distances.get(pose, FAR)

    def _search(self, tile: int) -> dict[int, int]:
        """Breadth first, backwards: from the poses that face the tile to those that lead there."""
        found = dict.fromkeys(self._facing(tile), 1)
        waiting = list(found)
        for pose in waiting:
            for before in self._before(pose):
                if before not in found:
                    found[before] = found[pose] + 1
                    waiting.append(before)
        return found

    def _before(self, pose: int) -> Iterable[int]:
        """The poses from which one move leads to this one: a step forward, or a turn towards a tile."""
        cell, facing = pose >> 2, pose & 3
        delta, is_floor = self._grid.deltas[facing], self._grid.is_floor
        if is_floor[cell - delta]:
            yield from range(4 * (cell - delta), 4 * (cell - delta) + 4)
        if not is_floor[cell + delta]:
            yield from range(4 * cell, 4 * cell + 4)

    def carry(self, cook: int, pose: int, tile: int) -> int:
        """The steps until what a cook in this pose holds is put onto or into a tile, by either cook."""
        key = (cook, pose, tile)
        known = self._carried.get(key)
        if known is None:
            alone, together = self._alone(cook, pose, tile), self._with_partner(cook, pose, tile)
            known = self._carried[key] = min(alone, together)
        return known

    def _alone(self, cook: int, pose: int, tile: int) -> int:
        return self.act(pose, tile) if tile in self._grid.reach[cook] else FAR

    def _with_partner(self, cook: int, pose: int, tile: int) -> int:
        if tile not in self._grid.reach[1 - cook]:
            return FAR
        shared = self._grid.shared_counters
        steps = (self.act(pose, counter) + self._handed(cook, counter, tile) for counter in shared)
        return min(steps, default=FAR)

    def take(self, cook: int, pose: int, full: bool, tile: int) -> int:
        """The steps until a cook has taken something from a tile; full hands are emptied first."""
        key = (cook, pose, full, tile)
        known = self._taken.get(key)
        if known is None:
            known = self._taken[key] = self._take(cook, pose, full, tile)
        return known

    def _take(self, cook: int, pose: int, full: bool, tile: int) -> int:
        if tile not in self._grid.reach[cook]:
            return FAR
        if not full:
            return self.act(pose, tile)
        ways = (
            self.act(pose, other) + self.act(stand, tile)
            for other in self._grid.reach[cook]
            for stand in self.stands(cook, other)
        )
        return min(ways, default=FAR)

    def between(self, tile: int, other: int) -> int:
        """The steps from when something is taken from a tile until it is put onto or into another."""
        key = (tile, other)
        known = self._between.get(key)
        if known is None:
            ways = (
                self.carry(cook, stand, other)
                for cook in (0, 1)
                if tile in self._grid.reach[cook]
                for stand in self.stands(cook, tile)
            )
            known = self._between[key] = min(ways, default=FAR)
        return known

    def _handed(self, cook: int, counter: int, tile: int) -> int:
        """The steps from when a cook has put an item on a shared counter until the partner has put it onto or
        into the tile."""
        ways = (self.act(stand, tile) for stand in self.stands(1 - cook, counter))
        return min(ways, default=FAR) + self._handover_steps[cook]

    def refill(self, tile: int) -> int:
        """The fewest steps between two items put into a tile.

        1 if both cooks reach it, else those that the one cook takes to get the next item.
        """
        cooks = [cook for cook in (0, 1) if tile in self._grid.reach[cook]]
        if len(cooks) != 1:
            return 1
        cook = cooks[0]
        ways = (
            self.act(stand, other) + self.act(back, tile)
            for stand in self.stands(cook, tile)
            for other in self._grid.reach[cook]
            if other != tile
            for back in self.stands(cook, other)
        )
        return min(ways, default=FAR)
