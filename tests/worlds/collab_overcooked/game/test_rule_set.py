"""Each field of the rules, with the defect and without: what differs, and nothing else of the rules."""

from __future__ import annotations

import sys

import msgspec
import pytest
from msgspec.structs import replace

from backburner.kernel.errors import Refused
from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.catalogue import catalogue
from backburner.worlds.collab_overcooked.game.layout import DISH, IDLE, INTERACT, START
from backburner.worlds.collab_overcooked.game.rule_set import (
    NO_LIMITS,
    PRESETS,
    RELEASED,
    STANDARD,
    Rules,
    recorded_rules,
)
from backburner.worlds.collab_overcooked.game.state import Content, Lying
from support.collab_overcooked.kitchens import (
    ASSISTANT_AT_BLENDER,
    BLENDER,
    BOARD,
    CHEF_AT_OVEN,
    CHEF_AT_POT,
    CHEF_AT_SERVING,
    OVEN,
    POT,
    answer,
    cell,
    compiled_with,
    holding,
    kitchen_with,
    refusal_of,
    with_rule,
    world_of,
)

defect_or_not = pytest.mark.parametrize("defect", [True, False], ids=["defect", "standard"])
PUT_IN = (INTERACT, "")
STARTED = (INTERACT, START)


def code(refusal: Refusal | None) -> str | None:
    return None if refusal is None else refusal.code


def test_the_presets_differ_in_every_field() -> None:
    assert PRESETS == {"standard": STANDARD, "released": RELEASED}
    for field in Rules.__struct_fields__:
        assert getattr(STANDARD, field) != getattr(RELEASED, field), field


def test_every_field_has_its_test_here() -> None:
    tests = {name.removeprefix("test_") for name in vars(sys.modules[__name__]) if name.startswith("test_")}
    assert set(Rules.__struct_fields__) - {"name"} <= tests


@defect_or_not
def test_starting_stalls_timers(defect: bool) -> None:
    """The board received its carrot after the pot its egg: starting the pot costs the board a tick."""
    egg, carrot = Content(POT, ("egg",)), Content(BOARD, ("carrot",), "carrot_slices", 1, 3)
    compiled = compiled_with("starting_stalls_timers", defect)
    after = compiled.stepper.step(kitchen_with(contents=(egg, carrot)), (STARTED, IDLE)).kitchen
    assert [content.timer for content in after.contents] == [1, 1 if defect else 2]


@defect_or_not
def test_a_start_that_comes_to_nothing_stalls_no_timer(defect: bool) -> None:
    """Two beans in the oven match nothing."""
    beans, carrot = Content(OVEN, ("bean", "bean")), Content(BOARD, ("carrot",), "carrot_slices", 1, 3)
    compiled = compiled_with("starting_stalls_timers", defect)
    after = compiled.stepper.step(kitchen_with(CHEF_AT_OVEN, contents=(beans, carrot)), (STARTED, IDLE))
    assert [(content.utensil, content.timer) for content in after.kitchen.contents] == [(BOARD, 2)]


@defect_or_not
def test_starts_found_in_one_pass(defect: bool) -> None:
    """Two beans in the blender and one in the oven match nothing; both are started in one step."""
    beans = (Content(BLENDER, ("bean", "bean")), Content(OVEN, ("bean",)))
    compiled = compiled_with("starts_found_in_one_pass", defect)
    before = kitchen_with(CHEF_AT_OVEN, ASSISTANT_AT_BLENDER, contents=beans)
    after = compiled.stepper.step(before, (STARTED, STARTED)).kitchen
    assert after.contents == (beans[:1] if defect else ())
    assert after.ruined == ((OVEN,) if defect else (OVEN, BLENDER))


@defect_or_not
@pytest.mark.parametrize("board_first", [False, True])
@pytest.mark.parametrize("food", ["egg", "bean"])
def test_two_operations_in_one_pass(food: str, board_first: bool, defect: bool) -> None:
    """The board starts whichever was loaded first, and also if what is in the pot (a bean) is ruined."""
    contents = (Content(POT, (food,)), Content(BOARD, ("carrot",)))
    kitchen = kitchen_with(contents=contents[::-1] if board_first else contents)
    compiled = compiled_with("starts_found_in_one_pass", defect)
    after = compiled.stepper.step(kitchen, (STARTED, STARTED)).kitchen
    assert {content.utensil: content.timer for content in after.contents} == (
        {POT: 1, BOARD: 1} if food == "egg" else {BOARD: 1}
    )
    assert after.ruined == (() if food == "egg" else (POT,))


