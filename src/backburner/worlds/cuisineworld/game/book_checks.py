"""Whether a cookbook can work: names, kinds of location, recipes that can be made."""

from __future__ import annotations

import re
from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

from backburner.kernel.places import Place
from backburner.worlds.cuisineworld.game.cookbook import Cookbook, Kind, Recipe

NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")
KIND_NAME = re.compile(r"[A-Za-z]*[A-Za-z]")
MOST_STEPS = 1000


def check_cookbook(book: Cookbook, place: Place) -> None:
    """Raises ``BadFile`` naming entry and field for the first thing that is wrong."""
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
        raise here.wrong(f"{name!r}: use letters and digits only; commands join names with _")
    if name in seen:
        raise here.wrong(f"{name!r} stands here twice")
    seen.add(name)


def _check_recipe(book: Cookbook, recipe: Recipe, before: Sequence[Recipe], here: Place) -> None:
    tools = {kind.name: kind for kind in book.all_kinds if kind.is_tool}
    if recipe.tool not in tools:
        raise here.field("tool").unknown("tool", recipe.tool, tools)
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
        cycle = " of ".join(error.args[1][::-1])
        raise here.wrong(f"a product is made of itself: {cycle}") from error
