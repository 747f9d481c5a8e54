"""Recipe2Plan's scenarios: recipes as data; combinations; suites.

A scenario is a list of recipes to be cooked by one cook, with the maximum lags between their steps
stated and checked (``lags=on``) or not (``lags=off``; article, section 4.1, Constraint Setting).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from backburner.kernel.catalogue import check_options
from backburner.kernel.checks import LINE, unique
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.files import shipped

F = TypeVar("F")

LONGEST = 10_000_000
"""Seconds of a step or a lag, which is some 115 days; also the highest temperature."""

MOST_RECIPES, MOST_STEPS = 50, 100
"""Of a scenario, and of a recipe."""

LATEST = 2**53
"""The greatest time that counts, in seconds: all up to it are exact as floating-point numbers, in which the
release counts. An action that starts later is refused; any greater number is read as one more than this."""

NAME, SPELLED = "[A-Za-z0-9_-]{1,99}", "use letters, digits and _ - only, 99 at most"

Name = Annotated[str, Meta(pattern=rf"^{NAME}\Z", description=SPELLED)]
"""A recipe's name is written in actions and ids, an appliance's in observations."""

Appliance = Annotated[str, Meta(pattern=rf"^(?!cook\Z){NAME}\Z", description=f"{SPELLED}, and not 'cook'")]

Sentence = Annotated[
    str,
    Meta(max_length=2_000),
    Meta(pattern=rf"^(?=.*\S){LINE}\Z", description="one line that says what to do is needed"),
]

TimeLimit = Annotated[int, Meta(ge=1, le=LATEST)]

Fahrenheit = Annotated[int, Meta(ge=-LONGEST, le=LONGEST)]

Knowledge = Literal["none", "beliefs", "gold"]
"""What the cook knows beyond the recipes' texts (article, section 4.1): which steps run by themselves, which
depend on which, and which appliance each needs. ``none``: nothing is said of it. ``beliefs``: the cook
states what it believes, and is shown that at every turn. ``gold``: the cook is told the truth."""


class Lag(Struct, frozen=True, forbid_unknown_fields=True):
    """A maximum lag: the step starts at most ``seconds`` after the end of step ``after`` of its recipe."""

    after: int
    seconds: Annotated[int, Meta(ge=0, le=LONGEST)]


class Step(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One step of a recipe.

    ``autonomous``: it runs by itself and leaves the cook free. ``splittable``: it may be done in
    pieces. ``after``: steps of the same recipe that must be finished before. ``appliance``: what it
    occupies while it runs; an oven may have to be at ``needs_fahrenheit``, and a step that preheats
    it ``sets_fahrenheit``.
    """

    text: Sentence
    seconds: Annotated[int, Meta(ge=1, le=LONGEST)]
    autonomous: bool = False
    splittable: bool = False
    after: Annotated[tuple[int, ...], Meta(max_length=MOST_STEPS), unique()] = ()
    lags: Annotated[tuple[Lag, ...], Meta(max_length=MOST_STEPS), unique("after")] = ()
    appliance: Appliance | None = None
    needs_fahrenheit: Fahrenheit | None = None
    sets_fahrenheit: Fahrenheit | None = None


class Recipe(Struct, frozen=True, forbid_unknown_fields=True):
    """A dish: its name, by which actions call its steps, and its steps, numbered from 0."""

    name: Name
    steps: Annotated[tuple[Step, ...], Meta(min_length=1, max_length=MOST_STEPS)]


Recipes = Annotated[tuple[Recipe, ...], Meta(min_length=1, max_length=MOST_RECIPES), unique("name")]
"""Actions name a step by its recipe."""


class ReferenceAction(Struct, frozen=True, forbid_unknown_fields=True):
    """One action of a stored plan; ``recipe`` is the recipe's position in the scenario."""

    step: int
    recipe: int
    seconds: Annotated[int, Meta(ge=1, le=LATEST)]
    start: Annotated[int, Meta(ge=0, le=LATEST)]