@defect_or_not
def test_ruin_ends_operations(defect: bool) -> None:
    """What was on the board came to nothing; the chef is on its way to start the pot."""
    compiled = compiled_with("ruin_ends_operations", defect)
    kitchen = kitchen_with(CHEF_AT_OVEN, contents=(Content(POT, ("egg",)),), ruined=(BOARD,))
    assert compiled.execution.done(kitchen, 0, Call("cook", place="pot0")) is defect
    assert compiled.execution.done(kitchen, 1, Call("cut", place="chopping_board0"))


@defect_or_not
def test_full_utensils_accept(defect: bool) -> None:
    """A fourth egg for a pot that holds three."""
    compiled = compiled_with("full_utensils_accept", defect)
    kitchen = kitchen_with(holding(CHEF_AT_POT, "egg"), contents=(Content(POT, ("egg",) * 3),))
    refusal = refusal_of(compiled, kitchen, 0, "put_obj_in_utensil(pot0)")
    assert code(refusal) == (None if defect else "put_utensil_full")
    step = compiled.stepper.step(kitchen, (PUT_IN, IDLE))
    assert step.logged[0] == ("put_obj_in_utensil(pot0)" if defect else "")
    assert step.kitchen == replace(kitchen, steps=1)


@defect_or_not
def test_plated_food_loses_dish(defect: bool) -> None:
    compiled = compiled_with("plated_food_loses_dish", defect)
    kitchen = kitchen_with(holding(CHEF_AT_OVEN, "baked_carrot_soup", plated=True))
    refusal = refusal_of(compiled, kitchen, 0, "put_obj_in_utensil(oven0)")
    assert code(refusal) == (None if defect else "put_plated_food")


@defect_or_not
def test_filling_logged_as_putting(defect: bool) -> None:
    compiled = compiled_with("filling_logged_as_putting", defect)
    patty = Content(OVEN, ("mashed_potato", "pea"), "mashed_potato_and_pea_patty", 3, 3)
    step = compiled.stepper.step(kitchen_with(holding(CHEF_AT_OVEN, DISH), contents=(patty,)), (PUT_IN, IDLE))
    assert step.kitchen.bodies[0] == holding(CHEF_AT_OVEN, "mashed_potato_and_pea_patty", plated=True)
    assert step.logged[0] == f"{'put_obj_in_utensil' if defect else 'fill_dish_with_food'}(oven0)"


@defect_or_not
def test_dish_asked_of_order(defect: bool) -> None:
    """Nobody ordered the soup; the order, a boiled egg, is served without a dish."""
    compiled = compiled_with("dish_asked_of_order", defect)
    soup = Content(POT, ("baked_carrot_slices",), "baked_carrot_soup", 3, 3)
    kitchen = kitchen_with(holding(CHEF_AT_OVEN, DISH), contents=(soup,))
    refusal = refusal_of(compiled, kitchen, 0, "fill_dish_with_food(pot0)")
    assert code(refusal) == ("fill_order_needs_no_dish" if defect else None)


@defect_or_not
def test_food_is_lost(defect: bool) -> None:
    """A raw potato: its name is in ``boiled_potato_slices``, so the released program takes it."""
    compiled = compiled_with("food_is_lost", defect)
    kitchen = kitchen_with(holding(CHEF_AT_SERVING, "potato"))
    assert code(refusal_of(compiled, kitchen, 0, "deliver_soup()")) == (
        None if defect else "deliver_not_ordered"
    )
    step = compiled.stepper.step(kitchen, (PUT_IN, IDLE))
    assert step.kitchen.bodies[0].held == ("" if defect else "potato")
    assert step.met == ("", "")


@defect_or_not
def test_first_order_only(defect: bool) -> None:
    compiled = compiled_with("first_order_only", defect)
    kitchen = kitchen_with(
        holding(CHEF_AT_SERVING, "boiled_mushroom"), orders=("boiled_egg", "boiled_mushroom")
    )
    assert code(refusal_of(compiled, kitchen, 0, "deliver_soup()")) == (
        "deliver_not_ordered" if defect else None
    )
    step = compiled.stepper.step(kitchen, (PUT_IN, IDLE))
    assert step.met[0] == ("" if defect else "boiled_mushroom")
    assert step.kitchen.orders == (("boiled_egg", "boiled_mushroom") if defect else ("boiled_egg",))


@defect_or_not
def test_private_counters_first(defect: bool) -> None:
    """An egg beside the chef on a shared counter, and one farther off on a counter of its own."""
    compiled = compiled_with("private_counters_first", defect)
    lying = (Lying(cell(2, 1), "egg"), Lying(cell(4, 2), "egg"))
    targets = compiled.targets.of_pickup(lying, 0, Call(calls.PICKUP, "egg", calls.COUNTER))
    assert targets == ((cell(4, 2),) if defect else (cell(2, 1), cell(4, 2)))


