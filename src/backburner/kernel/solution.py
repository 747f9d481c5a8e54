"""What an oracle hands back: a plan, what it is worth, and what is proven about it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Status = Literal["optimal", "feasible", "infeasible", "unknown"]
"""``optimal``: no plan in the space is better. ``feasible``: a plan, and a bound on what better ones
could reach. ``infeasible``: there is no plan. ``unknown``: none was found in the time given."""


class Solution(Struct, frozen=True):
    """One answer of an oracle.

    ``objective`` is what the plan is worth (for a world: as the world itself counted it), ``bound``
    what no plan in ``space`` can beat, both in ``unit``; for ``sense`` ``min`` the bound is at or below
    the objective, for ``max`` at or above it. ``space`` names the decisions that were searched.
    ``starts`` gives each activity's start (``None`` if there is no plan); a further piece of an activity
    stands there by its name, ``+``, and how much of it is done before (``Soup 0+60``). ``plan`` has the
    decisions in the world's words. ``note`` says what a reader should know besides, such as a time limit
    that no plan meets. ``seconds`` is the time spent solving; nothing compares it.
    """

    scenario: str
    status: Status
    objective: int | None
    bound: int | None
    sense: Literal["min", "max"]
    unit: str
    space: str
    seconds: float = 0.0
    starts: dict[str, int] | None = None
    plan: tuple[str, ...] = ()
    note: str = ""
