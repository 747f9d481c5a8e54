"""Four small recipes of which pairs can be judged by hand, and folders that hold them."""

from __future__ import annotations

from pathlib import Path

import msgspec

from backburner.worlds.recipe2plan.game import Lag, Recipe, Step

RICE = Recipe(
    "Rice",
    (
        Step("Boil the rice.", 300, autonomous=True),
        Step("Drain it.", 60, after=(0,), lags=(Lag(0, 0),)),
    ),
)
"""To be drained at once."""

SALAD = Recipe("Salad", (Step("Make a salad.", 480),))
"""In one go, by hand."""

TEA = Recipe("Tea", (Step("Let the tea draw.", 300, autonomous=True), Step("Pour it.", 60, after=(0,))))
"""It may wait."""

EGG = Recipe(
    "Egg",
    (
        Step("Boil the egg.", 180, autonomous=True),
        Step("Peel it.", 60, after=(0,), lags=(Lag(0, 0),)),
        Step("Salt it.", 60, after=(0,), lags=(Lag(0, 0),)),
    ),
)
"""Impossible: two things at once as soon as it is boiled."""


def write_recipes(folder: Path, *recipes: Recipe | str, name: str = "recipes.json") -> Path:
    """A list of recipes in a file in this folder; returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(msgspec.json.encode({"recipes": recipes}))
    return folder
