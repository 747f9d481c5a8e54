"""How an order is made: the rows of the tables that lead from raw ingredients to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from backburner.worlds.collab_overcooked.game.layout import Layout, Recipe


class Method(Struct, frozen=True):
    """An order's raw ingredients with their numbers, and the operations in an order that works."""

    order: str
    ingredients: tuple[tuple[str, int], ...]
    steps: tuple[Recipe, ...]
    on_dish: bool


def method_of(layout: Layout, order: str) -> Method:
    """How an order is made; where several tables make the same thing, by the first of them."""
    makers: dict[str, Recipe] = {}
    for recipe in layout.recipes:
        makers.setdefault(recipe.output, recipe)
    steps = tuple(_steps(makers, order, ()))
    made = Counter(recipe.output for recipe in steps)
    used = Counter(item for recipe in steps for item in recipe.inputs)
    raw = [(item, number) for item, number in used.items() if item not in made]
    return Method(order, tuple(raw or [(order, 1)]), steps, layout.needs_dish.get(order, False))


def _steps(makers: dict[str, Recipe], item: str, above: tuple[str, ...]) -> Iterator[Recipe]:
    """What must be made before a thing, then the thing; ``above``: what it is needed for."""
    recipe = makers.get(item)
    if recipe is None or item in above:
        return
    for ingredient in recipe.inputs:
        yield from _steps(makers, ingredient, (*above, item))
    yield recipe
