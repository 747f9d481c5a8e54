"""The published levels, the work in a dish, and the pace of orders.

The release has one pace, an order every ten steps. The article's table has five, and computes intervals from
the task graph of what is ordered (Appendix E.4): three steps for each thing in it, to go, take and put, and
those in which its tool works; then 0.3 τ times that. A cooked meat takes raw meat, a log, and itself, nine
steps, and its furnace works for 200 ticks, as long as two steps: 11 steps. With τ = 3.0 an order then comes
every ⌈0.3 · 3.0 · 11⌉ = 10 steps, as in the release.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from backburner.kernel.schedule import Activity, Problem, Resource
from backburner.worlds.minecraft.game.facts import (
    FURNACE,
    OAK_LOG,
    RAW,
    SMELTING_TICKS,
    TICKS_A_SECOND,
)
from backburner.worlds.minecraft.game.ground import Cell

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


class Site(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A mob or a block, and where it stands."""

    kind: str
    at: Cell


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
    raw = files("backburner.worlds.minecraft").joinpath("data", "levels.json").read_bytes()
    return {level.name: level for level in msgspec.json.decode(raw, type=_LevelFile).levels}


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
