"""A user's scenario file: recipes of ours by name, recipes of the user's own written out in full.

{"world": "recipe2plan", "id": "supper", "lags": true, "recipes": ["Tacos", {"name": ...}]}
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.errors import BadFile, UnknownName, shorten
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
