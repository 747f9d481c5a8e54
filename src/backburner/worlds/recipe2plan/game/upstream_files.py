"""Reading the released data files, for those who have them and want the released sentences.

``cooking.json`` is a list of instances, each a list of recipes; ``plan.json``, beside it, has the
heuristic's plans under the names of an instance's recipes joined by ``_``. A time is text, a whole
number and a unit; dependencies are spelled ``prequisites``. Spaces around a sentence are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from backburner.kernel.errors import BadFile, UnknownName, shorten
from backburner.kernel.files import read_json
from backburner.worlds.recipe2plan.game.recipe_checks import check_recipes
from backburner.worlds.recipe2plan.game.scenarios import Lag, Recipe, ReferenceAction, Scenario, Step

T = TypeVar("T")

SECONDS = {"sec": 1, "min": 60, "hour": 3600}


class _Heat(Struct, frozen=True, forbid_unknown_fields=True):
    temperature: float | None = None


class _Use(Struct, frozen=True, forbid_unknown_fields=True):
    require: _Heat = _Heat()
    update: _Heat = _Heat()


class _Step(Struct, frozen=True, forbid_unknown_fields=True):
    step: int
    text: str
    time: str
    parallel: Literal[0, 1]
    interrupt: Literal[0, 1]
    prequisites: tuple[int, ...]
    time_constraint: dict[int, str]
    physical: dict[str, _Use]


class _Recipe(Struct, frozen=True, forbid_unknown_fields=True):
    recipe: str
    steps: tuple[_Step, ...]


_Action = tuple[int, str, int, int]


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
    plan_file = file.with_name("plan.json")
    instances = _convert(read_json(file), list[list[_Recipe]], file)
    plans = _plans(plan_file)
    keys = ["_".join(recipe.recipe for recipe in instance) for instance in instances]
    for key in plans:
        if key not in keys:
            raise BadFile(plan_file, "", str(UnknownName("instance", key, keys)))
    scenarios = []
    for number, (key, instance) in enumerate(zip(keys, instances, strict=True)):
        recipes = _recipes(instance, str(file), number)
        plan = plans[key].made(lags) if key in plans else None
        reference = None if plan is None else _reference(plan, recipes, f"instance {key!r}", plan_file)
        scenarios.append(Scenario(recipes, lags, reference, number))
    return scenarios


def _find(path: Path) -> Path:
    if not path.is_dir():
        return path
    nested = path / "data" / "cooking.json"
    return nested if nested.is_file() else path / "cooking.json"


def _convert(raw: Any, type: type[T], file: Path, within: str = "") -> T:
    try:
        return msgspec.convert(raw, type, str_keys=True)
    except msgspec.ValidationError as error:
        why, _, place = str(error).partition(" - at ")
        where = _place(raw, place.strip("`").rpartition("`")[2])
        raise BadFile(file, ", ".join(filter(None, [within, where])), why) from error


def _place(raw: Any, path: str) -> str:
    """``$[3][1].steps[2].time`` as ``instance 3, recipe 'Soup', step 2, field 'time'``."""
    match = re.match(r"\$\[(\d+)\](?:\[(\d+)\])?(?:\.steps\[(\d+)\])?\.?(.*)", path)
    if not match:
        return f"field {path.removeprefix('$.')!r}" if path.strip("$") else ""
    instance, place, step, field = match.groups()
    parts = [f"instance {instance}"]
    if place is not None:
        item = raw[int(instance)][int(place)]
        name = item.get("recipe") if isinstance(item, Mapping) else None
        parts.append(f"recipe {repr(shorten(name)) if isinstance(name, str) else place}")
    parts += [f"step {step}"] if step is not None else []
    parts += [f"field {field!r}"] if field else []
    return ", ".join(parts)


def _recipes(instance: Sequence[_Recipe], source: str, number: int) -> tuple[Recipe, ...]:
    if not instance:
        raise BadFile(source, f"instance {number}", "at least one recipe is needed")
    within = f"instance {number}, "
    recipes = tuple(_recipe(recipe, source, within) for recipe in instance)
    check_recipes(recipes, source, within)
    return recipes


def _recipe(recipe: _Recipe, source: str, within: str) -> Recipe:
    where = f"{within}recipe {shorten(recipe.recipe)!r}"
    steps = []
    for number, step in enumerate(recipe.steps):
        place = f"{where}, step {number}"
        if step.step != number:
            raise BadFile(source, f"{place}, field 'step'", f"is {step.step}, not its place in the list")
        steps.append(_step(step, source, place))
    return Recipe(recipe.recipe, tuple(steps))


def _step(step: _Step, source: str, place: str) -> Step:
    if len(step.physical) > 1:
        raise BadFile(source, f"{place}, field 'physical'", "a step occupies one appliance at most")
    lags = [
        Lag(after, _seconds(limit, source, f"{place}, field 'time_constraint'"))
        for after, limit in step.time_constraint.items()
    ]
    appliance, use = next(iter(step.physical.items()), (None, _Use()))
    where = f"{place}, field 'physical'"
    return Step(
        text=step.text.strip(),
        seconds=_seconds(step.time, source, f"{place}, field 'time'"),
        autonomous=step.parallel == 1,
        splittable=step.interrupt == 1,
        after=step.prequisites,
        lags=tuple(lags),
        appliance=appliance,
        needs_fahrenheit=_degrees(use.require.temperature, source, where),
        sets_fahrenheit=_degrees(use.update.temperature, source, where),
    )


def _seconds(text: str, source: str, where: str) -> int:
    """``10 min`` as 600."""
    match = re.fullmatch(r"([0-9]{1,9}) (sec|min|hour)", text.strip())
    if match is None:
        why = f"{shorten(text)!r} is not a whole number and one of {', '.join(SECONDS)}"
        raise BadFile(source, where, why)
    return int(match[1]) * SECONDS[match[2]]


def _degrees(heat: float | None, source: str, where: str) -> int | None:
    if heat is not None and heat != int(heat):
        raise BadFile(source, where, f"{heat} is not a whole number of °F")
    return None if heat is None else int(heat)


def _plans(file: Path) -> dict[str, _Plans]:
    if not file.is_file():
        return {}
    raw = read_json(file)
    if not isinstance(raw, dict):
        raise BadFile(file, "", "not an object with a pair of plans for each instance")
    return {key: _convert(plans, _Plans, file, f"instance {shorten(key)!r}") for key, plans in raw.items()}


def _reference(
    plan: Sequence[_Action], recipes: Sequence[Recipe], within: str, file: Path
) -> tuple[ReferenceAction, ...]:
    """The plan with its recipes by position, each action checked against them."""
    names = [recipe.name for recipe in recipes]
    actions = []
    for number, (step, name, seconds, start) in enumerate(plan):
        where = f"{within}, action {number}"
        if name not in names:
            raise BadFile(file, where, str(UnknownName("recipe", name, names)))
        place = names.index(name)
        if not 0 <= step < len(recipes[place].steps):
            raise BadFile(file, f"{where}, recipe {name!r}", f"there is no step {step}")
        if seconds < 1 or start < 0:
            raise BadFile(file, where, f"{seconds} seconds from second {start} on is no stretch of time")
        actions.append(ReferenceAction(step, place, seconds, start))
    return tuple(actions)
