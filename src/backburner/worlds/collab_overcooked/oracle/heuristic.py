"""An admissible heuristic for steps to go: the longest chain of carrying, handing over and operating.

It never exceeds the true distance, since it leaves out only what costs time. Each item is moved on as if both
cooks were wherever they are needed, except for who takes it first. Walking distances, turns and acts are
counted; waiting for a cook who is busy elsewhere is not. Of several items needed at once the latest counts.
"""

from __future__ import annotations

from collections.abc import Mapping

from backburner.worlds.collab_overcooked.game.grid import Grid
from backburner.worlds.collab_overcooked.oracle.distances import FAR, Distances
from backburner.worlds.collab_overcooked.oracle.packing import DISH_CODE, PackedKitchen, Packing
from backburner.worlds.collab_overcooked.oracle.requirements import Production, Requirements

Contents = Mapping[int, int]
"""Utensil to the content in it."""


class Heuristic:
    """The heuristic for the kitchens of one grid and the orders of ``requirements``."""

    def __init__(
        self, grid: Grid, packing: Packing, requirements: Requirements, distances: Distances
    ) -> None:
        self._packing = packing
        self._requirements = requirements
        self._distances = distances
        self._cells = tuple(utensil.cell for utensil in grid.utensils)
        self._servings = grid.servings
        self._dispensers = dict.fromkeys(requirements.fetched, grid.ingredients) | {DISH_CODE: grid.dishes}
        self._refill_steps = tuple(distances.refill(cell) for cell in self._cells)
        self._known: dict[PackedKitchen, int] = {}

    def steps(self, kitchen: PackedKitchen) -> int:
        """No plan from here takes fewer steps; ``FAR`` if there is no plan."""
        known = self._known.get(kitchen)
        if known is None:
            known = self._known[kitchen] = self._computed(kitchen)
        return known

    def _computed(self, kitchen: PackedKitchen) -> int:
        if not kitchen.orders:
            return 0
        if not self._requirements.solvable(kitchen):
            return FAR
        contents = {self._packing.utensil[content]: content for content in kitchen.contents}
        longest = 0
        for order in kitchen.orders:
            served = self._requirements.served[order]
            brought = self._plated_arrives if served & 1 else self._arrives
            longest = max(longest, min(brought(kitchen, contents, served, cell) for cell in self._servings))
        return min(longest + len(kitchen.orders) - 1, FAR)

    def _taken(self, kitchen: PackedKitchen, tile: int) -> int:
        """The steps until a cook has taken what is on a tile, if it can be taken now."""
        take = self._distances.take
        return min(
            take(0, kitchen.pose0, kitchen.held0 > 0, tile),
            take(1, kitchen.pose1, kitchen.held1 > 0, tile),
        )

    def _existing_arrives(self, kitchen: PackedKitchen, item: int, tile: int) -> int:
        """The steps until an item that is held or on a counter is put onto or into a tile."""
        distances = self._distances
        best = FAR
        if kitchen.held0 == item:
            best = distances.carry(0, kitchen.pose0, tile)
        if kitchen.held1 == item:
            best = min(best, distances.carry(1, kitchen.pose1, tile))
        for lying, cell in kitchen.on_counters:
            if lying == item:
                best = min(best, self._taken(kitchen, cell) + distances.between(cell, tile))
        return best

    def _arrives(self, kitchen: PackedKitchen, contents: Contents, item: int, tile: int) -> int:
        """The steps until an item without a dish, or an empty dish, is put onto or into a tile."""
        best = self._existing_arrives(kitchen, item, tile)
        between, fetched = self._distances.between, self._requirements.fetched
        if item in fetched and kitchen.budget[fetched.index(item)] > 0:
            for cell in self._dispensers[item]:
                best = min(best, self._taken(kitchen, cell) + between(cell, tile))
        for utensil, content in contents.items():
            if self._packing.output[content] == item:
                cell = self._cells[utensil]
                out = max(self._packing.steps_left[content] + 1, self._taken(kitchen, cell))
                best = min(best, out + between(cell, tile))
        for production in self._requirements.productions.get(item, ()):
            for utensil in production.utensils:
                out = self._made(kitchen, contents, production, utensil)
                best = min(best, out + between(self._cells[utensil], tile))
        return best

    def _plated_arrives(self, kitchen: PackedKitchen, contents: Contents, item: int, tile: int) -> int:
        """The steps until food on a dish is brought to a tile; the dish is filled at the utensil."""
        best = self._existing_arrives(kitchen, item, tile)
        between, food = self._distances.between, item - 1
        for utensil, content in contents.items():
            if self._packing.output[content] == food:
                cell = self._cells[utensil]
                dish = self._arrives(kitchen, contents, DISH_CODE, cell)
                best = min(best, max(self._packing.steps_left[content] + 1, dish) + between(cell, tile))
        for production in self._requirements.productions[food]:
            for utensil in production.utensils:
                cell = self._cells[utensil]
                made = self._made(kitchen, contents, production, utensil)
                if made < FAR:
                    dish = self._arrives(kitchen, contents, DISH_CODE, cell)
                    best = min(best, max(made, dish) + between(cell, tile))
        return best

    def _made(self, kitchen: PackedKitchen, contents: Contents, production: Production, utensil: int) -> int:
        """The steps until what a recipe makes in a utensil is taken out of it."""
        content, cell = contents.get(utensil, 0), self._cells[utensil]
        missing, free = production.inputs, 0
        if content:
            lacking = self._requirements.missing(production, content)
            if lacking is None:
                free = max(self._packing.steps_left[content], 0) + 1
            else:
                missing = lacking
        if not missing:
            act = self._distances.act
            return min(act(kitchen.pose0, cell), act(kitchen.pose1, cell)) + production.steps
        arrivals = sorted(self._arrives(kitchen, contents, item, cell) for item in missing)
        last = max(
            max(arrival, free) + self._refill_steps[utensil] * (len(arrivals) - 1 - index)
            for index, arrival in enumerate(arrivals)
        )
        return min(last + 1 + production.steps, FAR)
