"""Activities: intervals on lanes, built from events alone, whatever the world.

The Gantt chart, idle time and overlap of any world come from this one list.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from backburner.kernel.values import Event


class Activity(Struct, frozen=True):
    """``label`` occupied ``lane`` from ``start`` to ``end``.

    ``complete``: it was finished at ``end``; false where it was only paused or cut short.
    """

    lane: str
    label: str
    start: int | float
    end: int | float
    kind: Literal["work", "wait", "refused"] = "work"
    complete: bool = True


def activities(events: Iterable[Event]) -> tuple[Activity, ...]:
    """The intervals that ``events`` (in order of time) open and close, by start, then lane.

    A pause closes an interval and a resume opens the next one with the same key; only the interval
    that an end closes is complete. What is open when the events stop ends at the last time seen.
    """
    opened: dict[str, Event] = {}
    closed: list[Activity] = []
    now: int | float = 0
    for event in events:
        now = max(now, event.time)
        if event.what in ("start", "resume"):
            opened[event.key] = event
        elif event.what in ("end", "pause") and event.key in opened:
            closed.append(_interval(opened.pop(event.key), event.time, complete=event.what == "end"))
    closed += [_interval(first, now, complete=False) for first in opened.values()]
    return tuple(sorted(closed, key=lambda a: (a.start, a.lane, a.end, a.label)))


def _interval(first: Event, end: int | float, complete: bool) -> Activity:
    return Activity(first.lane, first.label, first.time, end, first.kind, complete)


def set_going(of: Sequence[Activity]) -> dict[Activity, Activity]:
    """Each "start X" of a body with what it has set going: X, on another lane, from the same time on."""
    by_words = {(f"start {a.label}", a.start): a for a in of}
    pairs = ((a, by_words.get((a.label, a.start))) for a in of)
    return {a: begun for a, begun in pairs if begun is not None and begun.lane != a.lane}


def lanes(of: Sequence[Activity]) -> list[str]:
    """The lanes in the order in which they are first used."""
    return list(dict.fromkeys(activity.lane for activity in of))


def score_curve(events: Iterable[Event]) -> list[tuple[int | float, int | float]]:
    """(time, score) at each change of the score, starting from (0, 0)."""
    changes = [(event.time, event.value) for event in events if event.what == "score"]
    return [(0, 0), *((time, value) for time, value in changes if value is not None)]
