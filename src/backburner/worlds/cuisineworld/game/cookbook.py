"""What can be cooked: kinds of location, base ingredients, recipes (article, Appendix D); their checks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta, Struct

from backburner.kernel.checks import no_circle, none_of, refers_to, unique
from backburner.kernel.files import Place, check, shipped

MOST_ENTRIES = Meta(max_length=500)
"""Kinds, ingredients and recipes that a cookbook may have, of each."""

LONGEST_NAME = Meta(max_length=60)
"""Letters of a name; commands with longer ones would not be read."""

Name = Annotated[
    str,
    LONGEST_NAME,
    Meta(
        pattern=r"^[A-Za-z][A-Za-z0-9]*\Z",
        description="use letters and digits only; commands join names with _",
    ),
]
KindName = Annotated[
    str,
    LONGEST_NAME,
    Meta(pattern=r"^[A-Za-z]+\Z", description="use letters only; places are called by kind and number"),
]
Input = Annotated[str, refers_to("ingredient", "ingredients", "recipes.product")]

Gives = Literal["product", "anything", "ingredients", "nothing"]


class Kind(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kind of location. ``capacity``: things that go in; ``None`` is endless.

    Activating it takes ``busy_steps``, and the body as well where ``holds_body``. ``gives`` says what may
    be taken out: what an activation made; whatever is inside; any base ingredient, endlessly (a storage,
    which destroys what is put in); nothing (a serving table).
    """

    name: KindName
    capacity: Annotated[int, Meta(ge=1)] | None = None
    busy_steps: Annotated[int, Meta(ge=0, le=1000)] = 0
    holds_body: bool = False
    gives: Gives = "product"

    @property
    def is_tool(self) -> bool:
        """Whether things are made in it."""
        return self.gives in ("product", "anything")


class Recipe(Struct, frozen=True, forbid_unknown_fields=True):
    """``product`` is made of ``inputs``, in any order, in one kind of tool."""

    product: Annotated[Name, none_of("a base ingredient", "ingredients")]
    tool: Annotated[str, refers_to("tool", "tools")]
    inputs: Annotated[tuple[Input, ...], Meta(min_length=1), MOST_ENTRIES, unique()]


class Cookbook(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Kinds of location, base ingredients and recipes. ``source``: where they come from."""

    ingredients: Annotated[tuple[Name, ...], MOST_ENTRIES, unique()]
    recipes: Annotated[tuple[Recipe, ...], MOST_ENTRIES, unique("product"), no_circle("product", "inputs")]
    kinds: Annotated[tuple[Kind, ...], MOST_ENTRIES, unique("name")] = ()
    source: str = ""

    def kind(self, name: str) -> Kind:
        """The kind of location of this name; raises ``KeyError``."""
        return {kind.name: kind for kind in self.all_kinds}[name]

    @property
    def all_kinds(self) -> tuple[Kind, ...]:
        """The kinds of location; the ten released ones where it brings none of its own."""
        return self.kinds or shipped_cookbook().kinds

    @property
    def tools(self) -> list[str]:
        """The kinds in which things are made."""
        return [kind.name for kind in self.all_kinds if kind.is_tool]

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


def shipped_cookbook() -> Cookbook:
    """The released recipes: 63 products of 27 base ingredients in 10 kinds of location."""
    return shipped("backburner.worlds.cuisineworld", "cookbook", Cookbook)


def check_cookbook(book: Cookbook, place: Place) -> None:
    """Raises ``BadFile`` naming entry and field for the first thing that is wrong."""
    check(book, place)
    for here, kind in place.entries("kinds", book.kinds):
        if kind.gives == "anything" and kind.capacity != 1:
            raise here.field("capacity").wrong("a tool that gives anything back holds 1 thing")
    capacities = {kind.name: kind.capacity for kind in book.all_kinds}
    made: dict[tuple[str, frozenset[str]], str] = {}
    for entry, recipe in place.entries("recipes", book.recipes):
        here, capacity = entry.field("inputs"), capacities[recipe.tool]
        if capacity is not None and len(recipe.inputs) > capacity:
            given = f"{len(recipe.inputs)} inputs do not fit a {recipe.tool}"
            raise here.wrong(f"{given}, which holds {capacity}")
        other = made.setdefault((recipe.tool, frozenset(recipe.inputs)), recipe.product)
        if other != recipe.product:
            raise here.wrong(f"the same in a {recipe.tool} makes {other}")
