"""Shortest plans of moves: those that ship, new kitchens, states in the middle of play, exact values."""

from __future__ import annotations

from typing import Any

import pytest

from backburner.arrays.encoding import encoding_of
from backburner.arrays.rewards import ExactRise, reward_of
from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.kernel.oracle import Request, oracle_of
from backburner.kernel.play import play_now
from backburner.worlds.collab_grid.agents.cooks import GreedyCooks, OracleCooks, oracle_cooks
from backburner.worlds.collab_grid.game import PRESETS, CollabGrid, Limits, State
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from support.collab_overcooked.kitchens import OPEN_KITCHEN


def world_of(path: str, **changes: Any) -> CollabGrid:
    world = registry.world(f"collab_grid/{path}", **changes)
    assert isinstance(world, CollabGrid)
    return world


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("dish", ["boiled_egg", "baked_potato_slices", "baked_potato_soup"])
def test_what_is_found_is_as_long_as_what_ships(dish: str, rules: str) -> None:
    world = world_of(dish, rules=rules)
    found, known = oracle_of(world).solve(world, Request()), oracle_of(world).known(world)
    assert known is not None and known.status == "optimal"
    assert (found.status, found.objective, found.bound) == ("optimal", known.objective, known.bound)


@pytest.mark.parametrize("seed", [0, 3])
def test_in_a_new_kitchen_the_oracle_plays_what_it_finds(seed: int) -> None:
    world = world_of(f"boiled_corn_slices@layout={seed}")
    found = oracle_of(world).solve(world, Request())
    assert found.status == "optimal" and found.objective == len(found.plan)
    assert oracle_of(world).known(world) is None
    ending = play_now(world, oracle_cooks(world)).ending
    assert ending is not None and ending.numbers["steps"] == found.objective
    greedy = play_now(world, GreedyCooks(world)).ending
    assert greedy is not None and greedy.numbers["steps"] >= found.objective


def test_along_a_shortest_plan_the_finish_stays_and_beside_it_it_moves_away() -> None:
    world = world_of("boiled_egg@layout=3")
    oracle, cooks = oracle_of(world), OracleCooks(world)
    state: State = world.start()
    finish = oracle.onward(world, state, 1).finish
    assert finish is not None
    while world.deciders(state):
        assert oracle.onward(world, state, 1).finish == finish
        idle = world.step(state, {}).state
        assert not idle.ended and (oracle.onward(world, idle, 1).finish or 0) >= finish
        plan = cooks._planned[state.kitchen]
        state = world.step(state, dict(zip(world.seats, plan, strict=True))).state
    assert state.kitchen.steps == finish
    assert oracle.onward(world, world.step(world.start(), {}).state, 1).finish == finish + 1


def test_a_limit_that_no_plan_meets_is_told() -> None:
    world = world_of("boiled_egg", limits=Limits(10))
    found = oracle_of(world).solve(world, Request())
    assert found.status == "infeasible" and found.objective is None
    assert found.note == "the plan takes 15 steps; the world ends play after 10"


def test_of_orders_that_keep_coming_there_is_no_plan() -> None:
    scenario = Scenario((), OPEN_KITCHEN, order_weights={"boiled_egg": 1.0}, open_orders=1)
    world = CollabGrid("collab_grid/user/test", scenario, PRESETS["standard"], Limits(80))
    for ask in (
        lambda: oracle_of(world).solve(world, Request()),
        lambda: oracle_of(world).onward(world, world.start(), 1),
    ):
        with pytest.raises(Refused, match="for ever"):
            ask()


def test_the_exact_value_pays_for_being_too_late_at_once() -> None:
    """15 steps are the least: in an episode of 16, one may be lost, and with the second the order is."""
    world = world_of("boiled_egg", limits=Limits(16))
    numbers = encoding_of(world)
    rise, reward = ExactRise(world, numbers), reward_of(world, numbers, "value")
    state = world.start()
    assert rise(state) == 1
    paid = []
    for _ in range(4):
        step = world.step(state, {})
        paid.append(reward.add(state, step))
        state = step.state
    assert paid == [0, -1, 0, 0]
