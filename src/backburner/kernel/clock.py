"""Worlds with a clock of their own: time passes there whether or not anybody decides anything.

Such a world asks every seat in every tick, and a decision may say that nothing new comes for some ticks: a
record has one step for a stretch in which nobody did anything. Whoever keeps the clock, a server or a script,
makes the ticks; whoever takes long to think decides about a later state than it was shown.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Protocol, TypeVar, runtime_checkable

from backburner.kernel.values import Seat

S_contra = TypeVar("S_contra", contravariant=True)
D_co = TypeVar("D_co", covariant=True)


@runtime_checkable
class Clocked(Protocol[S_contra, D_co]):
    """The world can be played by a clock.

    ``clock_option``: the option of an id, and its value, with which a scenario is played by the clock; the
    same without it goes turn by turn. ``None``: there is no such option.
    """

    clock_option: ClassVar[tuple[str, str] | None] = None

    @property
    @abstractmethod
    def tick_seconds(self) -> float | None:
        """Seconds of a tick, the shortest step; ``None`` where seats are asked turn by turn after all."""

    @abstractmethod
    def idle(self, ticks: int = 1) -> D_co:
        """The decision of a seat that has nothing new to say for so many ticks, at least 1.

        If all seats decide so, that many ticks pass in one step, with the state and the events that they
        would have one by one. A step lasts the least number of ticks of all seats.
        """

    @abstractmethod
    def occupied(self, state: S_contra, seat: Seat) -> bool:
        """Whether everybody of the seat has something under way, so that agents need not be asked yet."""
