"""Views: how a state looks, what a long step passes through, and the keys and clicks of the world."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar, runtime_checkable

from backburner.kernel.controls import Controls
from backburner.kernel.scene import Scene
from backburner.kernel.values import Refusal, Seat

S = TypeVar("S")
D_contra = TypeVar("D_contra", contravariant=True)


@runtime_checkable
class View(Protocol[S, D_contra]):
    """The world can be looked at, and perhaps played with keys and clicks."""

    @abstractmethod
    def scene(self, state: S, seat: Seat | None = None) -> Scene:
        """What stands where. An onlooker (``None``) sees everything, a seat what it may know."""

    def between(
        self, state: S, decisions: Mapping[Seat, D_contra | Refusal]
    ) -> Sequence[tuple[int | float, S]]:
        """(time, state) for each moment within ``step(state, decisions)`` that is worth looking at.

        In order of time, after ``state`` and before the step's end. They are for looking only: nobody is
        asked in them.
        """
        return ()

    @property
    def controls(self) -> Controls:
        """The keys and clicks that come with the world, for the verbs of its menus; none by default."""
        return Controls()
