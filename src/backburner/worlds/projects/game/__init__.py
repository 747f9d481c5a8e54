"""The game: scheduling problems as scenarios, rules, words, picture."""

from backburner.worlds.projects.game.catalogue import catalogue
from backburner.worlds.projects.game.rule_set import STANDARD, Limits
from backburner.worlds.projects.game.state import Silence, Start, State, Wait
from backburner.worlds.projects.game.world import Projects

__all__ = ["STANDARD", "Limits", "Projects", "Silence", "Start", "State", "Wait", "catalogue"]
