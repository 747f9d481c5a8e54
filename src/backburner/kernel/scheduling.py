"""A scheduling problem as plain values: what a world states and a solver solves.

Times are whole numbers in the world's unit. The problem is to choose a start for every activity so
that the last end (the makespan) is as early as possible.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol, runtime_checkable

from msgspec import Struct


class Resource(Struct, frozen=True):
    """``capacity`` interchangeable units; at most that many activities hold one at a time."""

    name: str
    capacity: int = 1


class Lag(Struct, frozen=True):
    """A maximum lag: no start later than ``at_most`` after the end of the activity ``after``."""

    after: str
    at_most: int


class Level(Struct, frozen=True):
    """A value to which a resource of one unit can be set, such as an oven's temperature."""

    resource: str
    value: int


class Activity(Struct, frozen=True):
    """Something to be done once; without a break, unless it is ``splittable``.

    ``duration``: how long it runs and holds its ``resources``. ``attention``: how long, from its
    start, it holds the agent; all of ``duration`` if the agent does it with its own hands, less if
    it runs alone. One of no attention starts when the agent is at no other activity: between two,
    not within one. ``after``: names of activities that must have ended before it starts. ``lags``:
    these hold for the start of every piece. ``splittable``: it may be done in pieces, which hold
    agent and resources each for itself; only where ``attention`` is all of ``duration``, and nothing
    is set or needed.

    ``sets``: from its start on, a resource it holds is at this level, until another activity sets
    it. ``needs``: a level at which that resource must be when it starts; at first it is at none. An
    activity may share what it holds with one of the same start and end that sets the level at which
    the resource is already: because the first sets the same, or (if it sets nothing and takes no
    attention) because it was so before.
    """

    name: str
    duration: int
    attention: int
    after: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    lags: tuple[Lag, ...] = ()
    sets: Level | None = None
    needs: Level | None = None
    splittable: bool = False


class Problem(Struct, frozen=True):
    """Activities of one agent with precedence, maximum lags and resources.

    ``space`` names the decisions that the problem stands for. ``complete``: no decision outside it
    could do better, for the reason that ``space`` gives; otherwise only what holds for every
    decision is proven: that each activity needs its attention. ``forbidden``: activities that the
    rules do not let happen in this space; if there is one, it holds no plan. ``impossible``:
    activities that no decision at all can finish.

    ``grid`` divides all durations, attentions and lags, and pieces begin and end at its multiples.
    It leaves out nothing unless something is ``splittable``; then a plan with finer pieces may be
    shorter than what is proven.
    """

    unit: Literal["minutes", "seconds", "steps"]
    activities: tuple[Activity, ...]
    resources: tuple[Resource, ...]
    space: str
    forbidden: tuple[str, ...] = ()
    impossible: tuple[str, ...] = ()
    complete: bool = True
    grid: int = 1


@runtime_checkable
class TaskGraphs(Protocol):
    """Several things may be asked for in the world, and each has a task graph of its own.

    They are there to be looked at: what is asked for, and when, is no part of them.
    """

    def task_graphs(self) -> Mapping[str, Problem]:
        """The task graph of each thing that may be asked for, by its name."""
