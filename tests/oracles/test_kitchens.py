"""Shortest plans of kitchens: counted by hand, gone on with, shipped, played by agents."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from backburner.agents.roster import AgentSpec, make_policy
from backburner.kernel import registry
from backburner.kernel.play import play_now
from backburner.oracles.kitchens import as_data, best_plan, shipped_plan, solve_kitchen, unlimited
from backburner.worlds.robotouille import Limits, Robotouille
from backburner.worlds.robotouille.optima import known_optima
from support.robotouille import say, world_in

CHEESE = [{"predicate": "item_on", "args": ["cheese", "table"], "ids": [1, 2]}]
COOKED = [{"predicate": "iscooked", "args": ["patty"], "ids": [1]}]


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_cooking_takes_its_step_and_three_more(rules: str) -> None:
    found = solve_kitchen(world_in(["stove patty"], goal=COOKED, rules=rules))
    assert (found.status, found.objective) == ("optimal", 4)


def test_a_plan_from_a_state_counts_what_is_left() -> None:
    """Of the four steps of cooking two have passed."""
    world = world_in(["stove patty"], goal=COOKED)
    state = say(world, world.start(), "robot1 cooks patty1 on stove1", "Wait")
    assert solve_kitchen(world, state=state).objective == 2


@pytest.mark.parametrize(("play", "steps"), [("turns", 6), ("together", 4), ("dispatcher", 4)])
def test_two_robots(play: Any, steps: int) -> None:
    """robot1 cooks a patty (one step and three more), robot2 brings cheese to the table (take, go, put).

    At once that is over after the four steps of the patty. In turns robot2 has the steps 2, 4 and 6.
    """
    goal = [*COOKED, {"predicate": "item_on", "args": ["cheese", "table"], "ids": [2, 3]}]
    world = world_in(["stove patty", "board cheese", "table"], robots=(0, 1), goal=goal, play=play)
    found = solve_kitchen(world)
    assert (found.status, found.objective) == ("optimal", steps)


@pytest.mark.parametrize("play", ["turns", "together", "dispatcher"])
def test_what_was_found_before_is_gone_on_with(play: Any) -> None:
    """Also where robots idle in it: robot2 has nothing to do while the last of the patty cooks."""
    goal = [*COOKED, {"predicate": "item_on", "args": ["cheese", "table"], "ids": [2, 3]}]
    world = world_in(["stove patty", "board cheese", "table"], robots=(0, 1), goal=goal, play=play)
    before = solve_kitchen(world)
    unproven = replace(before, status="feasible", bound=0)
    again = solve_kitchen(world, before=unproven, time_limit_seconds=0.000001)
    assert (again.status, again.objective, again.plan) == ("feasible", before.objective, before.plan)


def test_a_plan_beyond_the_limit_is_no_answer() -> None:
    world = world_in(["board cheese", "table"], goal=CHEESE, limits=Limits(steps=2))
    found = solve_kitchen(world)
    assert (found.status, found.objective, found.plan) == ("infeasible", None, ())
    assert "takes 3 steps" in found.note


def test_what_cannot_be_is_infeasible() -> None:
    found = solve_kitchen(world_in(["board lettuce"]))
    assert found.status == "infeasible"


def test_a_solution_as_data_has_the_plan_as_places_on_menus() -> None:
    world = world_in(["board cheese", "table"], goal=CHEESE)
    data = as_data(world, solve_kitchen(world))
    assert data is not None and (data.steps, data.bound, data.status) == (3, 3, "optimal")
    state, seat = world.start(), "robot1"
    for place in data.plan:
        state = world.step(state, {seat: world.legal(state, seat).options[place].decision}).state
    assert state.ended == "completed"


def test_the_oracle_plays_kitchens_that_are_not_shipped() -> None:
    world = world_in(["board cheese", "table"], goal=CHEESE)
    episode = play_now(world, make_policy(AgentSpec("oracle"), world))
    assert episode.ending is not None and episode.ending.numbers == {"steps": 3, "completed": 1}
    assert shipped_plan(world) is None and len(best_plan(world)) == 3


def test_shipped_plans_take_as_many_steps_as_they_say() -> None:
    for (id, rules), known in known_optima().items():
        world = registry.world(id, rules=rules, limits="none")
        assert isinstance(world, Robotouille)
        plan = shipped_plan(world)
        state = unlimited(world).start()
        for decided in plan or ():
            state = world.step(state, decided).state
        assert (state.ended, state.steps) == ("completed", known.steps), id
        assert known.bound <= known.steps and (known.status == "optimal") == (known.bound == known.steps)
