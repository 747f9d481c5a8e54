"""Whole episodes, readable: who is asked what and when, what is said, refused, done and delivered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from backburner.kernel.values import Event
from backburner.worlds.collab_overcooked.game.reading import reply_of
from backburner.worlds.collab_overcooked.game.rule_set import PRESETS, RELEASED, Limits
from backburner.worlds.collab_overcooked.game.state import Content, State
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from support.collab_overcooked.kitchens import (
    ASSISTANT_AT_BOARD,
    BOARD,
    CHEF_AT_POT,
    OPEN_KITCHEN,
    POT,
    answer,
    holding,
    kitchen_with,
    world_of,
)

EGG = """
0 chef plan: request('pickup(egg,ingredient_dispenser)');wait(5) | Put an egg on a counter, please.
0 assistant answer: pickup(egg,ingredient_dispenser);place_obj_on_counter() | At once.
0 chef continue: wait(5) | [NOTHING]
5 chef plan: pickup(egg,counter);put_obj_in_utensil(pot0);cook(pot0);wait(2);pickup(boiled_egg,pot0);deliver()
5 assistant plan: wait(20)
"""
"""The assistant turns north, takes the egg (0-3), puts it on the nearest shared counter (3-5). The chef
turns and takes it (5-7), to the pot (7-9), cooks (9-10); the timer is 1 at time 10 and 3 at time 12.
Two waits (10-12), it takes the egg (12-13), walks two cells south, faces the serving place, delivers
(13-16)."""


def played(world: CollabOvercooked, transcript: str) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Each state before an answer, with the events of the answer before; the last state at the end."""
    state, events = world.start(), ()
    for line in transcript.strip().splitlines():
        head, _, said = line.partition(": ")
        steps, seat, ask = head.split()
        plan, _, say = said.partition(" | ")
        assert (state.kitchen.steps, world.deciders(state), state.ask) == (int(steps), (seat,), ask), line
        yield state, events
        step = world.step(state, {seat: world.parse(state, seat, f"plan: {plan}\nsay: {say or '[NOTHING]'}")})
        assert not step.refusals, (line, step.refusals)
        state, events = step.state, step.events
    yield state, events


def test_an_egg_is_asked_for_boiled_and_delivered() -> None:
    world = world_of("boiled_egg")
    *_, (state, events) = played(world, EGG)
    assert world.outcome(state).numbers == {"steps": 16, "completed": 1, "delivered": 1, "reward": 20}
    assert world.outcome(state).status == "ended"
    chef = [(deed.steps, deed.call) for deed in state.cooks[0].recent]
    assert chef == [
        (7, "pickup(egg,counter)"),
        (9, "put_obj_in_utensil(pot0)"),
        (10, "cook(pot0)"),
        (13, "pickup(boiled_egg,pot0)"),
        (16, "deliver_soup()"),
    ]
    pot = [(event.time, event.what, event.label) for event in events if event.lane == "pot0"]
    assert pot == [(9, "start", "cook boiled_egg"), (12, "end", "cook boiled_egg")]
    assert Event(16, "delivered", "chef", "boiled_egg") in events


def test_what_is_said_is_an_event_and_shown_to_both() -> None:
    world = world_of("boiled_egg")
    moments = list(played(world, EGG))
    before_continue, said = moments[2]
    assert [event.label for event in said if event.what == "said"] == ["At once."]
    talk = (("chef", "Put an egg on a counter, please."), ("assistant", "At once."))
    assert (
        world.observe(before_continue, "chef").talk
        == world.observe(before_continue, "assistant").talk
        == talk
    )
    assert not world.observe(moments[3][0], "chef").talk


def test_a_request_is_put_before_the_partner_and_forces_nothing() -> None:
    """It stands there until it is done, whatever else the partner does, or until another plan is made."""
    world = world_of("boiled_egg")
    fetch, put = "pickup(egg,ingredient_dispenser)", "place_obj_on_counter()"
    state = answer(world, world.start(), f"request('{fetch}');request(\"{put}\");wait(9)")
    seen = world.observe(state, "assistant")
    assert (seen.requests, seen.me.plan) == ((fetch, put), ())
    assert f"The chef asks you to do: {fetch}; {put}." in world.describe(seen)
    state = answer(world, state, "wait(1)")
    assert world.observe(state, "assistant").requests == (fetch, put)
    state = answer(world, state, fetch)
    assert world.observe(state, "assistant").requests == (put,)
    state = answer(world, state, "wait(5)")
    state = answer(world, state, "wait(9)")
    assert world.observe(state, "assistant").requests == ()


def test_a_refused_call_is_corrected_once_then_it_costs_a_step() -> None:
    world = world_of("boiled_egg")
    state = answer(world, world.start(), "deliver()", refused=["deliver_hands_empty"])
    assert (state.ask, world.observe(state, "chef").me.plan) == ("correct", ("deliver()",))
    state = answer(world, state, "cook(pot0);wait(5)", refused=["operate_empty"])
    assert (state.cooks[0].call, state.cooks[0].queue) == ("wait(1)", ())
    state = answer(world, state, "wait(5)")
    assert (state.kitchen.steps, world.deciders(state), state.ask) == (1, ("chef",), "plan")


