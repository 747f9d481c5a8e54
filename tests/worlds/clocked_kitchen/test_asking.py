"""Who is asked when: seats with a free body, or everybody all the time."""

from __future__ import annotations

from typing import Any

from backburner.kernel.clock import Clocked
from backburner.kernel.play import play_now
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.values import Fault, Refusal
from backburner.worlds.clocked_kitchen.agents.greedy import Greedy
from backburner.worlds.clocked_kitchen.game import Input
from support.clocked_kitchen.play import world_of

ROOM = ("##SS###", "#.....#", "#.....B", "#.....#", "##TT###")


def test_seats_are_asked_when_a_body_of_theirs_is_free() -> None:
    world = world_of("level_0", ROOM)
    state = world.start()
    assert world.deciders(state) == ("agent0", "agent1")
    step = world.step(
        state, {"agent0": Input(("get_agent0_salmon_storage0",)), "agent1": Input(("move_agent1_up",))}
    )
    # A move takes two ticks; agent0 is still on its way.
    assert (step.state.tick, world.deciders(step.state)) == (2, ("agent1",))
    step = world.step(step.state, {"agent1": Input(("noop_agent1",))})
    # It has the salmon after tick 4 and free hands in tick 9; agent1 waits a second from tick 2 on.
    assert (step.state.tick, world.deciders(step.state)) == (9, ("agent0",))


def test_who_gives_no_command_waits_a_step_of_the_text_game_or_as_long_as_it_says() -> None:
    world = world_of("level_0@bodies=1,step=1.5", ROOM)
    for decision, ticks in ((Input(), 15), (Input(ticks=40), 40), (Input(("noop_agent0",), 3), 3)):
        assert world.step(world.start(), {"dispatcher": decision}).state.tick == ticks


def test_a_refused_command_costs_a_step_of_the_text_game() -> None:
    world = world_of("level_0@bodies=1", ROOM)
    bad: list[Any] = [
        Input(("put_agent0_blender0",)),
        Input(("put_agent0_blender7",)),
        Input(ticks=-1),
        Refusal("no_command", Fault.UNREADABLE),
        None,
    ]
    for decision in bad:
        step = world.step(world.start(), {"dispatcher": decision})
        assert step.state.tick == 10 and len(step.refusals) == 1, decision


def test_a_dispatcher_is_asked_when_one_of_its_bodies_is_free() -> None:
    world = world_of("level_0@seats=one", ROOM)
    assert world.seats == ("dispatcher",)
    both = Input(("get_agent0_salmon_storage0", "move_agent1_up"))
    state = world.step(world.start(), {"dispatcher": both}).state
    assert state.tick == 2 and state.errands[0] is not None
    # A body under way goes on unless it is told something else.
    after = world.step(state, {"dispatcher": Input(("noop_agent1",))}).state
    assert world.compiled.kitchen.things[after.held[0]] == "salmon"


def test_a_world_with_a_clock_says_so() -> None:
    live, turns = world_of("level_0@asks=always", ROOM), world_of("level_0", ROOM)
    assert isinstance(live, Clocked) and (live.tick_seconds, turns.tick_seconds) == (0.1, None)
    state = live.start()
    assert not live.occupied(state, "agent0")
    state = live.step(
        state, {"agent0": Input(("goto_agent0_blender0",)), "agent1": live.silence(state, "agent1", 1)}
    ).state
    assert live.occupied(state, "agent0") and not live.occupied(state, "agent1")


class Slow:
    """Greedy that takes its time between its decisions, as models do beside a clock."""

    name, informed, settings = "slow", False, {}

    def __init__(self, world: Any, ticks: int) -> None:
        self.greedy, self.ticks = Greedy(world), ticks

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        since, kept = memory or (0, None)
        if since < self.ticks or turn.observation.under_way:
            return Reply(Input(), (since + 1, kept))
        reply = await self.greedy.decide(turn, kept)
        return Reply(reply.answer, (0, reply.memory))


def test_agents_play_by_the_clock_and_slow_ones_serve_less() -> None:
    world = world_of("level_3@asks=always,bodies=3,tau=1.5", ticks=600)
    served = [
        play_now(world, Slow(world, ticks)).ending.numbers["completed"]  # type: ignore[union-attr]
        for ticks in (0, 20)
    ]
    assert served[0] > served[1] > 0
