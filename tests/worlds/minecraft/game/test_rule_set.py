"""Each field of the rules makes a difference, and this is which."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from backburner.kernel.values import Step
from backburner.worlds.minecraft.game import RELEASED, STANDARD, Limits, Minecraft, Rules
from backburner.worlds.minecraft.game.state import State, count_of
from support.minecraft.play import CHICKEN, DISPATCHER, act, play, yard

FIELDS = [each.name for each in msgspec.structs.fields(Rules) if each.name != "name"]
MEAT = ("goto(alex, chicken)", "killMob(alex, chicken)", "goto(alex, furnace)")


def with_field(field: str, base: Rules = STANDARD, **changes: object) -> Minecraft:
    return yard(replace(base, **{field: not getattr(base, field)}), **changes)


def told(world: Minecraft, state: State) -> str:
    return world.describe(world.observe(state, DISPATCHER))


def test_standard_has_none_and_released_has_all() -> None:
    assert not any(getattr(STANDARD, field) for field in FIELDS)
    assert all(getattr(RELEASED, field) for field in FIELDS)


def test_every_field_has_a_test() -> None:
    tests = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert set(FIELDS) <= tests


def test_orders_by_step() -> None:
    # 15 steps of 40 ticks: by steps the first order is about to run out, by ticks it waits for 900 more.
    assert [order.left for order in _orders(yard(), 15)] == [900]
    assert [order.left for order in _orders(with_field("orders_by_step"), 15)] == [0, 10]


def _orders(world: Minecraft, steps: int) -> tuple[object, ...]:
    return world.observe(play(world, *[()] * steps), DISPATCHER).orders


def test_later_orders_lose_a_step() -> None:
    by_step = replace(STANDARD, orders_by_step=True)
    assert [order.left for order in _orders(yard(by_step), 10)] == [5, 15]
    assert [order.left for order in _orders(with_field("later_orders_lose_a_step", by_step), 10)] == [5, 14]


def test_two_dishes() -> None:
    dishes = ("cooked_chicken", "cooked_beef", "cooked_mutton")
    assert yard(dishes=dishes).compiled.dishes == dishes
    assert with_field("two_dishes", dishes=dishes).compiled.dishes == ("cooked_chicken", "cooked_mutton")
    assert with_field("two_dishes", dishes=dishes[1:2]).compiled.dishes == ("cooked_beef",)


def test_no_way_to_cows() -> None:
    assert not act(yard(), yard().start(), "goto(alex, cow)").refusals
    world = with_field("no_way_to_cows")
    assert [r.code for r in act(world, world.start(), "goto(alex, cow)").refusals] == ["no_way"]
    labels = [option.label for option in world.menu(world.start(), DISPATCHER).options]
    assert "goto(alex, cow)" not in labels and "goto(alex, sheep)" in labels


def test_bad_call_voids_all() -> None:
    calls = ("goto(alex, oak_log)", "dance(steve)")
    assert act(yard(), yard().start(), *calls).state.at[0] == (0, 8)
    world = with_field("bad_call_voids_all")
    step = act(world, world.start(), *calls)
    assert step.state.at == world.start().at and [refusal.code for refusal in step.refusals] == ["verb"]
    assert step.state.ticks == 40 and step.state.steps == 1


def test_voided_step_repeats_chat() -> None:
    voids = replace(STANDARD, bad_call_voids_all=True)
    chat = "I carry no feather"
    for world, repeats in ((yard(voids), False), (with_field("voided_step_repeats_chat", voids), True)):
        state = play(world, "putInChest(alex, feather)")
        assert chat in told(world, state)
        assert (chat in told(world, play(world, "dance(steve)", state=state))) is repeats


def test_errors_untold() -> None:
    for world, tells in ((yard(), True), (with_field("errors_untold"), False)):
        step = act(world, world.start(), "goto(alex, pig)", "killMob(steve, cow)")
        assert len(step.refusals) == 2
        text = told(world, step.state)
        assert ("there is no pig" in text) is tells and "no cow near me" in text


def test_errors_end_step() -> None:
    # Alex finds no pig at once; Steve is 24 ticks on his way.
    calls = ("goto(alex, pig)", "goto(steve, chicken)")
    step = act(yard(), yard().start(), *calls)
    assert (step.state.ticks, step.state.at[1], step.state.errands) == (64, (8, 9), ())
    world = with_field("errors_end_step")
    step = act(world, world.start(), *calls)
    # 20 before and 20 after: Steve has gone 5.6 blocks of 6.656: three diagonal steps and the fourth not yet.
    assert (step.state.ticks, step.state.at[1]) == (40, (7, 7))
    on = play(world, (), state=step.state)
    assert (on.at[1], on.errands) == ((8, 9), ())
    back = play(world, "goto(steve, furnace)", state=step.state)
    assert back.at[1] in ((1, 0), (0, 1))


def test_repetition_complaint() -> None:
    for world, complains in ((yard(), False), (with_field("repetition_complaint"), True)):
        state = play(world, "goto(alex, oak_log)", "goto(alex, oak_log)")
        assert world.observe(state, DISPATCHER).repeated is complains
        assert not world.observe(play(world, (), (), state=state), DISPATCHER).repeated


def test_putting_waits() -> None:
    steps = (*MEAT, "putItemFurnace(alex, chicken)")
    before = play(yard(), *MEAT).ticks
    assert play(yard(), *steps).ticks == before + 50
    assert play(with_field("putting_waits"), *steps).ticks == before + 350


def test_one_drop_fetched() -> None:
    sheep = ("goto(alex, sheep)", "killMob(alex, sheep)")
    all_of_it = play(yard(), *sheep).carried[0]
    assert [item for item, _ in all_of_it] == ["mutton", "white_wool"]
    assert play(with_field("one_drop_fetched"), *sheep).carried[0] == all_of_it[:1]


def test_late_renewal() -> None:
    again = "killMob(alex, chicken)"
    world = with_field("late_renewal")
    state = play(world, *MEAT[:2])
    assert "chicken" not in dict(world.observe(state, DISPATCHER).bots[0].mobs)
    step = act(world, state, again)
    assert [refusal.code for refusal in step.refusals] == ["no_mob"]
    assert not act(world, step.state, again).refusals
    assert not act(yard(), play(yard(), *MEAT[:2]), again).refusals


def test_furnace_takes_anything() -> None:
    # The seed's first chicken has a feather or two.
    put = "putItemFurnace(alex, feather)"
    assert [r.code for r in act(yard(), play(yard(), *MEAT), put).refusals] == ["not_smelted"]
    world = with_field("furnace_takes_anything")
    state = play(world, *MEAT, put)
    assert state.furnace.input == ("feather", 1)
    assert [r.code for r in act(world, state, "putItemFurnace(alex, chicken)").refusals] == ["slot_taken"]


def test_failures_forgotten() -> None:
    vain = ["killMob(alex, cow)"] * 10
    for world, code in ((yard(), "gave_up"), (with_field("failures_forgotten"), "no_mob")):
        assert [r.code for r in act(world, play(world, *vain), vain[0]).refusals] == [code]


def test_list_needed() -> None:
    answer = "goto(alex, oak_log)"
    assert getattr(yard().parse(yard().start(), DISPATCHER, answer), "calls", None) == (answer,)
    world = with_field("list_needed")
    assert getattr(world.parse(world.start(), DISPATCHER, answer), "code", None) == "no_call"


def test_action_untold() -> None:
    assert "putItemFurnace(" in yard().briefing(DISPATCHER)
    assert "putItemFurnace(" not in with_field("action_untold").briefing(DISPATCHER)


@pytest.mark.parametrize("rules", [STANDARD, RELEASED], ids=lambda rules: rules.name)
def test_both_cook_a_chicken(rules: Rules) -> None:
    world = yard(rules, limits=Limits(steps=60))
    state = play(world, *CHICKEN)
    step: Step[State] = act(world, play(world, *[()] * 5, state=state), "takeOutFurnace(alex)")
    assert not step.refusals
    assert count_of(step.state.carried[0], "cooked_chicken") == 1
