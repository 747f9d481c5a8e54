"""The published levels, the work in their dishes, and the pace of their orders; checks of levels.

How fast orders come and how long they wait follows from the work in a dish (article, Appendix E.4). The
article speaks of a best sequence of one agent, found by search, and of three steps for each edge; the
released program counts three for each node of the recipe's tree and searches nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct, field

from backburner.kernel.files import Place
from backburner.kernel.schedule import Activity, Problem, Resource
from backburner.worlds.cuisineworld.game.cookbook import Cookbook, Recipe

UNUSED = "unused"
"""The class of the level that the article does not evaluate."""

TAUS = (1.0, 1.5, 2.0, 2.5, 3.0)
"""The article's factors, from the most hurried to the most relaxed."""

BETA = 2.5
"""How many intervals a dish may wait."""

MIN_TAU, MAX_TAU = 0.1, 100.0
"""The factors that ids and files may name."""

MOST_PLACES, MOST_DISHES = 100, 100
"""Places and dishes that a level may have."""

SPACE = "the work in one dish, done by one body"

STEPS_PER_THING = 3
FACTOR = 0.3


class Level(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Dishes and kinds of location, both in the order of their file.

    The places of a kitchen are named kind and number, counted in this order: ``pot0``, ``pot1``.
    ``interval`` and ``lifetime``, in steps, and ``bodies`` stand in the released file; the article's
    runs set all three anew.
    """

    name: str
    dishes: tuple[str, ...]
    kitchen: tuple[str, ...]
    level_class: str = field(name="class", default="")
    bodies: int = 2
    interval: int = 5
    lifetime: int = 10


class _LevelFile(Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    classes: tuple[str, ...]
    levels: tuple[Level, ...]


@cache
def _level_file() -> _LevelFile:
    raw = files("backburner.worlds.cuisineworld").joinpath("data", "levels.json").read_bytes()
    return msgspec.json.decode(raw, type=_LevelFile)


@cache
def levels() -> dict[str, Level]:
    """The published levels by name, in the order of the file; level 6 was not evaluated."""
    return {level.name: level for level in _level_file().levels}


@cache
def classes() -> dict[str, tuple[str, ...]]:
    """The levels of each class, in the article's order; ``unused`` is none of the article's."""
    return {
        name: tuple(level.name for level in levels().values() if level.level_class == name)
        for name in _level_file().classes
    }


@cache
def evaluated() -> tuple[str, ...]:
    """The twelve levels of the article, class by class."""
    return tuple(level for name, members in classes().items() if name != UNUSED for level in members)


class Pace(Struct, frozen=True):
    """Steps from order to order, and how long an order of each dish of a level waits."""

    interval: int
    lifetimes: tuple[int, ...]


def pace_of(level: Level, tau: float | None, cookbook: Cookbook, beta: float = BETA) -> Pace:
    """The pace of a level's orders; where ``tau`` is ``None``, that of the level's file."""
    if tau is None:
        return Pace(level.interval, (level.lifetime,) * len(level.dishes))
    lifetimes = tuple(lifetime_steps(cookbook, dish, tau, beta) for dish in level.dishes)
    return Pace(interval_steps(cookbook, level.dishes, tau), lifetimes)


def work_steps(cookbook: Cookbook, dish: str) -> int:
    """Three steps for each different thing in the dish's tree, and those in which its tools are occupied.

    A salmon meatcake: three things (salmon, flour, itself) and 1 step in which the blender works, 10.
    """
    waits = sum(wait_steps(cookbook, recipe) for recipe in cookbook.closure([dish]))
    return STEPS_PER_THING * len(cookbook.things([dish])) + waits


def wait_steps(cookbook: Cookbook, recipe: Recipe) -> int:
    """Steps in which nobody can touch the tool after it was activated."""
    return max(0, cookbook.kind(recipe.tool).busy_steps - 1)


def interval_steps(cookbook: Cookbook, dishes: Iterable[str], tau: float) -> int:
    """Steps from one order of a level to the next: those of its most laborious dish."""
    return max(math.ceil(_share(cookbook, dish, tau)) for dish in dishes)


def lifetime_steps(cookbook: Cookbook, dish: str, tau: float, beta: float = BETA) -> int:
    """Steps that an order of this dish waits."""
    return math.ceil(beta * _share(cookbook, dish, tau))


def _share(cookbook: Cookbook, dish: str, tau: float) -> float:
    # In this order: another one rounds some products to the next whole number.
    return (tau * work_steps(cookbook, dish)) * FACTOR


def dish_graph(cookbook: Cookbook, dish: str) -> Problem:
    """The task graph of a dish (article, Appendix D.3): each thing in its tree, and what it is made of.

    Activities bear the names of things, resources those of kinds of tool. Each thing takes three steps, to
    go, take and put, to which a body gives its attention, and a product also the steps in which its tool
    makes everybody wait. All durations together are ``work_steps``.
    """
    tools = dict.fromkeys(recipe.tool for recipe in cookbook.closure([dish]))
    resources = tuple(Resource(tool) for tool in tools)
    return Problem("steps", tuple(_activities(cookbook, dish)), resources, SPACE, complete=False)


def _activities(cookbook: Cookbook, dish: str) -> Iterator[Activity]:
    """Base ingredients first, then what is made of them."""
    needed = cookbook.things([dish])
    for name in cookbook.ingredients:
        if name in needed:
            yield Activity(name, STEPS_PER_THING, STEPS_PER_THING)
    for recipe in cookbook.closure([dish]):
        duration = STEPS_PER_THING + wait_steps(cookbook, recipe)
        yield Activity(recipe.product, duration, STEPS_PER_THING, recipe.inputs, (recipe.tool,))


def check_level(level: Level, book: Cookbook, place: Place, *, tools: bool = True) -> None:
    """Raises ``BadFile`` naming entry and field for the first thing that is wrong.

    ``tools``: whether a kitchen has to have all tools that its dishes need; published level 12 has not.
    """
    for name, most in (("kitchen", MOST_PLACES), ("dishes", MOST_DISHES)):
        if (count := len(getattr(level, name))) > most:
            raise place.field(name).wrong(f"{count} are too many; {most} are the most")
    _check_kitchen(level, book, place)
    if not level.dishes:
        raise place.field("dishes").wrong("a level needs at least one dish")
    for index, dish in enumerate(level.dishes):
        here = place.entry("dishes", index, dish)
        if dish in book.ingredients:
            raise here.wrong(f"{dish} is a base ingredient; a dish is something that is made")
        if dish not in book.by_product:
            raise here.unknown("dish", dish, book.by_product)
        if dish in level.dishes[:index]:
            raise here.wrong("this dish stands here twice")
        if tools:
            _check_tools(dish, level, book, here)


def _check_kitchen(level: Level, book: Cookbook, place: Place) -> None:
    kinds = {kind.name: kind for kind in book.all_kinds}
    for index, name in enumerate(level.kitchen):
        if name not in kinds:
            raise place.entry("kitchen", index, name).unknown("kind of location", name, kinds)
    needed = {"ingredients": "a storage, which gives the ingredients", "nothing": "a serving table"}
    for gives, what in needed.items():
        if not any(kinds[name].gives == gives for name in level.kitchen):
            named = " or ".join(kind.name for kind in kinds.values() if kind.gives == gives)
            raise place.field("kitchen").wrong(f"there is not {what} ({named or 'no kind is one'})")


def _check_tools(dish: str, level: Level, book: Cookbook, here: Place) -> None:
    for recipe in book.closure([dish]):
        if recipe.tool not in level.kitchen:
            for_it = "" if recipe.product == dish else f" for {recipe.product}"
            raise here.wrong(f"{dish} needs a {recipe.tool}{for_it}, and there is none in the kitchen")
