"""What orders require, and an admissible heuristic for the steps that they still take.

The heuristic is the longest chain of carrying, handing over and operating. It never exceeds the true
distance, since it leaves out only what costs time. Each item is moved on as if both cooks were wherever
they are needed, except for who takes it first. Walking distances, turns and acts are counted; waiting for a
cook who is busy elsewhere is not. Of several items needed at once the latest counts.

Distances are the fewest steps between poses and tiles for two cooks who are never in each other's way. A pose
is 4 * cell + direction. To act on a tile one walks to a floor cell beside it, faces it, and acts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Literal, NamedTuple

from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import Grid
from backburner.worlds.collab_overcooked.oracle.packing import DISH_CODE, UNLIMITED, PackedKitchen, Packing

FAR = 1 << 20
"""More steps than any plan has."""


class Distances:
    """The distances of one grid.

    ``handover_steps``: for each cook, the steps from when it has put an item on a counter until the partner,
    who waits there, can have taken it. ``carry``, ``take`` and ``between`` keep what was asked for.
    """

    def __init__(self, grid: Grid, handover_steps: tuple[int, int]) -> None:
        self._grid = grid
        self._handover_steps = handover_steps
        self._steps_to = cache(self._search)
        self.carry, self.take, self.between = cache(self._carry), cache(self._take), cache(self._between)
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
        return self._steps_to(tile).get(pose, FAR)

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

    def _carry(self, cook: int, pose: int, tile: int) -> int:
        """The steps until what a cook in this pose holds is put onto or into a tile, by either cook."""
        return min(self._alone(cook, pose, tile), self._with_partner(cook, pose, tile))

    def _alone(self, cook: int, pose: int, tile: int) -> int:
        return self.act(pose, tile) if tile in self._grid.reach[cook] else FAR

    def _with_partner(self, cook: int, pose: int, tile: int) -> int:
        if tile not in self._grid.reach[1 - cook]:
            return FAR
        shared = self._grid.shared_counters
        steps = (self.act(pose, counter) + self._handed(cook, counter, tile) for counter in shared)
        return min(steps, default=FAR)

    def _take(self, cook: int, pose: int, full: bool, tile: int) -> int:
        """The steps until a cook has taken something from a tile; full hands are emptied first."""
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

    def _between(self, tile: int, other: int) -> int:
        """The steps from when something is taken from a tile until it is put onto or into another."""
        ways = (
            self.carry(cook, stand, other)
            for cook in (0, 1)
            if tile in self._grid.reach[cook]
            for stand in self.stands(cook, tile)
        )
        return min(ways, default=FAR)

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


# --- what orders require --------------------------------------------------------------------------------


IN_UTENSIL = 1 << 20
"""Added to a content code among the items at hand, to tell it from an item code."""

FoodSpace = Literal["lean", "own", "all"]
"""What may be fetched. ``lean``: each item as often as the orders need it from scratch. ``own``: dishes and
the foods of the orders' recipes, without limit. ``all``: dishes and any food, without limit."""

Items = tuple[int, ...]


class Production(NamedTuple):
    """One recipe for an item: the utensils that make it, the inputs (sorted), the steps it takes."""

    utensils: tuple[int, ...]
    inputs: Items
    steps: int


