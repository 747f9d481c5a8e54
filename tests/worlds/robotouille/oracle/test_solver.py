"""Shortest plans of kitchens: counted by hand, gone on with, shipped, played by agents."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from backburner.agents.roster import make_policy
from backburner.agents.spec import AgentSpec
from backburner.kernel import registry
from backburner.kernel.play import play_now
from backburner.worlds.robotouille.game import Limits, Robotouille
from backburner.worlds.robotouille.game.catalogue import Optimum, known_optima
from backburner.worlds.robotouille.game.scenarios import KnownPlan
from backburner.worlds.robotouille.oracle.solver import as_data, best_plan, shipped_plan, solve_kitchen
from support.robotouille.kitchens import say, world_in

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
def test_two_robots_share_the_work_as_their_turns_allow(play: Any, steps: int) -> None:
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
        state = world.step(state, {seat: world.menu(state, seat).options[place].decision}).state
    assert state.ended == "completed"


def test_a_plan_in_the_file_is_the_one_that_is_played() -> None:
    """It need not be a shortest one: the robot goes to the table and back first."""
    bare = world_in(["board cheese", "table"], goal=CHEESE)
    words = [
        "robot1 goes from board1 to table1",
        "robot1 goes from table1 to board1",
        *solve_kitchen(bare).plan,
    ]
    known = KnownPlan(steps=5, bound=3, plan=tuple(words))
    world = Robotouille(bare.id, replace(bare.scenario, known_plan=known), bare.rules, bare.limits)
    assert len(best_plan(world)) == 5 and shipped_plan(world) == best_plan(world)


def test_the_oracle_plays_kitchens_that_are_not_shipped() -> None:
    world = world_in(["board cheese", "table"], goal=CHEESE)
    episode = play_now(world, make_policy(AgentSpec("oracle"), world))
    assert episode.ending is not None and episode.ending.numbers == {"steps": 3, "completed": 1}
    assert shipped_plan(world) is None and len(best_plan(world)) == 3


@pytest.mark.slow
def test_shipped_plans_take_as_many_steps_as_they_say() -> None:
    """Every third kitchen, under one rule set or the other.

    A plan ends where nobody decides any more, and without limits that is the goal.
    """
    of_kitchens: dict[str, list[Optimum]] = {}
    for known in known_optima().values():
        of_kitchens.setdefault(known.id, []).append(known)
    for number, both in enumerate(list(of_kitchens.values())[::3]):
        known = both[number % len(both)]
        world = registry.world(known.id, rules=known.rules, limits="none")
        assert isinstance(world, Robotouille)
        plan = shipped_plan(world)
        assert plan is not None and len(plan) == known.steps, known.id
        assert sum(map(len, plan)) == len(known.plan), known.id


def test_shipped_bounds_and_statuses_agree() -> None:
    for known in known_optima().values():
        assert known.bound <= known.steps and (known.status == "optimal") == (known.bound == known.steps)
