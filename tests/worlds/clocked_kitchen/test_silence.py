"""Time passes while a seat is silent: bodies under way go on, free ones stand and stay free."""

from __future__ import annotations

from backburner.kernel.values import canonical_json
from backburner.worlds.clocked_kitchen.game import ClockedKitchen, Input
from backburner.worlds.clocked_kitchen.game.state import LATE, State
from support.clocked_kitchen.play import world_of

ROOM = ("##SS###", "#.....#", "#.....B", "#.....#", "##TT###")


def silent_for(world: ClockedKitchen, state: State, ticks: int) -> State:
    """The state after all who are asked were silent at the same time."""
    return world.step(
        state, {seat: world.silence(state, seat, ticks) for seat in world.deciders(state)}
    ).state


def test_a_silence_of_one_seat_is_one_step_and_its_bodies_are_as_free_as_before() -> None:
    world = world_of("level_0@seats=one", ROOM)
    both = Input(("get_agent0_salmon_storage0", "move_agent1_up"))
    state = world.step(world.start(), {"dispatcher": both}).state  # in tick 2 agent1 is free
    after = silent_for(world, state, 20)
    # agent0 has free hands in tick 9, and the dispatcher is asked anyway.
    assert after.tick == 22 and after.errands == (None, None) and world.deciders(after) == ("dispatcher",)
    assert world.compiled.kitchen.things[after.held[0]] == "salmon"


def test_a_silence_ends_when_another_seat_must_decide() -> None:
    world = world_of("level_0", ROOM)
    start = world.start()
    step = world.step(
        start, {"agent0": world.silence(start, "agent0", 50), "agent1": Input(("move_agent1_up",))}
    )
    assert (step.state.tick, world.deciders(step.state)) == (2, ("agent0", "agent1"))
    assert step.state.feedback == () and step.refusals == ()


def test_who_stands_and_gives_way_cannot_act_for_a_while_and_time_goes_on() -> None:
    world = world_of("level_0", ("#SS###", "#....B", "##TT##"))
    start = world.start()
    # agent0 passes agent1, which takes them both to tick 6: until then nobody is free, so that both are asked
    # and have nothing to decide.
    decisions = {"agent0": Input(("goto_agent0_blender0",)), "agent1": world.silence(start, "agent1", 1)}
    state = world.step(start, decisions).state
    assert state.tick == 1 and state.free_at == (6, 6)
    assert (
        world.deciders(state)
        == ("agent0", "agent1")
        == tuple(seat for seat in world.seats if world.occupied(state, seat))
    )
    after = silent_for(world, state, 20)
    assert after.tick == 6 and world.deciders(after) == ("agent1",)
    assert silent_for(world, silent_for(world, state, 2), 3) == silent_for(world, state, 5)


def test_what_comes_to_nothing_meanwhile_is_told_with_the_next_decision() -> None:
    world = world_of("level_0@seats=one", ROOM)
    fetch, also = "get_agent0_salmon_storage0", "get_agent1_salmon_storage0"
    state = world.step(world.start(), {"dispatcher": Input((fetch, also))}).state
    while not all(held >= 0 for held in state.held):
        state = world.step(state, {"dispatcher": Input(ticks=10)}).state
    # Both bring a salmon to the one blender: the second finds one in it, while the dispatcher thinks.
    bring = Input(("put_agent0_blender0", "put_agent1_blender0"))
    state = world.step(state, {"dispatcher": bring}).state
    assert any(state.errands), "one of them is on its way"
    told = state.feedback
    after = silent_for(world, state, 100)
    assert after.feedback == told and len(after.untold) == 1 and LATE in after.untold[0].detail
    assert world.observe(after, "dispatcher").refusals == (*told, *after.untold)
    decided = world.step(after, {"dispatcher": Input(("noop_agent0", "noop_agent1"))}).state
    assert decided.feedback == after.untold and decided.untold == ()


def test_where_everybody_is_always_asked_silence_is_to_keep_as_live_records_have_it() -> None:
    world = world_of("level_0@asks=always", ROOM)
    start = world.start()
    assert world.silence(start, "agent0", 1) == Input() and world.silence(start, "agent0", 7) == Input(
        ticks=7
    )
    step = world.step(start, {"agent0": Input(("get_agent0_salmon_storage0",)), "agent1": Input()})
    assert world.occupied(step.state, "agent0") and not world.occupied(step.state, "agent1")


def test_no_text_reads_as_silence_and_states_without_it_are_written_as_before() -> None:
    world = world_of("level_0", ROOM)
    start = world.start()
    silence = world.silence(start, "agent0", 3)
    assert world.parse(start, "agent0", world.words(silence)) != silence
    assert silence not in [option.decision for option in world.menu(start, "agent0").options]
    assert b"untold" not in canonical_json(start) and b"silent" not in canonical_json(Input())
