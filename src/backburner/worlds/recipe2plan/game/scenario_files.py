"""Files of a user: scenarios, and pools of recipes that new scenarios are made of.

A scenario file names recipes of ours and has recipes of the user's own written out in full:

    {"world": "recipe2plan", "id": "supper", "lags": true, "recipes": ["Tacos", {"name": ...}]}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.errors import BadFile, UnknownName, shorten
from backburner.kernel.files import read_json
from backburner.worlds.recipe2plan.game.recipe_checks import check_recipes
from backburner.worlds.recipe2plan.game.scenarios import (
    Knowledge,
    Recipe,
    Scenario,
    scenario_of,
    shipped_recipes,
)
from backburner.worlds.recipe2plan.game.upstream_files import read_upstream


class _ScenarioFile(Struct, forbid_unknown_fields=True):
    world: str
    id: str
    recipes: tuple[str | Recipe, ...] = ()
    lags: bool = True
    knowledge: Knowledge = "none"
    hints: bool = False
    upstream: str | None = None
    instance: int | None = None


def read_file(raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
    """(path, scenario) of a user's scenario file; raises ``BadFile`` naming recipe, step and field."""
    try:
        found = msgspec.convert(raw, _ScenarioFile)
    except msgspec.ValidationError as error:
        why, _, place = str(error).partition(" - at ")
        raise BadFile(source, place_in(raw, place.strip("`")), why) from error
    if not re.fullmatch(r"[A-Za-z0-9_.+-]+", found.id):
        raise BadFile(source, "field 'id'", "use letters, digits and _ . + - only")
    if found.upstream is not None or found.instance is not None:
        return found.id, _informed(found, _released(found, source))
    if not found.recipes:
        raise BadFile(source, "field 'recipes'", "at least one recipe is needed")
    recipes = [recipe_of(item, source) for item in found.recipes]
    check_recipes(recipes, source)
    return found.id, _informed(found, scenario_of(recipes, found.lags))


def _informed(found: _ScenarioFile, scenario: Scenario) -> Scenario:
    return replace(scenario, knowledge=found.knowledge, hints=found.hints)


def _released(found: _ScenarioFile, source: str) -> Scenario:
    """An instance of the released files; their path counts from the folder of the scenario file."""
    if found.upstream is None or found.instance is None or found.recipes:
        why = "a released instance is named by 'upstream' and 'instance', without 'recipes'"
        raise BadFile(source, "field 'upstream'", why)
    scenarios = read_upstream(Path(source).parent / found.upstream, found.lags)
    if not 0 <= found.instance < len(scenarios):
        why = f"there is no instance {found.instance}; they are numbered from 0 to {len(scenarios) - 1}"
        raise BadFile(source, "field 'instance'", why)
    return scenarios[found.instance]


def recipe_of(item: str | Recipe, source: str) -> Recipe:
    """The recipe that stands in a file; a published one may be named, or say the same in other words."""
    known = shipped_recipes()
    if isinstance(item, Recipe):
        if _without_text(known.get(item.name, item)) != _without_text(item):
            why = "a published recipe has this name, and its plan would be compared; choose another"
            raise BadFile(source, f"recipe {item.name!r}, field 'name'", why)
        return item
    if item not in known:
        raise BadFile(source, "field 'recipes'", str(UnknownName("recipe", item, known)))
    return known[item]


def _without_text(recipe: Recipe) -> Recipe:
    return replace(recipe, steps=tuple(replace(step, text="") for step in recipe.steps))


def scenario_file(id: str, recipes: Sequence[Recipe], lags: bool) -> bytes:
    """What ``read_file`` reads as these recipes: those that are published by name, others in full."""
    known = shipped_recipes()
    items = [recipe.name if known.get(recipe.name) == recipe else recipe for recipe in recipes]
    file = {"world": "recipe2plan", "id": id, "lags": lags, "recipes": items}
    return msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n"


def place_in(raw: Any, path: str) -> str:
    """``$.recipes[1].steps[2].seconds`` as ``recipe 'Soup', step 2, field 'seconds'``."""
    match = re.match(r"\$\.recipes\[(\d+)\](?:\.steps\[(\d+)\])?\.?(.*)", path)
    if not match:
        return f"field {path.removeprefix('$.')!r}" if path else ""
    number, step, field = match.groups()
    item = raw["recipes"][int(number)]
    name = item.get("name") if isinstance(item, Mapping) else item
    parts = [
        f"recipe {repr(shorten(name)) if isinstance(name, str) else number}",
        f"step {step}" if step else "",
        f"field {field!r}" if field else "",
    ]
    return ", ".join(filter(None, parts))


# --- pools of recipes -------------------------------------------------------------------------------------

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
