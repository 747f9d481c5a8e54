"""Who thinks is silent: furnace, orders and the limit of time go on, and nothing else moves."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from backburner.kernel.conformance.silence import pass_time
from backburner.kernel.conformance.walk import ContractViolation
from backburner.kernel.testing import check_world
from backburner.kernel.values import Event, Step, canonical_json
from backburner.worlds.minecraft.game import Calls, Limits, Minecraft
from backburner.worlds.minecraft.game.physics import Furnace
from backburner.worlds.minecraft.game.rules import Rulebook
from backburner.worlds.minecraft.game.scenarios import INSTRUCTOR, SERVER
from backburner.worlds.minecraft.game.state import Feedback, Killed, State
from support.minecraft.play import CHICKEN, DISPATCHER, act, play, world_of, yard

LOADED = Furnace(("chicken", 2), ("oak_log", 1))


def silent(world: Minecraft, state: State, ticks: int) -> Step[State]:
    """Everybody who must decide is silent for so many ticks."""
    return world.step(state, {seat: world.silence(state, seat, ticks) for seat in world.deciders(state)})


def told(step: Step[State]) -> list[tuple[float, str, str]]:
    return [(event.time, event.what, event.label) for event in step.events]


def test_meat_is_cooked_while_somebody_thinks() -> None:
    """A log burns for 300 ticks: one chicken after 200, the second comes to 60 by tick 260."""
    world = yard()
    step = silent(world, replace(world.start(), furnace=LOADED), 260)
    assert step.state.furnace == Furnace(("chicken", 1), ("", 0), ("cooked_chicken", 1), 40, 60)
    assert told(step) == [(0, "start", "chicken"), (10, "end", "chicken"), (10, "start", "chicken")]
    assert (step.state.ticks, step.state.steps, step.refusals) == (260, 0, ())


def test_orders_come_and_run_out_meanwhile() -> None:
    """The yard's order is due after 15 steps of 100 ticks, and the next comes at tick 1,000."""
    world = yard()
    assert silent(world, world.start(), 1500).state.expired == 0
    step = silent(world, world.start(), 1501)
    assert (step.state.expired, step.state.arrived) == (1, 2)
    assert told(step) == [(75, "expired", "cooked_chicken")]


def test_play_ends_at_the_limit_of_time_and_not_after_it() -> None:
    world = yard(limits=Limits(ticks=1000))
    state = silent(world, world.start(), 700).state
    step = silent(world, state, 700)
    assert (step.state.ticks, step.state.ended, world.deciders(step.state)) == (1000, "horizon", ())
    assert world.step(step.state, {DISPATCHER: Calls((), silent=5)}) == Step(step.state)


def test_by_the_release_s_rules_time_breaks_nothing_but_the_fire() -> None:
    """Its orders go by steps, of which none is made."""
    world = yard("released", Limits(steps=60))
    state = silent(world, replace(world.start(), furnace=LOADED), 90_000).state
    assert (state.expired, state.arrived, state.steps, world.deciders(state)) == (0, 1, 0, (DISPATCHER,))
    assert state.furnace.output == ("cooked_chicken", 1)


def test_who_is_silent_waits_for_the_calls_of_others() -> None:
    """Steve walks to the chest: the step lasts as long as if Alex had done nothing."""
    world = world_of("level_2@seats=each")
    state, walk = world.start(), Calls(("goto(steve, chest)",))
    step = world.step(state, {"alex": world.silence(state, "alex", 3), "steve": walk})
    assert step == world.step(state, {"alex": Calls(()), "steve": walk}) and not step.refusals
    assert world.step(state, {"alex": Calls((), silent=3), "steve": Calls((), silent=8)}).state.ticks == 3


def test_an_instructor_who_is_silent_says_nothing_in_this_step() -> None:
    world = world_of("level_1@instructor=yes")
    state = world.step(world.start(), {INSTRUCTOR: Calls((), "x" * 501)}).state
    assert state.instruction and state.instruction.refusals
    state = act(world, state).state
    step = silent(world, state, 9)
    assert step == Step(replace(state, heard=True))  # what it was told last, it is still told
    step = silent(world, step.state, 9)
    assert step.state.ticks == state.ticks + 9 and world.deciders(step.state) == (DISPATCHER,)


def test_a_server_that_is_silent_has_not_begun_the_step() -> None:
    world = yard(live=True)
    middle = world.step(world.start(), {DISPATCHER: Calls(("goto(alex, chest)",))}).state
    assert silent(world, middle, 30).state == replace(middle, ticks=30)
    assert silent(world, world.start(), 30).state == replace(world.start(), ticks=30)
    assert world.deciders(silent(world, middle, 30).state) == (SERVER,)


