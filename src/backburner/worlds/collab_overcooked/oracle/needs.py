"""What orders take: which things can go into them, how much is fetched at most, what can still be done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.oracle.codes import DISH_CODE, Codes

IN_UTENSIL = 1 << 20
"""Added to the number of a content among the things at hand."""


MANY = 99
"""A budget that nothing is taken from: as many as one likes."""

Foods = Literal["lean", "own", "all"]
"""What may be fetched: each thing as often as the orders take it from scratch; as many as one likes of
what their recipes name, and of dishes; as many as one likes of everything."""


class Way(NamedTuple):
    """A way to make something: in one of these utensils, of these inputs (sorted), in so many steps."""

    utensils: tuple[int, ...]
    inputs: tuple[int, ...]
    steps: int


class Needs:
    """What the orders of one kitchen take. Plated food is needed by its odd code."""

    def __init__(self, ware: Kitchenware, codes: Codes, orders: tuple[str, ...], foods: Foods) -> None:
        self._codes = codes
        self._on_dish = ware.cookbook.needs_dish
        self.ways: dict[int, tuple[Way, ...]] = {}
        self._raw = {codes.item(name) for name in ware.layout.ingredients}
        self._collect(ware, [codes.item(name) for name in orders])
        self.wanted = {codes.item(name): codes.item(name) + self._on_dish[name] for name in orders}
        most: dict[int, int] = {}
        self._at_most(tuple(self.wanted[codes.item(name)] for name in orders), most)
        if foods != "lean":
            raw = self._raw if foods == "all" else self._raw & self.ways.keys()
            most = dict.fromkeys((DISH_CODE, *raw), MANY)
        self.fetched = tuple(sorted(most))
        """What may be fetched: raw foods and dishes."""
        self.budget = tuple(most[item] for item in self.fetched)
        """How much of each of them; of several ways to make a thing the one that takes most counts."""
        self._can: dict[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]], bool] = {}

    def _collect(self, ware: Kitchenware, open_items: list[int]) -> None:
        kinds: dict[str, tuple[int, ...]] = {}
        for number, utensil in enumerate(ware.grid.utensils):
            kinds[utensil.kind] = (*kinds.get(utensil.kind, ()), number)
        while open_items:
            item = open_items.pop()
            if item in self.ways:
                continue
            found = []
            for recipe in ware.layout.recipes:
                if recipe.output == self._codes.name(item) and recipe.utensil in kinds:
                    inputs = tuple(sorted(self._codes.item(name) for name in recipe.inputs))
                    found.append(Way(kinds[recipe.utensil], inputs, recipe.steps))
                    open_items += inputs
            self.ways[item] = tuple(found)

    def _at_most(self, needed: tuple[int, ...], most: dict[int, int]) -> None:
        for counted in self._countings(needed):
            for item in set(counted):
                most[item] = max(most.get(item, 0), counted.count(item))

    def _countings(self, needed: tuple[int, ...]) -> set[tuple[int, ...]]:
        """What is fetched in all for these things, for every choice of ways to make them."""
        if not needed:
            return {()}
        found: set[tuple[int, ...]] = set()
        for rest in self._countings(needed[1:]):
            found |= {tuple(sorted((*one, *rest))) for one in self._counting(needed[0])}
        return found

    def _counting(self, item: int) -> set[tuple[int, ...]]:
        if item & 1:
            return {tuple(sorted((DISH_CODE, *one))) for one in self._counting(item - 1)}
        found: set[tuple[int, ...]] = {(item,)} if item in self._raw else set()
        for way in self.ways[item]:
            found |= self._countings(way.inputs)
        return found

    def can_be_met(self, orders: tuple[int, ...], at_hand: tuple[int, ...], budget: tuple[int, ...]) -> bool:
        """Whether the orders can be made of what is at hand and what may be fetched.

        ``at_hand``: sorted codes of things, and numbers of contents plus ``IN_UTENSIL``.
        """
        key = (orders, at_hand, budget)
        known = self._can.get(key)
        if known is None:
            needed = tuple(sorted(self.wanted[order] for order in orders))
            known = self._can[key] = min(budget, default=0) >= 0 and self._met(needed, at_hand, budget)
        return known

    def _met(self, needed: tuple[int, ...], at_hand: tuple[int, ...], budget: tuple[int, ...]) -> bool:
        if not needed:
            return True
        return any(self._met(*after) for after in self._ways_on(needed[0], needed[1:], at_hand, budget))

    def _ways_on(
        self, item: int, others: tuple[int, ...], at_hand: tuple[int, ...], budget: tuple[int, ...]
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]]:
        """What is needed, at hand and in the budget after each way to get one thing."""
        if item in at_hand:
            yield others, _less(at_hand, item), budget
        if item in self.fetched and budget[self.fetched.index(item)]:
            place = self.fetched.index(item)
            yield others, at_hand, (*budget[:place], budget[place] - 1, *budget[place + 1 :])
        if item & 1:
            others = tuple(sorted((DISH_CODE, *others)))
        for content in at_hand:
            if content >= IN_UTENSIL and self._codes.output[content - IN_UTENSIL] == item & ~1:
                yield others, _less(at_hand, content), budget
        for way in self.ways.get(item & ~1, ()):
            yield tuple(sorted((*others, *way.inputs))), at_hand, budget
            for content in at_hand:
                missing = self.missing(way, content - IN_UTENSIL)
                if missing is not None:
                    yield tuple(sorted((*others, *missing))), _less(at_hand, content), budget

    def missing(self, way: Way, content: int) -> tuple[int, ...] | None:
        """What is still to be put to an unstarted content for this way; ``None`` if it is none for it."""
        if content <= 0 or self._codes.left[content] >= 0:
            return None
        row = self._codes.rows[content]
        if row.utensil not in way.utensils:
            return None
        missing = way.inputs
        for name in row.items:
            item = self._codes.item(name)
            if item not in missing:
                return None
            missing = _less(missing, item)
        return missing


def _less(items: tuple[int, ...], item: int) -> tuple[int, ...]:
    place = items.index(item)
    return items[:place] + items[place + 1 :]
