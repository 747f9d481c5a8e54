"""Readers for the released program's files: recipes, and levels.

A recipe file maps each product to ``ingredients`` and ``location``. A level file maps each level to its
``task_list`` (with a ``task_lifetime`` for each dish), ``kitchen``, ``task_interval`` and ``num_agents``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

from backburner.kernel.errors import shorten
from backburner.kernel.files import read_json
from backburner.kernel.places import Place, converted, fields_of
from backburner.worlds.cuisineworld.game.book_checks import check_cookbook
from backburner.worlds.cuisineworld.game.cookbook import NAMED_BY, Cookbook, Recipe, shipped_cookbook
from backburner.worlds.cuisineworld.game.levels import Level

T = TypeVar("T")


class ReleasedLevel(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A level of a released level file, and if need be the released recipe file that goes with it."""

    levels: str
    level: str
    recipes: str = ""


class _ReleasedRecipe(Struct, forbid_unknown_fields=True):
    ingredients: tuple[str, ...]
    location: str


class _ReleasedTask(Struct, forbid_unknown_fields=True):
    ingredients: tuple[str, ...]
    location: str
    task_lifetime: int


class _ReleasedLevel(Struct, forbid_unknown_fields=True):
    task_interval: int
    task_list: dict[str, _ReleasedTask]
    kitchen: tuple[str, ...]
    num_agents: int


FIELDS = fields_of(_ReleasedRecipe, _ReleasedTask, _ReleasedLevel)


def read_released_recipes(file: Path) -> Cookbook:
    """The checked recipes of a released file; what is made nowhere in it is a base ingredient.

    Those that we know come first, in our order. Raises ``BadFile``.
    """
    place = Place(str(file))
    found = _entries(file, _ReleasedRecipe)
    recipes = tuple(Recipe(name, entry.location, entry.ingredients) for name, entry in found.items())
    inputs = dict.fromkeys(thing for recipe in recipes for thing in recipe.inputs if thing not in found)
    known = [name for name in shipped_cookbook().ingredients if name in inputs]
    ingredients = (*known, *(name for name in inputs if name not in known))
    book = Cookbook(ingredients, recipes, source=str(file.name))
    check_cookbook(book, place)
    return book


def read_released_levels(file: Path) -> dict[str, Level]:
    """The levels of a released file by name, not checked against recipes yet; raises ``BadFile``.

    An order is a dish on the serving table, and all orders of a level have one lifetime.
    """
    found = _entries(file, _ReleasedLevel)
    return {name: _level(name, level, _entry(file, name)) for name, level in found.items()}


def read_released_level(named: ReleasedLevel, book: Cookbook, place: Place) -> tuple[Cookbook, Level]:
    """The level that a file at ``place`` names, with the recipes that it names or else ``book``.

    Paths are meant from that file's folder. Raises ``BadFile``.
    """
    folder = Path(place.file).parent
    found = read_released_levels(folder / named.levels)
    if named.level not in found:
        raise place.at("released").field("level").unknown("level", named.level, found)
    if named.recipes:
        book = read_released_recipes(folder / named.recipes)
    return book, found[named.level]


def _entries(file: Path, type: type[T]) -> dict[str, T]:
    """The named entries of a file, which is one object."""
    raw = converted(read_json(file), dict[str, Any], Place(str(file)), FIELDS, NAMED_BY)
    return {name: converted(one, type, _entry(file, name), FIELDS, NAMED_BY) for name, one in raw.items()}


def _entry(file: Path, name: str) -> Place:
    return Place(str(file), (repr(shorten(name)),))


def _level(name: str, level: _ReleasedLevel, place: Place) -> Level:
    for dish, task in level.task_list.items():
        here = place.at(f"task {dish!r}")
        if task.ingredients != (dish,):
            raise here.field("ingredients").wrong("an order asks for one thing, the dish itself")
        if task.location != "servingtable":
            raise here.field("location").wrong(f"is {task.location!r}; dishes go to the servingtable")
    lifetimes = {task.task_lifetime for task in level.task_list.values()}
    if len(lifetimes) != 1 or min(lifetimes) < 1 or level.task_interval < 1 or level.num_agents < 1:
        raise place.wrong("task_interval, num_agents and one task_lifetime for all orders are at least 1")
    return Level(
        name,
        tuple(level.task_list),
        level.kitchen,
        "",
        level.num_agents,
        level.task_interval,
        min(lifetimes),
    )
