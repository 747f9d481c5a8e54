"""How many steps play may take: 1.5 times a shortest plan, by the article's rule or the program's."""

from __future__ import annotations

import math

from backburner.kernel.errors import Refused
from backburner.worlds.robotouille.game.optima import known_optimum
from backburner.worlds.robotouille.game.rule_set import Limits, Rules, article_limits
from backburner.worlds.robotouille.game.scenarios import Scenario, task_file, tasks


def limits_of(id: str, scenario: Scenario, rules: Rules) -> Limits:
    """The limits of play under the article's rule.

    What the scenario's author states comes first. Then, under ``released`` rules, the task's constant
    as the program compares it: a limit of 22.5 lets a 23rd step happen. Else 1.5 times the shortest
    plan that is known of this kitchen, rounded down. Raises ``Refused`` where none is known.
    """
    if scenario.step_limit is not None:
        return article_limits(scenario.step_limit)
    task = tasks().get(scenario.task)
    if rules.name == "released" and task is not None and task.step_limit is not None:
        return article_limits(math.ceil(task.step_limit))
    known = known_optimum(id, rules.name, scenario.known_plan)
    if known is None:
        raise Refused(
            f"{id}: no shortest plan is known under {rules.name} rules, so there is no step limit; "
            "state step_limit or known_plan in a scenario file, or play with --limits none"
        )
    return article_limits(math.floor(task_file().limit_factor * known.steps))
