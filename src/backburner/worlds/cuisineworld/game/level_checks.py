"""Whether a level can be played: its dishes can be made in its kitchen, its numbers make sense."""

from __future__ import annotations

from backburner.kernel.places import Place
from backburner.worlds.cuisineworld.game.cookbook import Cookbook
from backburner.worlds.cuisineworld.game.levels import Level

STORAGE, TABLE = "ingredients", "nothing"


def check_level(level: Level, book: Cookbook, place: Place) -> None:
    """Raises ``BadFile`` naming entry and field for the first thing that is wrong."""
    _check_kitchen(level, book, place)
    if not level.dishes:
        raise place.field("dishes").wrong("a level needs at least one dish")
    for index, dish in enumerate(level.dishes):
        here = place.entry("dishes", index, dish)
        if dish in book.ingredients:
            raise here.wrong(f"{dish} is a base ingredient; a dish is something that is made")
        if dish not in book.by_product:
            raise here.unknown("dish", dish, book.by_product)
        if dish in level.dishes[:index]:
            raise here.wrong("this dish stands here twice")
        _check_tools(dish, level, book, here)


def _check_kitchen(level: Level, book: Cookbook, place: Place) -> None:
    kinds = {kind.name: kind for kind in book.all_kinds}
    for index, name in enumerate(level.kitchen):
        if name not in kinds:
            raise place.entry("kitchen", index, name).unknown("kind of location", name, kinds)
    for gives, what in ((STORAGE, "a storage, which gives the ingredients"), (TABLE, "a serving table")):
        if not any(kinds[name].gives == gives for name in level.kitchen):
            named = " or ".join(kind.name for kind in kinds.values() if kind.gives == gives)
            raise place.field("kitchen").wrong(f"there is not {what} ({named or 'no kind is one'})")


def _check_tools(dish: str, level: Level, book: Cookbook, here: Place) -> None:
    for recipe in book.closure([dish]):
        if recipe.tool not in level.kitchen:
            for_it = "" if recipe.product == dish else f" for {recipe.product}"
            raise here.wrong(f"{dish} needs a {recipe.tool}{for_it}, and there is none in the kitchen")
