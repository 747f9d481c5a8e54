"""A user's level file: dishes and a kitchen, a published level, or one of a released file.

{"world": "cuisineworld", "id": "lunch", "dishes": ["lettuceSalad"],
 "kitchen": ["storage", "servingtable", "chopboard", "mixer"], "bodies": 3, "tau": 1.5}
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.files import read_json
from backburner.kernel.places import Place, converted, fields_of
from backburner.worlds.cuisineworld.game.book_checks import check_cookbook
from backburner.worlds.cuisineworld.game.cookbook import NAMED_BY, Cookbook, Kind, Recipe, shipped_cookbook
from backburner.worlds.cuisineworld.game.instances import MAX_TAU, MIN_TAU, MOST_BODIES
from backburner.worlds.cuisineworld.game.level_checks import check_level
from backburner.worlds.cuisineworld.game.levels import Level, levels
from backburner.worlds.cuisineworld.game.pace import BETA, Pace, pace_of
from backburner.worlds.cuisineworld.game.released_files import ReleasedLevel, read_released_level
from backburner.worlds.cuisineworld.game.scenarios import MOST_OPEN, STEPS, Feedback, Groups, Scenario
from backburner.worlds.cuisineworld.game.seats import misfit


class ScenarioFile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A level: ``dishes`` and ``kitchen`` (kinds of location in order), or the name of a published
    ``level``, or a ``released`` one. A level that is named may be given another ``kitchen``.

    Orders come at the pace of ``tau`` and ``beta``, or every ``interval`` steps, each waiting as long as
    ``lifetimes`` says. ``bodies``: 2, or as many as a released level says. ``seats``: the bodies of each
    seat; none, one dispatcher for all. ``seed``: of the orders, ``null`` for that of play. ``cookbook``:
    recipes of your own, written out or the path of a file.
    """

    world: str
    id: str
    dishes: tuple[str, ...] = ()
    kitchen: tuple[str, ...] = ()
    level: str = ""
    released: ReleasedLevel | None = None
    cookbook: str | Cookbook = ""
    bodies: int | None = None
    seats: Groups = ()
    tau: float | None = None
    beta: float = BETA
    interval: int | None = None
    lifetimes: dict[str, int] = {}
    seed: int | None = 0
    episode: int = 0
    steps: int = STEPS
    most_open: int = MOST_OPEN
    table_room: int | None = None
    spoil_steps: int | None = None
    hidden_orders: bool = False
    feedback: Feedback = "errors"
    hints: bool = True


FIELDS = fields_of(ScenarioFile, ReleasedLevel, Cookbook, Kind, Recipe)

BODIES = 2
"""How many there are if neither the file nor a released level says so."""

LEAST: Mapping[str, int] = {
    "bodies": 1,
    "interval": 1,
    "episode": 0,
    "steps": 1,
    "most_open": 1,
    "table_room": 0,
    "spoil_steps": 1,
}
"""The least value of each number."""


def read_file(raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
    """(path, scenario) of a user's level file; raises ``BadFile`` naming file, entry and field.

    Files that it names are looked for from its own folder.
    """
    place = Place(source)
    found = converted(raw, ScenarioFile, place, FIELDS, NAMED_BY)
    if not re.fullmatch(r"[A-Za-z0-9_.+-]+", found.id):
        raise place.field("id").wrong("use letters, digits and _ . + - only")
    _check_numbers(found, place)
    book, level = _book_and_level(found, place)
    check_level(level, book, place)
    pace = _pace(found, level, book, place)
    bodies = _bodies(found, level, place)
    return found.id, Scenario(
        level.name,
        level.dishes,
        level.kitchen,
        pace.interval,
        pace.lifetimes,
        bodies,
        found.seats,
        level.level_class,
        found.tau if found.interval is None else None,
        found.seed,
        found.episode,
        found.steps,
        found.most_open,
        found.table_room,
        found.spoil_steps,
        found.hidden_orders,
        found.feedback,
        found.hints,
        None if book == shipped_cookbook() else book,
    )


def _check_numbers(found: ScenarioFile, place: Place) -> None:
    for name, least in LEAST.items():
        value = getattr(found, name)
        if value is not None and value < least:
            raise place.field(name).wrong(f"is {value}; it is at least {least}")
    for name in ("tau", "beta"):
        value = getattr(found, name)
        if value is not None and not MIN_TAU <= value <= MAX_TAU:
            raise place.field(name).wrong(f"is {value}; it is from {MIN_TAU} to {MAX_TAU}")


def _bodies(found: ScenarioFile, level: Level, place: Place) -> int:
    """How many there are; their seats are checked."""
    usual = level.bodies if found.released else BODIES
    bodies = usual if found.bodies is None else found.bodies
    if bodies > MOST_BODIES:
        raise place.field("bodies").wrong(f"is {bodies}; it is at most {MOST_BODIES}")
    if why := misfit(found.seats, bodies):
        raise place.field("seats").wrong(why)
    return bodies


def _book_and_level(found: ScenarioFile, place: Place) -> tuple[Cookbook, Level]:
    """The recipes in force and the level, which is not checked yet."""
    book = _book(found, place)
    given = [name for name in ("dishes", "level", "released") if getattr(found, name)]
    if len(given) != 1:
        raise place.wrong("give one of dishes (with a kitchen), level, and released")
    if found.dishes:
        return book, Level(found.id, found.dishes, found.kitchen)
    book, level = _named_level(found, book, place)
    # A level may be given another kitchen, such as one with the tool that it lacks.
    return book, replace(level, kitchen=found.kitchen) if found.kitchen else level


def _named_level(found: ScenarioFile, book: Cookbook, place: Place) -> tuple[Cookbook, Level]:
    if found.released is not None:
        return read_released_level(found.released, book, place)
    if found.level not in levels():
        raise place.field("level").unknown("level", found.level, levels())
    return book, levels()[found.level]


def _book(found: ScenarioFile, place: Place) -> Cookbook:
    if not found.cookbook:
        return shipped_cookbook()
    if isinstance(found.cookbook, Cookbook):
        check_cookbook(found.cookbook, place.at("cookbook"))
        return found.cookbook
    file = Path(place.file).parent / found.cookbook
    here = Place(str(file))
    book = converted(read_json(file), Cookbook, here, FIELDS, NAMED_BY)
    check_cookbook(book, here)
    return book


def _pace(found: ScenarioFile, level: Level, book: Cookbook, place: Place) -> Pace:
    """The pace that the file gives, or else that of a released level's own file."""
    if found.interval is not None:
        if found.tau is not None:
            raise place.field("interval").wrong("give tau, or interval and lifetimes, not both")
        for dish, lifetime in found.lifetimes.items():
            if dish not in level.dishes:
                raise place.field("lifetimes").unknown("dish", dish, level.dishes)
            if lifetime < 1:
                raise place.field("lifetimes").wrong(f"{dish}: {lifetime}; it is at least 1")
        missing = [dish for dish in level.dishes if dish not in found.lifetimes]
        if missing:
            raise place.field("lifetimes").wrong(f"says nothing about {missing[0]}")
        return Pace(found.interval, tuple(found.lifetimes[dish] for dish in level.dishes))
    if found.lifetimes:
        raise place.field("lifetimes").wrong("goes with an interval")
    if found.tau is None and found.released is None:
        raise place.field("tau").wrong("give tau, or interval and lifetimes")
    return pace_of(level, found.tau, book, found.beta)
