"""What Robotouille offers: scenarios, suites, rule sets, limits, scoring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backburner.kernel import registry
from backburner.worlds.robotouille.game import instances, rule_set
from backburner.worlds.robotouille.game.limits import limits_of
from backburner.worlds.robotouille.game.rule_set import Limits, Rules
from backburner.worlds.robotouille.game.scenario_files import read_file
from backburner.worlds.robotouille.game.scenarios import Scenario
from backburner.worlds.robotouille.game.world import Robotouille
from backburner.worlds.robotouille.metrics.score import scoring
from backburner.worlds.robotouille.metrics.statistics import statistics


class RobotouilleCatalogue:
    """The catalogue of Robotouille; see ``registry.Catalogue`` for what each part promises."""

    name = "robotouille"
    title = "Robotouille (ICLR 2025, arXiv 2502.05227)"
    version = Robotouille.version
    rules: Mapping[str, Rules] = rule_set.PRESETS
    limits = ("article", "none")
    solve_limits = "none"
    defaults: Mapping[str, str] = {"play": "turns", "noisy": "no"}
    scoring = scoring

    def suites(self) -> Mapping[str, Sequence[str]]:
        """The article's sets with its seeds, the tasks as they stand, a quick one."""
        return instances.suites()

    def scenario(self, path: str, options: Mapping[str, str]) -> Scenario:
        """The kitchen of an id's path."""
        instances.refuse_empty(path)
        return instances.scenario_of(path, options)

    def read(self, raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
        """A user's scenario file."""
        return read_file(raw, source)

    def build(self, id: str, scenario: Scenario, rules: Rules | str, limits: Limits | str) -> Robotouille:
        """The world of a scenario."""
        bound = registry.preset("rule set", rules, self.rules, self.name)
        if limits == "article":
            limits = limits_of(id, scenario, bound)
        return Robotouille(
            id,
            scenario,
            bound,
            registry.preset("limits", limits, {"article": None, "none": rule_set.NO_LIMITS}, self.name),
        )

    def statistics(self, ids: Sequence[str]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """The article's tasks beside what is proven of their kitchens."""
        return statistics([(id, self.scenario(*registry.split(id)[1:])) for id in ids])

    def restore(self, id: str, scenario: Any, rules: Any, limits: Any) -> Robotouille:
        """The world of a record's header."""
        return Robotouille.restore(id, scenario, rules, limits)


catalogue = RobotouilleCatalogue()
