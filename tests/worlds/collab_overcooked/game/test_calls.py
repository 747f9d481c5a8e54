"""Calls read from text, under both rule sets; nothing a player types raises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import FAULTS, Call
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import SHIPPED, shipped_layout
from backburner.worlds.collab_overcooked.game.rule_set import RELEASED, STANDARD
from backburner.worlds.collab_overcooked.game.text import SENTENCES, refusal_text
from support.collab_overcooked.kitchens import kitchen_with, refusal_of

OURS = Compiled(shipped_layout(SHIPPED), STANDARD).reader
AS_RELEASED = Compiled(shipped_layout(SHIPPED), RELEASED)
THEIRS = AS_RELEASED.reader
APPLE = Call(calls.PICKUP, "apple", calls.INGREDIENT_DISPENSER)
UNKNOWN_PLACE = "fmt_pickup_unknown_place"


@pytest.mark.parametrize(
    ("text", "ours", "theirs"),
    [
        ("pickup(apple, ingredient_dispenser)", APPLE, APPLE),
        (" 1. pickup( 'apple' , \"ingredient_dispenser\" ) ", APPLE, APPLE),
        ("'pickup(apple,counter)'", Call(calls.PICKUP, "apple", calls.COUNTER), "fmt_unparsable"),
        ("pickup (apple,counter)", Call(calls.PICKUP, "apple", calls.COUNTER), "fmt_unparsable"),
        ("stir(blender0).", Call("stir", place="blender0"), None),
        ("pickup(apple,counter)]", "fmt_unparsable", Call(calls.PICKUP, "apple", calls.COUNTER)),
        ("check_recipe()", Call(calls.CHECK_RECIPE), None),
        ("check_recipe() ", Call(calls.CHECK_RECIPE), "fmt_unparsable"),
        ("deliver_soup() ", Call(calls.DELIVER), "fmt_unparsable"),
        ("i will wait", "fmt_unparsable", calls.wait(1)),
        ("wait 3", "fmt_unparsable", calls.wait(1)),
        ("wait( 2 )", calls.wait(2), calls.wait(1)),
        ("wait(03)", calls.wait(3), None),
        ("wait(2).", calls.wait(2), None),
        ("wait(2.0)", calls.wait(1), "fmt_wait_too_long"),
        ("wait(2)(3)", "fmt_unparsable", "fmt_wait_too_long"),
        ("nothing", "fmt_unparsable", "fmt_unparsable"),
        ("[nothing]", "fmt_unparsable", "fmt_unparsable"),
        ("pickup(dish,dish_dispenser)", Call(calls.PICKUP, "dish", calls.DISH_DISPENSER), None),
        ("pickup(apple)", "fmt_pickup_arity", "fmt_pickup_arity"),
        ("pickup(appel,counter)", "fmt_pickup_unknown_object", "fmt_pickup_unknown_object"),
        ("pickup(apple,fridge)", UNKNOWN_PLACE, UNKNOWN_PLACE),
        ("pickup(apple,counter0)", UNKNOWN_PLACE, Call(calls.PICKUP, "apple", "counter0")),
        ("pickup(apple,dispenser)", APPLE, Call(calls.PICKUP, "apple", "dispenser")),
        ("pickup(apple,the dispenser)", UNKNOWN_PLACE, Call(calls.PICKUP, "apple", "thedispenser")),
        ("pickup(apple,counter_dispenser)", UNKNOWN_PLACE, Call(calls.PICKUP, "apple", "counter_dispenser")),
        ("pickup(boiled_egg,counter_dispenser)", UNKNOWN_PLACE, "fmt_dispenser_not_raw"),
        ("pickup(boiled_egg,dish_dispenser)", "fmt_dispenser_not_raw", "fmt_dispenser_not_raw"),
        ("pickup(apple,dish_dispenser)", *["fmt_ingredient_from_dish_dispenser"] * 2),
        ("pickup(dish,ingredient_dispenser)", *["fmt_dish_from_ingredient_dispenser"] * 2),
        ("put_obj_in_utensil(pot0)", Call(calls.PUT, place="pot0"), None),
        ("put_obj_in_utensil(table)", "fmt_put_unknown_utensil", "fmt_put_unknown_utensil"),
        ("put_obj_in_utensil(egg,pot0)", "fmt_put_arity", Call(calls.PUT, place="pot0")),
        ("put_obj_in_utensil(pot0", "fmt_unparsable", "fmt_put_arity"),
        ("fill_dish_with_food()", "fmt_fill_unknown_utensil", "fmt_fill_unknown_utensil"),
        ("fill_dish_with_food(pot0,oven0)", "fmt_fill_arity", "fmt_fill_arity"),
        ("place_obj_on_counter(counter)", "fmt_unparsable", "fmt_unparsable"),
        (" place_obj_on_counter()", Call(calls.PLACE), "fmt_unparsable"),
        ("deliver()", Call(calls.DELIVER), "fmt_unparsable"),
        ("deliver_soup()", Call(calls.DELIVER), Call(calls.DELIVER)),
        ("cook(pot0)", Call("cook", place="pot0"), Call("cook", place="pot0")),
        ("cook(oven0)", "fmt_operate_wrong_utensil", "fmt_operate_wrong_utensil"),
        ("request(cook(pot0))", "fmt_unparsable", "fmt_operate_wrong_utensil"),
        ("cut(chopping_board0,3)", "fmt_unparsable", "fmt_unparsable"),
        ("dance()", "fmt_unparsable", "fmt_unparsable"),
        ("wait(3)", calls.wait(3), calls.wait(3)),
        ("wait(0)", calls.wait(1), calls.wait(1)),
        ("wait(two)", calls.wait(1), calls.wait(1)),
        ("wait", calls.wait(1), calls.wait(1)),
        ("wait(99999999999999)", "fmt_wait_too_long", "fmt_wait_too_long"),
    ],
)  # fmt: skip
def test_calls_are_read(text: str, ours: Call | str, theirs: Call | str | None) -> None:
    for reader, wanted in ((OURS, ours), (THEIRS, ours if theirs is None else theirs)):
        found = reader.read(text)
        assert (found.code if isinstance(found, Refusal) else found) == wanted


@pytest.mark.parametrize("place", ["dispenser", "ingredient_dispensers", "counter_dispenser"])
def test_the_release_knows_a_dispenser_by_its_own_name_only(place: str) -> None:
    text, kitchen = f"pickup(apple,{place})", kitchen_with()
    refusals = [refusal_of(AS_RELEASED, kitchen, cook, text) for cook in (0, 1)]
    assert [one and one.code for one in refusals] == ["pickup_chef_no_dispenser", "pickup_unreachable"]


def test_a_call_is_read_back_from_its_text() -> None:
    for call in (APPLE, calls.wait(4), Call("bake", place="oven0"), Call(calls.PLACE), Call(calls.DELIVER)):
        assert OURS.read(call.text) == THEIRS.read(call.text) == call


def test_every_code_has_a_family_and_a_sentence() -> None:
    assert set(SENTENCES) == set(FAULTS)
    for text in ("pickup(x)", "cook(oven0)", "wait(21)", "put_obj_in_utensil(pan)", "what?"):
        found = OURS.read(text)
        assert isinstance(found, Refusal) and refusal_text(found).endswith((".", "?"))


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    for reader in (OURS, THEIRS):
        assert isinstance(reader.read(text), Call | Refusal)
