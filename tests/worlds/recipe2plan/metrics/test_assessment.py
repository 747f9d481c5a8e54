"""The windows that maximum lags leave. Soup: step 2 within 2 min of the water's end, 4 within 1 of 3's."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import backburner
from backburner.kernel.activities import activities
from backburner.kernel.assessment import Window
from backburner.kernel.play import play_now
from backburner.kernel.replay import windows_of
from backburner.worlds.recipe2plan.game import Cook, Lag, Piece, Recipe, Recipe2Plan, Step
from backburner.worlds.recipe2plan.game.state import FINISH
from support.recipe2plan.play import SOUP, kitchen_of, world_of

WATER, LEEK = Piece(1, "Soup", 600, 0), Piece(0, "Soup", 300, 0)


def windows(world: Recipe2Plan, *decisions: Any) -> tuple[Window, ...]:
    script = [Cook((one,)) if isinstance(one, Piece) else one for one in decisions]
    episode = play_now(world, backburner.PlanPolicy("script", script, informed=False))
    return windows_of(episode, world)


def in_soup(*decisions: Any, limits: Any = "article", **how: Any) -> tuple[Window, ...]:
    return windows(kitchen_of(SOUP, limits=limits, **how), *decisions)


def after_water(state: Any, met: int | None = None) -> Window:
    """The water boils until 600."""
    return Window("cook", "Soup 2 within 2 min of 1", 600, 720, state, met)


def test_a_window_is_kept_by_a_step_that_begins_just_in_time() -> None:
    """Step 2 at 650 ends at 710, step 3 stands by itself until 830, step 4 begins just then."""
    rest = (Piece(2, "Soup", 60, 650), Piece(3, "Soup", 120, 710), Piece(4, "Soup", 90, 830))
    last = Window("cook", "Soup 4 within 1 min of 3", 830, 890, "kept", 830)
    assert in_soup(WATER, LEEK, *rest) == (after_water("kept", 650), last)


def test_missed_because_it_was_tried_too_late() -> None:
    """The clock stands at 300 when 721 is asked for, and that ends play."""
    assert in_soup(WATER, LEEK, Piece(2, "Soup", 60, 721)) == (after_water("missed"),)


def test_missed_because_the_clock_went_past_it() -> None:
    """The leek keeps the cook busy 500-800."""
    assert in_soup(WATER, Piece(0, "Soup", 300, 500)) == (after_water("missed"),)


def test_a_refusal_that_ends_nothing_breaks_nothing() -> None:
    """Without limits the cook may ask for 721 at 300, and still be in time."""
    tries = (WATER, LEEK, Piece(2, "Soup", 60, 721), Piece(2, "Soup", 60, 720), FINISH)
    assert in_soup(*tries, limits="none")[0] == after_water("kept", 720)


def test_open_when_play_stops_before_it_closes() -> None:
    assert in_soup(WATER, LEEK, FINISH) == (after_water("open"),)


def test_no_window_before_the_earlier_step_is_complete_or_where_lags_are_off() -> None:
    assert in_soup(LEEK, FINISH) == ()
    assert in_soup(WATER, LEEK, FINISH, lags=False) == ()


def test_every_piece_of_a_split_step_has_to_begin_in_time() -> None:
    """Step 4 begins at 780 and goes on at 820, within a minute of 780: the last piece is what counts."""
    rest = (Piece(2, "Soup", 60, 600), Piece(3, "Soup", 120, 660))
    pieces = (Piece(4, "Soup", 30, 780), Piece(4, "Soup", 60, 820))
    assert in_soup(WATER, LEEK, *rest, *pieces)[1].met == 820
    late = (Piece(4, "Soup", 30, 780), Piece(4, "Soup", 60, 841))
    assert (in_soup(WATER, LEEK, *rest, *late)[1]).state == "missed"


def test_a_lag_counts_from_the_last_piece_of_a_split_step() -> None:
    dough = Step("Knead.", 300, splittable=True)
    rise = Step("Shape.", 60, after=(0,), lags=(Lag(0, 60),))
    world = kitchen_of(Recipe("Rolls", (dough, rise)))
    (found,) = windows(world, Piece(0, "Rolls", 200, 0), Piece(0, "Rolls", 100, 500), FINISH)
    assert (found.opens, found.closes, found.state) == (600, 660, "open")


def test_zero_more_seconds_of_a_complete_step_open_a_new_window_under_released_rules() -> None:
    """The water is hot at 600; at 700 it is given zero more, and step 2 may start until 820."""
    found = in_soup(
        WATER, LEEK, Piece(1, "Soup", 0, 700), Piece(2, "Soup", 60, 800), FINISH, rules="released"
    )
    assert found[0] == Window("cook", "Soup 2 within 2 min of 1", 700, 820, "kept", 800)


def test_a_window_stands_on_the_lane_of_the_later_step() -> None:
    world = world_of("Tacos+Smore-Bars")
    episode = play_now(world, backburner.FirstLegalPolicy())
    found = windows_of(episode)
    assert found == windows_of(episode, world) and found
    started = {a.label: a.lane for a in activities(episode.events())}
    for window in found:
        step = " ".join(window.label.split()[:2])
        assert started.get(step, window.lane) == window.lane


def test_a_world_without_limits_of_time_has_no_windows() -> None:
    episode = backburner.play_now(backburner.world("timearena/lab1"), backburner.FirstLegalPolicy())
    assert windows_of(episode) == ()


@settings(max_examples=25)
@given(st.sampled_from(backburner.expand("recipe2plan/constrained")), st.integers(0, 10_000))
def test_at_random_an_episode_is_completed_or_something_is_missing(id: str, seed: int) -> None:
    """Kept windows were met in time; play that a lag cut off has a missed one; a completed one has none."""
    world = backburner.world(id)
    assert isinstance(world, Recipe2Plan)
    episode = play_now(world, backburner.RandomPolicy(), seed)
    found = windows_of(episode, world)
    assert episode.ending is not None
    states = [window.state for window in found]
    for window in found:
        assert (window.met is not None) == (window.state == "kept")
        assert window.met is None or window.opens <= window.met <= window.closes
    assert ("missed" in states) or episode.ending.reason != "time_constraint"
    assert not episode.ending.numbers["completed"] or states == ["kept"] * len(world.compiled.lags)
