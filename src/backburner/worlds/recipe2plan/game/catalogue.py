"""What Recipe2Plan offers: scenarios, suites, rule sets, limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backburner.kernel.catalogue import Catalogue
from backburner.worlds.recipe2plan.game import rule_set, scenario_files, scenarios
from backburner.worlds.recipe2plan.game.rule_set import Limits, Rules
from backburner.worlds.recipe2plan.game.scenarios import Scenario
from backburner.worlds.recipe2plan.game.world import Recipe2Plan


class Recipe2PlanCatalogue(Catalogue[Recipe2Plan]):
    """The article's pairs of recipes, and any others of its recipes."""

    name = "recipe2plan"
    world = Recipe2Plan
    scenario_type, rules_type, limits_type = Scenario, Rules, Limits
    rules = rule_set.PRESETS
    no_limits = rule_set.NO_LIMITS
    defaults = scenarios.DEFAULTS

    def suites(self) -> Mapping[str, Sequence[str]]:
        """The published pairs with and without time constraints; a quick one."""
        return scenarios.suites()

    def scenario(self, path: str, options: Mapping[str, str]) -> Scenario:
        """The recipes of an id's path."""
        scenarios.refuse_empty(path)
        return scenarios.combine(path, options)

    def read(self, raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
        """A user's scenario file."""
        return scenario_files.read_file(raw, source)

    def article_limits(self, id: str, scenario: Scenario, rules: Rules) -> Limits:
        """So many decisions for each step of the recipes."""
        return rule_set.article_limits(sum(len(recipe.steps) for recipe in scenario.recipes))


catalogue = Recipe2PlanCatalogue()
