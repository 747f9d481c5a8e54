"""Whether a scenario can be cooked at all: checked once when it is read, trusted by the rules after that.

Files and records get the same checks. What is wrong is told in one message that names the recipe, the step
and the field. Sizes are bounded, so that nothing a stranger sends takes long to look at.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from graphlib import CycleError, TopologicalSorter

from backburner.kernel.errors import BadFile, shorten
from backburner.worlds.recipe2plan.game.compiled import APPLIANCES, COOK
from backburner.worlds.recipe2plan.game.scenarios import Lag, Recipe, Scenario, Step
from backburner.worlds.recipe2plan.game.state import LATEST

NAME = re.compile(r"[A-Za-z0-9_-]+")
"""A recipe's name is written in actions and ids, an appliance's in observations."""

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Line breaks, and what would move a terminal's cursor."""


MOST_RECIPES, MOST_STEPS, MOST_ACTIONS = 50, 100, 10_000
"""Of a scenario, of a recipe, of a stored plan."""

NO_STEPS = "at least one step is needed"

LONGEST_NAME, LONGEST_TEXT = 99, 2_000
"""Characters of a name, and of what a step says."""

LONGEST = 10_000_000
"""Seconds of a step or a lag, which is some 115 days; also the highest temperature."""


def check_scenario(scenario: Scenario, source: str) -> None:
    """Raises ``BadFile`` if a scenario, such as that of a record, is none that files or ids could give."""
    if not scenario.recipes:
        raise BadFile(source, "field 'recipes'", "at least one recipe is needed")
    check_recipes(scenario.recipes, source)
    plan = scenario.reference or ()
    if len(plan) > MOST_ACTIONS:
        raise BadFile(source, "field 'reference'", f"{len(plan)} actions; at most {MOST_ACTIONS} are read")
    for number, action in enumerate(plan):
        known = 0 <= action.recipe < len(scenario.recipes)
        if not known or not 0 <= action.step < len(scenario.recipes[action.recipe].steps):
            raise BadFile(source, f"field 'reference', action {number}", "names no step of these recipes")
        if not (1 <= action.seconds <= LATEST and 0 <= action.start <= LATEST):
            raise BadFile(source, f"field 'reference', action {number}", "is no stretch of time")


def check_recipes(recipes: Sequence[Recipe], source: str, within: str = "") -> None:
    """Raises ``BadFile`` for the first mistake; ``within`` says where in ``source`` the recipes stand."""
    if len(recipes) > MOST_RECIPES:
        why = f"{len(recipes)} recipes; at most {MOST_RECIPES} are cooked together"
        raise BadFile(source, f"{within}field 'recipes'", why)
    for recipe in recipes:
        _Check(recipe, source, within).all()
    names = [recipe.name for recipe in recipes]
    used = (step.appliance for recipe in recipes for step in recipe.steps)
    lanes = {COOK, *APPLIANCES, *used}
    for name in names:
        if names.count(name) > 1:
            why = "this name is given twice; actions name a step by its recipe"
            raise BadFile(source, f"{within}recipe {name!r}", why)
        if name in lanes:
            why = f"a recipe is not called {name!r}, as the cook or an appliance is"
            raise BadFile(source, f"{within}recipe {name!r}", why)


class _Check:
    """The checks of one recipe; each raises ``BadFile``."""

    def __init__(self, recipe: Recipe, source: str, within: str) -> None:
        self.recipe = recipe
        self.steps = recipe.steps
        self.source = source
        self.where = f"{within}recipe {shorten(recipe.name)!r}"

    def wrong(self, number: int, field: str, why: str) -> BadFile:
        return BadFile(self.source, f"{self.where}, step {number}, field {field!r}", why)

    def all(self) -> None:
        if not _is_name(self.recipe.name):
            why = f"use letters, digits and _ - only, {LONGEST_NAME} at most"
            raise BadFile(self.source, f"{self.where}, field 'name'", why)
        if not 1 <= len(self.steps) <= MOST_STEPS:
            why = f"{len(self.steps)} steps; at most {MOST_STEPS} are read" if self.steps else NO_STEPS
            raise BadFile(self.source, f"{self.where}, field 'steps'", why)
        for number, step in enumerate(self.steps):
            self.alone(number, step)
        self.no_circle()
        for number, step in enumerate(self.steps):
            self.earlier(number, "after", step.after)
            self.earlier(number, "lags", [lag.after for lag in step.lags])
        for number, step in enumerate(self.steps):
            for lag in step.lags:
                self.lag(number, lag)
            self.temperature(number, step)

    def alone(self, number: int, step: Step) -> None:
        """What is wrong with a step whatever the others are."""
        if not step.text.strip() or CONTROL.search(step.text):
            raise self.wrong(number, "text", "one line that says what to do is needed")
        if len(step.text) > LONGEST_TEXT:
            raise self.wrong(number, "text", f"{len(step.text)} characters; at most {LONGEST_TEXT} are told")
        if step.seconds < 1:
            raise self.wrong(number, "seconds", f"a step takes at least 1 second, not {step.seconds}")
        if step.seconds > LONGEST:
            raise self.wrong(number, "seconds", f"a step takes at most {LONGEST} seconds")
        if step.autonomous and step.splittable:
            raise self.wrong(number, "splittable", "a step that runs by itself cannot be done in pieces")
        if step.appliance is not None and (step.appliance == COOK or not _is_name(step.appliance)):
            why = f"use letters, digits and _ - only, {LONGEST_NAME} at most, and not {COOK!r}"
            raise self.wrong(number, "appliance", why)
        for field, heat in (
            ("needs_fahrenheit", step.needs_fahrenheit),
            ("sets_fahrenheit", step.sets_fahrenheit),
        ):
            if heat is not None and step.appliance is None:
                raise self.wrong(number, field, "only an appliance has a temperature, and none is named")
            if heat is not None and abs(heat) > LONGEST:
                raise self.wrong(number, field, f"no oven is further than {LONGEST} °F from nothing")
        if step.needs_fahrenheit is not None and step.sets_fahrenheit is not None:
            raise self.wrong(number, "sets_fahrenheit", "a step sets a temperature or needs one, not both")

    def no_circle(self) -> None:
        try:
            TopologicalSorter({number: step.after for number, step in enumerate(self.steps)}).prepare()
        except CycleError as error:
            circle = list(error.args[1])
            why = f"goes round in a circle: {', '.join(map(str, circle))}"
            raise self.wrong(max(circle), "after", why) from error

    def earlier(self, number: int, field: str, named: Sequence[int]) -> None:
        """Prerequisites and the steps that limits count from come before, and stand once."""
        for other, times in Counter(named[: MOST_STEPS + 1]).items():
            if not 0 <= other < len(self.steps):
                why = f"there is no step {other}; the recipe has steps 0 to {len(self.steps) - 1}"
                raise self.wrong(number, field, why)
            if other >= number:
                raise self.wrong(number, field, f"step {other} does not come before step {number}")
            if times > 1:
                raise self.wrong(number, field, f"step {other} stands twice")

    def lag(self, number: int, lag: Lag) -> None:
        """It can be kept, and does not depend on which of the two steps happens to come first."""
        if lag.seconds < 0:
            raise self.wrong(number, "lags", f"a limit of {lag.seconds} seconds can never be kept")
        if lag.seconds > LONGEST:
            raise self.wrong(number, "lags", f"a limit is at most {LONGEST} seconds")
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


def _is_name(text: str) -> bool:
    return len(text) <= LONGEST_NAME and NAME.fullmatch(text) is not None
