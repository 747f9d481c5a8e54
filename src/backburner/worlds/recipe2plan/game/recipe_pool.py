"""Recipes out of a folder, whichever scenario they stand in: what new scenarios are made of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from backburner.kernel.errors import BadFile
from backburner.kernel.files import read_json
from backburner.worlds.recipe2plan.game.recipe_checks import check_recipes
from backburner.worlds.recipe2plan.game.scenario_files import place_in, read_file, recipe_of
from backburner.worlds.recipe2plan.game.scenarios import Recipe
from backburner.worlds.recipe2plan.game.upstream_files import read_upstream

RELEASED = ("cooking.json", "data/cooking.json")


class _RecipeFile(Struct, forbid_unknown_fields=True):
    recipes: tuple[str | Recipe, ...]
    source: str = ""


def read_pool(folder: Path) -> list[Recipe]:
    """Every recipe in a folder once, by name.

    The folder is one of the released files (see ``upstream_files``), or has files ``*.json`` which are
    scenario files or lists of recipes (``{"recipes": [...]}``). Raises ``BadFile`` naming file, recipe,
    step and field; also for a folder without recipes, and for two recipes of one name.
    """
    pool: dict[str, tuple[Recipe, str]] = {}
    for recipe, source in _found(folder):
        known, first = pool.setdefault(recipe.name, (recipe, source))
        if known != recipe:
            raise BadFile(source, f"recipe {recipe.name!r}", f"is another one than that in {first}")
    if not pool:
        raise BadFile(folder, "", "no file with recipes (*.json) in this folder")
    recipes = [recipe for _, (recipe, _) in sorted(pool.items())]
    check_recipes(recipes, str(folder))
    return recipes


def _found(folder: Path) -> Iterator[tuple[Recipe, str]]:
    """(recipe, its file) in the order of the files."""
    if not folder.is_dir():
        raise BadFile(folder, "", "no such folder")
    released = next((folder / name for name in RELEASED if (folder / name).is_file()), None)
    if released is not None:
        for instance in read_upstream(released):
            yield from ((recipe_of(recipe, str(released)), str(released)) for recipe in instance.recipes)
        return
    for file in sorted(folder.glob("*.json")):
        yield from ((recipe, str(file)) for recipe in _read(file))


def _read(file: Path) -> tuple[Recipe, ...]:
    raw = read_json(file)
    if isinstance(raw, dict) and raw.get("world") == "recipe2plan":
        return read_file(raw, str(file))[1].recipes
    if isinstance(raw, dict) and "world" in raw:
        raise BadFile(file, "field 'world'", f"is {raw['world']!r}, and recipes are those of recipe2plan")
    try:
        items = msgspec.convert(raw, _RecipeFile).recipes
    except msgspec.ValidationError as error:
        why, _, place = str(error).partition(" - at ")
        where = place_in(raw, place.strip("`"))
        raise BadFile(file, where, f"neither a scenario file nor a list of recipes: {why}") from error
    recipes = tuple(recipe_of(item, str(file)) for item in items)
    check_recipes(recipes, str(file))
    return recipes
