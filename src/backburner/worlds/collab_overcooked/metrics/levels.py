"""The level of an order, computed from the collaborative behaviours that it takes (article, Table 3).

The article counts four behaviours and sums the actions that they take. Its totals 2, 5, 7, 9, 12 and 17
follow from the counts when a new ingredient takes two actions (pick up, put down), a processing by the
assistant three (put in, operate, take out), a dish two and a processing by the chef none. A processing
is one thing put into a utensil.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct

from backburner.kernel.charts import Bar, Bars, Figure, Group
from backburner.kernel.scoring import Section, mean
from backburner.worlds.collab_overcooked.game.calls import DISH_DISPENSER, INGREDIENT_DISPENSER
from backburner.worlds.collab_overcooked.game.catalogue import known_optimum
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.recipes import method_of
from backburner.worlds.collab_overcooked.game.rule_set import STANDARD
from backburner.worlds.collab_overcooked.game.scenarios import Scenario, layout_of, orders
from backburner.worlds.collab_overcooked.game.state import cook_of
from backburner.worlds.collab_overcooked.metrics.references import ASSISTANT, CHEF, kinds_of, published_tables

Synthesis = tuple[str, Sequence[str], str]
"""A line of a synthesis table: kind of utensil, what goes in, what comes out."""


class Behaviours(Struct, frozen=True, order=True):
    """How often each collaborative behaviour is needed. Ordered by the collaborative actions they take."""

    collaborative_actions: int
    new_ingredients: int
    assistant_processing: int
    new_dish: int
    chef_processing: int

    def __add__(self, other: Behaviours) -> Behaviours:
        return _behaviours(
            self.new_ingredients + other.new_ingredients,
            self.assistant_processing + other.assistant_processing,
            self.new_dish + other.new_dish,
            self.chef_processing + other.chef_processing,
        )


def _behaviours(ingredients: int = 0, assistant: int = 0, dish: int = 0, chef: int = 0) -> Behaviours:
    return Behaviours(2 * ingredients + 3 * assistant + 2 * dish, ingredients, assistant, dish, chef)


class Reach(Struct, frozen=True):
    """The stations that each cook gets to: kinds of utensils, and dispensers."""

    chef: frozenset[str]
    assistant: frozenset[str]

    def by(self, station: str, chef: Behaviours, assistant: Behaviours) -> Behaviours | None:
        """What using a station takes. The chef does what it can itself; ``None`` if neither cook can."""
        if station in self.chef:
            return chef
        return assistant if station in self.assistant else None


def behaviours(
    order: str, needs_dish: bool, ingredients: Collection[str], synthesis: Sequence[Synthesis], reach: Reach
) -> Behaviours | None:
    """The behaviours with the fewest collaborative actions that fill the order; ``None`` if none do.

    What the chef reaches itself is no collaboration: it fetches ingredients and dishes for nothing. Of
    several recipes for an item the one with the fewest actions counts; recipes that lead in a circle do no
    harm.
    """
    made = _cheapest(ingredients, synthesis, reach).get(order)
    dish = reach.by(DISH_DISPENSER, _behaviours(), _behaviours(dish=1)) if needs_dish else _behaviours()
    return made + dish if made is not None and dish is not None else None


def _cheapest(
    ingredients: Collection[str], synthesis: Sequence[Synthesis], reach: Reach
) -> Mapping[str, Behaviours]:
    fetched = reach.by(INGREDIENT_DISPENSER, _behaviours(), _behaviours(ingredients=1))
    known = {} if fetched is None else dict.fromkeys(ingredients, fetched)
    changed = True
    while changed:
        changed = False
        for kind, inputs, output in synthesis:
            whole = _processed(kind, inputs, known, reach)
            if whole is not None and (output not in known or whole < known[output]):
                known[output] = whole
                changed = True
    return known


def _processed(
    kind: str, inputs: Sequence[str], known: Mapping[str, Behaviours], reach: Reach
) -> Behaviours | None:
    whole = reach.by(kind, _behaviours(chef=len(inputs)), _behaviours(assistant=len(inputs)))
    if whole is None or any(thing not in known for thing in inputs):
        return None
    return sum((known[thing] for thing in inputs), whole)


def level_of(needed: Behaviours) -> int:
    """The level: how many published totals of collaborative actions (2, 5, 7, 9, 12, 17) are reached.

    0 for an order that takes less than any published one, 6 also for what takes more than 17.
    """
    totals = (level.collaborative_actions for level in published_tables().levels)
    return sum(needed.collaborative_actions >= total for total in totals)


def asked_cook(scenario: Scenario) -> int:
    """The cook that has to be asked to do things: the one without the recipes, or else the assistant."""
    informed = {cook_of(role) for role in scenario.informed}
    return CHEF if informed == {ASSISTANT} else ASSISTANT


def _stations(compiled: Compiled, cook: int) -> frozenset[str]:
    grid = compiled.grid
    dispensers = ((INGREDIENT_DISPENSER, grid.ingredients), (DISH_DISPENSER, grid.dishes))
    reached = {name for name, cells in dispensers if not grid.reach[cook].isdisjoint(cells)}
    return kinds_of(compiled, cook) | reached


def behaviours_of(compiled: Compiled, order: str, asked: int = ASSISTANT) -> Behaviours | None:
    """The collaborative behaviours that an order takes (Table 3) if cook ``asked`` has to be asked.

    ``None`` where the two cooks cannot make it.
    """
    layout = compiled.layout
    synthesis = [(recipe.utensil, recipe.inputs, recipe.output) for recipe in layout.recipes]
    reach = Reach(_stations(compiled, 1 - asked), _stations(compiled, asked))
    return behaviours(order, layout.needs_dish.get(order, False), layout.ingredients, synthesis, reach)


def computed_level(compiled: Compiled, order: str, asked: int = ASSISTANT) -> int | None:
    """The level that follows from the order's behaviours; ``None`` where the two cooks cannot make it."""
    needed = behaviours_of(compiled, order, asked)
    return None if needed is None else level_of(needed)


