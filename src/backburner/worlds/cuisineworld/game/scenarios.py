"""CuisineWorld's scenarios as values: the published levels, who plays their bodies, at what pace orders come.

How fast orders come and how long they wait follows from the work in a dish (article, Appendix E.4). The
article speaks of a best sequence of one agent, found by search, and of three steps for each edge; the
released program counts three for each node of the recipe's tree and searches nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from backburner.kernel.checks import ONE_LINE, unique
from backburner.kernel.contract import World
from backburner.kernel.files import Place, check, shipped
from backburner.kernel.schedule import Activity, Problem, Resource
from backburner.kernel.titles import Called, plain
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.cuisineworld.game.cookbook import Cookbook, Recipe, shipped_cookbook
from backburner.worlds.dispatch.seating import Groups, Seating

UNUSED = "unused"
"""The class of the level that the article does not evaluate."""

TAUS = (1.0, 1.5, 2.0, 2.5, 3.0)
"""The article's factors, from the most hurried to the most relaxed."""

BETA = 2.5
"""How many intervals a dish may wait."""

MIN_TAU, MAX_TAU = 0.1, 100.0
"""The factors that ids and files may name."""

Tau = Annotated[float, Meta(ge=MIN_TAU, le=MAX_TAU)]

LARGEST = 1_000_000_000
"""The greatest value of numbers that are only counted down from."""

Count = Annotated[int, Meta(ge=1, le=LARGEST)]
FromNone = Annotated[int, Meta(ge=0, le=LARGEST)]
Seed = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Steps = Annotated[int, Meta(ge=1, le=100_000)]
MostOpen = Annotated[int, Meta(ge=1, le=1000)]
Line = Annotated[str, ONE_LINE, Meta(max_length=300)]

Dishes = Annotated[tuple[str, ...], Meta(max_length=100), unique()]
Kitchen = Annotated[tuple[str, ...], Meta(max_length=100)]
"""The kinds of its places."""

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
    dishes: Dishes
    kitchen: Kitchen
    level_class: str = field(name="class", default="")
    bodies: int = 2
    interval: int = 5
    lifetime: int = 10


class _LevelFile(Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    classes: tuple[str, ...]
    levels: tuple[Level, ...]


def _level_file() -> _LevelFile:
    return shipped("backburner.worlds.cuisineworld", "levels", _LevelFile)


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
    check(level, place)
    _check_kitchen(level, book, place)
    if not level.dishes:
        raise place.field("dishes").wrong("a level needs at least one dish")
    for here, dish in place.entries("dishes", level.dishes):
        if dish in book.ingredients:
            raise here.wrong(f"{dish} is a base ingredient; a dish is something that is made")
        if dish not in book.by_product:
            raise here.unknown("dish", dish, book.by_product)
        if tools:
            _check_tools(dish, level, book, here)


def _check_kitchen(level: Level, book: Cookbook, place: Place) -> None:
    kinds = {kind.name: kind for kind in book.all_kinds}
    for here, name in place.entries("kitchen", level.kitchen):
        if name not in kinds:
            raise here.unknown("kind of location", name, kinds)
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


STEPS = 60
"""An episode of the article."""

MOST_OPEN = 6
"""Orders that may be open before no more arrive."""

MOST_BODIES = 64
"""Bodies that ids and files may ask for."""

MOST_DRAWN = 100_000
"""Draws that may have been made from the stream of orders before an episode: a tenth of a second's work."""

FeedbackKind = Literal["errors", "full", "none"]
"""Refusals as released; also what was done (article, section 4.1); nothing."""

HEAD_CHEF: Seat = "head_chef"


MOST_ERRORS = 2000
"""Refusals that an episode may take over; so many are never told to 64 bodies."""

Bodies = Annotated[int, Meta(ge=1, le=MOST_BODIES)]
Drawn = Annotated[int, Meta(ge=0, le=MOST_DRAWN)]


class Before(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the episodes before this one left: how many orders they drew from the stream, and the errors of
    the last step, where every command was a noop that as well (``idle``)."""

    drawn: Drawn
    refusals: Annotated[tuple[Refusal, ...], Meta(max_length=MOST_ERRORS)] = ()
    idle: bool = False


class Scenario(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One episode's kitchen, bodies and orders.

    - ``interval``: steps from order to order; ``lifetimes``: steps that an order of each dish waits
    - ``groups``: the bodies of each seat; none if one dispatcher commands all
    - ``seed``: of the stream of orders, ``None`` for the seed of play; each ``episode`` begins in the
      stream where the one before it stopped: as ``before`` says, or else as if time had passed at every
      turn of those before it
    - ``coupled``: whether it is played after the ``episode`` before it, which tells what is ``before``
    - ``table_room``: spare dishes that may lie on serving tables, ``None`` for any number
    - ``spoil_steps``: steps after which a dish on a table spoils, ``None`` for never
    - ``hidden_orders``: whether orders are seen by bodies at a serving table only
    - ``feedback``: what seats are told of the last step; ``hints``: whether the briefing has the article's
      inference knowledge
    - ``cookbook``: recipes other than the released ones
    - ``head_chef``: whether a seat without bodies tells the others in words what to do, before they decide
    - ``in_turn``: whether the seats with bodies decide one after the other, in their order, each told the
      commands of those before it; otherwise all at once
    """

    level: Line
    dishes: Dishes
    kitchen: Kitchen
    interval: Count
    lifetimes: tuple[Count, ...]
    bodies: Bodies = 2
    groups: Groups = ()
    level_class: Line = ""
    tau: Tau | None = None
    seed: Seed | None = 0
    episode: FromNone = 0
    steps: Steps = STEPS
    most_open: MostOpen = MOST_OPEN
    table_room: FromNone | None = None
    spoil_steps: Count | None = None
    hidden_orders: bool = False
    feedback: FeedbackKind = "errors"
    hints: bool = True
    cookbook: Cookbook | None = None
    coupled: bool = False
    before: Before | None = None
    head_chef: bool = False
    in_turn: bool = False

    @property
    def book(self) -> Cookbook:
        """The recipes in force."""
        return shipped_cookbook() if self.cookbook is None else self.cookbook

    @property
    def orders_per_episode(self) -> int:
        """Orders that arrive in an episode in which the list never fills up."""
        return 1 + self.steps // self.interval

    @property
    def first_draw(self) -> int:
        """The draw of the stream, from 0, with which the episode begins."""
        return self.episode * self.orders_per_episode if self.before is None else self.before.drawn


def body_name(body: int) -> str:
    """``agent0``, ``agent1`` ..."""
    return f"agent{body}"


def seating_of(scenario: Scenario) -> Seating:
    """Who plays the bodies of a scenario, the head chef first if there is one."""
    names = [body_name(body) for body in range(scenario.bodies)]
    first = (HEAD_CHEF,) if scenario.head_chef else ()
    return Seating(names, scenario.groups, first=first, in_turn=scenario.in_turn)


def parts(world: World[Any, Any, Any]) -> list[str]:
    """What a world's scenario is built of: the dishes that may be ordered."""
    return [f"dish {dish}" for dish in world.scenario.dishes]


def level_called(path: str, scenario: Scenario) -> Called:
    """By the number of its level, where it is one that was published, and its dishes."""
    level = re.fullmatch(r"level_(\d+)", path)
    dishes = ", ".join(plain(dish) for dish in scenario.dishes)
    return Called((f"Kitchen {level[1]}: {dishes}" if level else dishes,))