def test_a_refusal_tells_which_call_of_the_plan_it_is_about() -> None:
    world = world_of("boiled_egg")
    plan = "request('stir(blender0)');cook(pot0);wait(1)"
    step = world.step(world.start(), {"chef": world.parse(world.start(), "chef", f"plan: {plan}\nsay: Hi")})
    assert not step.refusals  # something is said, and the partner is asked first
    step = world.step(world.start(), {"chef": world.parse(world.start(), "chef", f"plan: {plan}")})
    assert [(refusal.code, refusal.index) for refusal in step.refusals] == [("operate_empty", 1)]


def test_a_queued_call_that_is_refused_is_no_refusal_of_the_answer_before() -> None:
    """The kit of the kernel asks for it: it is told to who must correct it, and is an event."""
    world = world_of("boiled_egg")
    state = answer(world, world.start(), "wait(1);cook(pot0)")
    step = world.step(state, {"assistant": reply_of("wait(5)")})
    assert not step.refusals
    assert (step.state.ask, step.state.asked) == ("correct", 0)
    refusal = world.observe(step.state, "chef").refusal
    assert refusal is not None and refusal.code == "operate_empty"
    assert [event.label for event in step.events if event.kind == "refused"] == ["cook(pot0)"] * 2


def test_an_answer_without_a_plan_is_repaired_or_a_wait() -> None:
    world = world_of("boiled_egg")
    step = world.step(world.start(), {"chef": world.parse(world.start(), "chef", "I do not know.")})
    assert [refusal.code for refusal in step.refusals] == ["no_plan"]
    assert world.observe(step.state, "chef").repair
    step = world.step(step.state, {})
    assert [refusal.code for refusal in step.refusals] == ["no_plan"]
    assert step.state.cooks[0].call == "wait(1)"


@pytest.mark.parametrize("rules", PRESETS)
def test_rounds_of_talk_are_limited(rules: str) -> None:
    """Three times the chef, three times the assistant, whose last plan is queued; then time passes."""
    world = world_of("boiled_egg", rules=PRESETS[rules], limits=Limits(rounds=3))
    state = world.start()
    asks = []
    while state.kitchen.steps == 0:
        asks.append(state.ask)
        state = answer(world, state, "wait(2)", f"word {len(asks)}")
    assert asks == ["plan", *["answer", "continue"] * 2, "answer"]


def test_repeating_oneself_ends_a_talk() -> None:
    world = world_of("boiled_egg")
    state = answer(world, world.start(), "wait(1)", "Are you there?")
    state = answer(world, state, "wait(1)", "Yes")
    state = answer(world, state, "wait(1)", "Are you there?")
    assert (state.ask, state.asked) == ("plan", 0)


def test_the_last_words_are_answered_and_end_the_talk() -> None:
    world = world_of("boiled_egg")
    state = answer(world, world.start(), "wait(4)", "Bring me an egg. [END]")
    assert (state.ask, world.deciders(state)) == ("answer", ("assistant",))
    state = answer(world, state, "pickup(egg,ingredient_dispenser)", "I will")
    assert state.cooks[0].queue == ()
    assert state.kitchen.steps == 3  # the egg is in the assistant's hands, the chef still waits
    assert (state.ask, world.deciders(state)) == ("plan", ("assistant",))


def test_the_step_limit_cuts_off() -> None:
    world = world_of("boiled_egg", limits=Limits(steps=7))
    state = answer(world, answer(world, world.start(), "wait(20)"), "wait(20)")
    assert (state.ended, state.kitchen.steps) == ("step_limit", 7)
    assert world.outcome(state).status == "cut off"
    assert world.deciders(state) == ()


def test_cooks_stuck_for_ever_end_an_episode_without_limits() -> None:
    """Released rules: both put an egg where it never fits, and nobody is ever asked again."""
    world = world_of("boiled_egg", rules=RELEASED)
    start = world.start()
    full = tuple(Content(utensil, ("egg",) * 3) for utensil in (POT, BOARD))
    kitchen = kitchen_with(holding(CHEF_AT_POT, "egg"), holding(ASSISTANT_AT_BOARD, "egg"), contents=full)
    state = answer(world, replace(start, kitchen=kitchen), "put_obj_in_utensil(pot0)")
    state = answer(world, state, "put_obj_in_utensil(chopping_board0)")
    assert state.ended == "stuck"
    assert world.outcome(state).status == "ended"


def test_orders_are_drawn_again_by_their_weights() -> None:
    world = world_of(
        "boiled_egg", layout=OPEN_KITCHEN, order_weights={"boiled_egg": 1.0, "gratin": 1.0}, open_orders=3
    )
    first = [world.start(seed).kitchen.orders for seed in range(20)]
    assert all(len(orders) == 3 and orders[0] == "boiled_egg" for orders in first)
    assert {orders[1] for orders in first} == {"boiled_egg", "gratin"}
    assert world.start(3) == world.start(3)