class Requirements:
    """The requirements of the orders of one kitchen.

    ``productions``: the recipes for each item that an order may need. ``served``: each order's item code as
    it is delivered, odd if on a dish. ``fetched``: the items that may be fetched, ``budget``: how many of
    each; where there are several recipes, the one that needs most counts.
    """

    def __init__(
        self, compiled: Compiled, packing: Packing, orders: tuple[str, ...], foods: FoodSpace
    ) -> None:
        self._packing = packing
        self._raw = {packing.item(name) for name in compiled.layout.ingredients}
        self.productions: dict[int, tuple[Production, ...]] = {}
        self._collect(compiled, [packing.item(name) for name in orders])
        on_dish = compiled.cookbook.needs_dish
        self.served = {packing.item(name): packing.item(name) + on_dish[name] for name in orders}
        most: dict[int, int] = {}
        if foods == "lean":
            for counted in self._fetched_for(tuple(self.served[packing.item(name)] for name in orders)):
                for item in set(counted):
                    most[item] = max(most.get(item, 0), counted.count(item))
        else:
            raw = self._raw if foods == "all" else self._raw & self.productions.keys()
            most = dict.fromkeys((DISH_CODE, *raw), UNLIMITED)
        self.fetched = tuple(sorted(most))
        self.budget = tuple(most[item] for item in self.fetched)
        self._solved = cache(self._solves)

    def _collect(self, compiled: Compiled, open_items: list[int]) -> None:
        utensils_of: dict[str, tuple[int, ...]] = {}
        for index, utensil in enumerate(compiled.grid.utensils):
            utensils_of[utensil.kind] = (*utensils_of.get(utensil.kind, ()), index)
        while open_items:
            item = open_items.pop()
            if item in self.productions:
                continue
            productions = []
            for recipe in compiled.layout.recipes:
                if recipe.output == self._packing.name(item) and recipe.utensil in utensils_of:
                    inputs = tuple(sorted(self._packing.item(name) for name in recipe.inputs))
                    productions.append(Production(utensils_of[recipe.utensil], inputs, recipe.steps))
                    open_items += inputs
            self.productions[item] = tuple(productions)

    def _fetched_for(self, needed: Items) -> set[Items]:
        """What is fetched in all for these items, for every choice of recipes."""
        if not needed:
            return {()}
        combined: set[Items] = set()
        for others in self._fetched_for(needed[1:]):
            combined |= {tuple(sorted((*first, *others))) for first in self._fetched_for_one(needed[0])}
        return combined

    def _fetched_for_one(self, item: int) -> set[Items]:
        if item & 1:
            return {tuple(sorted((DISH_CODE, *food))) for food in self._fetched_for_one(item - 1)}
        choices: set[Items] = {(item,)} if item in self._raw else set()
        for production in self.productions[item]:
            choices |= self._fetched_for(production.inputs)
        return choices

    def solvable(self, kitchen: PackedKitchen) -> bool:
        """Whether the open orders can be made of what is at hand and what may still be fetched."""
        return self._solved(kitchen.orders, _at_hand(kitchen), kitchen.budget)

    def _solves(self, orders: Items, at_hand: Items, budget: Items) -> bool:
        needed = tuple(sorted(self.served[order] for order in orders))
        return min(budget, default=0) >= 0 and self._obtainable(needed, at_hand, budget)

    def _obtainable(self, needed: Items, at_hand: Items, budget: Items) -> bool:
        if not needed:
            return True
        ways = self._ways_to_obtain(needed[0], needed[1:], at_hand, budget)
        return any(self._obtainable(*remaining) for remaining in ways)

    def _ways_to_obtain(
        self, item: int, others: Items, at_hand: Items, budget: Items
    ) -> Iterator[tuple[Items, Items, Items]]:
        """(what is needed, what is at hand, the budget) after each way to obtain one item."""
        if item in at_hand:
            yield others, _without(at_hand, item), budget
        if item in self.fetched and budget[self.fetched.index(item)]:
            index = self.fetched.index(item)
            yield others, at_hand, (*budget[:index], budget[index] - 1, *budget[index + 1 :])
        if item & 1:
            others = tuple(sorted((DISH_CODE, *others)))
        for content in at_hand:
            if content >= IN_UTENSIL and self._packing.output[content - IN_UTENSIL] == item & ~1:
                yield others, _without(at_hand, content), budget
        for production in self.productions.get(item & ~1, ()):
            yield tuple(sorted((*others, *production.inputs))), at_hand, budget
            for content in at_hand:
                missing = self.missing(production, content - IN_UTENSIL)
                if missing is not None:
                    yield tuple(sorted((*others, *missing))), _without(at_hand, content), budget

    def missing(self, production: Production, content: int) -> Items | None:
        """The inputs that an unstarted content lacks for this recipe; ``None`` if it is no part of it."""
        if content <= 0 or self._packing.steps_left[content] >= 0:
            return None
        row = self._packing.rows[content]
        if row.utensil not in production.utensils:
            return None
        missing = production.inputs
        for name in row.items:
            item = self._packing.item(name)
            if item not in missing:
                return None
            missing = _without(missing, item)
        return missing


def _at_hand(kitchen: PackedKitchen) -> Items:
    """The codes of all items there are, and of contents plus ``IN_UTENSIL``, sorted."""
    items = [item for item, _ in kitchen.on_counters]
    items += [held for held in (kitchen.held0, kitchen.held1) if held]
    items += [content + IN_UTENSIL for content in kitchen.contents]
    return tuple(sorted(items))


def _without(items: Items, item: int) -> Items:
    index = items.index(item)
    return items[:index] + items[index + 1 :]


# --- the heuristic --------------------------------------------------------------------------------------


Contents = Mapping[int, int]
"""Utensil to the content in it."""


class Heuristic:
    """The heuristic for the kitchens of one grid and the orders of ``requirements``.

    ``steps`` takes a kitchen: no plan from there takes fewer steps; ``FAR`` if there is no plan.
    """

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
        self.steps = cache(self._steps)

    def _steps(self, kitchen: PackedKitchen) -> int:
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
