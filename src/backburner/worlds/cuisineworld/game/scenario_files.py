"""A user's level file: dishes and a kitchen, a published level, or one of a released file.

{"world": "cuisineworld", "id": "lunch", "dishes": ["lettuceSalad"],
 "kitchen": ["storage", "servingtable", "chopboard", "mixer"], "bodies": 3, "tau": 1.5}

The released program's files are read as well. A recipe file maps each product to ``ingredients`` and
``location``. A level file maps each level to its ``task_list`` (with a ``task_lifetime`` for each dish),
``kitchen``, ``task_interval`` and ``num_agents``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.checks import FileId
from backburner.kernel.errors import shorten
from backburner.kernel.files import Place, converted, read_json
from backburner.worlds.cuisineworld.game.cookbook import (
    Cookbook,
    Recipe,
    check_cookbook,
    shipped_cookbook,
)
from backburner.worlds.cuisineworld.game.scenario_checks import check_menus, check_scenario
from backburner.worlds.cuisineworld.game.scenarios import (
    BETA,
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
    scenario = Scenario(
        level=level.name,
        dishes=level.dishes,
        kitchen=level.kitchen,
        interval=pace.interval,
        lifetimes=pace.lifetimes,
        bodies=bodies,
        groups=written.seats,
        level_class=level.level_class,
        tau=written.tau if written.interval is None else None,
        seed=written.seed,
        episode=written.episode,
        steps=written.steps,
        most_open=written.most_open,
        table_room=written.table_room,
        spoil_steps=written.spoil_steps,
        hidden_orders=written.hidden_orders,
        feedback=written.feedback,
        hints=written.hints,
        cookbook=None if book == shipped_cookbook() else book,
        before=None if written.drawn is None else Before(written.drawn),
        head_chef=written.head_chef,
        in_turn=written.in_turn,
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


class _ReleasedTask(Struct, forbid_unknown_fields=True):
    ingredients: tuple[str, ...]
    location: str
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
