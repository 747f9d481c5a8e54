"""What a timeline shows, whatever it is drawn with: lanes, rows, and who started what."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from backburner.drawing import palette
from backburner.kernel.activities import Activity, activities, lanes, score_curve, set_going
from backburner.kernel.assessment import Window, WindowState
from backburner.kernel.errors import amount, number
from backburner.kernel.values import Event

BODIES = ("agent",)
"""The lanes taken for bodies if nobody says more."""

SHORTEST = 1e-6
"""An episode shorter than this is drawn as if it lasted one unit of time."""

WINDOW_STATES: Mapping[WindowState, str] = {"kept": "in time", "missed": "too late", "open": "still open"}
"""What became of a window, in words."""

Curve = Sequence[tuple[int | float, int | float]]


class Lane(NamedTuple):
    """A body or something that works by itself. Activities that overlap stand in different rows.

    ``windows``: what has to begin here, and from when to when. ``said``: what is said here, in order of time.
    """

    name: str
    body: bool
    rows: tuple[tuple[Activity, ...], ...]
    windows: tuple[Window, ...] = ()
    said: tuple[Event, ...] = ()

    @property
    def activities(self) -> list[Activity]:
        """All of them, row by row."""
        return [activity for row in self.rows for activity in row]


class Chart:
    """The lanes of an episode: those of ``bodies`` in their order, other bodies', then the rest.

    A lane is a body's if ``bodies`` names it, or if it speaks, waits, is refused or starts other work.
    Where nothing else is said, lanes stand in the order of their first use. ``standing``: the bodies in the
    order of their scene, in which they have their colours.
    """

    def __init__(
        self,
        events: Iterable[Event],
        bodies: Collection[str] = BODIES,
        windows: Sequence[Window] = (),
        standing: Sequence[str] = (),
    ) -> None:
        events = tuple(events)
        self.windows = sorted(windows, key=lambda window: (window.opens, window.closes))
        self.activities = activities(events)
        self.started = set_going(self.activities)
        self.score: Curve = score_curve(events)
        self.said = tuple(event for event in events if event.what == "said")
        speaking = tuple(event.lane for event in self.said)
        acting = {*bodies, *speaking}
        acting |= {a.lane for a in self.activities if a.kind != "work" or a in self.started}
        names = dict.fromkeys((*lanes(self.activities), *(window.lane for window in self.windows), *speaking))
        found = [self._lane(name, name in acting) for name in names]
        order = {name: index for index, name in enumerate(bodies)}
        self.lanes = sorted(found, key=lambda lane: (not lane.body, order.get(lane.name, len(order))))
        self.hands = tuple(dict.fromkeys((*standing, *(lane.name for lane in self.lanes if lane.body))))

    def _lane(self, name: str, body: bool) -> Lane:
        rows = _rows([activity for activity in self.activities if activity.lane == name])
        windows = tuple(window for window in self.windows if window.lane == name)
        return Lane(name, body, rows, windows, tuple(event for event in self.said if event.lane == name))

    @cached_property
    def colours(self) -> dict[str, str]:
        """A colour for each lane that is no body's."""
        return colours_of([self])[0]

    @cached_property
    def of_hands(self) -> dict[str, str]:
        """A colour for each body."""
        return colours_of([self])[1]

    @cached_property
    def begin(self) -> int | float:
        """Zero, or the time of the first event or opening if that is earlier."""
        starts = (activity.start for activity in self.activities)
        spoken = (event.time for event in self.said)
        return min((0, *starts, *spoken, *(window.opens for window in self.windows)))

    @cached_property
    def end(self) -> int | float:
        """The last moment at which something happens or closes; always after ``begin``."""
        ends = (*(a.end for a in self.activities), *(window.closes for window in self.windows))
        latest = max((*ends, *(time for time, _ in self.score), *(event.time for event in self.said)))
        return latest if latest - self.begin > SHORTEST else self.begin + 1

    @property
    def scored(self) -> bool:
        """Whether there is a score to draw."""
        return len(self.score) > 1


def colours_of(charts: Sequence[Chart]) -> tuple[dict[str, str], dict[str, str]]:
    """A colour for each thing and one for each body, the same in all of the charts."""
    things = dict.fromkeys(lane.name for chart in charts for lane in chart.lanes if not lane.body)
    hands = dict.fromkeys(name for chart in charts for name in chart.hands)
    return (
        {name: palette.alone(index) for index, name in enumerate(things)},
        {name: palette.body(index) for index, name in enumerate(hands)},
    )


def _rows(of: Sequence[Activity]) -> tuple[tuple[Activity, ...], ...]:
    """Each activity (given by start) in the first row that is free when it begins."""
    rows: list[list[Activity]] = []
    for activity in of:
        free = (row for row in rows if row[-1].end <= activity.start and not _same_time(row[-1], activity))
        row = next(free, None)
        if row is None:
            rows.append([activity])
        else:
            row.append(activity)
    return tuple(map(tuple, rows))


def _same_time(first: Activity, second: Activity) -> bool:
    return (first.start, first.end) == (second.start, second.end)


def what(activity: Activity) -> str:
    """The label, after ``refused:`` if nothing came of it."""
    return f"refused: {activity.label}" if activity.kind == "refused" else activity.label


def when(activity: Activity) -> str:
    """Start and end, as ``3–5``."""
    return f"{number(activity.start)}–{number(activity.end)}"


def how_long(activity: Activity, unit: str) -> str:
    """The duration, marked if the activity was not finished."""
    return amount(activity.end - activity.start, unit) + ("" if activity.complete else ", unfinished")


def told(activity: Activity, unit: str) -> str:
    """Everything about an activity in two lines: what, where; when, how long."""
    return f"{what(activity)} ({activity.lane})\n{when(activity)} {unit}, lasts {how_long(activity, unit)}"


def told_window(window: Window, unit: str) -> str:
    """Everything about a window in two lines: what; from when to when, and what became of it."""
    became = WINDOW_STATES[window.state] + ("" if window.met is None else f": at {number(window.met)}")
    return f"{window.label}\n{number(window.opens)}–{number(window.closes)} {unit}, {became}"


def told_words(event: Event, unit: str) -> str:
    """Everything about something said in two lines: who and when; the words."""
    return f"{event.lane}, at {number(event.time)} {unit}\n{event.label}"


def tick_step(span: float, most: int) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50 ... that needs at most ``most`` steps for ``span``."""
    step = 1
    while True:
        for factor in (1, 2, 5):
            if span <= step * factor * most:
                return step * factor
        step *= 10
