"""What a scheduling problem's precedence says: layers, and the tasks that do not touch each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backburner.kernel.errors import Refused, nearest
from backburner.kernel.schedule import Problem

Before = Mapping[str, Sequence[str]]
"""Of each activity, those that must have ended before it starts, each once."""


def before(problem: Problem) -> Before:
    """The problem's precedence.

    Raises ``Refused`` if two activities have one name, or one waits for an activity that is not there.
    """
    names = [activity.name for activity in problem.activities]
    for name in names:
        if names.count(name) > 1:
            raise Refused(f"the scheduling problem has two activities called {name!r}")
    for activity in problem.activities:
        for needed in activity.after:
            if needed not in names:
                hint = f"; did you mean {' or '.join(near)}?" if (near := nearest(needed, names)) else ""
                raise Refused(f"{activity.name!r} waits for {needed!r}, which is not in the problem{hint}")
    return {activity.name: tuple(dict.fromkeys(activity.after)) for activity in problem.activities}


def layers(of: Before) -> dict[str, int]:
    """The length of the longest chain of activities before each one.

    Raises ``Refused`` naming the activities of a cycle, if there is one.
    """
    layer: dict[str, int] = {}
    waiting = dict(of)
    while waiting:
        ready = [name for name, needed in waiting.items() if all(other in layer for other in needed)]
        if not ready:
            raise Refused(f"activities wait for each other: {' → '.join(_cycle(waiting))}")
        layer |= {name: max((layer[other] + 1 for other in waiting[name]), default=0) for name in ready}
        for name in ready:
            del waiting[name]
    return layer


def _cycle(waiting: Before) -> list[str]:
    """Names in the order in which they would have to happen; the first one is also the last."""
    name = next(iter(waiting))
    walked: list[str] = []
    while name not in walked:
        walked.append(name)
        name = next(other for other in waiting[name] if other in waiting)
    return [name, *reversed(walked[walked.index(name) :])]


def components(of: Before) -> list[list[str]]:
    """The activities that hang together, each group and the groups in the problem's order."""
    group = {name: [name] for name in of}
    for name, needed in of.items():
        for other in needed:
            if group[name] is not group[other]:
                group[name].extend(group[other])
                for moved in group[other]:
                    group[moved] = group[name]
    order = {name: index for index, name in enumerate(of)}
    distinct = {id(members): members for members in group.values()}
    return [sorted(members, key=order.__getitem__) for members in distinct.values()]
