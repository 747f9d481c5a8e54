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

    ``forbidden`` names activities that the rules never let happen; if there is one, no plan
    exists. ``space`` says which decisions the problem stands for, and why no other decision could
    do better, or that this is not known.
    """

    unit: Literal["minutes", "seconds", "steps"]
    activities: tuple[Activity, ...]
    resources: tuple[Resource, ...]
    space: str
    forbidden: tuple[str, ...] = ()
