"""Scenarios out of a pool of recipes, and what the article's rule (section 3.3) asks of them.

A set of recipes is chosen if it gives much to gain without maximum lags (an efficiency above 80 %) and if the
lags cost some of it. The article measures both on its heuristic's plans: what the heuristic loses it may lose
by its own fault, so that efficiencies of proven plans are told beside.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from math import comb
from pathlib import Path

from backburner.kernel.errors import Refused, shorten
from backburner.kernel.generating import Draft
from backburner.worlds.recipe2plan.game import Recipe
from backburner.worlds.recipe2plan.game.scenario_files import file_of, read_pool
from backburner.worlds.recipe2plan.game.scenarios import shipped_instances, shipped_recipes
from backburner.worlds.recipe2plan.metrics.plans import complete_efficiency

PUBLISHED = "published"
"""The pool of the 24 recipes that ship."""

WITH, WITHOUT = "constrained", "unconstrained"
"""The folders of the scenarios with and without maximum lags, named like the published suites."""


def set_draft(source: str, size: int, number: int) -> Draft:
    """The scenario of one set out of a pool, with its lags, and beside it that without; ``number`` counts
    the sets in order of their names, over and over.

    Their ids differ, so that records of both can stand in one folder. Raises ``Refused`` if the pool is too
    small, ``BadFile`` as ``read_pool`` does.
    """
    pool = list(shipped_recipes().values()) if source == PUBLISHED else read_pool(Path(source))
    if not 1 <= size <= len(pool):
        names = shorten(", ".join(sorted(recipe.name for recipe in pool)))
        raise Refused(f"sets of {size} cannot be formed of so few recipes ({len(pool)}: {names})")
    recipes = next(islice(sets_of(pool, size), number % comb(len(pool), size), None))
    name = "+".join(recipe.name for recipe in recipes)
    fields = {**file_of(name, recipes, True), "limit": None}
    del fields["world"]
    beside = {f"{WITHOUT}/{name}": file_of(f"{name}.{WITHOUT}", recipes, False)}
    return Draft(fields, path=f"{WITH}/{name}", beside=beside)


def sets_of(pool: Sequence[Recipe], size: int) -> Iterator[tuple[Recipe, ...]]:
    """Every set of so many recipes once, in order of their names; a published pair in its own order."""
    published = {frozenset(names): names for names in shipped_instances()}
    for found in combinations(sorted(pool, key=lambda recipe: recipe.name), size):
        by_name = {recipe.name: recipe for recipe in found}
        names = published.get(frozenset(by_name), tuple(by_name))
        yield tuple(by_name[name] for name in names)


def rule_of(recipes: Sequence[Recipe], free: int | None, tied: int | None) -> tuple[float, float]:
    """(efficiency without lags, how much of it they cost) of plans that take so many seconds without and with
    them; 0 where there is no plan, or nothing runs by itself."""
    most, kept = (complete_efficiency(recipes, seconds) if seconds else None for seconds in (free, tied))
    return most or 0.0, (most or 0.0) - (kept or 0.0) if free and tied else 0.0
