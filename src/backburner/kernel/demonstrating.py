"""Worlds that know what to show to somebody who has never played them: play, or a whole plan."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from backburner.kernel.contract import World
from backburner.kernel.values import Seat


@runtime_checkable
class Demonstrable(Protocol):
    """The world can name another scenario of its own kind in which its play is shown."""

    def demonstration(
        self, seat: Seat, bodies: int | None = None, single: bool = False
    ) -> tuple[World[Any, Any, Any], Seat]:
        """A world whose play is short and gives nothing of this one away, and the seat to look at in it.

        It has the same rules, and ``bodies`` as asked for, or as many as suit it; its play comes to an end.
        What is delivered first is what it shows. ``single``: a task with one part only, where there are
        such with several. Equal worlds show the same. Raises ``Refused`` where there is nothing to show, or
        not with so many bodies.
        """


class WorkedPlan(Struct, frozen=True):
    """A plan for another scenario: the ``task`` as the world tells it, in ``outline`` what goes on at the
    same time, and the ``plan`` as the world reads it."""

    task: str
    outline: str
    plan: str


@runtime_checkable
class Exemplary(Protocol):
    """The world has an example of a whole plan for a scenario that is none of those that are played."""

    def worked_plan(self, single: bool = False) -> WorkedPlan:
        """The example, of which is told as much as this world tells of its own scenario.

        ``single``: a task with one part only, where nothing of another part is done in between.
        """
