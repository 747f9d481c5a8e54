"""What CuisineWorld offers: scenarios, suites, rule sets, limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backburner.kernel.catalogue import Catalogue
from backburner.worlds.cuisineworld.game import ids, rule_set
from backburner.worlds.cuisineworld.game.rule_set import Limits, Rules
from backburner.worlds.cuisineworld.game.scenario_files import FILE_TYPES, read_file
from backburner.worlds.cuisineworld.game.scenarios import Scenario
from backburner.worlds.cuisineworld.game.world import CuisineWorld


class CuisineWorldCatalogue(Catalogue[CuisineWorld]):
    """The article's levels with its numbers of bodies and its paces of orders."""

    name = "cuisineworld"
    world = CuisineWorld
    scenario_type, rules_type, limits_type = Scenario, Rules, Limits
    rules = rule_set.PRESETS
    no_limits = rule_set.NO_LIMITS
    defaults = ids.DEFAULTS
    file_types = FILE_TYPES

    def suites(self) -> Mapping[str, Sequence[str]]:
        """The article's cells, by class and by level; a quick one."""
        return ids.suites()

    def scenario(self, path: str, options: Mapping[str, str]) -> Scenario:
        """The episode of an id."""
        return ids.scenario_of(path, options)

    def read(self, raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
        """A user's level file."""
        return read_file(raw, source)

    def article_limits(self, id: str, scenario: Scenario, rules: Rules) -> Limits:
        """The steps of the article's episodes."""
        return Limits(scenario.steps)


catalogue = CuisineWorldCatalogue()
