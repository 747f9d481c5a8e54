"""How much a search may use, and how far it has come."""

from __future__ import annotations

import time
from typing import Literal

from msgspec import Struct


class Limits(Struct, frozen=True):
    """When a search pauses: after so many seconds, or with so many states seen (some 100 bytes each)."""

    seconds: float = 60.0
    states: int = 30_000_000


class Clock:
    """Tells when the time is over."""

    def __init__(self, seconds: float) -> None:
        self._began = time.monotonic()
        self._seconds = seconds

    @property
    def spent(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self._began

    @property
    def left(self) -> float:
        """Seconds that are left, 0 if none."""
        return max(0.0, self._seconds - self.spent)


class Found(Struct, frozen=True):
    """What a search knows: the numbers of the choices of the best way it has found, and a bound.

    ``status`` is ``paused`` while a shorter way may be left.
    """

    status: Literal["proven", "paused", "none"]
    bound: int
    way: tuple[int, ...] | None = None
