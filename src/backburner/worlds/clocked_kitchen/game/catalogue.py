"""What the clocked kitchen offers: ids such as ``level_3@bodies=4,tau=1.5``, suites, rule sets, limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import cast

from msgspec.structs import replace

from backburner.kernel.catalogue import Assembled, Options
from backburner.kernel.errors import Refused, UnknownName, shorten
from backburner.kernel.titles import Called
from backburner.worlds.clocked_kitchen.game import rule_set
from backburner.worlds.clocked_kitchen.game.floor import FLOOR, LETTERS
from backburner.worlds.clocked_kitchen.game.rule_set import TEXT_RULES, Limits, Rules
from backburner.worlds.clocked_kitchen.game.scenarios import (
    FILE_TYPES,
    MOST_BODIES,
    MOST_STEPS,
    TICKS_A_SECOND,
    USUAL_CLOCK,
    Asks,
    Clock,
    Scenario,
    check_scenario,
    drawn_plans,
    made_plan,
    read_file,
)
from backburner.worlds.clocked_kitchen.game.world import ClockedKitchen
from backburner.worlds.cuisineworld.game.catalogue import scenario_of as kitchen_of
from backburner.worlds.cuisineworld.game.catalogue import suites as kitchen_suites
from backburner.worlds.cuisineworld.game.compiled import Compiled as Kitchen
from backburner.worlds.cuisineworld.game.scenarios import classes, level_called, levels
from backburner.worlds.dispatch.seating import SAID

NAME = "clocked_kitchen"
DRAWN = "drawn"
USUAL = "usual"

DEFAULTS: Mapping[str, str] = {
    "asks": "free",
    "bodies": "2",
    "episode": "0",
    "hints": "yes",
    "plan": DRAWN,
    "seats": "each",
    "seconds": USUAL,
    "seed": "0",
    "step": "1.0",
    "tau": "2.0",
}
"""Every option, with the value that it has where an id does not name it."""

OWN = ("asks", "plan", "seconds", "step")
"""The options that the text game does not have."""

CHOICES: Mapping[str, Sequence[str]] = {"asks": ("free", "always"), "hints": ("yes", "no")}

MOST_PLANS = 1_000_000
LEAST_STEP, MOST_STEP = 0.1, 60.0


def scenario_of(path: str, options: Mapping[str, str]) -> Scenario:
    """The scenario of an id's path and options.

    Those of the text game mean what they mean there. ``plan=drawn`` is the level's own plan, ``plan=7`` one
    made from this seed; ``step=2.0``: seconds that a step of the text game lasts; ``seconds=180``: how long
    play takes; ``asks=always``: every seat is asked in every tick. Raises ``UnknownName`` or ``Refused``.
    """
    if not path:
        raise Refused(f"{NAME}: name a level, such as {NAME}/level_3@tau=1.5, or a suite")
    if path not in levels():
        raise UnknownName("level", path, [*levels(), *suites()], NAME)
    values = Options(NAME, options, DEFAULTS, CHOICES)
    values.whole("bodies", 1, MOST_BODIES)
    try:
        kitchen = kitchen_of(path, {key: values[key] for key in DEFAULTS if key not in OWN})
    except Refused as error:
        raise Refused(str(error).replace("cuisineworld", NAME)) from error
    step_ticks = _step_ticks(values["step"])
    # The very value that scenarios have by default, so that equal ones are written alike.
    clock = USUAL_CLOCK if step_ticks == USUAL_CLOCK.step_ticks else Clock(step_ticks=step_ticks)
    seconds = values.whole_unless(USUAL, "seconds", 1, MOST_STEPS * clock.step_ticks // TICKS_A_SECOND)
    if seconds is not None:
        kitchen = replace(kitchen, steps=max(1, seconds * TICKS_A_SECOND // clock.step_ticks))
    asks = cast(Asks, values["asks"])
    seed = values.whole_unless(DRAWN, "plan", 0, MOST_PLANS)
    if seed is None:
        plan = drawn_plans()[path]
        if (most := "".join(plan).count(FLOOR) // 2) < kitchen.bodies:
            raise Refused(
                f"{NAME}: the drawn plan of {path} has room for {most} bodies, not {kitchen.bodies}; "
                "plan=0 makes one with more"
            )
    else:
        plan = made_plan(Kitchen(kitchen, TEXT_RULES), LETTERS, kitchen.bodies, seed)
    return Scenario(kitchen, plan, clock=clock, asks=asks)


def _step_ticks(value: str) -> int:
    """The ticks of a step that is told in seconds with one digit after the point."""
    ticks = int(value.replace(".", "")) if value.replace(".", "").isascii() and _is_tenths(value) else 0
    if not LEAST_STEP * TICKS_A_SECOND <= ticks <= MOST_STEP * TICKS_A_SECOND:
        raise Refused(
            f"{NAME}: option 'step' is a number of seconds from {LEAST_STEP} to {MOST_STEP} with one digit "
            f"after the point, such as 1.0 or 2.5, not {shorten(repr(value))}"
        )
    return ticks


def _is_tenths(value: str) -> bool:
    whole, point, tenth = value.partition(".")
    usual = whole.isdigit() and len(whole) < 4 and str(int(whole)) == whole if whole.isascii() else False
    return bool(usual and point and len(tenth) == 1 and tenth.isdigit())


@cache
def suites() -> Mapping[str, Sequence[str]]:
    """Those of the text game: the article's cells by class and level; a quick one."""
    quick = tuple(f"{members[0]}@tau=1.5" for members in list(classes().values())[:4])
    return {**kitchen_suites(), "quick": quick}


class ClockedKitchenCatalogue(Assembled[ClockedKitchen]):
    """The article's levels on floors drawn for them, with its numbers of bodies and paces of orders."""

    built = "backburner.worlds.clocked_kitchen"
    name = NAME
    world = ClockedKitchen
    scenario_type, rules_type, limits_type = Scenario, Rules, Limits
    rules = rule_set.PRESETS
    no_limits = rule_set.NO_LIMITS
    defaults = DEFAULTS
    said: Mapping[str, str] = {
        **{key: words for key, words in SAID.items() if key != "seats=each"},
        **{"seats=one": "one commands all", "asks=always": "by the clock", "tau": "pace {}"},
        **{"episode": "episode {}", "plan": "floor {}", "hints=no": "no hints"},
        **{"seconds": "{} seconds", "step": "steps of {} s"},
    }
    file_types = FILE_TYPES
    suites_of = staticmethod(suites)
    scenario_of = staticmethod(scenario_of)
    read_file = staticmethod(read_file)
    check_scenario = staticmethod(check_scenario)

    def called(self, path: str, scenario: Scenario) -> Called:
        """As the text game calls it."""
        return level_called(path, scenario.kitchen)

    def article_limits(self, id: str, scenario: Scenario, rules: Rules) -> Limits:
        """As long as the article's episodes: sixty steps of the text game."""
        return Limits(scenario.ticks)


catalogue = ClockedKitchenCatalogue()
