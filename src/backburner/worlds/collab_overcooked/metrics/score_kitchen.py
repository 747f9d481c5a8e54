"""What a kitchen's layout says to the metrics: which calls count for whom, who needs whom, the level."""

from __future__ import annotations

from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.seats import cook_of
from backburner.worlds.collab_overcooked.metrics.metrics_level import Behaviours, Reach, behaviours, level_of
from backburner.worlds.collab_overcooked.metrics.metrics_space import (
    DISHES,
    INGREDIENTS,
    KitchenWords,
    call_space,
)
from backburner.worlds.collab_overcooked.metrics.references import ASSISTANT, CHEF


def asked_cook(scenario: Scenario) -> int:
    """The cook that has to be told what to do: who lacks the recipes; else the assistant."""
    informed = {cook_of(role) for role in scenario.informed}
    return CHEF if informed == {ASSISTANT} else ASSISTANT


def call_spaces(ware: Kitchenware) -> tuple[frozenset[str], frozenset[str]]:
    """The calls that count for chef and assistant; what they operate is what they can get to."""
    grid, layout = ware.grid, ware.layout
    words = KitchenWords(
        tuple(sorted(ware.cookbook.products)),
        {utensil.name: utensil.kind for utensil in grid.utensils},
        {name: kind.verb for name, kind in layout.utensils.items()},
    )
    chef, assistant = (
        call_space(words, kinds_of(ware, cook), not grid.reach[cook].isdisjoint(grid.servings))
        for cook in (CHEF, ASSISTANT)
    )
    return chef, assistant


def kinds_of(ware: Kitchenware, cook: int) -> frozenset[str]:
    """The kinds of utensils of which a cook can get to at least one."""
    reach = ware.grid.reach[cook]
    return frozenset(utensil.kind for utensil in ware.grid.utensils if utensil.cell in reach)


def _stations(ware: Kitchenware, cook: int) -> frozenset[str]:
    grid = ware.grid
    dispensers = ((INGREDIENTS, grid.ingredients), (DISHES, grid.dishes))
    there = {name for name, cells in dispensers if not grid.reach[cook].isdisjoint(cells)}
    return kinds_of(ware, cook) | there


def behaviours_of(ware: Kitchenware, order: str, asked: int = ASSISTANT) -> Behaviours | None:
    """The collaborative behaviours that an order takes (Table 3), as counted for who asks its partner.

    ``None`` where the two cannot make it.
    """
    layout = ware.layout
    synthesis = [(recipe.utensil, recipe.inputs, recipe.output) for recipe in layout.recipes]
    reach = Reach(_stations(ware, 1 - asked), _stations(ware, asked))
    return behaviours(order, layout.needs_dish.get(order, False), layout.ingredients, synthesis, reach)


def computed_level(ware: Kitchenware, order: str, asked: int = ASSISTANT) -> int | None:
    """The level that follows from these behaviours; ``None`` where the two cannot make it."""
    needed = behaviours_of(ware, order, asked)
    return None if needed is None else level_of(needed)
