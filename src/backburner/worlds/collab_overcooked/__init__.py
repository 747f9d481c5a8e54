"""Collab-Overcooked: two cooks, two rooms, and a recipe that only one of them has."""

from backburner.worlds.collab_overcooked.catalogue import catalogue
from backburner.worlds.collab_overcooked.limits import NO_LIMITS, Limits
from backburner.worlds.collab_overcooked.rule_set import RELEASED, STANDARD, Rules
from backburner.worlds.collab_overcooked.scenarios import Scenario
from backburner.worlds.collab_overcooked.state import Reply
from backburner.worlds.collab_overcooked.world import CollabOvercooked

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
