"""Overlap: the time that an episode saved by doing things at once, as a share of what can be saved.

One thing after the other, all of a scenario's work takes the sum of its durations. An episode
*saves* that sum less the time at which the last of the work ended. The *savable* time is the same
of a proven optimal plan, so that overlap is 1 for a plan that is optimal and 0 for one that takes
as long as the work in single file. It is below 0 where more time went by with nothing going on
than was saved, and never above 1 where each activity is done once and the optimum is that of all plans.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from backburner.kernel.activities import activities, set_going
from backburner.kernel.scoring import Measures, Metric, mean
from backburner.kernel.values import Event


def saved_time(events: Iterable[Event]) -> int | float:
    """Σ durations of the finished work - the end of the last of it; 0 if nothing was finished.

    Of what was paused all pieces count, of what never ended none. A body that sets something else
    going does not work meanwhile: that time is part of what it set going.
    """
    events = tuple(events)
    ended = {event.key for event in events if event.what == "end"}
    done = activities(event for event in events if event.key in ended)
    acts = set_going(done)
    work = [activity for activity in done if activity.kind == "work" and activity not in acts]
    return sum(a.end - a.start for a in work) - max((a.end for a in work), default=0)


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
