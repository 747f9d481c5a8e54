"""A user's level file: dishes and a kitchen, a published level, or one of a released file.

{"world": "cuisineworld", "id": "lunch", "dishes": ["lettuceSalad"],
 "kitchen": ["storage", "servingtable", "chopboard", "mixer"], "bodies": 3, "tau": 1.5}

The released program's files are read as well. A recipe file maps each product to ``ingredients`` and
``location``. A level file maps each level to its ``task_list`` (with a ``task_lifetime`` for each dish),
``kitchen``, ``task_interval`` and ``num_agents``.

Whether a scenario can be played is checked alike for users' files and strangers' records, sizes first.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.checks import FileId
from backburner.kernel.errors import shorten
from backburner.kernel.files import Place, check, converted, read_json
from backburner.kernel.values import Refusal, filled
from backburner.worlds.cuisineworld.game.cookbook import Cookbook, Recipe, check_cookbook, shipped_cookbook
from backburner.worlds.cuisineworld.game.scenarios import (
    BETA,
    LARGEST,
    MOST_DRAWN,
    MOST_OPEN,
    STEPS,
    Before,
    Bodies,
    Count,
    Dishes,
    Drawn,
    FeedbackKind,
    FromNone,
    Kitchen,
    Level,
    MostOpen,
    Pace,
    Scenario,
    Seed,
    Steps,
    Tau,
    check_level,
    levels,
    pace_of,
)
from backburner.worlds.dispatch.seating import Groups, misfit

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


T = TypeVar("T")


class ReleasedLevel(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A level of a released level file, and if need be the released recipe file that goes with it."""

    levels: str
    level: str
    recipes: str = ""


class ScenarioFile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A level: ``dishes`` and ``kitchen`` (kinds of location in order), or the name of a published
    ``level``, or a ``released`` one. A level that is named may be given another ``kitchen``.

    Orders come at the pace of ``tau`` and ``beta``, or every ``interval`` steps, each waiting as long as
    ``lifetimes`` says. ``bodies``: 2, or as many as a released level says. ``seats``: the bodies of each
    seat; none, one dispatcher for all. ``seed``: of the orders, ``null`` for that of play. ``drawn``: how
    many of them were drawn before. ``head_chef``, ``in_turn``: who decides before
    others, as in ``Scenario``. ``cookbook``: recipes of your own, written out or the path of a file.
    """

    world: str
    id: FileId
    dishes: Dishes = ()
    kitchen: Kitchen = ()
    level: str = ""
    released: ReleasedLevel | None = None
    cookbook: str | Cookbook = ""
    bodies: Bodies | None = None
    seats: Groups = ()
    tau: Tau | None = None
    beta: Tau = BETA
    interval: Count | None = None
    lifetimes: dict[str, Count] = {}
    seed: Seed | None = 0
    episode: FromNone = 0
    steps: Steps = STEPS
    most_open: MostOpen = MOST_OPEN
    table_room: FromNone | None = None
    spoil_steps: Count | None = None
    hidden_orders: bool = False
    feedback: FeedbackKind = "errors"
    hints: bool = True
    drawn: Drawn | None = None
    head_chef: bool = False
    in_turn: bool = False


FILE_TYPES: Mapping[str, Any] = {"cookbook": Cookbook, "scenario": ScenarioFile}
"""The files that users write, by the name of their schema."""


USUAL_BODIES = 2
"""How many there are if neither the file nor a released level says so."""


def read_file(raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
    """(path, scenario) of a user's level file; raises ``BadFile`` naming file, entry and field.

    Files that it names are looked for from its own folder.
    """
    place = Place(source)
    written = converted(raw, ScenarioFile, place)
    book, level = _book_and_level(written, place)
    check_level(level, book, place)
    pace = _pace(written, level, book, place)
    bodies = _bodies(written, level, place)
    check_menus(bodies, level.dishes, level.kitchen, book, place)
    scenario = filled(
        Scenario,
        *(pace, level, written),
        level=level.name,
        bodies=bodies,
        groups=written.seats,
        tau=written.tau if written.interval is None else None,
        cookbook=None if book == shipped_cookbook() else book,
        before=None if written.drawn is None else Before(written.drawn),
    )
    check_scenario(scenario, place)
    return written.id, scenario


def _bodies(written: ScenarioFile, level: Level, place: Place) -> int:
    """The number of bodies; whether their seats make sense is checked as well."""
    usual = level.bodies if written.released else USUAL_BODIES
    bodies = usual if written.bodies is None else written.bodies
    if why := misfit(written.seats, bodies):
        raise place.field("seats").wrong(why)
    return bodies


def _book_and_level(written: ScenarioFile, place: Place) -> tuple[Cookbook, Level]:
    """The recipes in force and the level, which is not checked yet."""
    book = _book(written, place)
    given = [name for name in ("dishes", "level", "released") if getattr(written, name)]
    if len(given) != 1:
        raise place.wrong("give one of dishes (with a kitchen), level, and released")
    if written.dishes:
        return book, Level(written.id, written.dishes, written.kitchen)
    book, level = _named_level(written, book, place)
    # A level may be given another kitchen, such as one with the tool that it lacks.
    return book, replace(level, kitchen=written.kitchen) if written.kitchen else level


def _named_level(written: ScenarioFile, book: Cookbook, place: Place) -> tuple[Cookbook, Level]:
    if written.released is not None:
        return read_released_level(written.released, book, place)
    if written.level not in levels():
        raise place.field("level").unknown("level", written.level, levels())
    return book, levels()[written.level]


def _book(written: ScenarioFile, place: Place) -> Cookbook:
    if not written.cookbook:
        return shipped_cookbook()
    if isinstance(written.cookbook, Cookbook):
        check_cookbook(written.cookbook, place.at("cookbook"))
        return written.cookbook
    file = Path(place.file).parent / written.cookbook
    here = Place(str(file))
    book = converted(read_json(file), Cookbook, here)
    check_cookbook(book, here)
    return book


def _pace(written: ScenarioFile, level: Level, book: Cookbook, place: Place) -> Pace:
    """The pace that the file gives, or else that of a released level's own file."""
    if written.interval is not None:
        if written.tau is not None:
            raise place.field("interval").wrong("give tau, or interval and lifetimes, not both")
        for dish in written.lifetimes:
            if dish not in level.dishes:
                raise place.field("lifetimes").unknown("dish", dish, level.dishes)
        missing = [dish for dish in level.dishes if dish not in written.lifetimes]
        if missing:
            raise place.field("lifetimes").wrong(f"says nothing about {missing[0]}")
        return Pace(written.interval, tuple(written.lifetimes[dish] for dish in level.dishes))
    if written.lifetimes:
        raise place.field("lifetimes").wrong("goes with an interval")
    if written.tau is None and written.released is None:
        raise place.field("tau").wrong("give tau, or interval and lifetimes")
    return pace_of(level, written.tau, book, written.beta)