COLUMNS = (
    "orders",
    "level",
    "ingredients",
    "operations",
    "on a dish",
    "level (computed)",
    "collaborative actions",
    "collaborative actions (article)",
    "steps of the released run",
)


def statistics(scenarios: Sequence[Scenario]) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
    """The orders as the article's Table 3 counts them, beside what their recipes take.

    There is one row for each scenario. The article's and the release's figures are given where the order
    has a level. The behaviours of several orders are added up.
    """
    return COLUMNS, [_row(scenario) for scenario in scenarios]


def _row(scenario: Scenario) -> Sequence[Any]:
    compiled = Compiled(layout_of(scenario), STANDARD)
    methods = [method_of(compiled.layout, order) for order in scenario.orders]
    needed = [behaviours_of(compiled, order, asked_cook(scenario)) for order in scenario.orders]
    actions = [each.collaborative_actions for each in needed if each is not None]
    line = None if scenario.level is None else published_tables().level(scenario.level)
    return (
        " + ".join(scenario.orders) or "drawn",
        scenario.level or "–",
        sum(number for method in methods for _, number in method.ingredients),
        sum(len(method.steps) for method in methods),
        sum(method.on_dish for method in methods),
        ", ".join(str(level_of(each)) for each in needed if each is not None) or "–",
        sum(actions) if actions else "–",
        line.collaborative_actions if line else "–",
        line.optimal_last_index + 1 if line else "–",
    )


def figure_2() -> tuple[Sequence[Section], Sequence[Figure]]:
    """The article's Figure 2: the least steps and the collaborative actions of each level."""
    groups = []
    for line in published_tables().levels:
        known = [known_optimum(f"collab_overcooked/{order}", "standard") for order in of_level(line.level)]
        calls = mean([float(each.steps) for each in known if each is not None])
        bars = (
            Bar("shortest plan of calls, steps", calls),
            Bar("recorded run, steps", line.optimal_last_index + 1.0, quoted=True),
            Bar("collaborative actions", float(line.collaborative_actions), quoted=True),
        )
        groups.append(Group(f"level {line.level}", bars))
    caption = "Means over the orders of a level, beside the released program's own run and Table 3."
    chart = Bars("Shortest times and collaborative actions by level", "", tuple(groups))
    return (), (Figure("figure-2", "Levels", caption, (chart,)),)


def of_level(level: int) -> Sequence[str]:
    """The published orders of a level."""
    return [order.name for order in orders().values() if order.level == level]
