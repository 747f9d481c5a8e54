"""What Robotouille offers: scenarios, suites, rule sets, limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backburner.kernel.catalogue import Catalogue
from backburner.worlds.robotouille.game import rule_set
from backburner.worlds.robotouille.game.ids import scenario_of, suites
from backburner.worlds.robotouille.game.optima import limits_of
from backburner.worlds.robotouille.game.rule_set import Limits, Rules
from backburner.worlds.robotouille.game.scenario_files import read_file
from backburner.worlds.robotouille.game.scenarios import Scenario
from backburner.worlds.robotouille.game.world import Robotouille


class RobotouilleCatalogue(Catalogue[Robotouille]):
    """The article's tasks, as they stand and with kitchens drawn by seeds."""

    name = "robotouille"
    world = Robotouille
    scenario_type, rules_type, limits_type = Scenario, Rules, Limits
    rules = rule_set.PRESETS
    no_limits = rule_set.NO_LIMITS
    solve_limits = "none"
    defaults: Mapping[str, str] = {"play": "turns", "noisy": "no"}

    def suites(self) -> Mapping[str, Sequence[str]]:
        """The article's sets with its seeds, the tasks as they stand, a quick one."""
        return suites()

    def scenario(self, path: str, options: Mapping[str, str]) -> Scenario:
        """The kitchen of an id's path."""
        return scenario_of(path, options)

    def read(self, raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
        """A user's scenario file."""
        return read_file(raw, source)

    def article_limits(self, id: str, scenario: Scenario, rules: Rules) -> Limits:
        """A multiple of the shortest plan that is known; see ``limits_of``."""
        return limits_of(id, scenario, rules)


catalogue = RobotouilleCatalogue()
