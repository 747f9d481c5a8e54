"""Activities: from events to intervals."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.kernel.activities import Activity, activities, lanes, score_curve
from backburner.kernel.values import Event


def test_worked_example() -> None:
    """Rice cooks 0-8 in the pot. The cook chops 0-3, is called away, goes on 5-6, and waits 6-8."""
    events = [
        Event(0, "start", "pot", "cook rice", "rice"),
        Event(0, "start", "cook", "chop", "chop"),
        Event(3, "pause", "cook", "chop", "chop"),
        Event(5, "resume", "cook", "chop", "chop"),
        Event(6, "end", "cook", "chop", "chop"),
        Event(6, "start", "cook", "wait", "wait", "wait"),
        Event(8, "end", "pot", "cook rice", "rice"),
        Event(8, "end", "cook", "wait", "wait", "wait"),
    ]
    found = activities(events)
    assert found == (
        Activity("cook", "chop", 0, 3, complete=False),
        Activity("pot", "cook rice", 0, 8),
        Activity("cook", "chop", 5, 6),
        Activity("cook", "wait", 6, 8, kind="wait"),
    )
    # The cook works (3 - 0) + (6 - 5) = 4 of 8, all of it while the pot is on.
    work = [a for a in found if a.lane == "cook" and a.kind == "work"]
    assert sum(a.end - a.start for a in work) == 4
    assert lanes(found) == ["cook", "pot"]


def test_what_is_open_when_the_events_stop_is_cut_short_there() -> None:
    events = [Event(2, "start", "pot", "boil", "b"), Event(7, "score", value=10)]
    assert activities(events) == (Activity("pot", "boil", 2, 7, complete=False),)


def test_what_is_paused_and_never_resumed_is_not_complete() -> None:
    events = [Event(2, "start", "pot", "boil", "b"), Event(5, "pause", "pot", "boil", "b")]
    assert activities(events) == (Activity("pot", "boil", 2, 5, complete=False),)


def test_an_end_without_a_start_is_no_activity() -> None:
    assert activities([Event(3, "end", "pot", "boil", "b")]) == ()


def test_refused_time_keeps_its_kind() -> None:
    events = [Event(0, "start", "cook", "?", "r", "refused"), Event(1, "end", "cook", "?", "r", "refused")]
    assert activities(events) == (Activity("cook", "?", 0, 1, kind="refused"),)


def test_nothing_happened() -> None:
    assert activities([]) == ()
    assert lanes([]) == []
    assert score_curve([]) == [(0, 0)]


def test_the_score_curve_starts_at_nothing() -> None:
    events = [Event(4, "score", value=25), Event(5, "said", "cook", "hot!"), Event(9, "score", value=100)]
    assert score_curve(events) == [(0, 0), (4, 25), (9, 100)]


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 20)), max_size=12))
def test_every_start_with_its_end_becomes_one_interval(spans: list[tuple[int, int]]) -> None:
    starts = [Event(start, "start", "pot", "boil", f"{i}") for i, (start, _) in enumerate(spans)]
    ends = [Event(start + length, "end", "pot", "boil", f"{i}") for i, (start, length) in enumerate(spans)]
    found = activities(sorted([*starts, *ends], key=lambda event: event.time))
    assert sorted((a.start, a.end) for a in found) == sorted((s, s + n) for s, n in spans)
    assert list(found) == sorted(found, key=lambda a: a.start)
