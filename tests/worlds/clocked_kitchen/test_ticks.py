"""Ticks: idle ones in one step or in many, when things happen, how long they take."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.kernel.values import Event
from backburner.worlds.clocked_kitchen.game import Input
from backburner.worlds.clocked_kitchen.game.state import State
from support.clocked_kitchen.play import Played, world_of

ROOM = ("##SS###", "#.....#", "#.....B", "#.....#", "##TT###")
ALWAYS = world_of("level_0@asks=always", ROOM)
CROWD = world_of("level_9@asks=always,bodies=4,tau=1.0", ticks=600)


@settings(max_examples=60)
@given(seed=st.integers(0, 10_000), ticks=st.integers(2, 40))
def test_idle_ticks_in_one_step_are_those_in_many(seed: int, ticks: int) -> None:
    """Whatever is under way: the same state, the same events."""
    draw = random.Random(seed)
    state = CROWD.start()
    for _ in range(draw.randrange(12)):
        decisions = {
            seat: draw.choice(CROWD.menu(state, seat).options).decision for seat in CROWD.deciders(state)
        }
        state = CROWD.step(state, decisions).state
        state, _ = _idle(state, draw.randrange(1, 30))
    one = CROWD.step(state, {seat: Input(ticks=ticks) for seat in CROWD.seats})
    assert (one.state, one.events) == _idle(state, ticks)


def _idle(state: State, ticks: int) -> tuple[State, tuple[Event, ...]]:
    events: list[Event] = []
    for _ in range(ticks):
        step = CROWD.step(state, {seat: Input() for seat in CROWD.seats})
        state = step.state
        events += step.events
    return state, tuple(events)


def test_a_step_lasts_the_least_of_all_seats() -> None:
    state = ALWAYS.start()
    step = ALWAYS.step(state, {"agent0": Input(ticks=7), "agent1": Input(ticks=3)})
    assert step.state.tick == 3
    assert ALWAYS.step(state, {"agent0": Input(ticks=7), "agent1": Input()}).state.tick == 1


def test_walking_takes_two_ticks_a_cell_and_a_grip_five() -> None:
    """From (2, 3) to the salmon shelf at (2, 0): two cells in ticks 0 and 2, the grip in tick 4."""
    played = Played(ALWAYS).do("get_agent0_salmon_storage0", ticks=4)
    assert played.cell(0) == (2, 1) and played.state.held[0] == -1
    played.do()
    assert ALWAYS.compiled.kitchen.things[played.state.held[0]] == "salmon"
    assert played.state.free_at[0] == 4 + 5
    # The next command is begun when the hands are free: to (2, 2) and so on.
    played.do("goto_agent0_servingtable0", ticks=4)
    assert played.cell(0) == (2, 1)
    assert played.do().cell(0) == (2, 2)


def test_a_dish_is_made_and_served_by_the_clock() -> None:
    """A salmon meatcake: two ingredients, two seconds in the blender, one order served."""
    played = Played(ALWAYS)
    for command in (
        "get_agent0_salmon_storage0",
        "put_agent0_blender0",
        "get_agent0_flour_storage0",
        "put_agent0_blender0",
        "activate_agent0_blender0",
    ):
        played.do(command).until_done()
    started = next(e for e in played.events if e.lane == "blender0")
    assert started.label == "salmonMeatcake"
    # Whoever comes for what is not ready waits for it.
    played.do("get_agent0_blender0").until_done()
    ended = [e for e in played.events if e.lane == "blender0" and e.what == "end"]
    assert [e.time for e in ended] == [round(started.time + 2.0, 1)]
    played.do("put_agent0_servingtable0").until_done()
    assert played.state.served == (0,) and not played.refusals
    assert [(e.what, e.lane) for e in played.events if e.what == "delivered"] == [
        ("delivered", "servingtable0")
    ]


def test_orders_come_and_run_out_by_the_clock() -> None:
    """Level 0, τ 2.0: W = 10, so an order comes every 6 seconds and waits 15."""
    played = Played(ALWAYS).do(ticks=59)
    assert len(played.state.orders) == 1
    assert [order.due for order in played.do().state.orders] == [150, 210]
    played.do(ticks=89)
    assert played.state.tick == 149 and not played.state.expired
    assert played.do().state.expired == 1
    assert [(e.time, e.key) for e in played.events] == [(15.0, "order 0")]


def test_a_move_turns_and_goes() -> None:
    played = Played(ALWAYS)
    start = played.cell(0)
    assert played.do("move_agent0_up").cell(0) == (start[0], start[1] - 1)
    assert not played.events
    # Against a table it only turns, which the scene tells.
    played.do().do("move_agent0_down").do().do("move_agent0_down")
    body = next(b for b in ALWAYS.scene(played.state).bodies if b.name == "agent0")
    assert (body.at, body.facing, body.place) == (start, (0, 1), "servingtable0")


def test_a_new_command_takes_the_place_of_the_old_one() -> None:
    played = Played(ALWAYS).do("goto_agent0_storage0").do("noop_agent0", ticks=9)
    assert played.cell(0) != (2, 1)
    ends = [(e.what, e.label, e.time) for e in played.events]
    assert ends == [("start", "goto storage0", 0.0), ("end", "goto storage0", 0.1)]
