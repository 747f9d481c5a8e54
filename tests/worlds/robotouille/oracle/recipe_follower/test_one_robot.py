"""What the recipe follower does with one robot, step by step."""

from __future__ import annotations

import pytest

from backburner.worlds.robotouille.game import Limits
from backburner.worlds.robotouille.oracle.recipe_follower.follower import followed_plan
from support.robotouille.followed import term, told
from support.robotouille.kitchens import NEVER, say, world_in

CUT, COOKED = term("iscut", "lettuce 1"), term("iscooked", "patty 2")
LETTUCE_SANDWICH = [
    term("item_on", "bread 1", "table 2"),
    term("atop", "lettuce 3", "bread 1"),
    term("iscut", "lettuce 3"),
]


def test_what_goes_on_by_itself_is_begun_first_and_other_work_done_meanwhile() -> None:
    """It stands before the board, and leaves it: cooking runs for three steps while the robot goes back
    and cuts. Six steps; cutting first would take 3 + go, cook and wait thrice = 8."""
    assert told(world_in(["board lettuce", "table", "stove patty"], goal=[CUT, COOKED])) == [
        "robot1 goes from board1 to stove1",
        "robot1 cooks patty1 on stove1",
        "robot1 goes from stove1 to board1",
        "robot1 cuts lettuce1 on board1",
        "robot1 cuts lettuce1 on board1",
        "robot1 cuts lettuce1 on board1",
    ]


def test_bringing_something_to_where_it_goes_on_by_itself_comes_first_as_well() -> None:
    """Five steps until the patty cooks, five more to fetch and cut the lettuce."""
    world = world_in(["board", "stove", "table patty", "table lettuce"], robots=(1,), goal=[CUT, COOKED])
    answers = told(world)
    assert answers.index("robot1 cooks patty1 on stove1") == 4
    assert answers[5:] == [
        "robot1 goes from stove1 to table2",
        "robot1 takes lettuce1 from table2",
        "robot1 goes from table2 to board1",
        "robot1 puts lettuce1 on board1",
        *["robot1 cuts lettuce1 on board1"] * 3,
    ]


def test_where_there_is_nothing_else_to_do_it_waits() -> None:
    assert told(world_in(["stove patty"], goal=[COOKED])) == ["robot1 cooks patty1 on stove1", *["Wait"] * 3]


def test_while_it_waits_it_goes_where_it_will_be_needed() -> None:
    """One of three further steps of cooking has passed when it stands at the table: it goes back at once."""
    goal = [COOKED, term("item_at", "patty 2", "table 3")]
    world = world_in(["stove patty", "table"], goal=goal)
    state = say(world, world.start(), "robot1 cooks patty1 on stove1", "robot1 goes from stove1 to table1")
    assert told(world, state) == [
        "robot1 goes from table1 to stove1",
        "Wait",
        "robot1 takes patty1 from stove1",
        "robot1 goes from stove1 to table1",
        "robot1 puts patty1 on table1",
    ]


def test_what_a_thing_is_made_of_stays_where_it_is_made() -> None:
    """The pot is left in the sink until there is water in it, four steps later."""
    goal = [term("in", "water 1", "pot 2"), term("container_at", "pot 2", "stove 3")]
    assert told(world_in(["table pot", "sink", "stove"], goal=goal)) == [
        "robot1 takes pot1 from table1",
        "robot1 goes from table1 to sink1",
        "robot1 puts pot1 on sink1",
        "robot1 fills pot1 with water at sink1",
        *["Wait"] * 3,
        "robot1 takes pot1 from sink1",
        "robot1 goes from sink1 to stove1",
        "robot1 puts pot1 on stove1",
    ]


def test_a_dish_is_put_together_from_below() -> None:
    """The bread that is at hand first goes on top, so it is put aside until cheese and lettuce lie."""
    goal = [
        term("item_on", "bread 1", "table 2"),
        term("atop", "cheese 3", "bread 1"),
        term("atop", "lettuce 4", "cheese 3"),
        term("atop", "bread 5", "lettuce 4"),
    ]
    answers = told(world_in(["table cheese bread", "table bread", "table lettuce"], goal=goal))
    stacked = [answer for answer in answers if answer.startswith("stack(") and "table2" in answer]
    assert stacked == [
        "stack(i1=cheese1,i2=bread2,p1=robot1,s1=table2)",
        "stack(i1=lettuce1,i2=cheese1,p1=robot1,s1=table2)",
        "stack(i1=bread1,i2=lettuce1,p1=robot1,s1=table2)",
    ]


