"""Whether a scenario can be played: the same checks for users' files and strangers' records."""

from __future__ import annotations

from collections.abc import Mapping

from backburner.kernel.files import Place, check
from backburner.worlds.clocked_kitchen.game.floor import FLOOR, WALL, check_plan
from backburner.worlds.clocked_kitchen.game.rule_set import TEXT_RULES
from backburner.worlds.clocked_kitchen.game.scenarios import MOST_BODIES, Scenario
from backburner.worlds.cuisineworld.game.compiled import Compiled as Kitchen
from backburner.worlds.cuisineworld.game.scenario_checks import check_scenario as check_kitchen
from backburner.worlds.cuisineworld.game.scenarios import Scenario as TextScenario

MOST_STEPS = 36_000
MOST_OPEN = 100

LEFT_OUT: Mapping[str, object] = {
    "table_room": None,
    "spoil_steps": None,
    "hidden_orders": False,
    "feedback": "errors",
    "coupled": False,
    "head_chef": False,
    "in_turn": False,
}
"""What the text game can vary and the clocked kitchen cannot, with the only value that it may have."""


def check_scenario(scenario: Scenario, place: Place, kitchen_place: Place | None = None) -> None:
    """Raises ``BadFile`` naming ``place`` and field for the first thing with which it cannot be played.

    ``kitchen_place``: where the kitchen's fields stand, if not in a field of that name.
    """
    kitchen, here = scenario.kitchen, kitchen_place or place.at("kitchen")
    check_kitchen(kitchen, here)
    check_variants(kitchen, here)
    check(scenario.clock, place.at("clock"))
    check_letters(scenario.letters, place.field("letters"))
    compiled = Kitchen(kitchen, TEXT_RULES)
    check_plan(scenario.plan, scenario.legend, compiled, kitchen.bodies, place.field("plan"))


def check_variants(kitchen: TextScenario, here: Place) -> None:
    """Raises ``BadFile`` for what the text game has and the clocked kitchen has not, or not so much of."""
    for name, only in LEFT_OUT.items():
        if getattr(kitchen, name) != only:
            raise here.field(name).wrong("the clocked kitchen does not have this variant")
    for name, value, most in (
        ("bodies", kitchen.bodies, MOST_BODIES),
        ("steps", kitchen.steps, MOST_STEPS),
        ("most_open", kitchen.most_open, MOST_OPEN),
    ):
        if value > most:
            raise here.field(name).wrong(f"is {value}; it is at most {most}")


def check_letters(letters: tuple[tuple[str, str], ...], place: Place) -> None:
    """Raises ``BadFile`` for a letter that is none, or that stands for two kinds."""
    seen: set[str] = set()
    for letter, _ in letters:
        if len(letter) != 1 or not letter.isprintable() or letter in (FLOOR, WALL, " "):
            raise place.wrong(f"{letter[:20]!r} is no letter for a plan")
        if letter in seen:
            raise place.wrong(f"{letter!r} stands for two kinds")
        seen.add(letter)
