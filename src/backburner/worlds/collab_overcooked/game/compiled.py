"""A scenario compiled for its rules: everything that never changes in play, worked out once and shared."""

from __future__ import annotations

from collections.abc import Iterable

from backburner.worlds.collab_overcooked.game.calls import CallReader, ExactCallReader
from backburner.worlds.collab_overcooked.game.kitchen_step import Stepper
from backburner.worlds.collab_overcooked.game.layout import Cookbook, Grid, Layout
from backburner.worlds.collab_overcooked.game.legality import Execution, Legality, Targets
from backburner.worlds.collab_overcooked.game.rule_set import Rules


class Compiled:
    """A layout under its rules. ``informed``: the cooks (0, 1) that have the recipes."""

    def __init__(self, layout: Layout, rules: Rules, informed: Iterable[int] = (0,)) -> None:
        self.layout = layout
        self.rules = rules
        self.grid = Grid(layout)
        self.cookbook = Cookbook(layout)
        self.targets = Targets(self.grid, rules)
        verbs = {utensil.name: utensil.verb for utensil in self.grid.utensils}
        reader = ExactCallReader if rules.exact_text else CallReader
        self.reader = reader(self.cookbook, verbs, rules)
        self.legality = Legality(self.grid, self.cookbook, self.targets, rules, frozenset(informed))
        self.execution = Execution(self.grid, self.targets, rules)
        self.stepper = Stepper(self.grid, self.cookbook, rules)
