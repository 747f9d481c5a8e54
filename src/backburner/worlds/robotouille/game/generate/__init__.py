"""Levels drawn from a problem and a seed: in the way of the released program, and in our own."""

from backburner.worlds.robotouille.game.generate.grid import Generated
from backburner.worlds.robotouille.game.generate.own import generate
from backburner.worlds.robotouille.game.generate.released import generate_released

__all__ = ["Generated", "generate", "generate_released"]
