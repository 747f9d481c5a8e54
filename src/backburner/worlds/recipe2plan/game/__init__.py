"""Recipe2Plan: two recipes at once, some of whose steps must not wait for long."""

from backburner.worlds.recipe2plan.game.beliefs import Beliefs
from backburner.worlds.recipe2plan.game.catalogue import catalogue
from backburner.worlds.recipe2plan.game.rule_set import RELEASED, STANDARD, Limits, Rules
from backburner.worlds.recipe2plan.game.scenarios import Lag, Recipe, Scenario, Step
from backburner.worlds.recipe2plan.game.state import Cook, Piece
from backburner.worlds.recipe2plan.game.world import Recipe2Plan

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