@defect_or_not
def test_calls_never_end(defect: bool) -> None:
    """Both cooks want the one egg on the counter; the assistant is there first."""
    world = world_of("boiled_egg", rules=with_rule("calls_never_end", defect))
    start = world.start()
    lying = (Lying(cell(2, 2), "egg"),)
    state = answer(world, replace(start, kitchen=replace(start.kitchen, lying=lying)), "pickup(egg,counter)")
    state = answer(world, state, "pickup(egg,counter);wait(5)")
    told = state.cooks[0].refusal
    assert state.ask == ("plan" if defect else "correct")
    assert code(told) == (None if defect else "pickup_not_on_reachable_counter")


@defect_or_not
def test_waits_give_way(defect: bool) -> None:
    """To the dishes, south, west and a take: after three steps of waiting, or at once."""
    world = world_of("boiled_egg", rules=with_rule("waits_give_way", defect))
    state = answer(world, world.start(), "wait(20)")
    state = answer(world, state, "wait(3); pickup(dish,dish_dispenser)")
    assert state.cooks[1].recent[0].steps == (3 if defect else 6)


@pytest.mark.parametrize(
    ("plan", "steps"),
    [
        ("pickup(egg,counter);wait(5);put_obj_in_utensil(pot0)", 1),
        ("pickup(egg,counter);wait(1);wait(5);put_obj_in_utensil(pot0)", 1),
        ("pickup(egg,counter);wait(5);wait(5);put_obj_in_utensil(pot0)", 2),
    ],
)
def test_a_wait_in_place_of_a_call_that_is_done_takes_one_step(plan: str, steps: int) -> None:
    """The chef's own turn ends its calls; a wait of one step ends with its step, and the next gives way."""
    world = world_of("boiled_egg", rules=replace(with_rule("waits_give_way", True), new_calls_cleared=True))
    start = world.start()
    kitchen = replace(start.kitchen, lying=(Lying(cell(2, 1), "egg"),))
    state = answer(world, answer(world, replace(start, kitchen=kitchen), plan), "wait(20)")
    assert [deed.steps for deed in state.cooks[0].recent] == [2, 2 + steps + 2]


@defect_or_not
def test_first_call_twice(defect: bool) -> None:
    world = world_of("boiled_egg", rules=with_rule("first_call_twice", defect))
    state = answer(world, world.start(), "wait(5)")
    state = answer(
        world, state, "request('cook(pot0)');pickup(egg,ingredient_dispenser);place_obj_on_counter()"
    )
    # 4 steps to the counter and back would follow; the egg is asked for a second time with full hands
    assert state.cooks[1].recent[0].call == "pickup(egg,ingredient_dispenser)"
    assert code(state.cooks[1].refusal) == ("pickup_hands_full" if defect else None)


@defect_or_not
def test_new_calls_cleared(defect: bool) -> None:
    world = world_of("boiled_egg", rules=with_rule("new_calls_cleared", defect))
    state = answer(world, world.start(), "wait(1)")
    assert world.observe(state, "assistant").partner.plan == (() if defect else ("wait(1)",))


@defect_or_not
def test_short_waits(defect: bool) -> None:
    reader = compiled_with("short_waits", defect).reader
    assert reader.read("wait(6)") == (
        Refusal("fmt_wait_too_long", reader.read("wait(21)").fault, (("longest", 5),))
        if defect
        else calls.wait(6)
    )
    assert isinstance(reader.read("wait(21)"), Refusal)


@defect_or_not
def test_exact_text(defect: bool) -> None:
    reader = compiled_with("exact_text", defect).reader
    for text in ("deliver()", " Deliver_Soup( )", "deliver_soup"):
        found = reader.read(text)
        assert isinstance(found, Refusal) if defect else found == Call(calls.DELIVER), text
    odd = reader.read("please cook(pot0)")  # the verb is looked for in all of the text
    assert odd == Call("cook", place="pot0") if defect else isinstance(odd, Refusal)


@defect_or_not
def test_repairs_by_field(defect: bool) -> None:
    """With the defect the answer is asked for again for want of an analysis, and what comes is dropped."""
    world = world_of("boiled_egg", rules=with_rule("repairs_by_field", defect))
    found = world.parse(world.start(), "chef", "plan: wait(2)\nsay: [NOTHING]")
    step = world.step(world.start(), {"chef": found})
    assert [refusal.code for refusal in step.refusals] == (["no_analysis"] if defect else [])
    assert world.deciders(step.state) == (("chef",) if defect else ("assistant",))
    if defect:
        state = answer(world, step.state, "wait(4)")
        assert state.cooks[0].call == "wait(2)"


@defect_or_not
def test_silence_is_marked(defect: bool) -> None:
    world = world_of("boiled_egg", rules=with_rule("silence_is_marked", defect))
    assert answer(world, world.start(), "wait(1)", "").ask == ("answer" if defect else "plan")
    state = answer(world, answer(world, world.start(), "wait(1)", "Hello"), "wait(1)", "Yes?")
    assert answer(world, state, "wait(1)", "[EMPTY]").ask == ("answer" if defect else "plan")


