"""What can be cooked: kinds of location, base ingredients, recipes (article, Appendix D)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct

NAMED_BY = ("product", "name")
"""What an entry of a file's list is told by in messages."""

Gives = Literal["product", "anything", "ingredients", "nothing"]


class Kind(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kind of location. ``capacity``: things that go in; ``None`` is endless.

    Activating it takes ``busy_steps``, and the body as well where ``holds_body``. ``gives`` says what may
    be taken out: what an activation made; whatever is inside; any base ingredient, endlessly (a storage,
    which destroys what is put in); nothing (a serving table).
    """

    name: str
    capacity: int | None = None
    busy_steps: int = 0
    holds_body: bool = False
    gives: Gives = "product"

    @property
    def is_tool(self) -> bool:
        """Whether things are made in it."""
        return self.gives in ("product", "anything")


class Recipe(Struct, frozen=True, forbid_unknown_fields=True):
    """``product`` is made of ``inputs``, in any order, in one kind of tool."""

    product: str
    tool: str
    inputs: tuple[str, ...]


class Cookbook(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Kinds of location, base ingredients and recipes. ``source``: where they come from."""

    ingredients: tuple[str, ...]
    recipes: tuple[Recipe, ...]
    kinds: tuple[Kind, ...] = ()
    source: str = ""

    def kind(self, name: str) -> Kind:
        """The kind of location of this name; raises ``KeyError``."""
        return {kind.name: kind for kind in self.all_kinds}[name]

    @property
    def all_kinds(self) -> tuple[Kind, ...]:
        """The kinds of location; the ten released ones where it brings none of its own."""
        return self.kinds or shipped_cookbook().kinds

    @property
    def by_product(self) -> dict[str, Recipe]:
        """The recipes by what they make."""
        return {recipe.product: recipe for recipe in self.recipes}

    def closure(self, dishes: Iterable[str]) -> tuple[Recipe, ...]:
        """The recipes that these dishes need, directly or not, in the book's order."""
        by_product = self.by_product
        needed: set[str] = set()
        waiting = list(dishes)
        while waiting:
            thing = waiting.pop()
            if thing in by_product and thing not in needed:
                needed.add(thing)
                waiting += by_product[thing].inputs
        return tuple(recipe for recipe in self.recipes if recipe.product in needed)

    def things(self, dishes: Iterable[str]) -> set[str]:
        """Everything that these dishes are made of: themselves, products, base ingredients."""
        recipes = self.closure(dishes)
        return {recipe.product for recipe in recipes}.union(*(recipe.inputs for recipe in recipes))


@cache
def shipped_cookbook() -> Cookbook:
    """The released recipes: 63 products of 27 base ingredients in 10 kinds of location."""
    raw = files("backburner.worlds.cuisineworld").joinpath("data", "cookbook.json").read_bytes()
    return msgspec.json.decode(raw, type=Cookbook)
