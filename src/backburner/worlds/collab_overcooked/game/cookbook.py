"""What can be made of what: the tables of a layout, looked up by what is in a utensil."""

from __future__ import annotations

from collections.abc import Sequence

from backburner.worlds.collab_overcooked.game.layout import Layout, Recipe


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
        for recipe in layout.recipes:
            self._kinds.setdefault(recipe.output, set()).add(recipe.utensil)

    def made_of(self, kind: str, inputs: Sequence[str]) -> Recipe | None:
        """What a utensil of this kind makes of exactly these inputs."""
        return self._made.get((kind, tuple(sorted(inputs))))

    def makes(self, kind: str, output: str) -> bool:
        """Whether a utensil of this kind can make it at all."""
        return kind in self._kinds.get(output, ())
