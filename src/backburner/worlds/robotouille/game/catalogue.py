"""What Robotouille offers: scenarios, suites, rule sets; limits, which come from known shortest plans.

Known plans are data, so that limits and scores need no solver.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Literal

from msgspec import Struct

from backburner.kernel.catalogue import Assembled
from backburner.kernel.errors import UnknownLimits
from backburner.kernel.files import shipped_optima
from backburner.kernel.titles import Called, plain
from backburner.worlds.robotouille.game import rule_set
from backburner.worlds.robotouille.game.rule_set import Limits, Rules, article_limits
from backburner.worlds.robotouille.game.scenario_files import FILE_TYPES, check_scenario, read_file
from backburner.worlds.robotouille.game.scenarios import (
    KnownPlan,
    Preset,
    Scenario,
    scenario_of,
    suites,
    task_file,
    tasks,
)
from backburner.worlds.robotouille.game.world import Robotouille


class Optimum(Struct, frozen=True):
    """What is known of one scenario under one rule set.

    ``steps``: those of the shortest plan found; ``bound``: no plan has fewer. They are equal when
    ``status`` is ``optimal``. ``plan``: for each decision of that plan the index of its option in the
    menu of its state, in the order of the seats that decide; empty where the scenario has the plan.
    """

    id: str
    rules: Preset
    steps: int
    bound: int
    status: Literal["optimal", "feasible"]
    plan: tuple[int, ...]


@cache
def known_optima() -> dict[tuple[str, str], Optimum]:
    """The shipped optima by scenario id and name of the rule set."""
    return {
        (optimum.id, optimum.rules): optimum
        for optimum in shipped_optima("backburner.worlds.robotouille", Optimum)
    }


def known_optimum(id: str, rules: str, own: KnownPlan | None = None) -> Optimum | None:
    """What is known of this scenario under this rule set; ids are as ``registry.world`` gives them.

    ``own``: the plan that the scenario itself tells; it comes before what is shipped.
    """
    if own is not None and own.rules == rules:
        return Optimum(id, own.rules, own.steps, own.bound, own.status, ())
    return known_optima().get((_as_played(id), rules))


def _as_played(id: str) -> str:
    """The id without what changes words alone, so that what is known holds however a kitchen is told."""
    path, _, options = id.partition("@")
    played = ",".join(option for option in options.split(",") if not option.startswith("told="))
    return f"{path}@{played}" if played else path


def limits_of(id: str, scenario: Scenario, rules: Rules) -> Limits:
    """The limits of play under the article's rule.

    What the scenario's author states comes first. Then, under ``released`` rules, the task's constant
    as the program compares it: a limit of 22.5 lets a 23rd step happen. Otherwise 1.5 times the shortest
    plan that is known of this kitchen, rounded down. Raises ``UnknownLimits`` where none is known.
    """
    if scenario.step_limit is not None:
        return article_limits(scenario.step_limit)
    task = tasks().get(scenario.task)
    if rules.name == "released" and task is not None and task.step_limit is not None:
        return article_limits(math.ceil(task.step_limit))
    known = known_optimum(id, rules.name, scenario.known_plan)
    if known is None:
        raise UnknownLimits(
            id,
            f"no shortest plan is known under {rules.name} rules, so there is no step limit",
            "state step_limit or known_plan in a scenario file, or play with --limits none",
        )
    return article_limits(math.floor(task_file().limit_factor * known.steps))


class RobotouilleCatalogue(Assembled[Robotouille]):
    """The article's tasks, as they stand and with kitchens drawn by seeds."""

    built = "backburner.worlds.robotouille"
    name = "robotouille"
    world = Robotouille
    scenario_type, rules_type, limits_type = Scenario, Rules, Limits
    rules = rule_set.PRESETS
    no_limits = rule_set.NO_LIMITS
    solve_limits = "none"
    defaults: Mapping[str, str] = {"play": "turns", "noisy": "no", "told": "plain"}
    said: Mapping[str, str] = {
        **{"robots": "{} robots", "play=dispatcher": "one commands all", "play=simultaneous": "all at once"},
        **{"seed": "kitchen {}", "generator": "drawn as {}", "noisy=yes": "crowded", "told": "told {}"},
    }
    file_types = FILE_TYPES
    suites_of = staticmethod(suites)
    scenario_of = staticmethod(scenario_of)
    read_file = staticmethod(read_file)

    def called(self, path: str, scenario: Scenario) -> Called:
        """By what is to be made, and whether several robots make it; a file's by its own name."""
        task = tasks().get(scenario.task)
        names = task.title.split(", ") if task else [plain(path.rpartition("/")[2])]
        return Called(tuple(names), ("together",) if path.startswith("multi_agent/") else ())

    def checked(self, id: str, scenario: Scenario) -> Scenario:
        """A record's scenario, if it passes the checks of files; raises ``BadFile``."""
        check_scenario(scenario, id)
        return scenario

    def article_limits(self, id: str, scenario: Scenario, rules: Rules) -> Limits:
        """A multiple of the shortest plan that is known; see ``limits_of``."""
        return limits_of(id, scenario, rules)


catalogue = RobotouilleCatalogue()
