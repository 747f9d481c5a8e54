"""The desk's game: scenarios, formulas, rules, words, picture, scheduling problem."""

from backburner.worlds.desk.game.catalogue import catalogue
from backburner.worlds.desk.game.rule_set import STANDARD, Limits, Rules
from backburner.worlds.desk.game.scenarios import Scenario
from backburner.worlds.desk.game.state import Cancel, Check, Decision, Finish, Idle, Reply, Start, State, Wait
from backburner.worlds.desk.game.world import Desk

__all__ = [
    "STANDARD",
    "Cancel",
    "Check",
    "Decision",
    "Desk",
    "Finish",
    "Idle",
    "Limits",
    "Reply",
    "Rules",
    "Scenario",
    "Start",
    "State",
    "Wait",
    "catalogue",
]
