"""What orders require: the recipes that lead to them, what may be fetched, whether they can still be met."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.oracle.packing import DISH_CODE, UNLIMITED, PackedKitchen, Packing

IN_UTENSIL = 1 << 20
"""Added to a content code among the items at hand, to tell it from an item code."""

Foods = Literal["lean", "own", "all"]
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

    def __init__(self, compiled: Compiled, packing: Packing, orders: tuple[str, ...], foods: Foods) -> None:
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
        self._solvable: dict[tuple[Items, Items, Items], bool] = {}

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
        at_hand = _at_hand(kitchen)
        key = (kitchen.orders, at_hand, kitchen.budget)
        known = self._solvable.get(key)
        if known is None:
            needed = tuple(sorted(self.served[order] for order in kitchen.orders))
            known = min(kitchen.budget, default=0) >= 0 and self._obtainable(needed, at_hand, kitchen.budget)
            self._solvable[key] = known
        return known

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
