"""Levels drawn from a problem and a seed: as the released program draws them, and in our own way."""

from backburner.worlds.robotouille.game.generate.grid import Generated
from backburner.worlds.robotouille.game.generate.own import generate
from backburner.worlds.robotouille.game.generate.released import generate_released

__all__ = ["Generated", "generate", "generate_released"]
