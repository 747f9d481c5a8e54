"""The game: scheduling problems as scenarios, rules, words, picture."""

from backburner.worlds.projects.game.catalogue import catalogue
from backburner.worlds.projects.game.rule_set import STANDARD, Limits, Rules
from backburner.worlds.projects.game.scenarios import Scenario
from backburner.worlds.projects.game.state import Decision, Silence, Start, State, Wait
from backburner.worlds.projects.game.world import Projects

__all__ = [
    "STANDARD",
    "Decision",
    "Limits",
    "Projects",
    "Rules",
    "Scenario",
    "Silence",
    "Start",
    "State",
    "Wait",
    "catalogue",
]