@defect_or_not
def test_nothing_reads_on(defect: bool) -> None:
    world = world_of(
        "boiled_egg",
        rules=replace(with_rule("exact_text", True), nothing_reads_on=defect, silence_is_marked=True),
    )
    state = answer(world, world.start(), "[NOTHING]", refused=["fmt_unparsable"])
    assert state.cooks[0].call == ("[nothing]\nchef say: [nothing]" if defect else "[nothing]")


@defect_or_not
def test_opener_ends_talk(defect: bool) -> None:
    world = world_of("boiled_egg", rules=with_rule("opener_ends_talk", defect))
    state = answer(world, world.start(), "wait(1)", "Shall we?")
    state = answer(world, state, "wait(1)", "We shall. [END]")
    assert (state.ask, world.deciders(state)) == (("continue", ("chef",)) if defect else ("plan", ("chef",)))


@defect_or_not
def test_end_within_words(defect: bool) -> None:
    world = world_of("boiled_egg", rules=with_rule("end_within_words", defect))
    state = answer(world, answer(world, world.start(), "wait(1)", "Hello"), "wait(1)", "Yes?")
    state = answer(world, state, "wait(1)", "Please use the blender")
    assert state.ask == ("plan" if defect else "answer")


@defect_or_not
def test_repeated_say_loses_plan(defect: bool) -> None:
    world = world_of("boiled_egg", rules=with_rule("repeated_say_loses_plan", defect))
    state = world.start()
    for say, plan in (("Hello", "wait(1)"), ("Yes?", "wait(2)"), ("An egg", "wait(1)"), ("Yes?", "wait(3)")):
        state = answer(world, state, plan, say)
    assert state.cooks[1].queue == (("wait(2)",) if defect else ("wait(3)",))


@defect_or_not
def test_opening_plan_unseen(defect: bool) -> None:
    world = world_of("boiled_egg", rules=with_rule("opening_plan_unseen", defect))
    state = answer(
        world, world.start(), "request('pickup(egg,ingredient_dispenser)');wait(2)", "An egg, please"
    )
    partner = world.observe(state, "assistant").partner
    assert partner.plan == (() if defect else ("wait(2)",))


@defect_or_not
def test_requests_unseen(defect: bool) -> None:
    world = world_of("boiled_egg", rules=with_rule("requests_unseen", defect))
    state = answer(world, world.start(), "request('stir(blender0)');wait(2)")
    assert world.observe(state, "assistant").requests == (() if defect else ("stir(blender0)",))


@defect_or_not
def test_busy_cook_keeps_queue(defect: bool) -> None:
    world = world_of("boiled_egg", rules=with_rule("busy_cook_keeps_queue", defect))
    state = answer(world, world.start(), "wait(1)")
    state = answer(world, state, "pickup(egg,ingredient_dispenser);place_obj_on_counter()")
    state = answer(world, state, "wait(1)", "No egg, a dish!")
    state = answer(world, state, "pickup(dish,dish_dispenser)", "As you like")
    assert state.cooks[1].call == "pickup(egg,ingredient_dispenser)"
    assert state.cooks[1].queue == (
        ("place_obj_on_counter()",) if defect else ("pickup(dish,dish_dispenser)",)
    )


@defect_or_not
def test_private_counters_unseen(defect: bool) -> None:
    world = world_of("boiled_egg", rules=with_rule("private_counters_unseen", defect))
    start = world.start()
    lying = (Lying(cell(4, 1), "egg"), Lying(cell(1, 0), "tofu"), Lying(cell(2, 2), "pea"))
    state = replace(start, kitchen=replace(start.kitchen, lying=lying))
    seen = [thing.item for thing in world.observe(state, "chef").things]
    assert seen == (["pea"] if defect else ["egg", "pea"])


def test_records_of_earlier_rules_are_read_or_refused() -> None:
    """Standard records have the earlier fields too, all of them false."""
    standard = msgspec.to_builtins(STANDARD) | {"waits_are_skipped": False, "analysis_required": False}
    assert msgspec.convert(recorded_rules(standard), Rules) == STANDARD
    limits, scenario = msgspec.to_builtins(NO_LIMITS), {"orders": ["boiled_egg"]}
    assert catalogue.restore("collab_overcooked/boiled_egg", scenario, standard, limits).rules == STANDARD
    released = standard | {"name": "released", "waits_are_skipped": True}
    with pytest.raises(Refused, match="waits_are_skipped is of the released rules before talk and waits"):
        catalogue.restore("collab_overcooked/boiled_egg", scenario, released, limits)
