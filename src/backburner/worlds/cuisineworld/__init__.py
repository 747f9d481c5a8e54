"""CuisineWorld: bodies in a kitchen, whoever commands them, and orders that keep coming."""

from backburner.worlds.cuisineworld.actions import Commands
from backburner.worlds.cuisineworld.catalogue import catalogue
from backburner.worlds.cuisineworld.rule_set import RELEASED, STANDARD, Limits, Rules
from backburner.worlds.cuisineworld.scenarios import Scenario
from backburner.worlds.cuisineworld.world import CuisineWorld

__all__ = ["RELEASED", "STANDARD", "Commands", "CuisineWorld", "Limits", "Rules", "Scenario", "catalogue"]
