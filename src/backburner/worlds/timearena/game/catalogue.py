"""What TimeArena offers: scenarios, suites, rule sets, limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backburner.kernel.catalogue import Catalogue
from backburner.worlds.timearena.game import rule_set, scenario_files, scenarios
from backburner.worlds.timearena.game.rule_set import Limits, Rules
from backburner.worlds.timearena.game.scenarios import Scenario
from backburner.worlds.timearena.game.world import TimeArena


class TimeArenaCatalogue(Catalogue[TimeArena]):
    """The article's tasks and their published combinations, and any others."""

    name = "timearena"
    world = TimeArena
    scenario_type, rules_type, limits_type = Scenario, Rules, Limits
    rules = rule_set.PRESETS
    no_limits = rule_set.NO_LIMITS
    defaults: Mapping[str, str] = {"kit": "own"}

    def suites(self) -> Mapping[str, Sequence[str]]:
        """The published sets by number of tasks and by scenario; every pair and triple; a quick one."""
        return scenarios.suites()

    def scenario(self, path: str, options: Mapping[str, str]) -> Scenario:
        """The tasks of an id's path."""
        scenarios.refuse_empty(path)
        return scenarios.combine(path, options)

    def read(self, raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
        """A user's scenario file."""
        return scenario_files.read_file(raw, source)

    def article_limits(self, id: str, scenario: Scenario, rules: Rules) -> Limits:
        """The article's minutes for so many tasks."""
        return rule_set.article_limits(len(scenario.tasks))

    def checked(self, id: str, scenario: Scenario) -> Scenario:
        """The scenario, if its tasks can be combined; raises ``BadFile``."""
        scenario_files.check_scenario(scenario, id)
        return scenario


catalogue = TimeArenaCatalogue()
