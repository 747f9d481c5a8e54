"""What Recipe2Plan offers: scenarios, suites, rule sets, limits, scoring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backburner.kernel import registry
from backburner.worlds.recipe2plan.game import rule_set, scenario_files, scenarios
from backburner.worlds.recipe2plan.game.rule_set import Limits, Rules
from backburner.worlds.recipe2plan.game.scenarios import Scenario
from backburner.worlds.recipe2plan.game.world import Recipe2Plan
from backburner.worlds.recipe2plan.metrics.score import scoring
from backburner.worlds.recipe2plan.metrics.statistics import statistics


class Recipe2PlanCatalogue:
    """The catalogue of Recipe2Plan; see ``registry.Catalogue`` for what each part promises."""

    name = "recipe2plan"
    title = "Recipe2Plan (Wu et al., 2025, arXiv 2503.02238)"
    version = Recipe2Plan.version
    rules: Mapping[str, Rules] = rule_set.PRESETS
    limits = ("article", "none")
    solve_limits = "article"
    defaults: Mapping[str, str] = scenarios.DEFAULTS
    scoring = scoring

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

    def build(self, id: str, scenario: Scenario, rules: Rules | str, limits: Limits | str) -> Recipe2Plan:
        """The world of a scenario."""
        n_steps = sum(len(recipe.steps) for recipe in scenario.recipes)
        presets = {"article": rule_set.article_limits(n_steps), "none": rule_set.NO_LIMITS}
        return Recipe2Plan(
            id,
            scenario,
            registry.preset("rule set", rules, self.rules, self.name),
            registry.preset("limits", limits, presets, self.name),
        )

    def statistics(self, ids: Sequence[str]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """The article's Table 2 beside ours."""
        return statistics([self.scenario(*registry.split(id)[1:]) for id in ids])

    def restore(self, id: str, scenario: Any, rules: Any, limits: Any) -> Recipe2Plan:
        """The world of a record's header."""
        return Recipe2Plan.restore(id, scenario, rules, limits)


catalogue = Recipe2PlanCatalogue()
