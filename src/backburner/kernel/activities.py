"""Activities: intervals on lanes, built from events alone, whatever the world.

The Gantt chart, idle time and overlap of any world come from this one list.

Overlap is the time that an episode saved by doing things at once, as a share of what can be saved.
One thing after the other, all of a scenario's work takes the sum of its durations. An episode
*saves* that sum less the time at which the last of the work ended. The *savable* time is the same
of a proven optimal plan, so that overlap is 1 for a plan that is optimal and 0 for one that takes
as long as the work in single file. It is below 0 where more time went by with nothing going on
than was saved, and never above 1 where each activity is done once and the optimum is that of all plans.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from backburner.kernel.scoring import Measures, Metric, mean
from backburner.kernel.values import Event

THINKS = "thinks"
"""The label of a wait in which a seat thinks, under a clock."""


class Activity(Struct, frozen=True):
    """``label`` occupied ``lane`` from ``start`` to ``end``.

    ``complete``: it was finished at ``end``; false where it was only paused or cut short.
    """

    lane: str
    label: str
    start: int | float
    end: int | float
    kind: Literal["work", "wait", "refused", "differs"] = "work"
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


# --- overlap --------------------------------------------------------------------------------------------


def saved_time(events: Iterable[Event]) -> int | float:
    """Σ durations of the finished work - the end of the last of it; 0 if nothing was finished.

    Of what was paused all pieces count, of what never ended none. A body that sets something else
    going does not work meanwhile: that time is part of what it set going.
    """
    work = finished_work(events)
    return sum(a.end - a.start for a in work) - max((a.end for a in work), default=0)


def finished_work(events: Iterable[Event]) -> list[Activity]:
    """The work that was finished, all pieces of what was paused; what a body sets going, without the setting
    going."""
    events = tuple(events)
    ended = {event.key for event in events if event.what == "end"}
    done = activities(event for event in events if event.key in ended)
    acts = set_going(done)
    return [activity for activity in done if activity.kind == "work" and activity not in acts]


def overlap(events: Iterable[Event], work: int | float, optimum: int | float) -> float | None:
    """saved / (``work`` - ``optimum``) of an episode in which everything was completed.

    ``work``: the sum of the durations of the scenario's activities. ``optimum``: the proven earliest
    end of all of them. ``None`` where nothing can be saved.
    """
    savable = work - optimum
    return saved_time(events) / savable if savable > 0 else None


def mean_overlap(rows: Sequence[Measures]) -> float | None:
    """100 times the mean of ``overlap`` over the episodes that have it."""
    return mean(100 * row["overlap"] for row in rows if "overlap" in row)


OVERLAP = Metric(
    "overlap", "saved of the savable time", "%", "higher", mean_overlap, "100 · mean((Σd − T) / (Σd − T*))"
)
"""For the worlds whose ``measure`` gives completed episodes with a proven optimum an ``overlap``."""
