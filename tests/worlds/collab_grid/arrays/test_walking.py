"""Ways by hand in the published kitchen, and the bound that goes by them against proven shortest plans."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.oracle import oracle_of
from backburner.worlds.collab_grid.arrays.encoding import encoding
from backburner.worlds.collab_grid.arrays.needs import HANDOVER_STEPS, MOST_MEASURED
from backburner.worlds.collab_grid.game import NO_LIMITS, PRESETS, CollabGrid
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.state import SEATS
from backburner.worlds.collab_overcooked.oracle.heuristic import FAR, Distances
from support.collab_overcooked.kitchens import OPEN_KITCHEN

#    01234
# 0  XXXPX     the chef's room is on the right, the assistant's on the left
# 1  I X X
# 2  C X X
# 3  D X O
# 4  XBXSX
POT, DISPENSER, BOARD, OVEN, BLENDER, SERVING = 3, 5, 10, 19, 21, 23


def ways_of(path: str) -> Distances:
    return Distances(registry.world(f"collab_grid/{path}").compiled.grid, HANDOVER_STEPS)


@pytest.mark.parametrize(
    ("one", "other", "steps"),
    [
        (DISPENSER, BOARD, 3),  # a step south, a turn to the west, putting it in
        (POT, OVEN, 4),  # two steps south, a turn to the east, and in
        (POT, SERVING, 3),  # two steps south, facing it, delivered
        (DISPENSER, POT, 5),  # a turn to the east, put down; taken a step later; a turn to the north, and in
        (POT, BLENDER, 5),  # over the counter at the bottom; the assistant takes it in the same step
    ],
)
def test_ways_by_hand(one: int, other: int, steps: int) -> None:
    assert ways_of("boiled_egg").between(one, other) == steps


def test_where_there_is_no_way_it_is_far() -> None:
    ways = ways_of("boiled_egg")
    assert all(ways.act(pose, BOARD) >= FAR for pose in ways.stands(0, POT))
    assert ways.stands(0, BOARD) == ways.stands(1, POT) == []


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("path", ["boiled_egg", "baked_carrot_soup@layout=1", "boiled_corn_slices@layout=4"])
def test_no_play_is_shorter_than_the_bound(path: str, rules: str) -> None:
    """In states that any moves lead to, against the steps that the oracle proves."""
    world = registry.world(f"collab_grid/{path}", rules=rules, limits="none")
    assert isinstance(world, CollabGrid)
    numbers, oracle, draw = encoding(world), oracle_of(world), Random(5)
    asked = 0
    for _ in range(3):
        state = world.start()
        while world.deciders(state) and state.kitchen.steps < 60:
            if state.kitchen.steps % 6 == 0:
                best = oracle.onward(world, state, 1)
                if best.to_go is not None:
                    least = numbers.needs.least_steps(state.kitchen, world.scenario.orders[0])
                    assert 1 <= least <= best.to_go, (state, least, best)
                    asked += 1
            options = {seat: world.menu(state, seat).options for seat in SEATS}
            acts = {seat: [each for each in options[seat] if each.verb != "stay"] for seat in SEATS}
            state = world.step(state, {seat: draw.choice(acts[seat]).decision for seat in SEATS}).state
    assert asked >= 10


def test_the_bound_is_near_the_truth_at_the_beginning() -> None:
    world = registry.world("collab_grid/baked_potato_soup")
    assert encoding(world).needs.least_steps(world.start().kitchen, "baked_potato_soup") == 25  # of 31


def test_in_very_large_kitchens_nothing_is_measured() -> None:
    hall = ("X" * 30, *("X" + " " * 28 + "X" for _ in range(14)), *OPEN_KITCHEN.grid)
    wide = replace(OPEN_KITCHEN, grid=tuple(row.ljust(30, "X") for row in hall))
    least = []
    for layout in (wide, OPEN_KITCHEN):
        scenario = Scenario(("gratin",), layout)
        world = CollabGrid("collab_grid/user/x", scenario, PRESETS["standard"], NO_LIMITS)
        least.append(encoding(world).needs.least_steps(world.start().kitchen, "gratin"))
    assert sum(map(len, wide.grid)) > MOST_MEASURED
    assert least[0] < least[1]
