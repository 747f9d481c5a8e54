"""What TimeArena offers: scenarios, suites, rule sets, limits; known optima of the published sets.

Optima are data: playing and scoring need no solver.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

from msgspec import Struct

from backburner.kernel.catalogue import Assembled
from backburner.kernel.files import shipped_optima
from backburner.kernel.titles import Called
from backburner.worlds.timearena.game import rule_set, scenario_files, scenarios
from backburner.worlds.timearena.game.rule_set import Limits, Rules
from backburner.worlds.timearena.game.scenario_files import FILE_TYPES
from backburner.worlds.timearena.game.scenarios import Scenario
from backburner.worlds.timearena.game.world import TimeArena


class Optimum(Struct, frozen=True, omit_defaults=True):
    """What is known of one scenario under ``standard`` rules.

    ``minutes``: the shortest completion time found, ``bound`` a proven lower bound; equal when
    ``status`` is ``optimal``. ``script_minutes``: what the released oracle script computes.
    ``most_necessary_waits``: the largest number of necessary waits found, with a proven upper bound.
    """

    id: str
    minutes: int
    status: Literal["optimal", "feasible"]
    bound: int
    script_minutes: int | None = None
    most_necessary_waits: int | None = None
    most_necessary_waits_bound: int | None = None


@cache
def known_optima() -> dict[str, Optimum]:
    """The shipped optima by scenario id."""
    return {optimum.id: optimum for optimum in shipped_optima("backburner.worlds.timearena", Optimum)}


def known_optimum(id: str) -> Optimum | None:
    """What is known of this scenario, or ``None``."""
    return known_optima().get(id)


class TimeArenaCatalogue(Assembled[TimeArena]):
    """The article's tasks and their published combinations, and any others."""

    built = "backburner.worlds.timearena"
    name = "timearena"
    world = TimeArena
    scenario_type, rules_type, limits_type = Scenario, Rules, Limits
    rules = rule_set.PRESETS
    no_limits = rule_set.NO_LIMITS
    defaults: Mapping[str, str] = {"kit": "own"}
    said: Mapping[str, str] = {"kit=one": "one kit for all"}

    file_types = FILE_TYPES
    suites_of = staticmethod(scenarios.suites)
    scenario_of = staticmethod(scenarios.combine)
    read_file = staticmethod(scenario_files.read_file)
    check_scenario = staticmethod(scenario_files.check_scenario)

    def called(self, path: str, scenario: Scenario) -> Called:
        """By the titles of its tasks."""
        return Called(tuple(task.title for task in scenario.tasks))

    def article_limits(self, id: str, scenario: Scenario, rules: Rules) -> Limits:
        """The article's minutes for so many tasks, or the scenario's own."""
        return rule_set.article_limits(len(scenario.tasks), scenario.limit)


catalogue = TimeArenaCatalogue()
