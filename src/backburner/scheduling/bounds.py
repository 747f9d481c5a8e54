"""Lower bounds on a makespan that need no solver."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from graphlib import TopologicalSorter

from backburner.kernel.scheduling import Activity


def critical_path(minutes: Mapping[str, int], after: Mapping[str, Iterable[str]]) -> int:
    """The longest chain of activities, each ``after`` the one before it.

    Raises ``graphlib.CycleError`` if activities wait for each other in a circle.
    """
    end: dict[str, int] = {}
    for name in TopologicalSorter(after).static_order():
        end[name] = minutes[name] + max((end[before] for before in after[name]), default=0)
    return max(end.values(), default=0)


def makespan_bound(activities: Iterable[Activity]) -> int:
    """No plan ends earlier than the agent can attend to everything, nor than the longest chain.

    Raises ``graphlib.CycleError`` if activities wait for each other in a circle.
    """
    listed = tuple(activities)
    load = sum(activity.attention for activity in listed)
    return max(load, critical_path({a.name: a.duration for a in listed}, {a.name: a.after for a in listed}))
