"""The furnace, slot by slot and tick by tick."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.worlds.minecraft.game.physics import Change, Furnace, advance

LOGS = Furnace(fuel=("oak_log", 1))


def test_a_log_cooks_one_and_a_half_items() -> None:
    # Done after 200; the second has come to 100 when the fire goes out after 300, to nothing after 350.
    furnace, changes = advance(Furnace(("chicken", 2), ("oak_log", 1)), 400)
    assert changes == [
        Change(0, "begun", "chicken"),
        Change(200, "done", "chicken"),
        Change(200, "begun", "chicken"),
        Change(350, "lost", "chicken"),
    ]
    assert furnace == Furnace(("chicken", 1), output=("cooked_chicken", 1))


def test_a_new_log_in_time_keeps_what_was_begun() -> None:
    # 300 ticks leave 100 done; 20 ticks without fire take 40 of them; 140 with fire finish it.
    furnace, _ = advance(Furnace(("chicken", 2), ("oak_log", 1)), 320)
    assert (furnace.progress, furnace.burning) == (60, 0)
    lit, changes = advance(Furnace(furnace.input, ("oak_log", 1), furnace.output, 0, 60), 140)
    assert changes == [Change(140, "done", "chicken")]
    assert lit == Furnace(output=("cooked_chicken", 2), burning=160)


def test_it_is_not_lit_without_need() -> None:
    assert advance(LOGS, 1000) == (LOGS, [])
    other = Furnace(("mutton", 1), ("oak_log", 1), ("cooked_chicken", 1))
    assert advance(other, 1000) == (other, [])


def test_it_burns_on_without_need() -> None:
    furnace, _ = advance(Furnace(("chicken", 1), ("oak_log", 2)), 250)
    assert furnace == Furnace((("", 0)), ("oak_log", 1), ("cooked_chicken", 1), burning=50)


def test_what_cannot_be_smelted_stays() -> None:
    stuck = Furnace(("feather", 1), ("oak_log", 1))
    assert advance(stuck, 500) == (stuck, [])


def test_a_fire_that_burns_takes_no_second_log() -> None:
    furnace, _ = advance(Furnace(("chicken", 1), ("oak_log", 1), burning=100), 50)
    assert (furnace.fuel, furnace.burning, furnace.progress) == (("oak_log", 1), 50, 50)


def test_of_three_items_two_are_left_when_one_is_done() -> None:
    furnace, _ = advance(Furnace(("chicken", 3), ("oak_log", 3)), 200)
    assert furnace == Furnace(("chicken", 2), ("oak_log", 2), ("cooked_chicken", 1), burning=100)


def test_what_was_begun_is_lost_at_once_where_there_is_fire_or_fuel_and_no_room_for_it() -> None:
    # Half a minute of mutton, and cooked chicken in its way. Without either it cools by two in a tick.
    blocked = Furnace(("mutton", 1), output=("cooked_chicken", 1), progress=60)
    for heated in (replace(blocked, burning=100), replace(blocked, fuel=("oak_log", 1))):
        after, changes = advance(heated, 10)
        assert (after.progress, changes) == (0, [Change(0, "lost", "mutton")])
    assert advance(blocked, 10) == (replace(blocked, progress=40), [])


furnaces = st.builds(
    Furnace,
    st.sampled_from([("", 0), ("chicken", 1), ("chicken", 3), ("mutton", 2), ("feather", 1)]),
    st.sampled_from([("", 0), ("oak_log", 1), ("oak_log", 4)]),
    st.sampled_from([("", 0), ("cooked_chicken", 1), ("cooked_chicken", 64)]),
    st.integers(0, 299),
)


@given(furnaces, st.lists(st.integers(0, 300), max_size=6))
def test_it_does_not_matter_how_time_is_cut(furnace: Furnace, spans: list[int]) -> None:
    whole, changes = advance(furnace, sum(spans))
    found, passed = [], 0
    for span in spans:
        furnace, more = advance(furnace, span)
        found += [Change(passed + each.after, each.what, each.item) for each in more]
        passed += span
    assert furnace == whole
    assert found == changes


@given(furnaces, st.integers(0, 2000))
def test_nothing_comes_of_nothing(furnace: Furnace, ticks: int) -> None:
    after, changes = advance(furnace, ticks)
    made = sum(change.what == "done" for change in changes)
    assert after.output[1] == furnace.output[1] + made
    assert after.input[1] == furnace.input[1] - made
    assert 300 * furnace.fuel[1] + furnace.burning - 300 * after.fuel[1] - after.burning <= ticks
    assert after.output[1] <= 64 and 0 <= after.progress < 200
