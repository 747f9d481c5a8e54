"""Recipe2Plan: two recipes at once, some of whose steps must not wait for long."""

from backburner.worlds.recipe2plan.actions import Cook, Piece
from backburner.worlds.recipe2plan.beliefs import Beliefs
from backburner.worlds.recipe2plan.catalogue import catalogue
from backburner.worlds.recipe2plan.rule_set import RELEASED, STANDARD, Limits, Rules
from backburner.worlds.recipe2plan.scenarios import Lag, Recipe, Scenario, Step
from backburner.worlds.recipe2plan.world import Recipe2Plan

__all__ = [
    "RELEASED",
    "STANDARD",
    "Beliefs",
    "Cook",
    "Lag",
    "Limits",
    "Piece",
    "Recipe",
    "Recipe2Plan",
    "Rules",
    "Scenario",
    "Step",
    "catalogue",
]
