"""What Collab-Overcooked offers: scenarios, suites, rule sets, limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backburner.kernel.catalogue import Catalogue
from backburner.worlds.collab_overcooked.game import rule_set, scenarios
from backburner.worlds.collab_overcooked.game.optima import known_optimum
from backburner.worlds.collab_overcooked.game.rule_set import NO_LIMITS, Limits, Rules
from backburner.worlds.collab_overcooked.game.scenario_files import FILE_TYPES, read_file
from backburner.worlds.collab_overcooked.game.scenarios import Scenario, limits_of
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked


class CollabOvercookedCatalogue(Catalogue[CollabOvercooked]):
    """The article's orders by level, and pairs of orders that are open at once."""

    name = "collab_overcooked"
    world = CollabOvercooked
    scenario_type, rules_type, limits_type = Scenario, Rules, Limits
    rules = rule_set.PRESETS
    no_limits = NO_LIMITS
    solve_limits = "none"
    defaults = scenarios.DEFAULTS
    file_types = FILE_TYPES

    def suites(self) -> Mapping[str, Sequence[str]]:
        """The levels, all orders, a quick suite, pairs of orders that are open at once."""
        return scenarios.suites()

    def scenario(self, path: str, options: Mapping[str, str]) -> Scenario:
        """The orders of an id's path in the shipped kitchen."""
        return scenarios.scenario_of(path, options)

    def read(self, raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
        """A user's scenario file."""
        return read_file(raw, source)

    def article_limits(self, id: str, scenario: Scenario, rules: Rules) -> Limits:
        """A multiple of the shortest plan that is known."""
        known = known_optimum(id, rules.name)
        return limits_of(scenario, rules, None if known is None else known.steps)


catalogue = CollabOvercookedCatalogue()
