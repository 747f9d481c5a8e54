"""Everything that follows from a layout and the rules, compiled once and shared."""

from __future__ import annotations

from collections.abc import Iterable

from backburner.worlds.collab_overcooked.game.call_reading import CallReader
from backburner.worlds.collab_overcooked.game.carrying_out import Carrier
from backburner.worlds.collab_overcooked.game.cookbook import Cookbook
from backburner.worlds.collab_overcooked.game.grid import Grid
from backburner.worlds.collab_overcooked.game.layout import Layout
from backburner.worlds.collab_overcooked.game.rule_set import Rules
from backburner.worlds.collab_overcooked.game.stepping import Stepper
from backburner.worlds.collab_overcooked.game.targets import Targets
from backburner.worlds.collab_overcooked.game.validating import Validator


class Kitchenware:
    """The parts of a kitchen that never change. ``informed``: the cooks (0, 1) that have the recipes."""

    def __init__(self, layout: Layout, rules: Rules, informed: Iterable[int] = (0,)) -> None:
        self.layout = layout
        self.rules = rules
        self.grid = Grid(layout)
        self.cookbook = Cookbook(layout)
        self.targets = Targets(self.grid, rules)
        self.reader = CallReader(self.grid, self.cookbook, rules)
        self.validator = Validator(self.grid, self.cookbook, self.targets, rules, frozenset(informed))
        self.carrier = Carrier(self.grid, self.cookbook, self.targets, rules)
        self.stepper = Stepper(self.grid, self.cookbook, rules)
