"""Whether a scenario can be played: the same checks for users' files and strangers' records, sizes first."""

from __future__ import annotations

from backburner.kernel.errors import shorten
from backburner.kernel.files import Place, check
from backburner.kernel.values import Refusal
from backburner.worlds.cuisineworld.game.cookbook import Cookbook, check_cookbook
from backburner.worlds.cuisineworld.game.scenarios import (
    LARGEST,
    MOST_DRAWN,
    Level,
    Scenario,
    check_level,
)
from backburner.worlds.dispatch.seating import misfit

MOST_CHOICES = 30_000
"""Commands that the menus of a kitchen may be made of: bodies times what one of them may do."""

MOST_FACTS = 20
"""Facts that a refusal holds; none of ours has more than a few."""

LONGEST_TEXT = 300
"""Characters of a text that a refusal holds."""


def check_scenario(scenario: Scenario, place: Place) -> None:
    """Raises ``BadFile`` naming ``place`` and field for the first thing with which it cannot be played."""
    check(scenario, place)
    if scenario.cookbook is not None:
        check_cookbook(scenario.cookbook, place.at("cookbook"))
    level = Level(scenario.level, scenario.dishes, scenario.kitchen)
    check_level(level, scenario.book, place, tools=False)
    check_menus(scenario.bodies, scenario.dishes, scenario.kitchen, scenario.book, place)
    if why := misfit(scenario.groups, scenario.bodies):
        raise place.field("groups").wrong(why)
    if len(scenario.lifetimes) != len(scenario.dishes):
        given = f"{len(scenario.lifetimes)} for {len(scenario.dishes)} dishes"
        raise place.field("lifetimes").wrong(f"there are {given}; each dish has one")
    if scenario.before is not None:
        for here, refusal in place.at("before").entries("refusals", scenario.before.refusals):
            _check_refusal(refusal, here)
    elif scenario.first_draw > MOST_DRAWN:
        raise place.field("episode").wrong(
            f"begins after {scenario.first_draw} orders of the stream; at most {MOST_DRAWN} are drawn before"
        )


def check_menus(
    bodies: int, dishes: tuple[str, ...], kitchen: tuple[str, ...], book: Cookbook, place: Place
) -> None:
    """Raises ``BadFile`` where bodies, places and ingredients together are too many.

    Every place may be gone to, taken from, put into and started, and each storage gives each ingredient.
    """
    ingredients = book.things(dishes).intersection(book.ingredients)
    storages = sum(book.kind(name).gives == "ingredients" for name in kitchen)
    choices = bodies * (4 * len(kitchen) + storages * len(ingredients))
    if choices > MOST_CHOICES:
        raise place.field("bodies").wrong(
            f"{bodies} bodies have {choices} commands in this kitchen; {MOST_CHOICES} are the most"
        )


def _check_refusal(refusal: Refusal, here: Place) -> None:
    if len(refusal.detail) > MOST_FACTS:
        raise here.field("detail").wrong(f"{len(refusal.detail)} facts; {MOST_FACTS} are the most")
    texts = [refusal.code, refusal.seat]
    for name, value in refusal.detail:
        texts.append(name)
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, int):
            if abs(value) > LARGEST:
                raise here.field("detail").wrong(f"a number is from {-LARGEST} to {LARGEST}")
        elif value is not None:
            raise here.field("detail").wrong("no fact of this world is a list")
    for text in texts:
        here.one_line(text)
        if len(text) > LONGEST_TEXT:
            raise here.wrong(f"{shorten(text)!r} has {len(text)} characters; {LONGEST_TEXT} are the most")
