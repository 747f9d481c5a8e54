"""What can be cooked: kinds of location, base ingredients, recipes (article, Appendix D); their checks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct

from backburner.kernel.errors import shorten
from backburner.kernel.files import Place

NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")
KIND_NAME = re.compile(r"[A-Za-z]+")
MOST_STEPS = 1000

MOST_ENTRIES = 500
"""Kinds, ingredients and recipes that a cookbook may have, of each."""

LONGEST_NAME = 60
"""Letters of a name; commands with longer ones would not be read."""

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


def check_cookbook(book: Cookbook, place: Place) -> None:
    """Raises ``BadFile`` naming entry and field for the first thing that is wrong."""
    for field in ("kinds", "ingredients", "recipes"):
        if (count := len(getattr(book, field))) > MOST_ENTRIES:
            raise place.field(field).wrong(f"{count} are too many; {MOST_ENTRIES} are the most")
    for index, kind in enumerate(book.kinds):
        _check_kind(kind, book.kinds[:index], place.entry("kinds", index, kind.name))
    seen: set[str] = set()
    for index, name in enumerate(book.ingredients):
        _check_name(name, seen, place.entry("ingredients", index, name))
    for index, recipe in enumerate(book.recipes):
        _check_name(recipe.product, seen, place.entry("recipes", index, recipe.product).field("product"))
    for index, recipe in enumerate(book.recipes):
        here = place.entry("recipes", index, recipe.product)
        _check_recipe(book, recipe, book.recipes[:index], here)
    _check_cycles(book, place.field("recipes"))


def _check_kind(kind: Kind, before: Sequence[Kind], here: Place) -> None:
    if not KIND_NAME.fullmatch(kind.name):
        raise here.field("name").wrong("use letters only; places are called by kind and number")
    _check_length(kind.name, here.field("name"))
    if any(kind.name == other.name for other in before):
        raise here.field("name").wrong("this kind stands here twice")
    if kind.capacity is not None and kind.capacity < 1:
        raise here.field("capacity").wrong(f"is {kind.capacity}; it is at least 1, or null for endless")
    if not 0 <= kind.busy_steps <= MOST_STEPS:
        raise here.field("busy_steps").wrong(f"is {kind.busy_steps}; it is from 0 to {MOST_STEPS}")
    if kind.gives == "anything" and kind.capacity != 1:
        raise here.field("capacity").wrong("a tool that gives anything back holds 1 thing")


def _check_name(name: str, seen: set[str], here: Place) -> None:
    if not NAME.fullmatch(name):
        raise here.wrong(f"{shorten(name)!r}: use letters and digits only; commands join names with _")
    _check_length(name, here)
    if name in seen:
        raise here.wrong(f"{name!r} stands here twice")
    seen.add(name)


def _check_length(name: str, here: Place) -> None:
    if len(name) > LONGEST_NAME:
        raise here.wrong(f"{shorten(name)!r} has {len(name)} letters; {LONGEST_NAME} are the most")


def _check_recipe(book: Cookbook, recipe: Recipe, before: Sequence[Recipe], here: Place) -> None:
    tools = {kind.name: kind for kind in book.all_kinds if kind.is_tool}
    if recipe.tool not in tools:
        raise here.field("tool").unknown("tool", recipe.tool, tools)
    if len(recipe.inputs) > MOST_ENTRIES:
        raise here.field("inputs").wrong(f"{len(recipe.inputs)} are too many; {MOST_ENTRIES} are the most")
    if not recipe.inputs:
        raise here.field("inputs").wrong("a recipe needs at least one input")
    known = {*book.ingredients, *book.by_product}
    for thing in recipe.inputs:
        if thing not in known:
            raise here.field("inputs").unknown("ingredient", thing, known)
    if len(set(recipe.inputs)) < len(recipe.inputs):
        raise here.field("inputs").wrong("names a thing twice, and no tool holds two of a name")
    capacity = tools[recipe.tool].capacity
    if capacity is not None and len(recipe.inputs) > capacity:
        raise here.field("inputs").wrong(
            f"{len(recipe.inputs)} inputs do not fit a {recipe.tool}, which holds {capacity}"
        )
    for other in before:
        if other.tool == recipe.tool and set(other.inputs) == set(recipe.inputs):
            raise here.field("inputs").wrong(f"the same in a {recipe.tool} makes {other.product}")


def _check_cycles(book: Cookbook, here: Place) -> None:
    graph = {recipe.product: recipe.inputs for recipe in book.recipes}
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        cycle = shorten(" of ".join(error.args[1][::-1]), 200)
        raise here.wrong(f"a product is made of itself: {cycle}") from error
