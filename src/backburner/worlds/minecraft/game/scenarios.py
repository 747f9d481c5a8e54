"""Minecraft's scenarios as values: a farm, who plays its bodies, and at what pace orders come.

The release has one pace, an order every ten steps. The article's table has five, and computes intervals from
the task graph of what is ordered (Appendix E.4): three steps for each thing in it, to go, take and put, and
those in which its tool works; then 0.3 τ times that. A cooked meat takes raw meat, a log, and itself, nine
steps, and its furnace works for 200 ticks, as long as two steps: 11 steps. With τ = 3.0 an order then comes
every ⌈0.3 · 3.0 · 11⌉ = 10 steps, as in the release.

Beside the published levels there are farms made from seeds, on which everything can be reached and cooked.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Annotated, Any

from msgspec import Meta, Struct

from backburner.kernel.checks import ONE_LINE, refers_to, unique
from backburner.kernel.contract import World
from backburner.kernel.files import shipped
from backburner.kernel.schedule import Activity, Problem, Resource
from backburner.kernel.values import Seat
from backburner.worlds.dispatch.seating import Groups, Seating
from backburner.worlds.minecraft.game.physics import (
    CHEST,
    DISHES,
    FURNACE,
    MEAT_OF,
    OAK_LOG,
    RAW,
    SMELTING_TICKS,
    TICKS_A_SECOND,
    Cell,
    squared,
)

STEP_TICKS = 100
"""What a step stands for where orders run by ticks: most steps last 80 to 150."""

TAUS = (1.0, 1.5, 2.0, 2.5, 3.0)
"""The factors of the article's five intervals, from the most hurried to the most relaxed."""

RELEASED_INTERVAL = 10
WAITS = 1.5
"""How many intervals an order waits."""

MIN_TAU, MAX_TAU = 0.1, 100.0

STEPS_PER_THING = 3
FACTOR = 0.3
SPACE = "the work in one dish, done by one body"


LARGEST = 1_000_000

FARTHEST = 100_000
"""How far from the middle anything may stand."""

Tau = Annotated[float, Meta(ge=MIN_TAU, le=MAX_TAU)]
Count = Annotated[int, Meta(ge=1, le=LARGEST)]
Seed = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Steps = Annotated[int, Meta(ge=1, le=100_000)]
Number = Annotated[int, Meta(ge=-FARTHEST, le=FARTHEST)]
Spot = tuple[Number, Number]
"""A cell that a file names."""

Dishes = Annotated[tuple[Annotated[str, refers_to("dish", RAW.keys)], ...], unique()]


