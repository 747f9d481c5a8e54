"""What a cook can do in one step of the grid."""

from __future__ import annotations

from backburner.worlds.collab_overcooked.game.grid import STAY

Move = tuple[int, str]
"""A direction, ``STAY`` or ``INTERACT``, and the act's parameter."""

START = "start"
"""The parameter of an act that starts an operation; food may have this name without harm."""

IDLE: Move = (STAY, "")
