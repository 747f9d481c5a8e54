"""Collab-Overcooked: two cooks, two rooms, and a recipe that only one of them has."""

from backburner.worlds.collab_overcooked.game.catalogue import catalogue
from backburner.worlds.collab_overcooked.game.rule_set import NO_LIMITS, RELEASED, STANDARD, Limits, Rules
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.state import Reply
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked

__all__ = [
    "NO_LIMITS",
    "RELEASED",
    "STANDARD",
    "CollabOvercooked",
    "Limits",
    "Reply",
    "Rules",
    "Scenario",
    "catalogue",
]
