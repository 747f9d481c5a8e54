"""Activities out of events; overlap by hand: what was saved, out of what can be saved."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from backburner.kernel.activities import (
    OVERLAP,
    Activity,
    activities,
    lanes,
    overlap,
    saved_time,
    score_curve,
)
from backburner.kernel.values import Event


def test_activities_begin_pause_and_end_as_their_events_say() -> None:
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


def test_where_nothing_happened_there_is_nothing_to_show() -> None:
    assert activities([]) == ()
    assert lanes([]) == []
    assert score_curve([]) == [(0, 0)]


def test_the_score_curve_starts_at_nothing() -> None:
    events = [Event(4, "score", value=25), Event(5, "said", "cook", "hot!"), Event(9, "score", value=100)]
    assert score_curve(events) == [(0, 0), (4, 25), (9, 100)]


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 20)), max_size=12))
def test_every_start_with_its_end_becomes_one_interval(spans: list[tuple[int, int]]) -> None:
    starts = [Event(start, "start", "pot", "boil", f"{i}") for i, (start, _) in enumerate(spans)]
    ends = [Event(start + length, "end", "pot", "boil", f"{i}") for i, (start, length) in enumerate(spans)]
    found = activities(sorted([*starts, *ends], key=lambda event: event.time))
    assert sorted((a.start, a.end) for a in found) == sorted((s, s + n) for s, n in spans)
    assert list(found) == sorted(found, key=lambda a: a.start)


# --- overlap --------------------------------------------------------------------------------------------


def span(lane: str, label: str, start: int, end: int, kind: str = "work") -> list[Event]:
    key = f"{lane} {label} {start}"
    return [Event(start, "start", lane, label, key, kind), Event(end, "end", lane, label, key, kind)]  # type: ignore[arg-type]


def in_time(*spans: list[Event]) -> list[Event]:
    return sorted((event for span in spans for event in span), key=lambda event: event.time)


KETTLE = span("kettle", "boil water", 0, 8)


def test_overlap_is_what_was_saved_of_what_could_be() -> None:
    """8 + 3 + 2 = 13 minutes of work done at 10: 3 saved. Waiting from 3 to 8 is no work."""
    tea = in_time(
        span("agent", "start boil water", 0, 1),  # part of the boiling
        KETTLE,
        span("agent", "wash cup", 1, 4),
        span("agent", "wait", 4, 8, "wait"),
        span("agent", "make tea", 8, 10),
    )
    assert saved_time(tea) == 3
    # Nobody can do better: the tea waits for the water, 8 + 2 = 10.
    assert overlap(tea, work=13, optimum=10) == 1


def test_one_after_the_other_saves_nothing() -> None:
    """0-8, 8-11, 11-13: all 13 minutes."""
    slow = in_time(KETTLE, span("agent", "wash cup", 8, 11), span("agent", "make tea", 11, 13))
    assert saved_time(slow) == 0
    assert overlap(slow, work=13, optimum=10) == 0


def test_overlap_is_between_0_and_1_where_some_work_is_done_at_once() -> None:
    """The cup is washed 7-10, one minute of it while the water boils; tea 10-12: 13 - 12 of 3."""
    late = in_time(KETTLE, span("agent", "wash cup", 7, 10), span("agent", "make tea", 10, 12))
    assert overlap(late, work=13, optimum=10) == 1 / 3


def test_idling_and_refusals_that_outweigh_it_go_below_nothing() -> None:
    """Five minutes lost before the water, the rest one after the other: 13 - 18."""
    idle = in_time(
        span("agent", "wait", 0, 4, "wait"),
        span("agent", "too_early", 4, 5, "refused"),
        span("kettle", "boil water", 5, 13),
        span("agent", "wash cup", 13, 16),
        span("agent", "make tea", 16, 18),
    )
    assert saved_time(idle) == -5
    assert overlap(idle, work=13, optimum=10) == -5 / 3


def test_all_pieces_of_what_was_finished_count_and_nothing_else() -> None:
    """Dough 0-2 and 4-5, paused in between; the egg 2-4; the oven is still on when the record stops.

    2 + 1 + 2 = 5 minutes of finished work, done at 5. The oven's six minutes are none.
    """
    events = [
        Event(0, "start", "oven", "bake", "b"),
        Event(0, "start", "cook", "knead", "k"),
        Event(2, "pause", "cook", "knead", "k"),
        *span("cook", "boil egg", 2, 4),
        Event(4, "resume", "cook", "knead", "k"),
        Event(5, "end", "cook", "knead", "k"),
        Event(6, "score", value=50),
    ]
    assert saved_time(events) == 0


def test_nothing_to_save_is_no_overlap() -> None:
    """Work that keeps one pair of hands busy throughout: the optimum is the sum."""
    assert overlap(span("agent", "wash", 0, 3), work=3, optimum=3) is None
    assert saved_time([]) == 0


def test_the_metric_is_a_mean_over_the_episodes_that_have_an_overlap() -> None:
    assert OVERLAP.over([{"overlap": 1.0}, {"P": 30.0}, {"overlap": -0.5}]) == 25
    assert OVERLAP.over([{"P": 30.0}]) is None


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 20)), min_size=1, max_size=8))
def test_what_runs_side_by_side_saves_all_but_the_longest_if_it_starts_at_once(
    spans: list[tuple[int, int]],
) -> None:
    together = in_time(*(span(f"pot {i}", "boil", 0, length) for i, (_, length) in enumerate(spans)))
    lengths = [length for _, length in spans]
    assert saved_time(together) == sum(lengths) - max(lengths)
    apart = in_time(*(span(f"pot {i}", "boil", start, start + n) for i, (start, n) in enumerate(spans)))
    assert saved_time(apart) == sum(lengths) - max(start + n for start, n in spans)
