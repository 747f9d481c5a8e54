"""Worlds that know what to show to somebody who has never played them."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from backburner.kernel.contract import World
from backburner.kernel.values import Seat


@runtime_checkable
class Demonstrable(Protocol):
    """The world can name another scenario of its own kind in which its play is shown."""

    def demonstration(self, seat: Seat, bodies: int | None = None) -> tuple[World[Any, Any, Any], Seat]:
        """A world whose play is short and gives nothing of this one away, and the seat to look at in it.

        It has the same rules, and ``bodies`` as asked for, or as many as suit it; its play comes to an end.
        What is delivered first is what it shows. Equal worlds show the same. Raises ``Refused`` where there
        is nothing to show, or not with so many bodies.
        """
