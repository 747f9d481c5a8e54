"""A scheduling problem as plain values: what a world states and a solver solves.

Times are whole numbers in the world's unit. The problem is to choose a start for every activity so
that the last end (the makespan) is as early as possible.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Resource(Struct, frozen=True):
    """``capacity`` interchangeable units; at most that many activities hold one at a time."""

    name: str
    capacity: int = 1


class Activity(Struct, frozen=True):
    """Something to be done once, without a break.

    ``duration``: how long it runs and holds its ``resources``. ``attention``: how long, from its
    start, it holds the agent; all of ``duration`` if the agent does it with its own hands, less if
    it runs alone. ``after``: names of activities that must have ended before it starts.
    """

    name: str
    duration: int
    attention: int
    after: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()


class Problem(Struct, frozen=True):
    """Activities of one agent with precedence and resources.

    ``space`` names the decisions that the problem stands for. ``complete``: no decision outside it
    could do better, for the reason that ``space`` gives; otherwise only what holds for every
    decision is proven: that each activity needs its attention. ``forbidden``: activities that the
    rules do not let happen in this space; if there is one, it holds no plan. ``impossible``:
    activities that no decision at all can finish.
    """

    unit: Literal["minutes", "seconds", "steps"]
    activities: tuple[Activity, ...]
    resources: tuple[Resource, ...]
    space: str
    forbidden: tuple[str, ...] = ()
    impossible: tuple[str, ...] = ()
    complete: bool = True
