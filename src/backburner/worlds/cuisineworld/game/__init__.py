"""CuisineWorld: bodies in a kitchen, whoever commands them, and orders that keep coming."""

from backburner.worlds.cuisineworld.game.catalogue import catalogue
from backburner.worlds.cuisineworld.game.rule_set import RELEASED, STANDARD, Limits, Rules
from backburner.worlds.cuisineworld.game.scenarios import Scenario
from backburner.worlds.cuisineworld.game.state import Commands
from backburner.worlds.cuisineworld.game.world import CuisineWorld

__all__ = ["RELEASED", "STANDARD", "Commands", "CuisineWorld", "Limits", "Rules", "Scenario", "catalogue"]