class Site(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A mob or a block, and where it stands."""

    kind: str
    at: Spot


Sites = Annotated[tuple[Site, ...], Meta(max_length=200)]


class Level(Struct, frozen=True, forbid_unknown_fields=True):
    """Where everything stands, and where bodies begin."""

    name: str
    dishes: tuple[str, ...]
    blocks: tuple[Site, ...]
    mobs: tuple[Site, ...]
    spawns: tuple[Cell, ...]


class _LevelFile(Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    levels: tuple[Level, ...]


@cache
def levels() -> dict[str, Level]:
    """The published levels by name."""
    file = shipped("backburner.worlds.minecraft", "levels", _LevelFile)
    return {level.name: level for level in file.levels}


class Pace(Struct, frozen=True):
    """Steps from order to order, and how many an order waits."""

    interval: int
    lifetime: int


def pace_of(dishes: Iterable[str], tau: float | None) -> Pace:
    """The pace of the orders for these dishes; without ``tau`` that of the release."""
    if tau is None:
        return paced(RELEASED_INTERVAL)
    # In this order, as CuisineWorld's levels have it: another one rounds some products differently.
    return paced(max(math.ceil((tau * work_steps(dish)) * FACTOR) for dish in dishes))


def paced(interval: int) -> Pace:
    """An interval, and the lifetime that goes with it."""
    return Pace(interval, int(WAITS * interval))


def work_steps(dish: str) -> int:
    """Three steps for each thing in a dish's task graph, and those in which the furnace works for it."""
    return STEPS_PER_THING * len(things_of(dish)) + smelting_steps()


def smelting_steps() -> int:
    """The steps for which a furnace works on an item."""
    return -(-SMELTING_TICKS // STEP_TICKS)


def things_of(dish: str) -> tuple[str, ...]:
    """What a dish is made of, and the dish."""
    return RAW[dish], OAK_LOG, dish


def dish_graph(dish: str) -> Problem:
    """The task graph of a dish (article, Figure 24): raw meat and fuel, the furnace, the chest.

    In seconds of steps as orders count them: all durations together are ``work_steps``.
    """
    step = STEP_TICKS // TICKS_A_SECOND
    hands = STEPS_PER_THING * step
    raw, fuel, _ = things_of(dish)
    cooked = Activity(dish, hands + smelting_steps() * step, hands, (raw, fuel), (FURNACE,))
    activities = (Activity(raw, hands, hands), Activity(fuel, hands, hands), cooked)
    return Problem("seconds", activities, (Resource(FURNACE),), SPACE, complete=False)


SIDE = 33
"""Blocks of a farm's side: from any corner one sees to the other, 46 blocks away."""

APART = 3
"""Blocks between things, so that one can stand beside each."""

FEWEST_DISHES, MOST_LOGS = 2, 3
MOBS_BESIDE = (2, 8)
"""The least and the greatest number of mobs beside one for each dish."""

MOST_SEEDS = 1_000_000
SPAWNS = 2


def farm(seed: int) -> Level:
    """The farm of a seed: two dishes or more, a mob for each and some beside, one to three logs.

    A farm is the same wherever it is made.
    """
    draw = random.Random(f"farm {seed}")
    dishes = tuple(sorted(draw.sample(DISHES, draw.randint(FEWEST_DISHES, len(DISHES)))))
    needed = [MEAT_OF[RAW[dish]] for dish in dishes]
    kinds = [*needed, *draw.choices(sorted(MEAT_OF.values()), k=draw.randint(*MOBS_BESIDE))]
    blocks = [FURNACE, CHEST, *[OAK_LOG] * draw.randint(1, MOST_LOGS)]
    cells = list(_cells(draw, len(blocks) + len(kinds) + SPAWNS))
    return Level(
        f"farm_{seed}",
        dishes,
        tuple(map(Site, blocks, cells)),
        tuple(map(Site, kinds, cells[len(blocks) :])),
        tuple(cells[-SPAWNS:]),
    )


def _cells(draw: random.Random, count: int) -> Iterator[Cell]:
    """So many cells apart from each other."""
    found: list[Cell] = []
    while len(found) < count:
        cell = (draw.randrange(SIDE), draw.randrange(SIDE))
        if all(squared(cell, other) >= APART * APART for other in found):
            found.append(cell)
            yield cell


STEPS = 60
"""An episode of the release."""

RELEASED_SEED = 123

BOTS = ("alex", "steve", "ari", "efe", "kai", "makena", "noor", "sunny")
"""Bodies by number: the article's two, and more of the game's own names."""

MOST_BODIES = len(BOTS)

INSTRUCTOR: Seat = "instructor"
SERVER: Seat = "server"


Bodies = Annotated[int, Meta(ge=1, le=MOST_BODIES)]


class Scenario(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One episode's farm, bodies and orders.

    - ``blocks``, ``mobs``: what stands where; ``spawns``: where the bodies begin
    - ``interval``: steps from order to order; ``lifetime``: steps that an order waits
    - ``groups``: the bodies of each seat; none if one dispatcher commands all
    - ``seed``: of the stream of orders, and of what mobs drop; ``None`` for the seed of play
    - ``hints``: whether the briefing has the article's knowledge of the game (Appendix F.1)
    - ``instructor``: whether a seat without bodies tells the others in words what to do, before they decide
    - ``live``: whether a seat without bodies then reports what was seen of each step on a server
    """

    level: Annotated[str, ONE_LINE, Meta(max_length=100)]
    dishes: Annotated[Dishes, Meta(min_length=1)]
    blocks: Sites
    mobs: Sites
    spawns: tuple[Spot, ...]
    interval: Count
    lifetime: Count
    groups: Groups = ()
    tau: Tau | None = None
    seed: Seed | None = RELEASED_SEED
    steps: Steps = STEPS
    hints: bool = True
    instructor: bool = False
    live: bool = False

    @property
    def bodies(self) -> int:
        """How many there are."""
        return len(self.spawns)

    @property
    def sites(self) -> tuple[Site, ...]:
        """Blocks, then mobs: what states mean by numbers."""
        return (*self.blocks, *self.mobs)


def spawns_of(given: tuple[Cell, ...], bodies: int) -> tuple[Cell, ...]:
    """Where so many bodies begin: as given, further ones a block to the east of one that is given."""
    return tuple(
        (given[body % len(given)][0] + body // len(given), given[body % len(given)][1])
        for body in range(bodies)
    )


def seating_of(scenario: Scenario) -> Seating:
    """Who plays the bodies of a scenario; the instructor decides before them, the server after them."""
    first = (INSTRUCTOR,) if scenario.instructor else ()
    last = (SERVER,) if scenario.live else ()
    return Seating(BOTS[: scenario.bodies], scenario.groups, first=first, last=last)


def parts(world: World[Any, Any, Any]) -> list[str]:
    """What a world's scenario is built of: the dishes that may be ordered."""
    return [f"dish {dish}" for dish in world.scenario.dishes]
