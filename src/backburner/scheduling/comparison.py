"""How well a stated problem agrees with the true one: precision and recall by kind of fact.

The activities of the two are matched beforehand; what is stated of an activity that matches nothing is a
mistake, what is true of one that nothing matches is missing.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from itertools import combinations
from math import log
from statistics import fmean
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.schedule import Activity, Problem


class Agreement(Struct, frozen=True):
    """``true`` and ``said`` facts of one kind, and those that are both."""

    true: int = 0
    said: int = 0
    common: int = 0

    @property
    def precision(self) -> float | None:
        """The share of what is said that is true; ``None`` if nothing is said."""
        return self.common / self.said if self.said else None

    @property
    def recall(self) -> float | None:
        """The share of what is true that is said; ``None`` if nothing is true."""
        return self.common / self.true if self.true else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of the two, 2 common / (true + said); ``None`` where both are nothing."""
        return 2 * self.common / (self.true + self.said) if self.true + self.said else None

    def __add__(self, other: Agreement) -> Agreement:
        return Agreement(self.true + other.true, self.said + other.said, self.common + other.common)


class Comparison(Struct, frozen=True):
    """A stated problem beside the true one.

    ``precedence``: which activity has to end before which starts, directly or not (transitive closure), so
    that a redundant edge is no mistake; ``edges``: the same without redundant ones (transitive reduction).
    ``sharing``: pairs of activities that cannot run at once, as a resource has no unit for both.
    ``lags``: maximum lags by their pair and limit. ``durations`` and ``hands`` count matched activities:
    ``said`` those for which a time is stated, ``common`` those for which it is exact. ``log_ratio``: the mean
    of the absolute logarithm of stated to true duration; ``None`` if none can be compared.
    """

    activities: Agreement
    precedence: Agreement
    edges: Agreement
    sharing: Agreement
    lags: Agreement
    durations: Agreement
    hands: Agreement
    log_ratio: float | None


def compare(
    true: Problem, said: Problem, match: Mapping[str, str], untimed: Collection[str] = ()
) -> Comparison:
    """``match``: names of stated activities to names of true ones, one to one. ``untimed``: the stated
    activities that come with no duration of their own.
    """
    names = {each.name: match.get(each.name, f"\0{each.name}") for each in said.activities}
    own = [_renamed(each, names) for each in said.activities]
    by_name = {each.name: each for each in true.activities}
    timed = {names[each.name] for each in said.activities} - {names[name] for name in untimed}
    both = [(by_name[each.name], each) for each in own if each.name in by_name]
    with_time = [(one, other) for one, other in both if other.name in timed]
    ratios = [abs(log(b.duration / a.duration)) for a, b in with_time if a.duration and b.duration]
    closures = closure(true.activities), closure(own)
    return Comparison(
        _agreement(by_name, (each.name for each in own)),
        _agreement(*closures),
        _agreement(*map(reduction, closures)),
        _agreement(_sharing(true.activities, true), _sharing(own, said)),
        _agreement(_lags(true.activities), _lags(own)),
        Agreement(len(both), len(with_time), sum(a.duration == b.duration for a, b in with_time)),
        Agreement(len(both), len(both), sum(_by_hand(a) == _by_hand(b) for a, b in both)),
        fmean(ratios) if ratios else None,
    )


def _by_hand(activity: Activity) -> int | str:
    """The operator's time; that of work by hand is its duration, however long that is said to be."""
    return "all" if activity.operator_time == activity.duration else activity.operator_time


def _renamed(activity: Activity, names: Mapping[str, str]) -> Activity:
    lags = tuple(replace(lag, after=names[lag.after]) for lag in activity.max_lags)
    before = tuple(names[name] for name in activity.predecessors)
    return replace(activity, name=names[activity.name], predecessors=before, max_lags=lags)


def _agreement(true: Iterable[Hashable], said: Iterable[Hashable]) -> Agreement:
    one, other = set(true), set(said)
    return Agreement(len(one), len(other), len(one & other))


Edges = frozenset[tuple[str, str]]


def closure(activities: Iterable[Activity]) -> Edges:
    """All pairs (before, after) of which the first has to end before the second starts, in a cycle too."""
    after: dict[str, set[str]] = {}
    for activity in activities:
        for name in activity.predecessors:
            after.setdefault(name, set()).add(activity.name)
    return frozenset((name, other) for name in after for other in _reached(name, after))


def _reached(name: str, after: Mapping[str, Collection[str]]) -> set[str]:
    found: set[str] = set()
    to_visit = list(after[name])
    while to_visit:
        other = to_visit.pop()
        if other not in found:
            found.add(other)
            to_visit += after.get(other, ())
    return found


def reduction(edges: Edges) -> Edges:
    """The edges of a closure that do not follow from others; those of a cycle all stay."""
    after: dict[str, set[str]] = {}
    for name, other in edges:
        after.setdefault(name, set()).add(other)
    return frozenset(
        (name, other)
        for name, other in edges
        if not any(
            other in after.get(between, ()) and name not in after.get(between, ())
            for between in after[name] - {other}
        )
    )


def _sharing(activities: Iterable[Activity], problem: Problem) -> set[frozenset[str]]:
    """Pairs that hold the same resource, of which there are not enough units for both."""
    capacity = {resource.name: resource.capacity for resource in problem.resources}
    users: dict[str, list[tuple[str, int]]] = {}
    for activity in activities:
        for name in set(activity.resources):
            users.setdefault(name, []).append((activity.name, activity.resources.count(name)))
    return {
        frozenset((one, other))
        for name, of_it in users.items()
        for (one, n), (other, m) in combinations(of_it, 2)
        if n + m > capacity[name]
    }


def _lags(activities: Iterable[Activity]) -> set[tuple[Any, ...]]:
    return {(lag.after, activity.name, lag.at_most) for activity in activities for lag in activity.max_lags}
