"""What TimeArena offers: scenarios, suites, rule sets, limits, scoring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backburner.kernel import registry
from backburner.worlds.timearena.game import rule_set, scenario_files, scenarios
from backburner.worlds.timearena.game.rule_set import Limits, Rules
from backburner.worlds.timearena.game.scenarios import Scenario
from backburner.worlds.timearena.game.world import TimeArena
from backburner.worlds.timearena.metrics.score import scoring
from backburner.worlds.timearena.metrics.statistics import statistics


class TimeArenaCatalogue:
    """The catalogue of TimeArena; see ``registry.Catalogue`` for what each part promises."""

    name = "timearena"
    title = "TimeArena (Zhang et al., ACL 2024, arXiv 2402.05733)"
    version = TimeArena.version
    rules: Mapping[str, Rules] = rule_set.PRESETS
    limits = ("article", "none")
    solve_limits = "article"
    defaults: Mapping[str, str] = {"kit": "own"}
    scoring = scoring

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

    def build(self, id: str, scenario: Scenario, rules: Rules | str, limits: Limits | str) -> TimeArena:
        """The world of a scenario."""
        presets = {
            "article": rule_set.article_limits(len(scenario.tasks)),
            "none": rule_set.NO_LIMITS,
        }
        return TimeArena(
            id,
            scenario,
            registry.preset("rule set", rules, self.rules, self.name),
            registry.preset("limits", limits, presets, self.name),
        )

    def statistics(self, ids: Sequence[str]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """The article's Table 1 beside ours."""
        return statistics([(id, self.scenario(*registry.split(id)[1:])) for id in ids])

    def restore(self, id: str, scenario: Any, rules: Any, limits: Any) -> TimeArena:
        """The world of a record's header."""
        return TimeArena.restore(id, scenario, rules, limits)


catalogue = TimeArenaCatalogue()
