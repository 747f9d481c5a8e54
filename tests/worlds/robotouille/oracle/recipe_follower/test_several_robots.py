"""What the recipe follower does with several robots, whoever decides for them."""

from __future__ import annotations

from typing import Any

import pytest

from backburner.worlds.robotouille.game.scenarios import PLAYS
from backburner.worlds.robotouille.game.world import Robotouille
from backburner.worlds.robotouille.oracle.recipe_follower.follower import followed_plan
from support.robotouille.followed import term, told
from support.robotouille.kitchens import say, world_in

every_play = pytest.mark.parametrize("play", PLAYS)
TWO_CUT = [term("iscut", "lettuce 1"), term("iscut", "lettuce 2")]


def deeds_of(world: Robotouille, robot: str) -> list[str]:
    """The actions of a robot in the plan, played to the goal without any that is refused."""
    plan = followed_plan(world, world.start())
    assert plan is not None
    state, names = world.start(), list[str]()
    for decided in plan:
        names += [name for decision in decided.values() for name in decision.acts if robot in name]
        step = world.step(state, decided)
        assert not step.refusals
        state = step.state
    assert state.ended == "completed"
    return [name.partition("(")[0] for name in names]


@every_play
def test_they_share_the_work(play: Any) -> None:
    """Each goes to a lettuce, takes it, goes back, puts it down and cuts it thrice: seven steps."""
    world = world_in(
        ["board", "table lettuce", "table lettuce", "board"], robots=(0, 3), goal=TWO_CUT, play=play
    )
    mine = ["move", "pick-up-item", "move", "place-item", "cut", "cut", "cut"]
    assert deeds_of(world, "robot1") == deeds_of(world, "robot2") == mine


@every_play
def test_they_do_not_fetch_the_same_thing(play: Any) -> None:
    """Both are a step away from the only lettuce, and only one may stand there."""
    world = world_in(
        ["board", "table lettuce", "board"], robots=(0, 2), goal=[term("iscut", "lettuce 1")], play=play
    )
    takers = [robot for robot in ("robot1", "robot2") if "pick-up-item" in deeds_of(world, robot)]
    assert takers == ["robot1"]


def test_who_has_something_in_hand_goes_on_with_it() -> None:
    """robot2 holds the only lettuce, so the lower number of robot1 does not count: it steps aside."""
    world = world_in(["board", "table lettuce", "table"], robots=(0, 1), goal=[term("iscut", "lettuce 1")])
    state = say(world, world.start(), "Wait", "robot2 takes lettuce1 from table1")
    assert told(world, state) == [
        "robot1 goes from board1 to table2",
        "robot2 goes from table1 to board1",
        "Wait",
        "robot2 puts lettuce1 on board1",
        *["Wait", "robot2 cuts lettuce1 on board1"] * 3,
    ]


@every_play
def test_a_robot_steps_out_of_the_way(play: Any) -> None:
    """robot2 stands before the only board, with nothing to do."""
    world = world_in(
        ["table lettuce", "board", "table"], robots=(0, 1), goal=[term("iscut", "lettuce 1")], play=play
    )
    assert deeds_of(world, "robot2")[0] == "move"
    assert deeds_of(world, "robot1").count("cut") == 3
