"""Everything that follows from a layout and the rules, compiled once and shared."""

from __future__ import annotations

from collections.abc import Iterable

from backburner.worlds.collab_overcooked.call_reading import CallReader
from backburner.worlds.collab_overcooked.carrying_out import Carrier
from backburner.worlds.collab_overcooked.cookbook import Cookbook
from backburner.worlds.collab_overcooked.grid import Grid
from backburner.worlds.collab_overcooked.layout import Layout
from backburner.worlds.collab_overcooked.rule_set import Rules
from backburner.worlds.collab_overcooked.stepping import Stepper
from backburner.worlds.collab_overcooked.targets import Targets
from backburner.worlds.collab_overcooked.validating import Validator


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
