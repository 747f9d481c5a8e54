"""A kitchen as its file describes it: the grid, the utensils, what each of them makes of what.

Cells are counted row by row from the upper left corner: cell ``y * width + x``. In the grid ``X`` is a
counter, ``I`` a dispenser of raw ingredients, ``D`` a dispenser of dishes, ``S`` a serving place, a
space the floor, ``1`` and ``2`` the cells on which the cooks start; each kind of utensil has a letter
of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

COUNTER, INGREDIENTS, DISHES, SERVING, FLOOR = "X", "I", "D", "S", " "
STARTS = ("1", "2")
OWN_SYMBOLS = (COUNTER, INGREDIENTS, DISHES, SERVING, FLOOR, *STARTS)
"""What means the same in every grid."""

DISH = "dish"
NAMED_BY = ("output",)
"""What an entry of a file's list is told by in messages."""

SHIPPED = "two_rooms"
"""The article's kitchen: two rooms that share three counters."""


class UtensilKind(Struct, frozen=True, forbid_unknown_fields=True):
    """``symbol``: its letter in the grid. ``verb``: the call that starts it, such as ``cook``."""

    symbol: str
    verb: str


class Recipe(Struct, frozen=True, forbid_unknown_fields=True):
    """One row of a utensil's table: what becomes of these inputs, in any order, after so many steps."""

    utensil: str
    output: str
    inputs: tuple[str, ...]
    steps: int = 3


class Layout(Struct, frozen=True, forbid_unknown_fields=True):
    """A kitchen of two cooks.

    ``utensils``: kinds by name. ``needs_dish``: everything that may be ordered, and whether it is
    served on a dish. ``capacity``: how much a utensil holds. ``delivery_reward``: what an order earns.
    """

    grid: tuple[str, ...]
    utensils: dict[str, UtensilKind]
    ingredients: tuple[str, ...]
    recipes: tuple[Recipe, ...]
    needs_dish: dict[str, bool]
    capacity: int = 3
    delivery_reward: int = 20


@cache
def shipped_layout(name: str) -> Layout:
    """A layout that comes with the package."""
    raw = files("backburner.worlds.collab_overcooked").joinpath("data", f"{name}.json").read_bytes()
    return msgspec.json.decode(raw, type=Layout)


MOST_KNOWN = 4096
"""How many contents are kept with what they may become a part of."""


class Cookbook:
    """The tables of a layout. Inputs match in any order, each as often as it is listed."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.raw = frozenset(layout.ingredients)
        self.products = self.raw | {recipe.output for recipe in layout.recipes}
        self.needs_dish = layout.needs_dish
        self.capacity = layout.capacity
        self._made = {(recipe.utensil, tuple(sorted(recipe.inputs))): recipe for recipe in layout.recipes}
        self._kinds: dict[str, set[str]] = {}
        self._recipes: dict[str, list[Recipe]] = {}
        self._parts: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}
        for recipe in layout.recipes:
            self._recipes.setdefault(recipe.utensil, []).append(recipe)
            self._kinds.setdefault(recipe.output, set()).add(recipe.utensil)

    def made_of(self, kind: str, inputs: Sequence[str]) -> Recipe | None:
        """What a utensil of this kind makes of exactly these inputs."""
        return self._made.get((kind, tuple(sorted(inputs))))

    def part_of(self, kind: str, items: tuple[str, ...]) -> tuple[str, ...]:
        """What a utensil of this kind makes of these things and others, in the order of its table."""
        known = self._parts.get((kind, items))
        if known is None:
            here = Counter(items)
            recipes = (each for each in self._recipes.get(kind, ()) if len(each.inputs) > len(items))
            known = tuple(dict.fromkeys(each.output for each in recipes if here <= Counter(each.inputs)))
            if len(self._parts) < MOST_KNOWN:
                self._parts[kind, items] = known
        return known

    def makes(self, kind: str, output: str) -> bool:
        """Whether a utensil of this kind can make it at all."""
        return kind in self._kinds.get(output, ())
