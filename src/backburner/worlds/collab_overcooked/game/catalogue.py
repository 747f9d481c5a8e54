"""What Collab-Overcooked offers: suites, rule sets, limits, and the shortest plans that limits come from.

Known plans are data: agents and scores need no solver.
"""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any, Literal

from msgspec import Struct

from backburner.kernel.catalogue import Assembled
from backburner.kernel.errors import Refused, shorten
from backburner.kernel.files import Place, shipped_optima
from backburner.kernel.titles import Called
from backburner.worlds.collab_overcooked.game import rule_set, scenarios
from backburner.worlds.collab_overcooked.game.rule_set import NO_LIMITS, Limits, Rules
from backburner.worlds.collab_overcooked.game.scenario_files import FILE_TYPES, check_scenario, read_file
from backburner.worlds.collab_overcooked.game.scenarios import Scenario, order_file
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked

Preset = Literal["standard", "released"]

Space = Literal["calls", "moves"]
"""The decision space: the article's calls, each begun when the one before is done; or every move of the
grid."""

Foods = Literal["own", "all"]
"""What plans may fetch without limit: dishes and the foods of the orders' recipes; or dishes and any food."""


class Optimum(Struct, frozen=True, omit_defaults=True):
    """What is known of one scenario under one rule set in one decision space.

    ``steps``: of the shortest plan found. ``bound``: no plan has fewer; it equals ``steps`` when ``status``
    is ``optimal``. ``chef``, ``assistant``: that plan; in the space of calls what each cook plans whenever
    it is asked, in that of moves what it does in each step. ``foods``: the plans of calls that the bound
    holds for; in the space of moves it holds for all plans.
    """

    id: str
    rules: Preset
    space: Space
    steps: int
    bound: int
    status: Literal["optimal", "feasible"]
    chef: tuple[str, ...]
    assistant: tuple[str, ...]
    foods: Foods = "all"


@cache
def known_optima() -> dict[tuple[str, str, str], Optimum]:
    """The shipped optima by scenario id, name of the rule set and space."""
    return {
        (optimum.id, optimum.rules, optimum.space): optimum
        for optimum in shipped_optima("backburner.worlds.collab_overcooked", Optimum)
    }


def known_optimum(id: str, rules: str, space: Space = "calls") -> Optimum | None:
    """What is known of this scenario under this rule set; ids are as ``registry.world`` gives them.

    Who has the recipes and how they are written (``@knows``, ``@recipe``) changes nothing in what cooks
    can do, and so no plan. Of a single exchange (``@at``) there is none.
    """
    if re.search(r"[@,]at=", id):
        return None
    return known_optima().get((id.partition("@")[0], rules, space))


ROUNDS = 10
"""The most rounds of a talk. The article has such a limit and gives no number; this one is ours."""

ROUNDS_RELEASED = 50
"""The most rounds under released rules. The release has no such limit; this one lets episodes end."""

HORIZON = 120
"""The released program's default limit in steps."""


def limits_of(scenario: Scenario, rules: Rules, optimum_steps: int | None = None) -> Limits:
    """The article's limits for a scenario: 1.5 times the least steps, rounded down.

    ``optimum_steps``: those of the shortest known plan of these very orders under these rules. A limit that
    the scenario's author states comes first. Under ``released`` rules, and where no optimum is known, the
    limit follows from the time recorded for the order's level; without a level it is the released program's
    120 steps.
    """
    rounds = ROUNDS_RELEASED if rules.opener_ends_talk else ROUNDS
    if scenario.step_limit is not None:
        return Limits(scenario.step_limit, rounds)
    if optimum_steps is not None and rules.name != "released":
        return Limits(math.floor(order_file().limit_factor * optimum_steps), rounds)
    return Limits(HORIZON if scenario.level is None else _recorded_limit(scenario.level), rounds)


def _recorded_limit(level: int) -> int:
    """The steps that follow from the time recorded for a level.

    The recorded time is the number of the last step, counted from 0, and 1.5 times that number is in time.
    So an order of level 1 (16) may be delivered in step 24, which is the 25th.
    """
    file = order_file()
    last = next(each.released_last_step for each in file.levels if each.level == level)
    return math.floor(file.limit_factor * last) + 1


class CollabOvercookedCatalogue(Assembled[CollabOvercooked]):
    """The article's orders by level, and pairs of orders that are open at once."""

    built = "backburner.worlds.collab_overcooked"
    name = "collab_overcooked"
    world = CollabOvercooked
    scenario_type, rules_type, limits_type = Scenario, Rules, Limits
    rules = rule_set.PRESETS
    no_limits = NO_LIMITS
    solve_limits = "none"
    defaults = scenarios.DEFAULTS
    said = scenarios.SAID
    file_types = FILE_TYPES
    suites_of = staticmethod(scenarios.suites)
    scenario_of = staticmethod(scenarios.scenario_of)
    read_file = staticmethod(read_file)
    check_scenario = staticmethod(check_scenario)

    def called(self, path: str, scenario: Scenario) -> Called:
        """By its orders."""
        return scenarios.called(scenario)

    def restore(self, id: str, scenario: Any, rules: Any, limits: Any) -> CollabOvercooked:
        """The world of a record's header; raises ``Refused`` too, for rules that nothing plays any more."""
        return _begun(super().restore(id, scenario, rule_set.recorded_rules(rules), limits))

    def build(self, id: str, scenario: Any, rules: Any, limits: Any) -> CollabOvercooked:
        """The world of a scenario; raises ``BadFile`` where play cannot begin where the scenario says."""
        return _begun(super().build(id, scenario, rules, limits))

    def article_limits(self, id: str, scenario: Scenario, rules: Rules) -> Limits:
        """A multiple of the shortest plan that is known."""
        known = known_optimum(id, rules.name)
        return limits_of(scenario, rules, None if known is None else known.steps)


def _begun(world: CollabOvercooked) -> CollabOvercooked:
    """The world, if its opening can be carried out under its rules."""
    if world.scenario.exchange:
        try:
            world.start()
        except Refused as refusal:
            raise Place(shorten(world.id)).field("opening").wrong(str(refusal)) from refusal
    return world


catalogue = CollabOvercookedCatalogue()
