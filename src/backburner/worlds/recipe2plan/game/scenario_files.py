"""Files of a user: scenarios, pools of recipes that new ones are made of, and the released data files.

A scenario file names recipes of ours and has recipes of the user's own written out in full:

    {"world": "recipe2plan", "id": "supper", "lags": true, "recipes": ["Tacos", {"name": ...}]}

The released files are for those who have them and want the released sentences. ``cooking.json`` is a list of
instances, each a list of recipes; ``plan.json``, beside it, has the heuristic's plans under the names of an
instance's recipes joined by ``_``. A time is text, a whole number and a unit; dependencies are spelled
``prequisites``. Spaces around a sentence are dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from backburner.kernel.checks import FileId, refers_to
from backburner.kernel.errors import BadFile
from backburner.kernel.files import Place, converted, read_json
from backburner.worlds.recipe2plan.game.recipe_checks import check_recipes
from backburner.worlds.recipe2plan.game.scenarios import (
    MOST_RECIPES,
    Knowledge,
    Lag,
    Recipe,
    ReferenceAction,
    Scenario,
    Step,
    TimeLimit,
    scenario_of,
    shipped_recipes,
)

Listed = Annotated[
    tuple[Annotated[str, refers_to("recipe", shipped_recipes)] | Recipe, ...], Meta(max_length=MOST_RECIPES)
]
"""Published recipes by name, and others in full."""


class ScenarioFile(Struct, frozen=True, forbid_unknown_fields=True):
    """Recipes to be cooked together; or a released instance, by its number in files of the release.

    ``lags``: whether the maximum lags bind. ``knowledge``, ``hints``: what the cook is told, as in
    ``scenarios.Scenario``. ``limit``: the second at which play is cut off; there is none by default.
    """

    world: str
    id: FileId
    recipes: Listed = ()
    lags: bool = True
    knowledge: Knowledge = "none"
    hints: bool = False
    limit: TimeLimit | None = None
    upstream: str | None = None
    instance: int | None = None


FILE_TYPES: Mapping[str, Any] = {"scenario": ScenarioFile}
"""The files that users write, by the name of their schema."""


def read_file(raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
    """(path, scenario) of a user's scenario file; raises ``BadFile`` naming recipe, step and field."""
    place = Place(source)
    file = converted(raw, ScenarioFile, place)
    if file.upstream is not None or file.instance is not None:
        scenario = _released(file, place)
    else:
        recipes = _recipes(file.recipes, place)
        check_recipes(recipes, place)
        scenario = scenario_of(recipes, file.lags)
    return file.id, replace(scenario, knowledge=file.knowledge, hints=file.hints, limit=file.limit)


def _released(file: ScenarioFile, place: Place) -> Scenario:
    """An instance of the released files; their path counts from the folder of the scenario file."""
    if file.upstream is None or file.instance is None or file.recipes:
        why = "a released instance is named by 'upstream' and 'instance', without 'recipes'"
        raise place.field("upstream").wrong(why)
    scenarios = read_upstream(Path(place.file).parent / file.upstream, file.lags)
    if not 0 <= file.instance < len(scenarios):
        why = f"there is no instance {file.instance}; they are numbered from 0 to {len(scenarios) - 1}"
        raise place.field("instance").wrong(why)
    return scenarios[file.instance]


def _recipes(items: Sequence[str | Recipe], place: Place) -> list[Recipe]:
    """The recipes of a file; one that is written out may be a published one in other words."""
    known, recipes = shipped_recipes(), []
    for here, item in place.entries("recipes", items):
        recipe = known[item] if isinstance(item, str) else item
        if _without_text(known.get(recipe.name, recipe)) != _without_text(recipe):
            why = "a published recipe has this name, and its plan would be compared; choose another"
            raise here.field("name").wrong(why)
        recipes.append(recipe)
    return recipes


def _without_text(recipe: Recipe) -> Recipe:
    return replace(recipe, steps=tuple(replace(step, text="") for step in recipe.steps))


def file_of(id: str, recipes: Sequence[Recipe], lags: bool) -> dict[str, Any]:
    """What ``read_file`` reads as these recipes: those that are published by name, others in full."""
    known = shipped_recipes()
    items = [recipe.name if known.get(recipe.name) == recipe else recipe for recipe in recipes]
    return {"world": "recipe2plan", "id": id, "lags": lags, "recipes": msgspec.to_builtins(items)}


# --- pools of recipes -------------------------------------------------------------------------------------

RELEASED = ("cooking.json", "data/cooking.json")


class _RecipeFile(Struct, forbid_unknown_fields=True):
    recipes: Listed
    source: str = ""


