"""Robotouille: kitchens described in JSON, effects that come later, one robot or several."""

from backburner.worlds.robotouille.game.catalogue import catalogue
from backburner.worlds.robotouille.game.rule_set import RELEASED, STANDARD, Limits, Rules
from backburner.worlds.robotouille.game.scenarios import Scenario
from backburner.worlds.robotouille.game.state import Acts
from backburner.worlds.robotouille.game.world import Robotouille

__all__ = ["RELEASED", "STANDARD", "Acts", "Limits", "Robotouille", "Rules", "Scenario", "catalogue"]
