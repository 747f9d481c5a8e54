"""The level of an order, computed from the collaborative behaviours that it takes (article, Table 3).

The article counts four behaviours and sums the actions that they take. Its totals 2, 5, 7, 9, 12 and 17
follow from the counts when a new ingredient takes two actions (pick up, put down), a processing by the
assistant three (put in, operate, take out), a dish two and a processing by the chef none. A processing
is one thing put into a utensil.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from backburner.worlds.collab_overcooked.metrics.metrics_space import DISHES, INGREDIENTS
from backburner.worlds.collab_overcooked.metrics.published import published_tables

Synthesis = tuple[str, Sequence[str], str]
"""A line of a synthesis table: kind of utensil, what goes in, what comes out."""


class Behaviours(Struct, frozen=True, order=True):
    """How often each collaborative behaviour is needed; a smaller value takes fewer actions."""

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
    """The kinds of utensils and the dispensers that each cook gets to, in any number of copies."""

    chef: frozenset[str]
    assistant: frozenset[str]

    def by(self, station: str, chef: Behaviours, assistant: Behaviours) -> Behaviours | None:
        """What it takes to use a station; the chef does itself what it can, ``None`` if neither can."""
        if station in self.chef:
            return chef
        return assistant if station in self.assistant else None


def behaviours(
    order: str, needs_dish: bool, ingredients: Collection[str], synthesis: Sequence[Synthesis], reach: Reach
) -> Behaviours | None:
    """The behaviours with the fewest collaborative actions that fill the order; ``None`` if none do.

    What the chef reaches itself is no collaboration: it fetches ingredients and dishes for nothing. Of
    several ways to make a thing the one with the fewest actions counts; tables that lead in a circle
    do no harm.
    """
    made = _cheapest(ingredients, synthesis, reach).get(order)
    dish = reach.by(DISHES, _behaviours(), _behaviours(dish=1)) if needs_dish else _behaviours()
    return made + dish if made is not None and dish is not None else None


def _cheapest(
    ingredients: Collection[str], synthesis: Sequence[Synthesis], reach: Reach
) -> Mapping[str, Behaviours]:
    fetched = reach.by(INGREDIENTS, _behaviours(), _behaviours(ingredients=1))
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
