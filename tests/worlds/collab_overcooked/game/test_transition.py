"""One step of the grid at a time: handing over, filling, starting, ruining, serving."""

from __future__ import annotations

from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.kitchen_step import GridStep
from backburner.worlds.collab_overcooked.game.layout import (
    DISH,
    EAST,
    IDLE,
    INTERACT,
    SHIPPED,
    START,
    WEST,
    shipped_layout,
)
from backburner.worlds.collab_overcooked.game.rule_set import STANDARD
from backburner.worlds.collab_overcooked.game.state import Body, Content, Kitchen, Lying, Move
from support.collab_overcooked.kitchens import (
    BLENDER,
    BOARD,
    CHEF_AT_OVEN,
    CHEF_AT_POT,
    CHEF_AT_SERVING,
    OVEN,
    POT,
    cell,
    holding,
    kitchen_with,
)

COMPILED = Compiled(shipped_layout(SHIPPED), STANDARD)
ACT: Move = (INTERACT, "")
STARTED: Move = (INTERACT, START)
CHEF_WEST, ASSISTANT_EAST = Body(cell(3, 2), WEST), Body(cell(1, 2), EAST)
"""Both face the shared counter (2, 2)."""


def step(kitchen: Kitchen, chef: Move = IDLE, assistant: Move = IDLE) -> GridStep:
    return COMPILED.stepper.step(kitchen, (chef, assistant))


def test_what_the_chef_puts_down_the_assistant_takes_in_the_same_step() -> None:
    kitchen = kitchen_with(holding(CHEF_WEST, "tofu"), ASSISTANT_EAST)
    after = step(kitchen, ACT, (INTERACT, "anything"))
    assert [body.held for body in after.kitchen.bodies] == ["", "tofu"]
    assert after.logged == ("place_obj_on_counter()", "pickup(tofu,counter)")


def test_the_other_way_round_it_takes_two_steps() -> None:
    kitchen = kitchen_with(CHEF_WEST, holding(ASSISTANT_EAST, "tofu"))
    after = step(kitchen, ACT, ACT)
    assert [body.held for body in after.kitchen.bodies] == ["", ""]
    assert step(after.kitchen, ACT).kitchen.bodies[0].held == "tofu"


def test_a_counter_bears_one_thing_and_keeps_it_on_its_dish() -> None:
    soup = Lying(cell(2, 2), "baked_carrot_soup", True)
    full = kitchen_with(holding(CHEF_WEST, "tofu"), lying=(soup,))
    assert step(full, ACT).kitchen.bodies[0].held == "tofu"
    after = step(kitchen_with(CHEF_WEST, lying=(soup,)), ACT).kitchen
    assert (after.bodies[0], after.lying) == (holding(CHEF_WEST, "baked_carrot_soup", plated=True), ())


def test_food_is_ready_three_steps_after_the_start() -> None:
    """Started in step 0, at work in steps 1 and 2; the earliest take is in step 3."""
    kitchen = step(kitchen_with(contents=(Content(POT, ("egg",)),)), STARTED).kitchen
    for timer in (1, 2):
        assert kitchen.contents[0].timer == timer
        assert kitchen.contents[0].cooking
        kitchen = step(kitchen, ACT).kitchen
        assert not kitchen.bodies[0].held
    after = step(kitchen, ACT)
    assert (after.kitchen.bodies[0].held, after.kitchen.contents) == ("boiled_egg", ())
    assert after.logged[0] == "pickup(boiled_egg,pot0)"


def test_food_never_burns() -> None:
    kitchen = kitchen_with(contents=(Content(POT, ("egg",), "boiled_egg", 3, 3),))
    for _ in range(50):
        kitchen = step(kitchen).kitchen
    assert kitchen.contents[0].ready


def test_inputs_match_in_any_order_and_each_as_often_as_it_is_listed() -> None:
    stew = ("corn", "bell_pepper_slices")
    after = step(kitchen_with(contents=(Content(POT, stew),)), STARTED).kitchen
    assert after.contents[0].output == "sliced_bell_pepper_and_corn_stew"
    twice = step(kitchen_with(contents=(Content(POT, ("egg", "egg")),)), STARTED).kitchen
    assert (twice.contents, twice.ruined) == ((), (POT,))


def test_what_came_to_nothing_is_told_for_one_step() -> None:
    kitchen = step(kitchen_with(contents=(Content(POT, ("tofu",)),)), STARTED).kitchen
    assert kitchen.ruined == (POT,)
    assert step(kitchen).kitchen.ruined == ()


def test_nothing_goes_into_a_utensil_at_work_and_nothing_raw_comes_out() -> None:
    at_work = (Content(POT, ("egg",), "boiled_egg", 1, 3),)
    after = step(kitchen_with(holding(CHEF_AT_POT, "egg"), contents=at_work), ACT).kitchen
    assert (after.bodies[0].held, after.contents[0].items) == ("egg", ("egg",))
    raw = kitchen_with(CHEF_AT_POT, contents=(Content(POT, ("egg",)),))
    assert step(raw, (INTERACT, "egg")).kitchen.bodies[0].held == ""


def test_a_dish_takes_what_is_ready_and_nothing_else() -> None:
    for content in (None, Content(OVEN, ("egg",)), Content(OVEN, ("egg",), "baked_egg", 1, 3)):
        kitchen = kitchen_with(holding(CHEF_AT_OVEN, DISH), contents=(content,) if content else ())
        assert step(kitchen, ACT).kitchen.bodies[0] == holding(CHEF_AT_OVEN, DISH)


def test_an_order_is_met_as_it_is_served() -> None:
    ordered = kitchen_with(holding(CHEF_AT_SERVING, "boiled_egg"), orders=("boiled_egg", "boiled_egg"))
    after = step(ordered, ACT)
    assert (after.met, after.kitchen.orders) == (("boiled_egg", ""), ("boiled_egg",))
    on_dish = kitchen_with(holding(CHEF_AT_SERVING, "boiled_egg", plated=True))
    assert step(on_dish, ACT).kitchen.bodies[0].held == "boiled_egg"


def test_utensils_stand_in_the_order_of_their_first_item() -> None:
    kitchen = kitchen_with(holding(CHEF_AT_POT, "egg"), contents=(Content(BLENDER, ("tofu",)),))
    after = step(kitchen, ACT).kitchen
    assert [content.utensil for content in after.contents] == [BLENDER, POT]
    assert BOARD not in [content.utensil for content in after.contents]
