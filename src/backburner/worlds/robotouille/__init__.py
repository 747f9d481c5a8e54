"""Robotouille: kitchens described in JSON, effects that come later, one robot or several."""

from backburner.worlds.robotouille.actions import Acts
from backburner.worlds.robotouille.catalogue import catalogue
from backburner.worlds.robotouille.rule_set import RELEASED, STANDARD, Limits, Rules
from backburner.worlds.robotouille.scenarios import Scenario
from backburner.worlds.robotouille.world import Robotouille

__all__ = ["RELEASED", "STANDARD", "Acts", "Limits", "Robotouille", "Rules", "Scenario", "catalogue"]