class Scenario(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Recipes to be cooked together, and what is published about them.

    ``reference`` is the published heuristic's plan for this setting of ``lags``, against which
    relative efficiency is measured; ``instance`` is the number of the pair in the published set.
    ``hints``: whether the cook is told what can be started after each action that is carried out.
    ``limit``: the second at which play is cut off under the article's limits.
    """

    recipes: Recipes
    lags: bool = True
    reference: Annotated[tuple[ReferenceAction, ...], Meta(max_length=10_000)] | None = None
    instance: int | None = None
    knowledge: Knowledge = "none"
    hints: bool = False
    limit: TimeLimit | None = None


class Instance(Struct, frozen=True, forbid_unknown_fields=True):
    """A published pair and the heuristic's plans as [step, recipe's position, seconds, start]."""

    number: int
    recipes: tuple[str, ...]
    unconstrained: tuple[tuple[int, int, int, int], ...]
    constrained: tuple[tuple[int, int, int, int], ...] | None

    def reference(self, lags: bool) -> tuple[ReferenceAction, ...] | None:
        """The plan made with or without maximum lags; none was found for one pair (Pizza)."""
        plan = self.constrained if lags else self.unconstrained
        return None if plan is None else tuple(ReferenceAction(*action) for action in plan)


HERE = "backburner.worlds.recipe2plan"


class _RecipeFile(Struct, forbid_unknown_fields=True):
    source: str
    recipes: tuple[Recipe, ...]


class _InstanceFile(Struct, forbid_unknown_fields=True):
    source: str
    instances: tuple[Instance, ...]


@cache
def shipped_recipes() -> dict[str, Recipe]:
    """The 24 recipes of the published pairs by name."""
    return {recipe.name: recipe for recipe in shipped(HERE, "recipes", _RecipeFile).recipes}


@cache
def shipped_instances() -> dict[tuple[str, ...], Instance]:
    """The 65 published pairs by the names of their recipes, in the published order."""
    return {instance.recipes: instance for instance in shipped(HERE, "instances", _InstanceFile).instances}


OPTIONS: Mapping[str, tuple[str, ...]] = {
    "lags": ("on", "off"),
    "knowledge": get_args(Knowledge),
    "hints": ("off", "on"),
}
"""The options of an id and their values, the usual one first."""

DEFAULTS: Mapping[str, str] = {key: values[0] for key, values in OPTIONS.items()}

SAID: Mapping[str, str] = {
    "lags=off": "any step may wait",
    "hints=on": "with hints",
    "knowledge": "knowing {}",
}
"""How titles tell options."""


def combine(path: str, options: Mapping[str, str]) -> Scenario:
    """The scenario of an id's path, such as ``Tacos+Smore-Bars`` with ``lags=off``.

    Raises ``UnknownName`` for a recipe or option that is not there, ``Refused`` for a repeated one.
    """
    if not path:
        raise Refused("recipe2plan: name a scenario, such as recipe2plan/Tacos+Smore-Bars, or a suite")
    check_options("recipe2plan", options, OPTIONS, OPTIONS)
    known = shipped_recipes()
    parts = path.split("+")
    for part in parts:
        if part not in known:
            raise UnknownName("recipe", part, [*known, *suites()], "recipe2plan")
    told = {**DEFAULTS, **options}
    scenario = scenario_of([known[part] for part in parts], told["lags"] == "on")
    knowledge = msgspec.convert(told["knowledge"], Knowledge)
    return replace(scenario, knowledge=knowledge, hints=told["hints"] == "on")


def scenario_of(recipes: Sequence[Recipe], lags: bool = True) -> Scenario:
    """These recipes in this order, with the stored plan if they are a published pair."""
    names = tuple(recipe.name for recipe in recipes)
    for name in names:
        if names.count(name) > 1:
            raise Refused(f"recipe2plan: {name} is given twice; actions name a step by its recipe")
    known = shipped_instances().get(names)
    if known is None:
        return Scenario(tuple(recipes), lags)
    return Scenario(tuple(recipes), lags, known.reference(lags), known.number)


@cache
def suites() -> dict[str, tuple[str, ...]]:
    """Suite path to scenario paths: the published pairs with and without maximum lags."""
    pairs = ["+".join(names) for names in shipped_instances()]
    on = tuple(f"{pair}@lags=on" for pair in pairs)
    off = tuple(f"{pair}@lags=off" for pair in pairs)
    return {"constrained": on, "unconstrained": off, "all": on + off, "quick": on[:3] + off[:3]}


def parts(world: World[Any, Any, Any]) -> list[str]:
    """What a world's scenario is built of: its recipes."""
    return [f"recipe {recipe.name}" for recipe in world.scenario.recipes]
