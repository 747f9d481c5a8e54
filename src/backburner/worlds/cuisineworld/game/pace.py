"""How fast orders come and how long they wait, from the work in a dish (article, Appendix E.4).

The article speaks of a best sequence of one agent, found by search, and of three steps for each edge;
the released program counts three for each node of the recipe's tree and searches nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from msgspec import Struct

from backburner.worlds.cuisineworld.game.cookbook import Cookbook, Recipe
from backburner.worlds.cuisineworld.game.levels import Level

TAUS = (1.0, 1.5, 2.0, 2.5, 3.0)
"""The article's factors, from the most hurried to the most relaxed."""

BETA = 2.5
"""How many intervals a dish may wait."""

STEPS_PER_THING = 3
FACTOR = 0.3


class Pace(Struct, frozen=True):
    """Steps from order to order, and how long an order of each dish of a level waits."""

    interval: int
    lifetimes: tuple[int, ...]


def pace_of(level: Level, tau: float | None, cookbook: Cookbook, beta: float = BETA) -> Pace:
    """The pace of a level's orders; without ``tau`` the one that stands in the level's file."""
    if tau is None:
        return Pace(level.interval, (level.lifetime,) * len(level.dishes))
    lifetimes = tuple(lifetime_steps(cookbook, dish, tau, beta) for dish in level.dishes)
    return Pace(interval_steps(cookbook, level.dishes, tau), lifetimes)


def work_steps(cookbook: Cookbook, dish: str) -> int:
    """Three steps for each different thing in the dish's tree, and each product's wait less 1."""
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
