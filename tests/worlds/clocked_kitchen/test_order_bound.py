"""What no play serves more than, by hand and against plays; the best play that is known."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from backburner.agents.planned import plan_policy, world_agent
from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.kernel.oracle import Request, solve_world
from backburner.kernel.play import play_now
from backburner.worlds.clocked_kitchen.agents.plays import most_served as best_play
from backburner.worlds.clocked_kitchen.game.scenarios import Clock
from backburner.worlds.clocked_kitchen.game.world import ClockedKitchen
from backburner.worlds.clocked_kitchen.oracle.generator import GENERATOR
from backburner.worlds.clocked_kitchen.oracle.least_work import LeastWork
from backburner.worlds.clocked_kitchen.oracle.order_bound import most_served, order_stream
from support.clocked_kitchen.play import scenario_of
from support.clocked_kitchen.play import world_of as on_plan
from support.dispatch.drafts import drafted, world_of

PLAN = ("#########S#", "T.........S", "######B####")
"""Level 0 makes a salmon meatcake of salmon and flour: shelves at the right end, the blender three cells from
there, the table five cells from the blender at the left end. Hands take 5 ticks, a cell 2, the blender 20."""


def test_the_least_work_bounds_what_can_be_served() -> None:
    """An ingredient: the way to its shelf from the blender, 6, taken, carried, put in, 5 + 6 + 5: 22 in all.
    The cake: started 5, taken, carried and put down 5 + 10 + 5. So each takes 2 · 22 + 25 = 69 of bodies.

    The first is on the table 14 + 11 + 20 + 15 = 60 ticks from the beginning, in tick 61. In 212 ticks two
    bodies have 2 · (212 + 4): six times 69 is 414, seven times 483. Of the blender's time, 212 less 26 until
    it can first be started and 15 for the way of the last cake, eight pieces of 20 are left.
    """
    assert len(order_stream(_level_0(212))) == 8
    assert [most_served(_level_0(ticks)) for ticks in (60, 61, 212)] == [0, 1, 6]


def _level_0(ticks: int) -> ClockedKitchen:
    """Orders come every third second and wait for nearly ever."""
    world = on_plan("level_0", PLAN, ticks=ticks)
    kitchen = replace(world.scenario.kitchen, tau=None, interval=3, lifetimes=(40,), most_open=50)
    return ClockedKitchen(world.id, replace(world.scenario, kitchen=kitchen), world.rules, world.limits)


def test_what_can_be_passed_on_over_a_board_counts_no_way() -> None:
    """Tomato is cut on the board that stands between both halves of the room, and goes into the mixer as
    well: it may lie on the board, and be taken on the other side."""
    scenario = registry.catalogue("clocked_kitchen").read(
        {
            "world": "clocked_kitchen",
            "id": "wall",
            "dishes": ["salad"],
            "kitchen": ["storage", "servingtable", "board", "mixer"],
            "letters": {"D": "board", "X": "mixer"},
            "interval": 10,
            "lifetimes": {"salad": 40},
            "cookbook": {
                "ingredients": ["tomato", "leaf"],
                "kinds": [
                    {"name": "storage", "gives": "ingredients"},
                    {"name": "servingtable", "gives": "nothing"},
                    {"name": "board", "gives": "anything", "capacity": 1, "busy_steps": 2},
                    {"name": "mixer", "capacity": 3},
                ],
                "recipes": [
                    {"product": "slice", "tool": "board", "inputs": ["tomato"]},
                    {"product": "salad", "tool": "mixer", "inputs": ["slice", "tomato", "leaf"]},
                ],
            },
            "plan": ["#SS###T##", "#..#....#", "#..D....X", "#..#....#", "#.......#", "#########"],
        },
        "test",
    )[1]
    world = registry.catalogue("clocked_kitchen").build("clocked_kitchen/wall", scenario, "standard", "none")
    least = LeastWork(world.compiled)
    assert least.way_from_shelf("tomato", "mixer") == 0 < least.way_from_shelf("leaf", "mixer")
    assert least.way_from_shelf("tomato", "board") == 4  # two cells


USUAL: dict[str, Any] = {
    **{"layers": 2, "dishes": 2, "inputs": 2, "ingredients": 4, "tools": 3, "units": 2, "busy": 2},
    **{"attended": 0.3, "bodies": 3, "interval": 4, "patience": 1.5, "steps": 30, "spare": 0},
}


@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("bodies", [1, 2, 4])
def test_no_play_serves_more_and_the_world_plays_the_best(layers: int, bodies: int) -> None:
    knobs = USUAL | {"layers": layers, "bodies": bodies}
    world = world_of("clocked_kitchen", GENERATOR, drafted(GENERATOR, knobs, {"level": ""}, layers))
    solution = solve_world(world, Request(effort=20.0))
    assert solution == replace(solve_world(world, Request(effort=20.0)), seconds=solution.seconds)
    assert solution.objective is not None and solution.bound == most_served(world)
    assert 0 < solution.objective <= solution.bound
    assert (solution.status == "optimal") == (solution.objective == solution.bound)
    played = [
        play_now(world, policy).ending
        for policy in (plan_policy(world, solution), world_agent("greedy", world))
    ]
    served = [ending.numbers["completed"] for ending in played if ending is not None]
    assert served[0] == solution.objective >= served[1]


def test_a_dispatcher_and_seats_that_are_always_asked_have_plans_as_well() -> None:
    for id in ("level_0@seats=one,seconds=20", "level_1@asks=always,seconds=20"):
        world = registry.world(f"clocked_kitchen/{id}")
        ending = play_now(world, world_agent("oracle", world)).ending
        assert ending is not None and ending.numbers["completed"] == best_play(world).objective


def test_a_quick_squeeze_is_a_cheap_step() -> None:
    """Where bodies change places in a tick, a cell may take no more."""
    quick = replace(scenario_of("level_0", PLAN), clock=Clock(squeeze_ticks=1))
    world = ClockedKitchen("clocked_kitchen/level_0", quick, on_plan("level_0").rules, _level_0(100).limits)
    assert LeastWork(world.compiled).way_from_shelf("flour", "blender") == 3


def test_orders_that_come_by_the_seed_of_play_have_no_plan_before() -> None:
    with pytest.raises(Refused, match="seed of play"):
        solve_world(registry.world("clocked_kitchen/level_0@seed=play"))
