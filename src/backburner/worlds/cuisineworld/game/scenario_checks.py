"""Whether a scenario can be played: the same checks for users' files and strangers' records, sizes first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backburner.kernel.errors import shorten
from backburner.kernel.files import Place
from backburner.kernel.values import Refusal
from backburner.worlds.cuisineworld.game.cookbook import Cookbook, check_cookbook
from backburner.worlds.cuisineworld.game.scenarios import (
    MAX_TAU,
    MIN_TAU,
    MOST_BODIES,
    MOST_DRAWN,
    Before,
    Level,
    Scenario,
    check_level,
)
from backburner.worlds.dispatch.seating import misfit

LARGEST = 1_000_000_000
"""The greatest value of numbers that are only counted down from."""

RANGES: Mapping[str, tuple[int, int]] = {
    "bodies": (1, MOST_BODIES),
    "interval": (1, LARGEST),
    "seed": (-(2**63), 2**63),
    "episode": (0, LARGEST),
    "drawn": (0, MOST_DRAWN),
    "steps": (1, 100_000),
    "most_open": (1, 1000),
    "table_room": (0, LARGEST),
    "spoil_steps": (1, LARGEST),
}
"""The least and the greatest value of each number, where one is given."""

MOST_CHOICES = 30_000
"""Commands that the menus of a kitchen may be made of: bodies times what one of them may do."""

MOST_ERRORS = 2000
"""Refusals that an episode may take over; so many are never told to 64 bodies."""

MOST_FACTS = 20
"""Facts that a refusal holds; none of ours has more than a few."""

LONGEST_TEXT = 300
"""Characters of a text that a refusal holds."""


def check_scenario(scenario: Scenario, place: Place) -> None:
    """Raises ``BadFile`` naming ``place`` and field for the first thing with which it cannot be played."""
    check_numbers(scenario, place)
    for name in ("level", "level_class"):
        here = place.field(name)
        here.one_line(getattr(scenario, name))
        _check_length(getattr(scenario, name), here)
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
    for lifetime in scenario.lifetimes:
        _check_range(lifetime, 1, LARGEST, place.field("lifetimes"))
    if scenario.before is not None:
        _check_before(scenario.before, place.at("before"))
    elif scenario.first_draw > MOST_DRAWN:
        raise place.field("episode").wrong(
            f"begins after {scenario.first_draw} orders of the stream; at most {MOST_DRAWN} are drawn before"
        )


def check_numbers(written: Any, place: Place) -> None:
    """Raises ``BadFile`` for a number of a scenario or of its file that is too small or too great."""
    for name, (least, most) in RANGES.items():
        value = getattr(written, name, None)
        if value is not None:
            _check_range(value, least, most, place.field(name))
    for name in ("tau", "beta"):
        value = getattr(written, name, None)
        if value is not None and not MIN_TAU <= value <= MAX_TAU:
            raise place.field(name).wrong(f"is {value}; it is from {MIN_TAU} to {MAX_TAU}")


def _check_range(value: int, least: int, most: int, here: Place) -> None:
    if value < least:
        raise here.wrong(f"is {_told(value)}; it is at least {least}")
    if value > most:
        raise here.wrong(f"is {_told(value)}; it is at most {most}")


def _told(value: int) -> str:
    """A number, as far as it can be written on a line."""
    return str(value) if value.bit_length() < 100 else f"a number of {value.bit_length()} bits"


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


def _check_before(before: Before, place: Place) -> None:
    _check_range(before.drawn, *RANGES["drawn"], place.field("drawn"))
    if len(before.refusals) > MOST_ERRORS:
        raise place.field("refusals").wrong(f"{len(before.refusals)}; {MOST_ERRORS} are the most")
    for index, refusal in enumerate(before.refusals):
        _check_refusal(refusal, place.entry("refusals", index, refusal.code))


def _check_refusal(refusal: Refusal, here: Place) -> None:
    if len(refusal.detail) > MOST_FACTS:
        raise here.field("detail").wrong(f"{len(refusal.detail)} facts; {MOST_FACTS} are the most")
    texts = [refusal.code, refusal.seat]
    for name, value in refusal.detail:
        texts.append(name)
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, int):
            _check_range(value, -LARGEST, LARGEST, here.field("detail"))
        elif value is not None:
            raise here.field("detail").wrong("no fact of this world is a list")
    for text in texts:
        here.one_line(text)
        _check_length(text, here)


def _check_length(text: str, here: Place) -> None:
    if len(text) > LONGEST_TEXT:
        raise here.wrong(f"{shorten(text)!r} has {len(text)} characters; {LONGEST_TEXT} are the most")
