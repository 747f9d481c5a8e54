"""Collab-Overcooked's grid: both cooks decide a move in every step, and nobody speaks."""

from backburner.worlds.collab_grid.game.catalogue import catalogue
from backburner.worlds.collab_grid.game.legality import Action
from backburner.worlds.collab_grid.game.state import (
    NO_LIMITS,
    PRESETS,
    RELEASED,
    STANDARD,
    Limits,
    Rules,
    State,
)
from backburner.worlds.collab_grid.game.world import CollabGrid

__all__ = [
    "NO_LIMITS",
    "PRESETS",
    "RELEASED",
    "STANDARD",
    "Action",
    "CollabGrid",
    "Limits",
    "Rules",
    "State",
    "catalogue",
]
