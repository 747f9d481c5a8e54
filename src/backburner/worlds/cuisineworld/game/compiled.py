"""A scenario compiled for its rules: everything that a step looks up, by number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from backburner.worlds.cuisineworld.game.cookbook import Kind
from backburner.worlds.cuisineworld.game.rule_set import Rules
from backburner.worlds.cuisineworld.game.scenarios import Scenario

STORAGE, TABLE, TOOL = range(3)
"""What a place is for: ``Compiled.roles``."""

ENDLESS = 1 << 30
"""The capacity of a place that takes any number of things."""

NO_PRODUCT = -1


class Compiled:
    """Things (base ingredients first), places and level recipes of a scenario under a rule set.

    A set of things or places is an integer with a bit for each: 0b101 is numbers 0 and 2.
    """

    def __init__(self, scenario: Scenario, rules: Rules) -> None:
        book = scenario.book
        self.things: tuple[str, ...] = (*book.ingredients, *(recipe.product for recipe in book.recipes))
        self.thing_number = {name: number for number, name in enumerate(self.things)}
        self.n_ingredients = len(book.ingredients)
        self.dishes = scenario.dishes
        self.dish_things = tuple(self.thing_number[dish] for dish in scenario.dishes)
        self.dish_of_thing = {thing: dish for dish, thing in enumerate(self.dish_things)}
        self.recipes = book.closure(scenario.dishes)
        needed = book.things(scenario.dishes)
        self.level_ingredients = tuple(n for n, name in enumerate(book.ingredients) if name in needed)
        self._lay_out([book.kind(name) for name in self._kinds(scenario, rules)])
        self._recipes_in = {
            kind.name: tuple(
                (self._bits(recipe.inputs), self.thing_number[recipe.product])
                for recipe in self.recipes
                if recipe.tool == kind.name
            )
            for kind in self.kinds
        }
        # Places of one kind share what is known of contents.
        known: dict[str, dict[tuple[int, ...], tuple[int, int]]] = {kind.name: {} for kind in self.kinds}
        self._known = tuple(known[kind.name] for kind in self.kinds)

    def _kinds(self, scenario: Scenario, rules: Rules) -> Iterable[str]:
        """The kinds of location in order, with those at the end that dishes need and the level lacks."""
        yield from scenario.kitchen
        if not rules.missing_tools:
            needed = dict.fromkeys(recipe.tool for recipe in self.recipes)
            yield from (kind for kind in needed if kind not in scenario.kitchen)

    def _lay_out(self, kinds: list[Kind]) -> None:
        counted: Counter[str] = Counter()
        names = []
        for kind in kinds:
            names.append(f"{kind.name}{counted[kind.name]}")
            counted[kind.name] += 1
        self.kinds = tuple(kinds)
        self.places = tuple(names)
        self.place_number = {name: number for number, name in enumerate(names)}
        self.roles = tuple(_role(kind) for kind in kinds)
        self.capacity = tuple(ENDLESS if kind.capacity is None else kind.capacity for kind in kinds)
        self.busy_steps = tuple(kind.busy_steps for kind in kinds)
        self.holds_body = tuple(kind.holds_body for kind in kinds)
        self.tables = tuple(place for place, role in enumerate(self.roles) if role == TABLE)
        self.start = self.tables[0]
        self.always_open = sum(
            1 << place for place, kind in enumerate(kinds) if kind.gives in ("ingredients", "anything")
        )

    def addable(self, place: int, content: tuple[int, ...]) -> int:
        """The set of things that a recipe of the level puts into this tool besides this content."""
        return (self._known[place].get(content) or self._look_up(place, content))[0]

    def product(self, place: int, content: tuple[int, ...]) -> int:
        """What activating a tool with this content makes; ``NO_PRODUCT`` where that is no recipe."""
        return (self._known[place].get(content) or self._look_up(place, content))[1]

    def _look_up(self, place: int, content: tuple[int, ...]) -> tuple[int, int]:
        inside = sum(1 << thing for thing in set(content))
        addable, product = 0, NO_PRODUCT
        for inputs, made in self._recipes_in[self.kinds[place].name]:
            if inside & ~inputs == 0:
                addable |= inputs & ~inside
            if inside == inputs:
                product = made
        if len(set(content)) < len(content):
            product = NO_PRODUCT
        self._known[place][content] = addable, product
        return addable, product

    def _bits(self, names: Iterable[str]) -> int:
        return sum(1 << self.thing_number[name] for name in names)


def _role(kind: Kind) -> int:
    if kind.is_tool:
        return TOOL
    return STORAGE if kind.gives == "ingredients" else TABLE
