"""Fewest steps to completion by the chain that takes longest: carrying, hand-overs, utensils at work.

Each thing moves on as if both cooks were wherever they are needed, but for who takes it first: walking
distances, turns and acts are real, waiting for a busy cook is left out.
"""

from __future__ import annotations

from backburner.worlds.collab_overcooked.game.grid import Grid
from backburner.worlds.collab_overcooked.oracle.codes import DISH_CODE, Codes
from backburner.worlds.collab_overcooked.oracle.distances import FAR, Distances
from backburner.worlds.collab_overcooked.oracle.floors import Floor
from backburner.worlds.collab_overcooked.oracle.needs import IN_UTENSIL, Needs, Way


class Bound:
    """The bound for one kitchen."""

    def __init__(self, grid: Grid, codes: Codes, needs: Needs, distances: Distances) -> None:
        self._codes = codes
        self._needs = needs
        self._distances = distances
        self._cells = tuple(utensil.cell for utensil in grid.utensils)
        self._servings = grid.servings
        self._dispensers = dict.fromkeys(needs.fetched, grid.ingredients) | {DISH_CODE: grid.dishes}
        self._again = tuple(distances.again(cell) for cell in self._cells)

    def steps(self, floor: Floor) -> int:
        """No plan from here takes fewer steps; ``FAR`` if there is none."""
        if not floor.orders:
            return 0
        if not self._needs.can_be_met(floor.orders, _at_hand(floor), floor.budget):
            return FAR
        return _Moment(self, floor).steps()


class _Moment:
    """The bound for one kitchen as it stands."""

    def __init__(self, bound: Bound, floor: Floor) -> None:
        self._needs = bound._needs
        self._codes = bound._codes
        self._distances = bound._distances
        self._cells = bound._cells
        self._servings = bound._servings
        self._dispensers = bound._dispensers
        self._again = bound._again
        self._floor = floor
        self._in = {bound._codes.utensil[content]: content for content in floor.contents}

    def steps(self) -> int:
        longest = 0
        for order in self._floor.orders:
            wanted = self._needs.wanted[order]
            longest = max(longest, min(self._delivered(wanted, cell) for cell in self._servings))
        return min(longest + len(self._floor.orders) - 1, FAR)

    def _delivered(self, item: int, tile: int) -> int:
        return self._on_dish(item, tile) if item & 1 else self._arrives(item, tile)

    def _taken(self, tile: int) -> int:
        """The steps until somebody has taken what is on a tile, if it can be taken now."""
        floor, take = self._floor, self._distances.take
        return min(
            take(0, floor.pose0, floor.held0 > 0, tile),
            take(1, floor.pose1, floor.held1 > 0, tile),
        )

    def _loose(self, item: int, tile: int) -> int:
        """The steps until a thing that is held or lies about is put onto or into a tile."""
        floor, distances = self._floor, self._distances
        best = FAR
        if floor.held0 == item:
            best = distances.carry(0, floor.pose0, tile)
        if floor.held1 == item:
            best = min(best, distances.carry(1, floor.pose1, tile))
        for found, cell in floor.lying:
            if found == item:
                best = min(best, self._taken(cell) + distances.between(cell, tile))
        return best

    def _arrives(self, item: int, tile: int) -> int:
        """The steps until such a thing is put onto or into a tile."""
        best = self._loose(item, tile)
        between = self._distances.between
        if item in self._needs.fetched and self._floor.budget[self._needs.fetched.index(item)] > 0:
            for cell in self._dispensers[item]:
                best = min(best, self._taken(cell) + between(cell, tile))
        for utensil, content in self._in.items():
            if self._codes.output[content] == item:
                cell = self._cells[utensil]
                best = min(best, self._out(cell, content) + between(cell, tile))
        for way in self._needs.ways.get(item, ()):
            for utensil in way.utensils:
                best = min(best, self._made(way, utensil) + between(self._cells[utensil], tile))
        return best

    def _on_dish(self, item: int, tile: int) -> int:
        """The same for food on a dish: it is filled at the utensil."""
        best = self._loose(item, tile)
        between, food = self._distances.between, item - 1
        for utensil, content in self._in.items():
            if self._codes.output[content] == food:
                cell = self._cells[utensil]
                filled = max(self._codes.left[content] + 1, self._arrives(DISH_CODE, cell))
                best = min(best, filled + between(cell, tile))
        for way in self._needs.ways[food]:
            for utensil in way.utensils:
                cell = self._cells[utensil]
                made = self._made(way, utensil)
                if made < FAR:
                    filled = max(made, self._arrives(DISH_CODE, cell))
                    best = min(best, filled + between(cell, tile))
        return best

    def _out(self, cell: int, content: int) -> int:
        return max(self._codes.left[content] + 1, self._taken(cell))

    def _made(self, way: Way, utensil: int) -> int:
        """The steps until what is made in a utensil is taken out of it."""
        content, cell = self._in.get(utensil, 0), self._cells[utensil]
        missing, free = way.inputs, 0
        if content:
            found = self._needs.missing(way, content)
            if found is None:
                free = max(self._codes.left[content], 0) + 1
            else:
                missing = found
        if not missing:
            floor, act = self._floor, self._distances.act
            return min(act(floor.pose0, cell), act(floor.pose1, cell)) + way.steps
        arrivals = sorted(self._arrives(item, cell) for item in missing)
        last = max(
            max(arrival, free) + self._again[utensil] * (len(arrivals) - 1 - place)
            for place, arrival in enumerate(arrivals)
        )
        return min(last + 1 + way.steps, FAR)


def _at_hand(floor: Floor) -> tuple[int, ...]:
    found = [item for item, _ in floor.lying]
    if floor.held0:
        found.append(floor.held0)
    if floor.held1:
        found.append(floor.held1)
    found += [content + IN_UTENSIL for content in floor.contents]
    return tuple(sorted(found))