def test_what_runs_on_is_told_with_the_next_decision() -> None:
    """By the release's rules an error ends the step; Steve goes on, and kills while they think."""
    world = yard("released")
    start = replace(world.start(), at=((3, 4), (8, 9)))
    state = act(world, start, "goto(alex, pig)", "killMob(steve, chicken)").state
    assert state.errands and state.feedback.killed == ()
    step = silent(world, state, 80)
    assert (step.state.kills, step.state.errands) == ((("chicken", 1),), ())
    assert world.unmoved(step.state, DISPATCHER) == world.unmoved(state, DISPATCHER)
    after = act(world, step.state).state
    assert (after.feedback.killed, after.unheard) == ((Killed("steve", "chicken"),), ())


@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("progress", [0, 100])
def test_silences_add_up_over_a_whole_play(rules: str, progress: int) -> None:
    """However it is cut: states and events, in their order. An item is done in the very ticks in which orders
    come and are served (every 1,000), or run out (from 3,500 on); steve runs on by the release's."""
    world = yard(rules, Limits(ticks=6000))
    furnace = Furnace(("chicken", 40), ("oak_log", 30), ("", 0), 300, progress)
    start = replace(world.start(), furnace=furnace, chest=(("cooked_chicken", 2),))
    if rules == "released":
        start = play(world, ("goto(alex, pig)", "goto(steve, chicken)"), state=start)
    whole = pass_time(world, start, 6000)
    draw = random.Random(rules)
    for most in (1, 9, 250):
        state, events = start, tuple[Event, ...]()
        while world.deciders(state):
            step = silent(world, state, draw.randint(1, most))
            state, events = step.state, (*events, *step.events)
        assert (state, events) == whole[:2]


def test_what_is_no_silence_is_no_call() -> None:
    world = yard()
    for decision in (
        Calls((), silent=-1),
        Calls(("goto(alex, chest)",), silent=3),
        Calls((), "hello", None, 3),
    ):
        step = world.step(world.start(), {DISPATCHER: decision})
        assert [refusal.code for refusal in step.refusals] == ["no_call"] and step.state.steps == 1


def test_decisions_and_states_without_a_silence_are_written_as_ever() -> None:
    assert canonical_json(Calls(("goto(alex, chest)",))) == b'{"calls":["goto(alex, chest)"]}'
    assert b"unheard" not in canonical_json(play(yard(), *CHICKEN))


# --- planted faults --------------------------------------------------------------------------------------


def frozen(world: Any, state: State, ticks: int) -> Step[State]:
    return Step(state)


def timeless(world: Any, state: State, ticks: int) -> Step[State]:
    """The furnace goes on, and no order comes or runs out."""
    step = Rulebook.silence(world.rulebook, state, ticks)
    kept = replace(step.state, orders=state.orders, arrived=state.arrived, expired=state.expired)
    return Step(kept, tuple(event for event in step.events if event.what != "expired"))


def counted(world: Any, state: State, ticks: int) -> Step[State]:
    step = Rulebook.silence(world.rulebook, state, ticks)
    return replace(step, state=replace(step.state, steps=state.steps + 1))


def forgets(world: Any, state: State, ticks: int) -> Step[State]:
    step = Rulebook.silence(world.rulebook, state, ticks)
    return replace(step, state=replace(step.state, feedback=Feedback()))


def waits(world: Any, state: State, ticks: int) -> Step[State]:
    """As if the seat had said that nobody does anything."""
    return world.rulebook.step(state, {DISPATCHER: Calls(())})


def cold(world: Any, state: State, ticks: int) -> Step[State]:
    step = Rulebook.silence(world.rulebook, state, ticks)
    return Step(replace(step.state, furnace=state.furnace, smelting=state.smelting))


FAULTS: dict[Callable[..., Step[State]], set[str]] = {
    frozen: {"silence_takes_time"},
    timeless: {"silence_breaks_what_time_breaks"},
    counted: {"silences_add_up", "silence_leaves_the_rest_as_it_is"},
    forgets: {"silence_leaves_the_rest_as_it_is"},
    waits: {"silence_takes_time"},
    cold: {"silence_breaks_what_time_breaks"},
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_planted_fault_is_noticed(fault: Callable[..., Step[State]]) -> None:
    class Broken(Minecraft):
        def step(self, state: State, decisions: Any) -> Step[State]:
            first = decisions.get(DISPATCHER)
            if isinstance(first, Calls) and first.silent and self.deciders(state):
                return fault(self, state, first.silent)
            return super().step(state, decisions)

    good = world_of("level_1@tau=1.0")
    world = Broken(good.id, good.scenario, good.rules, good.limits)
    with pytest.raises(ContractViolation) as noticed:
        check_world(world, episodes=2, max_steps=160)
    assert noticed.value.check in FAULTS[fault]