class _ReleasedRecipe(Struct, forbid_unknown_fields=True):
    ingredients: tuple[str, ...]
    location: str


class _ReleasedTask(_ReleasedRecipe, forbid_unknown_fields=True):
    task_lifetime: Count


class _ReleasedLevel(Struct, forbid_unknown_fields=True):
    task_interval: Count
    task_list: dict[str, _ReleasedTask]
    kitchen: tuple[str, ...]
    num_agents: Count


def read_released_recipes(file: Path) -> Cookbook:
    """The checked recipes of a released file; what is made nowhere in it is a base ingredient.

    Those that we know come first, in our order. Raises ``BadFile``.
    """
    place = Place(str(file))
    entries = _entries(file, _ReleasedRecipe)
    recipes = tuple(Recipe(name, entry.location, entry.ingredients) for name, entry in entries.items())
    inputs = dict.fromkeys(thing for recipe in recipes for thing in recipe.inputs if thing not in entries)
    known = [name for name in shipped_cookbook().ingredients if name in inputs]
    ingredients = (*known, *(name for name in inputs if name not in known))
    book = Cookbook(ingredients, recipes, source=str(file.name))
    check_cookbook(book, place)
    return book


def read_released_levels(file: Path) -> dict[str, Level]:
    """The levels of a released file by name, not checked against recipes yet; raises ``BadFile``.

    An order is a dish on the serving table, and all orders of a level have one lifetime.
    """
    entries = _entries(file, _ReleasedLevel)
    return {name: _level(name, level, _entry(file, name)) for name, level in entries.items()}


def read_released_level(named: ReleasedLevel, book: Cookbook, place: Place) -> tuple[Cookbook, Level]:
    """The level that a file at ``place`` names, with the recipes that it names or else ``book``.

    Paths are meant from that file's folder. Raises ``BadFile``.
    """
    folder = Path(place.file).parent
    known = read_released_levels(folder / named.levels)
    if named.level not in known:
        raise place.at("released").field("level").unknown("level", named.level, known)
    if named.recipes:
        book = read_released_recipes(folder / named.recipes)
    return book, known[named.level]


def _entries(file: Path, type: type[T]) -> dict[str, T]:
    """The named entries of a file, which is one object."""
    raw = converted(read_json(file), dict[str, Any], Place(str(file)))
    return {name: converted(entry, type, _entry(file, name)) for name, entry in raw.items()}


def _entry(file: Path, name: str) -> Place:
    return Place(str(file), (repr(shorten(name)),))


def _level(name: str, level: _ReleasedLevel, place: Place) -> Level:
    for dish, task in level.task_list.items():
        here = place.at(f"task {dish!r}")
        if task.ingredients != (dish,):
            raise here.field("ingredients").wrong("an order asks for one thing, the dish itself")
        if task.location != "servingtable":
            raise here.field("location").wrong(f"is {task.location!r}; dishes go to the servingtable")
    lifetimes = {task.task_lifetime for task in level.task_list.values()}
    if len(lifetimes) != 1:
        raise place.field("task_list").wrong("there is one task_lifetime for all orders")
    return Level(
        name,
        tuple(level.task_list),
        level.kitchen,
        "",
        level.num_agents,
        level.task_interval,
        min(lifetimes),
    )
