"""What CuisineWorld offers: scenarios, suites, rule sets, limits, scoring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backburner.kernel import registry
from backburner.worlds.cuisineworld.game import instances, rule_set
from backburner.worlds.cuisineworld.game.limits import article_limits
from backburner.worlds.cuisineworld.game.rule_set import Limits, Rules
from backburner.worlds.cuisineworld.game.scenario_files import read_file
from backburner.worlds.cuisineworld.game.scenarios import Scenario
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.cuisineworld.metrics.score import scoring
from backburner.worlds.cuisineworld.metrics.statistics import statistics


class CuisineWorldCatalogue:
    """The catalogue of CuisineWorld; see ``registry.Catalogue`` for what each part promises."""

    name = "cuisineworld"
    title = "CuisineWorld (MindAgent, arXiv 2309.09971)"
    version = CuisineWorld.version
    rules: Mapping[str, Rules] = rule_set.PRESETS
    limits = ("article", "none")
    solve_limits = "article"
    defaults: Mapping[str, str] = instances.DEFAULTS
    scoring = scoring

    def suites(self) -> Mapping[str, Sequence[str]]:
        """The article's cells, by class and by level; a quick one."""
        return instances.suites()

    def scenario(self, path: str, options: Mapping[str, str]) -> Scenario:
        """The episode of an id."""
        return instances.scenario_of(path, options)

    def read(self, raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
        """A user's level file."""
        return read_file(raw, source)

    def build(self, id: str, scenario: Scenario, rules: Rules | str, limits: Limits | str) -> CuisineWorld:
        """The world of a scenario."""
        bound = registry.preset("rule set", rules, self.rules, self.name)
        presets = {"article": article_limits(scenario), "none": rule_set.NO_LIMITS}
        return CuisineWorld(id, scenario, bound, registry.preset("limits", limits, presets, self.name))

    def statistics(self, ids: Sequence[str]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """The levels among these scenarios."""
        return statistics([(id, self.scenario(*registry.split(id)[1:])) for id in ids])

    def restore(self, id: str, scenario: Any, rules: Any, limits: Any) -> CuisineWorld:
        """The world of a record's header."""
        return CuisineWorld.restore(id, scenario, rules, limits)


catalogue = CuisineWorldCatalogue()
