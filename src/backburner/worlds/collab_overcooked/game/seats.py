"""The seats, and which cook each of them is."""

from __future__ import annotations

from backburner.kernel.values import Seat
from backburner.worlds.collab_overcooked.game.scenarios import ROLES

SEATS: tuple[Seat, Seat] = ROLES


def cook_of(seat: Seat) -> int:
    """The cook (0 or 1) that a seat decides for."""
    return SEATS.index(seat)
