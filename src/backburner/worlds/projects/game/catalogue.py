"""What the world offers by name: scenarios that ship with it, rule sets, limits, files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from backburner.kernel.catalogue import Assembled, check_options
from backburner.kernel.errors import UnknownName
from backburner.kernel.files import shipped
from backburner.kernel.titles import Called, plain
from backburner.worlds.projects.game import rule_set, scenario_files
from backburner.worlds.projects.game.rule_set import Limits, Rules
from backburner.worlds.projects.game.scenarios import Scenario
from backburner.worlds.projects.game.world import Projects

HERE = "backburner.worlds.projects"

SUITES: Mapping[str, Sequence[str]] = {
    "made": ("bakery", "darkroom", "moving-day"),
    "job-shops": ("ft06", "la01", "la02", "la03", "la04", "la05"),
}


def suites() -> Mapping[str, Sequence[str]]:
    """Suite to paths: made by hand, published job shops, the shortest of each, all."""
    quick = tuple(paths[0] for paths in SUITES.values())
    return {**SUITES, "quick": quick, "all": tuple(path for paths in SUITES.values() for path in paths)}


@cache
def _shipped(path: str) -> Scenario:
    return scenario_files.read_file(shipped(HERE, path, dict[str, Any]), f"projects/{path}")[1]


def scenario_of(path: str, options: Mapping[str, str]) -> Scenario:
    """The shipped scenario of a path; raises ``UnknownName`` with the nearest names."""
    check_options("projects", options, (), {})
    if path not in suites()["all"]:
        raise UnknownName("scenario", path, suites()["all"], "projects")
    return _shipped(path)


class ProjectsCatalogue(Assembled[Projects]):
    """Problems made by hand, published job shops, and those of users."""

    built = HERE
    name = "projects"
    world = Projects
    scenario_type, rules_type, limits_type = Scenario, Rules, Limits
    rules = rule_set.PRESETS
    no_limits = rule_set.NO_LIMITS
    solve_limits = "none"

    file_types = scenario_files.FILE_TYPES
    suites_of = staticmethod(suites)
    scenario_of = staticmethod(scenario_of)
    read_file = staticmethod(scenario_files.read_file)
    check_scenario = staticmethod(scenario_files.check_scenario)

    def called(self, path: str, scenario: Scenario) -> Called:
        """By what it says that it is."""
        return Called((scenario.name or plain(path.rpartition("/")[2]),))

    def article_limits(self, id: str, scenario: Scenario, rules: Rules) -> Limits:
        """The scenario's own, or twice what it takes to do one thing after another after the last release."""
        if scenario.limit is not None:
            return Limits(scenario.limit)
        activities = scenario.problem.activities
        in_single_file = sum(a.duration for a in activities) + max(a.release for a in activities)
        return Limits(max(1, 2 * in_single_file))


catalogue = ProjectsCatalogue()
