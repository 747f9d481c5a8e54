"""Clocked worlds: time goes by whether anybody decides or not, and can follow the clock on the wall."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Protocol, TypeVar, runtime_checkable

from backburner.kernel.values import Seat

D = TypeVar("D")
S_contra = TypeVar("S_contra", contravariant=True)


@runtime_checkable
class Clocked(Protocol[S_contra, D]):
    """The world's time is counted in ticks of equal length, and a decision says for how many of them it
    holds.

    Such a world is played live: at each tick the decisions that have come since the last one are taken, and
    whoever has decided nothing goes on with what they do. Every seat decides at every tick then. A step of
    ``idle(n)`` of all seats leads to the state that ``n`` steps of ``idle(1)`` lead to, with the same
    events, so that a stretch in which nobody decides is one entry of a record.
    """

    @property
    @abstractmethod
    def tick_seconds(self) -> float:
        """The length of a tick in seconds; 0 where this scenario is not played live, as not every seat
        decides at every tick."""

    @abstractmethod
    def ticks(self, state: S_contra) -> int:
        """How many ticks have passed since the start."""

    @abstractmethod
    def idle(self, seat: Seat, ticks: int) -> D:
        """The decision of a seat that goes on with what it does for so many ticks."""

    @abstractmethod
    def lasting(self, decision: D, ticks: int) -> D:
        """The same decision, holding for so many ticks."""


def tick_seconds_of(world: Any) -> float:
    """The length of a world's tick; 0 where it is not played live."""
    return world.tick_seconds if isinstance(world, Clocked) else 0.0