def test_things_stand_for_the_goal_s_variables_with_which_the_least_is_left_to_do() -> None:
    """Cheese lies on the second bread already: that is the lower one, and three steps are enough."""
    goal = [
        term("item_on", "bread 1", "table 2"),
        term("atop", "cheese 3", "bread 1"),
        term("atop", "bread 4", "cheese 3"),
    ]
    assert told(world_in(["table bread", "table bread cheese"], goal=goal)) == [
        "robot1 takes bread1 from table1",
        "robot1 goes from table1 to table2",
        "stack(i1=bread1,i2=cheese1,p1=robot1,s1=table2)",
    ]


def test_what_lies_in_its_place_before_its_work_is_done_is_taken_away_again() -> None:
    """The raw lettuce lies on the bread as the goal has it; on a board alone it can be cut."""
    assert told(world_in(["board", "table bread lettuce"], robots=(1,), goal=LETTUCE_SANDWICH)) == [
        "unstack(i1=lettuce1,i2=bread1,p1=robot1,s1=table1)",
        "robot1 goes from table1 to board1",
        "robot1 puts lettuce1 on board1",
        *["robot1 cuts lettuce1 on board1"] * 3,
        "robot1 takes lettuce1 from board1",
        "robot1 goes from board1 to table1",
        "stack(i1=lettuce1,i2=bread1,p1=robot1,s1=table1)",
    ]


def test_a_station_is_cleared_of_what_is_in_the_way() -> None:
    assert told(world_in(["board cheese", "table lettuce", "table"], robots=(1,), goal=[CUT])) == [
        "robot1 goes from table1 to board1",
        "robot1 takes cheese1 from board1",
        "robot1 goes from board1 to table2",
        "robot1 puts cheese1 on table2",
        "robot1 goes from table2 to table1",
        "robot1 takes lettuce1 from table1",
        "robot1 goes from table1 to board1",
        "robot1 puts lettuce1 on board1",
        *["robot1 cuts lettuce1 on board1"] * 3,
    ]


def test_work_that_was_begun_is_gone_on_with() -> None:
    """One cut of three is done and the patty cooks: two cuts, and the cooking is over meanwhile."""
    world = world_in(["board lettuce", "stove patty"], robots=(1,), goal=[CUT, COOKED])
    begun = ["robot1 cooks patty1 on stove1", "robot1 goes from stove1 to board1"]
    state = say(world, world.start(), *begun, "robot1 cuts lettuce1 on board1")
    assert told(world, state) == ["robot1 cuts lettuce1 on board1"] * 2


def test_a_goal_that_is_reached_needs_nothing() -> None:
    world = world_in(["board lettuce"], goal=[CUT])
    state = say(world, world.start(), *["robot1 cuts lettuce1 on board1"] * 3)
    assert followed_plan(world, state) == ()


@pytest.mark.parametrize(
    ("stations", "goal"),
    [
        pytest.param(["table bread", "board"], [NEVER], id="bread cannot be cut"),
        pytest.param(["table lettuce", "table"], [CUT], id="there is no board"),
        pytest.param(["board", "table"], [CUT], id="there is no lettuce"),
        pytest.param(
            ["board lettuce"], [CUT, term("iscut", "lettuce 1", is_true=False)], id="against itself"
        ),
    ],
)
def test_there_is_no_plan_for_what_cannot_be(stations: list[str], goal: list[dict[str, object]]) -> None:
    world = world_in(stations, goal=goal)
    assert followed_plan(world, world.start(), most_steps=60) is None


def test_there_is_no_plan_beyond_a_limit() -> None:
    stations, goal = ["board lettuce"], [CUT]
    world = world_in(stations, goal=goal)
    assert followed_plan(world, world.start(), most_steps=2) is None
    assert len(followed_plan(world, world.start(), most_steps=3) or ()) == 3
    limited = world_in(stations, goal=goal, limits=Limits(steps=2))
    assert followed_plan(limited, limited.start()) is None
