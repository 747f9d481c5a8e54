"""Examples: what a world shows to somebody who has never played it, as play or as a whole plan."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from backburner.kernel.contract import World
from backburner.kernel.errors import Refused
from backburner.kernel.values import Seat

NO_DEMONSTRATION = "this world names no scenario in which its play is shown"
NO_WORKED_PLAN = "this world has no worked example of a whole plan"


class WorkedPlan(Struct, frozen=True):
    """A whole plan for another scenario.

    ``task``: the scenario as the world tells it. ``outline``: what goes on at the same time, in sentences.
    ``plan``: the plan as the world reads it.
    """

    task: str
    outline: str
    plan: str


@runtime_checkable
class Examples(Protocol):
    """The world has examples of other scenarios than its own, for prompts."""

    def demonstration(
        self, seat: Seat, bodies: int | None = None, single: bool = False
    ) -> tuple[World[Any, Any, Any], Seat]:
        """Another world whose play is shown to ``seat``, and the seat to look at in it.

        Its play is short, comes to an end, follows the same rules and gives nothing of this scenario away.
        What is shown ends with the first delivery. ``bodies``: how many act in it; by default as many as
        suit it. ``single``: a task with one part only, where there are tasks with several. Equal worlds
        show the same. Raises ``Refused`` where there is nothing to show, or not with so many bodies.
        """
        raise Refused(NO_DEMONSTRATION)

    def worked_plan(self, single: bool = False) -> WorkedPlan:
        """A whole plan for a scenario that is never played, of which as much is told as of this one.

        ``single``: a task with one part only, where nothing of another part is done in between. Raises
        ``Refused`` where there is none.
        """
        raise Refused(NO_WORKED_PLAN)
