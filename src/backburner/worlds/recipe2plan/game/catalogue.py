"""What Recipe2Plan offers: scenarios, suites, rule sets, limits; known optima of the published pairs.

Optima are data: playing and scoring need no solver.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.catalogue import Assembled
from backburner.kernel.files import shipped_optima
from backburner.kernel.titles import Called, plain
from backburner.worlds.recipe2plan.game import rule_set, scenario_files, scenarios
from backburner.worlds.recipe2plan.game.recipe_checks import check_scenario
from backburner.worlds.recipe2plan.game.rule_set import Limits, Rules
from backburner.worlds.recipe2plan.game.scenarios import Scenario
from backburner.worlds.recipe2plan.game.world import Recipe2Plan


class Optimum(Struct, frozen=True):
    """What is known of one scenario under ``standard`` rules.

    ``seconds``: the shortest cooking time found, ``bound`` a proven lower bound; equal when ``status``
    is ``optimal``. What is proven holds for all plans that split steps on the scenario's grid (see
    ``schedule``), which is half a minute in the published pairs.
    """

    id: str
    seconds: int
    status: Literal["optimal", "feasible"]
    bound: int


@cache
def known_optima() -> dict[str, Optimum]:
    """The shipped optima by scenario id."""
    return {optimum.id: optimum for optimum in shipped_optima("backburner.worlds.recipe2plan", Optimum)}


def known_optimum(id: str) -> Optimum | None:
    """What is known of this scenario, or ``None``; ids are as ``registry.world`` gives them.

    What the cook is told (options ``knowledge`` and ``hints``) changes no optimum.
    """
    path, _, options = id.partition("@")
    lags = "".join(f"@{option}" for option in options.split(",") if option.startswith("lags="))
    return known_optima().get(path + lags)


class Recipe2PlanCatalogue(Assembled[Recipe2Plan]):
    """The article's pairs of recipes, and any others of its recipes."""

    built = "backburner.worlds.recipe2plan"
    name = "recipe2plan"
    world = Recipe2Plan
    scenario_type, rules_type, limits_type = Scenario, Rules, Limits
    rules = rule_set.PRESETS
    no_limits = rule_set.NO_LIMITS
    defaults = scenarios.DEFAULTS
    said = scenarios.SAID
    file_types = scenario_files.FILE_TYPES
    suites_of = staticmethod(scenarios.suites)
    scenario_of = staticmethod(scenarios.combine)
    read_file = staticmethod(scenario_files.read_file)
    check_scenario = staticmethod(check_scenario)

    def called(self, path: str, scenario: Scenario) -> Called:
        """By its recipes."""
        return Called(tuple(plain(recipe.name) for recipe in scenario.recipes))

    def article_limits(self, id: str, scenario: Scenario, rules: Rules) -> Limits:
        """So many decisions for each step of the recipes; and the scenario's own limit, if it has one."""
        limits = rule_set.article_limits(sum(len(recipe.steps) for recipe in scenario.recipes))
        return limits if scenario.limit is None else replace(limits, seconds=scenario.limit)


catalogue = Recipe2PlanCatalogue()
