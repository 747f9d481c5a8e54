"""What Collab-Overcooked offers: scenarios, suites, rule sets, limits, scoring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backburner.kernel import registry
from backburner.worlds.collab_overcooked.game import instances, rule_set
from backburner.worlds.collab_overcooked.game.limits import NO_LIMITS, Limits, limits_of
from backburner.worlds.collab_overcooked.game.optima import known_optimum
from backburner.worlds.collab_overcooked.game.rule_set import Rules
from backburner.worlds.collab_overcooked.game.scenario_files import read_file
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from backburner.worlds.collab_overcooked.metrics.score import scoring
from backburner.worlds.collab_overcooked.metrics.statistics import statistics


class CollabOvercookedCatalogue:
    """The catalogue of Collab-Overcooked; see ``registry.Catalogue`` for what each part promises."""

    name = "collab_overcooked"
    title = "Collab-Overcooked (EMNLP 2025, arXiv 2502.20073)"
    version = CollabOvercooked.version
    rules: Mapping[str, Rules] = rule_set.PRESETS
    limits = ("article", "none")
    solve_limits = "none"
    defaults: Mapping[str, str] = instances.DEFAULTS
    scoring = scoring

    def suites(self) -> Mapping[str, Sequence[str]]:
        """The levels, all orders, a quick suite, pairs of orders that are open at once."""
        return instances.suites()

    def scenario(self, path: str, options: Mapping[str, str]) -> Scenario:
        """The orders of an id's path in the shipped kitchen."""
        return instances.scenario_of(path, options)

    def read(self, raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
        """A user's scenario file."""
        return read_file(raw, source)

    def build(
        self, id: str, scenario: Scenario, rules: Rules | str, limits: Limits | str
    ) -> CollabOvercooked:
        """The world of a scenario."""
        bound = registry.preset("rule set", rules, self.rules, self.name)
        if limits == "article":
            known = known_optimum(id, bound.name)
            limits = limits_of(scenario, bound, None if known is None else known.steps)
        presets = {"article": None, "none": NO_LIMITS}
        return CollabOvercooked(id, scenario, bound, registry.preset("limits", limits, presets, self.name))

    def statistics(self, ids: Sequence[str]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        """The article's counts beside what the recipes take."""
        return statistics([self.scenario(*registry.split(id)[1:]) for id in ids])

    def restore(self, id: str, scenario: Any, rules: Any, limits: Any) -> CollabOvercooked:
        """The world of a record's header."""
        return CollabOvercooked.restore(id, scenario, rules, limits)


catalogue = CollabOvercookedCatalogue()
