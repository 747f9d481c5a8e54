"""Delays between starts, as projects with lags have them, in the words of a problem."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from msgspec.structs import replace

from backburner.kernel.schedule import Activity, MaxLag

BEGINNING = ""
"""Stands for time 0 in place of an activity."""


class StartLags:
    """Delays S(j) >= S(i) + d between the starts of these activities, gathered one by one.

    Precedence needs the end of i, and a maximum lag of i after j, S(i) <= C(j) + d, a d of at least 0.
    Other delays need dummies: one of no length that starts no earlier than i, as i starts no later than
    it ends; one of no length that ends by the start of j; and one that lasts the rest of a delay.
    """

    def __init__(self, activities: Iterable[Activity]) -> None:
        self._activities = {each.name: each for each in activities}
        self._releases: dict[str, int] = defaultdict(int)
        self._latest: dict[str, int] = {}
        self._before: dict[str, list[str]] = defaultdict(list)
        self._lags: dict[str, list[MaxLag]] = defaultdict(list)
        self._dummies: dict[str, Activity] = {}

    def not_before(self, i: str, j: str, delay: int) -> None:
        """S(j) >= S(i) + delay; ``BEGINNING`` is always at 0."""
        if i == BEGINNING:
            self._releases[j] = max(self._releases[j], delay)
        elif j == BEGINNING:
            self._latest[i] = min(self._latest.get(i, -delay), -delay)
        elif delay >= (duration := self._activities[i].duration):
            self._before[j].append(i if delay == duration else self._rest(i, j, delay, i, delay - duration))
        elif delay > 0:
            begun = self._dummy(f"begin of {i}")
            self._lags[i].append(MaxLag(begun, 0))
            self._before[j].append(self._rest(i, j, delay, begun, delay))
        elif (most := -delay - self._activities[j].duration) >= 0:
            self._lags[i].append(MaxLag(j, most))
        else:
            by = self._dummy(f"by the begin of {j}")
            self._before[j].append(by)
            self._lags[i].append(MaxLag(by, -delay))

    def _rest(self, i: str, j: str, delay: int, after: str, duration: int) -> str:
        return self._dummy(f"{i} {delay} before {j}", duration, (after,))

    def _dummy(self, name: str, duration: int = 0, before: tuple[str, ...] = ()) -> str:
        self._dummies[name] = Activity(name, duration, 0, before)
        return name

    def is_an_end(self, name: str) -> bool:
        """Whether an activity does nothing but come last: it takes no time, and other ends alone bind it."""
        free = not (self._lags[name] or self._releases[name] or name in self._latest)
        waited_for = any(name in before for before in self._before.values())
        plain = self._dummies.keys().isdisjoint(self._before[name])
        return free and plain and not waited_for and not self._activities[name].duration

    def stated(self, without: str = "") -> tuple[Activity, ...]:
        """The activities with all that was gathered, but for one, and the dummies behind them."""
        names = (name for name in self._activities if name != without)
        return (*map(self._stated, names), *self._dummies.values())

    def _stated(self, name: str) -> Activity:
        activity, latest = self._activities[name], self._latest.get(name)
        return replace(
            activity,
            predecessors=(*activity.predecessors, *dict.fromkeys(self._before[name])),
            max_lags=tuple(self._lags[name]),
            release=max(0, self._releases[name]),
            deadline=None if latest is None else latest + activity.duration,
        )
