"""The clocked kitchen: bodies that walk, tools and orders by the clock."""

from backburner.worlds.clocked_kitchen.game.catalogue import catalogue
from backburner.worlds.clocked_kitchen.game.rule_set import RELEASED, STANDARD, Limits, Rules
from backburner.worlds.clocked_kitchen.game.scenarios import Clock, Scenario
from backburner.worlds.clocked_kitchen.game.state import Input
from backburner.worlds.clocked_kitchen.game.world import ClockedKitchen

__all__ = [
    "RELEASED",
    "STANDARD",
    "Clock",
    "ClockedKitchen",
    "Input",
    "Limits",
    "Rules",
    "Scenario",
    "catalogue",
]
