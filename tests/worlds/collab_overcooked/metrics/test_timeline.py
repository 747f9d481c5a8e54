"""Episodes step by step: the kitchens, the calls under way in them, the times of all calls."""

from __future__ import annotations

from msgspec.structs import replace

from backburner.kernel.episode import Episode
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.rule_set import Limits
from backburner.worlds.collab_overcooked.metrics.chronicle import CallSpan, Timeline, timeline
from support.collab_overcooked.cooks import spoken
from support.collab_overcooked.kitchens import world_of

EGG, PUT_DOWN = "pickup(egg,ingredient_dispenser)", "place_obj_on_counter()"
FETCH_EGG = Call("pickup", "egg", "ingredient_dispenser")
SILENT = "[NOTHING]"


def timeline_of(*plans: str, steps: int) -> Timeline:
    """What these plans come to in so many steps."""
    world = world_of("boiled_egg", limits=Limits(steps, 10))
    return timeline(spoken(world, *((plan, SILENT) for plan in plans)), world)


def test_each_step_has_its_kitchen_and_each_call_its_time() -> None:
    """The chef's fetching is refused, and so is its correction: it waits a step. Refusals take no time."""
    told = timeline_of("wait(5);pickup(egg,pot0)", f"{EGG};{PUT_DOWN}", "pickup(egg,pot0)", steps=6)
    assert [snapshot.kitchen.steps for snapshot in told.snapshots] == [0, 1, 2, 3, 4, 5, 6]
    assert set(told.spans) == {
        CallSpan(0, "wait(5)", 0, 5), CallSpan(1, EGG, 0, 3), CallSpan(1, PUT_DOWN, 3, 5),
        CallSpan(0, "wait(1)", 5, 6), CallSpan(1, "wait(5)", 5, 6),
    }  # fmt: skip


def test_who_has_begun_a_call_carries_on_with_it_but_a_wait_binds_nobody() -> None:
    """At 0 and 3 nothing is begun yet, between them the assistant is on its way."""
    told = timeline_of("wait(5)", f"{EGG};wait(2)", steps=5)
    assert [snapshot.under_way for snapshot in told.snapshots] == [
        (None, None), (None, FETCH_EGG), (None, FETCH_EGG), (None, None), (None, None), (None, None),
    ]  # fmt: skip


def test_the_end_of_play_cuts_a_call_off_but_does_not_end_it() -> None:
    """After two steps the egg is not in hand; after three it is."""
    assert timeline_of("wait(5)", EGG, steps=2).snapshots[-1].under_way == (None, FETCH_EGG)
    assert timeline_of("wait(5)", EGG, steps=3).snapshots[-1].under_way == (None, None)
    assert CallSpan(1, EGG, 0, 2) in timeline_of("wait(5)", EGG, steps=2).spans


def test_a_record_that_stops_has_the_calls_that_are_over() -> None:
    """Without its last answers: the chef is asked at 2, the assistant still on its way."""
    world = world_of("boiled_egg", limits=Limits(9, 10))
    whole = spoken(world, ("wait(2)", SILENT), (EGG, SILENT), ("wait(4)", SILENT))
    cut: Episode = replace(whole, entries=whole.entries[:2], ending=None)
    told = timeline(cut, world)
    assert told.spans == (CallSpan(0, "wait(2)", 0, 2),)
    assert [snapshot.under_way for snapshot in told.snapshots] == [
        (None, None),
        (None, FETCH_EGG),
        (None, FETCH_EGG),
    ]