def read_pool(folder: Path) -> list[Recipe]:
    """Every recipe in a folder once, by name.

    The folder is one of the released files (see ``read_upstream``), or has files ``*.json`` which are
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
    check_recipes(recipes, Place(str(folder)))
    return recipes


def _found(folder: Path) -> Iterator[tuple[Recipe, str]]:
    """(recipe, its file) in the order of the files."""
    if not folder.is_dir():
        raise BadFile(folder, "", "no such folder")
    released = next((folder / name for name in RELEASED if (folder / name).is_file()), None)
    if released is not None:
        for instance in read_upstream(released):
            recipes = _recipes(instance.recipes, Place(str(released)))
            yield from ((recipe, str(released)) for recipe in recipes)
        return
    for file in sorted(folder.glob("*.json")):
        yield from ((recipe, str(file)) for recipe in _read(file))


def _read(file: Path) -> Sequence[Recipe]:
    raw, place = read_json(file), Place(str(file))
    if isinstance(raw, dict) and raw.get("world") == "recipe2plan":
        return read_file(raw, str(file))[1].recipes
    if isinstance(raw, dict) and "world" in raw:
        raise place.field("world").wrong(f"is {raw['world']!r}, and recipes are those of recipe2plan")
    recipes = _recipes(converted(raw, _RecipeFile, place).recipes, place)
    if recipes:
        check_recipes(recipes, place)
    return recipes


# --- the released files -----------------------------------------------------------------------------------

SECONDS = {"sec": 1, "min": 60, "hour": 3600}

Time = Annotated[
    str,
    Meta(
        pattern=r"^\s*[0-9]{1,9} (sec|min|hour)\s*\Z",
        description=f"is not a whole number and one of {', '.join(SECONDS)}",
    ),
]


class _Heat(Struct, frozen=True, forbid_unknown_fields=True):
    temperature: Annotated[float, Meta(multiple_of=1)] | None = None


class _Use(Struct, frozen=True, forbid_unknown_fields=True):
    require: _Heat = _Heat()
    update: _Heat = _Heat()


class _Step(Struct, frozen=True, forbid_unknown_fields=True):
    step: int
    text: str
    time: Time
    parallel: Literal[0, 1]
    interrupt: Literal[0, 1]
    prequisites: tuple[int, ...]
    time_constraint: dict[int, Time]
    physical: Annotated[dict[str, _Use], Meta(max_length=1)]


class _Recipe(Struct, frozen=True, forbid_unknown_fields=True):
    recipe: str
    steps: tuple[_Step, ...]


_Action = tuple[int, str, Annotated[int, Meta(ge=1)], Annotated[int, Meta(ge=0)]]


class _Plans(Struct, frozen=True, forbid_unknown_fields=True):
    plan_wo_restriction: tuple[_Action, ...] | None
    plan_w_restriction: tuple[_Action, ...] | None

    def made(self, lags: bool) -> tuple[_Action, ...] | None:
        """The plan for this setting."""
        return self.plan_w_restriction if lags else self.plan_wo_restriction


def read_upstream(path: Path | str, lags: bool = True) -> list[Scenario]:
    """The scenarios of a released ``cooking.json``, in its order, with the plans of ``plan.json``.

    ``path`` is that file or a folder that has it, itself or in ``data``. ``plan.json`` may be absent;
    then, and where it has no plan, a scenario has no reference. ``lags``: whether the maximum lags
    bind. Raises ``BadFile`` naming file, instance, recipe, step and field.
    """
    file = _find(Path(path))
    source = Place(str(file))
    instances = enumerate(converted(read_json(file), list[Any], source))
    named = [_instance(raw, source.at(f"instance {number}")) for number, raw in instances]
    keys = ["_".join(recipe.name for recipe in recipes) for recipes in named]
    place = Place(str(file.with_name("plan.json")))
    plans = _plans(place)
    for key in plans:
        if key not in keys:
            raise place.unknown("instance", key, keys)
    scenarios = []
    for number, (key, recipes) in enumerate(zip(keys, named, strict=True)):
        plan = plans[key].made(lags) if key in plans else None
        reference = None if plan is None else _reference(plan, recipes, place.at(f"instance {key!r}"))
        scenarios.append(Scenario(recipes, lags, reference, number))
    return scenarios


def _find(path: Path) -> Path:
    if not path.is_dir():
        return path
    nested = path / "data" / "cooking.json"
    return nested if nested.is_file() else path / "cooking.json"


def _instance(raw: Any, place: Place) -> tuple[Recipe, ...]:
    """The recipes of one instance."""
    recipes = []
    for index, recipe in enumerate(converted(raw, list[_Recipe], place)):
        steps = []
        for number, step in enumerate(recipe.steps):
            if step.step != number:
                here = place.entry("recipes", index, recipe.recipe).entry("steps", number)
                raise here.field("step").wrong(f"is {step.step}, not its place in the list")
            steps.append(_step(step))
        recipes.append(Recipe(recipe.recipe, tuple(steps)))
    check_recipes(recipes, place)
    return tuple(recipes)


def _step(step: _Step) -> Step:
    appliance, use = next(iter(step.physical.items()), (None, _Use()))
    return Step(
        text=step.text.strip(),
        seconds=seconds_of(step.time),
        autonomous=step.parallel == 1,
        splittable=step.interrupt == 1,
        after=step.prequisites,
        lags=tuple(Lag(after, seconds_of(limit)) for after, limit in step.time_constraint.items()),
        appliance=appliance,
        needs_fahrenheit=_degrees(use.require),
        sets_fahrenheit=_degrees(use.update),
    )


def seconds_of(text: str) -> int:
    """``10 min`` as 600."""
    number, unit = text.split()
    return int(number) * SECONDS[unit]


def _degrees(heat: _Heat) -> int | None:
    return None if heat.temperature is None else int(heat.temperature)


def _plans(place: Place) -> dict[str, _Plans]:
    file = Path(place.file)
    return converted(read_json(file), dict[str, _Plans], place) if file.is_file() else {}


def _reference(
    plan: Sequence[_Action], recipes: Sequence[Recipe], place: Place
) -> tuple[ReferenceAction, ...]:
    """The plan with its recipes by position, each action checked against them."""
    names = [recipe.name for recipe in recipes]
    actions = []
    for number, (step, name, seconds, start) in enumerate(plan):
        here = place.at(f"action {number}")
        if name not in names:
            raise here.unknown("recipe", name, names)
        if not 0 <= step < len(recipes[names.index(name)].steps):
            raise here.at(f"recipe {name!r}").wrong(f"there is no step {step}")
        actions.append(ReferenceAction(step, names.index(name), seconds, start))
    return tuple(actions)
