"""While a robot's player thinks the kitchen goes on: what was told and what counts stays as it is."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from backburner.kernel.values import Refusal, Seat, canonical_json
from backburner.worlds.robotouille.game.rule_set import Limits, article_limits
from backburner.worlds.robotouille.game.scenarios import DISPATCHER
from backburner.worlds.robotouille.game.state import LONGEST_SILENCE, Acts, State
from backburner.worlds.robotouille.game.world import Robotouille
from support.robotouille.kitchens import attempt, holds, say, world_in

STOVE = ["stove patty", "table"]
COOKS = "robot1 cooks patty1 on stove1"


def silent(world: Robotouille, state: State, ticks: int) -> Any:
    return world.step(state, {seat: world.silence(state, seat, ticks) for seat in world.deciders(state)})


def told(world: Robotouille, state: State, seat: Seat) -> list[str]:
    return [refusal.code for refusal in world.observe(state, seat).refusals]


@pytest.mark.parametrize(("play", "seats"), [("turns", 1), ("together", 2), ("dispatcher", 2)])
def test_food_cooks_in_one_line_of_silence(play: Any, seats: int) -> None:
    """Cooking is started in step 1, and its fourth tick is the third of the silence: cooked at 4."""
    world = world_in(STOVE, robots=tuple(range(seats)), play=play)
    state = world.start()
    cook = world.parse(state, world.seats[0], f"Action: {COOKS}")
    others = {seat: Acts(("wait()",)) for seat in world.seats[1:]}
    state = world.step(state, {world.seats[0]: cook, **others}).state
    step = silent(world, state, 5)
    assert holds(world, step.state, "iscooked(patty1)")
    assert [(event.time, event.what, event.label) for event in step.events] == [(4, "end", "cook patty1")]
    assert world.now(step.state) == 6
    assert step.state.feedback == state.feedback


def test_where_turns_are_taken_a_silence_is_that_of_one_turn() -> None:
    world = world_in(STOVE, robots=(0, 1))
    state = say(world, world.start(), COOKS)
    step = silent(world, state, 5)
    assert (world.deciders(state), world.deciders(step.state)) == (("robot2",), ("robot1",))
    assert world.now(step.state) == 2


def test_a_robot_acts_while_the_other_is_silent_which_keeps_what_it_was_told() -> None:
    world = world_in([*STOVE, "table"], robots=(0, 1), play="together")
    wrong = {"robot1": Acts(("nonsense()",)), "robot2": Acts(("wait()",))}
    state = world.step(world.start(), wrong).state
    move = Acts(("move(p1=robot2,s1=table1,s2=table2)",))
    step = world.step(state, {"robot1": world.silence(state, "robot1", 9), "robot2": move})
    assert world.now(step.state) == world.now(state) + 1
    assert {event.lane for event in step.events} == {"robot2"}
    assert told(world, step.state, "robot1") == ["unknown_action"]
    assert step.refusals == ()
    refused = world.step(state, {"robot1": world.silence(state, "robot1", 9), "robot2": wrong["robot1"]})
    assert world.now(refused.state) == world.now(state), "nothing that was decided can be done"
    assert (state.attempts, refused.state.attempts) == (0, 1)


def test_thoughts_between_them_make_errors_no_fewer() -> None:
    """Five in a row use up a call, and three calls end play: after fifteen, with or without thoughts."""
    world = world_in(STOVE, robots=(0, 1), limits=article_limits(100))
    for ticks in (0, 1, 3):
        state = world.start()
        for number in range(15):
            assert not state.ended, number
            if ticks:
                state = silent(world, state, ticks).state
            before, (state, _) = state.feedback, attempt(world, state, "no idea")
            assert not number or before.refusals, "what was refused last is still told"
        assert state.ended == "attempts"


def test_a_limit_of_steps_falls_into_a_silence() -> None:
    world = world_in(STOVE, limits=Limits(steps=3))
    step = silent(world, world.start(), 8)
    assert (step.state.ended, step.state.steps) == ("step_limit", 3)


def test_silence_is_no_waiting_that_could_be_said() -> None:
    """The domain has an action for waiting, so that to do nothing is refused; silence is not."""
    world = world_in(STOVE)
    state = world.start()
    (refusal,) = world.step(state, {"robot1": Acts()}).refusals
    assert refusal.code == "no_action"
    quiet = world.silence(state, "robot1", 2)
    assert isinstance(world.parse(state, "robot1", world.words(quiet)), Refusal)
    assert world.silence(state, "robot1", 10**9).silent == LONGEST_SILENCE
    odd = [replace(quiet, silent=n) for n in (-1, LONGEST_SILENCE + 1)]
    for each in (*odd, replace(quiet, finish=True), replace(quiet, acts=("wait()",))):
        assert [r.code for r in world.step(state, {"robot1": each}).refusals] == ["no_action"], each


def test_other_decisions_are_written_as_before() -> None:
    assert canonical_json(Acts(("wait()",))) == b'{"acts":["wait()"]}'
    assert canonical_json(Acts(silent=3)) == b'{"silent":3}'


def test_a_dispatcher_is_silent_for_all_robots() -> None:
    world = world_in(STOVE, robots=(0, 1), play="dispatcher")
    assert world.step(world.start(), {DISPATCHER: Acts(silent=2)}).state.steps == 2
