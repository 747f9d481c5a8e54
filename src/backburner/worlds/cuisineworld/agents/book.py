"""A level's recipes by number, and what stands in its kitchen."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from backburner.worlds.cuisineworld.game import CuisineWorld
from backburner.worlds.cuisineworld.game.kitchen import STORAGE, TOOL


class Made(Struct, frozen=True):
    """How a product is made: the kind of tool, by name, and what goes into it."""

    tool: str
    inputs: frozenset[int]


class Book:
    """What the briefing tells a dispatcher, compiled.

    ``recipes`` of the level by product; ``kind`` of each place; ``tools`` of each kind; ``dishes`` that can
    be made here; ``made_and_used``: products that go into a tool of the kind that makes them.
    """

    def __init__(self, world: CuisineWorld) -> None:
        kitchen = world.kitchen
        number = kitchen.thing_number
        self.kitchen = kitchen
        self.table_room = world.scenario.table_room
        self.recipes: Mapping[int, Made] = {
            number[recipe.product]: Made(recipe.tool, frozenset(number[name] for name in recipe.inputs))
            for recipe in kitchen.recipes
        }
        self.kind = tuple(kind.name for kind in kitchen.kinds)
        self.storage = kitchen.roles.index(STORAGE)
        self.tools: dict[str, tuple[int, ...]] = {}
        for place, role in enumerate(kitchen.roles):
            if role == TOOL:
                self.tools[self.kind[place]] = (*self.tools.get(self.kind[place], ()), place)
        self.dishes = tuple(dish for dish in kitchen.dish_things if self._possible(dish))
        self.made_and_used = {
            part
            for made in self.recipes.values()
            for part in made.inputs
            if part in self.recipes and self.recipes[part].tool == made.tool
        }

    def _possible(self, thing: int) -> bool:
        made = self.recipes.get(thing)
        return made is None or (made.tool in self.tools and all(map(self._possible, made.inputs)))
