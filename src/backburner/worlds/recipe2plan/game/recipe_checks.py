"""Whether a scenario can be cooked at all: checked once when it is read, trusted by the rules after that.

Files and records get the same checks. Most of them stand beside the structs (see ``kernel.checks``); here is
what the steps of a recipe must be to each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from msgspec import Struct

from backburner.kernel.errors import BadFile
from backburner.kernel.files import Place, check
from backburner.worlds.recipe2plan.game.compiled import APPLIANCES, COOK
from backburner.worlds.recipe2plan.game.scenarios import Lag, Recipe, Recipes, Scenario, Step


def check_scenario(scenario: Scenario, place: Place) -> None:
    """Raises ``BadFile`` if a scenario, such as that of a record, is none that files or ids could give."""
    check_recipes(scenario.recipes, place)
    for here, action in place.entries("reference", scenario.reference or ()):
        known = 0 <= action.recipe < len(scenario.recipes)
        if not known or not 0 <= action.step < len(scenario.recipes[action.recipe].steps):
            raise here.wrong("names no step of these recipes")


class _Recipes(Struct, frozen=True):
    recipes: Recipes


def check_recipes(recipes: Sequence[Recipe], place: Place) -> None:
    """Raises ``BadFile`` for the first mistake in recipes that stand at ``place``."""
    check(_Recipes(tuple(recipes)), place)
    for here, recipe in place.entries("recipes", recipes):
        _Check(recipe, here).all()
    lanes = {COOK, *APPLIANCES, *(step.appliance for recipe in recipes for step in recipe.steps)}
    for here, recipe in place.entries("recipes", recipes):
        if recipe.name in lanes:
            raise here.wrong(f"a recipe is not called {recipe.name!r}, as the cook or an appliance is")


class _Check:
    """The checks of one recipe; each raises ``BadFile``."""

    def __init__(self, recipe: Recipe, place: Place) -> None:
        self.steps = recipe.steps
        self.place = place

    def all(self) -> None:
        for number, step in enumerate(self.steps):
            self.alone(number, step)
            self.earlier(number, "after", step.after)
            self.earlier(number, "lags", [lag.after for lag in step.lags])
        for number, step in enumerate(self.steps):
            for lag in step.lags:
                self.lag(number, lag)
            self.temperature(number, step)

    def wrong(self, number: int, field: str, why: str) -> BadFile:
        return self.place.entry("steps", number).field(field).wrong(why)

    def alone(self, number: int, step: Step) -> None:
        """What is wrong with a step whatever the others are."""
        if step.autonomous and step.splittable:
            raise self.wrong(number, "splittable", "a step that runs by itself cannot be done in pieces")
        for field in ("needs_fahrenheit", "sets_fahrenheit"):
            if getattr(step, field) is not None and step.appliance is None:
                raise self.wrong(number, field, "only an appliance has a temperature, and none is named")
        if step.needs_fahrenheit is not None and step.sets_fahrenheit is not None:
            raise self.wrong(number, "sets_fahrenheit", "a step sets a temperature or needs one, not both")

    def earlier(self, number: int, field: str, named: Sequence[int]) -> None:
        """Prerequisites and the steps that limits count from come before."""
        for other in named:
            if not 0 <= other < len(self.steps):
                why = f"there is no step {other}; the recipe has steps 0 to {len(self.steps) - 1}"
                raise self.wrong(number, field, why)
            if other >= number:
                raise self.wrong(number, field, f"step {other} does not come before step {number}")

    def lag(self, number: int, lag: Lag) -> None:
        """It can be kept, and does not depend on which of the two steps happens to come first."""
        if lag.after not in self.ancestors[number]:
            why = f"step {number} does not wait for step {lag.after}, so no time counts from its end"
            raise self.wrong(number, "lags", why)
        needed = self.least_between(lag.after, number)
        if needed > lag.seconds:
            why = (
                f"can never be kept: at most {lag.seconds} seconds after step {lag.after}, "
                f"and the steps in between take {needed}"
            )
            raise self.wrong(number, "lags", why)

    def least_between(self, first: int, last: int) -> int:
        """Seconds that surely pass between the end of one step and the start of another.

        The steps that wait for ``first`` and that ``last`` waits for lie in between: the longest chain
        of them, all that keep the cook busy, and all that occupy one appliance. Preheating is left
        out of the last, for it may be shared.
        """
        between = [n for n in self.ancestors[last] if first in self.ancestors[n]]
        ends: dict[int, int] = {}
        occupied = Counter[str]()
        for number in sorted(between):
            step = self.steps[number]
            ends[number] = step.seconds + max((ends.get(need, 0) for need in step.after), default=0)
            if not step.autonomous:
                occupied[COOK] += step.seconds
            if step.appliance is not None and step.sets_fahrenheit is None:
                occupied[step.appliance] += step.seconds
        return max([*ends.values(), *occupied.values()], default=0)

    def temperature(self, number: int, step: Step) -> None:
        """Some step before sets the temperature that is needed, and none in between another one."""
        need = step.needs_fahrenheit
        if need is None:
            return
        before = [n for n in self.ancestors[number] if self.steps[n].appliance == step.appliance]
        heats = {n: self.steps[n].sets_fahrenheit for n in sorted(before)}
        preheats = [n for n, heat in heats.items() if heat == need]
        if not preheats:
            why = f"no step before it sets the {step.appliance} to {need} °F"
            raise self.wrong(number, "needs_fahrenheit", why)
        changed: int | None = None
        for preheat in preheats:
            later = (n for n, heat in heats.items() if heat not in (None, need))
            changed = next((n for n in later if preheat in self.ancestors[n]), None)
            if changed is None:
                return
        why = f"step {changed} comes in between and sets the {step.appliance} to {heats[changed or 0]} °F"
        raise self.wrong(number, "needs_fahrenheit", why)

    @cached_property
    def ancestors(self) -> list[set[int]]:
        """For each step all those that it waits for, directly or not."""
        found: list[set[int]] = []
        for step in self.steps:
            found.append(set(step.after).union(*(found[need] for need in step.after)))
        return found
