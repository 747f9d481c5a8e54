"""The grid: names, reach, cheapest ways and their ties, cooks in each other's way."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import (
    EAST,
    IDLE,
    INTERACT,
    NORTH,
    SHIPPED,
    SOUTH,
    WEST,
    Grid,
    shipped_layout,
)
from backburner.worlds.collab_overcooked.game.rule_set import STANDARD
from backburner.worlds.collab_overcooked.game.state import Body, Kitchen
from support.collab_overcooked.kitchens import OPEN_KITCHEN, answer, cell, world_of

ROOMS = Grid(shipped_layout(SHIPPED))
WIDE = Compiled(OPEN_KITCHEN, STANDARD)


def test_utensils_are_numbered_by_kind_in_reading_order() -> None:
    names = {utensil.name: WIDE.grid.at(utensil.cell) for utensil in WIDE.grid.utensils}
    assert names == {"pot0": (1, 0), "pot1": (3, 0), "chopping_board0": (6, 3), "oven0": (4, 4)}


def test_the_rooms_share_three_counters() -> None:
    shared = [ROOMS.at(tile) for tile in ROOMS.counters if tile in ROOMS.reach[0] & ROOMS.reach[1]]
    assert shared == [(2, 1), (2, 2), (2, 3)]


@pytest.mark.parametrize(
    ("x", "y", "facing", "tile", "move"),
    [
        (3, 1, NORTH, (3, 0), INTERACT),  # at the pot, facing it
        (3, 1, EAST, (3, 0), NORTH),  # one turn
        (3, 3, NORTH, (3, 0), NORTH),  # two moves north, which leave the cook facing the pot
        (3, 1, NORTH, (4, 3), SOUTH),  # to the oven: south, south, then a turn east
    ],
)
def test_a_way_is_moves_a_turn_and_the_act(
    x: int, y: int, facing: int, tile: tuple[int, int], move: int
) -> None:
    assert ROOMS.next_move(cell(x, y), facing, -1, [cell(*tile)]) == move


def test_the_first_of_the_cheapest_tiles_counts() -> None:
    """Both counters of the chef's side cost a turn and the act; the one named first is taken."""
    west, east = cell(2, 1), cell(4, 1)
    assert ROOMS.next_move(cell(3, 1), NORTH, -1, [west, east]) == WEST
    assert ROOMS.next_move(cell(3, 1), NORTH, -1, [east, west]) == EAST


def test_nobody_walks_through_walls_or_cooks() -> None:
    assert ROOMS.next_move(cell(3, 1), NORTH, -1, [cell(0, 1)]) is None
    narrow = WIDE.grid
    corridor = cell(3, 2, 7)
    board = next(utensil.cell for utensil in narrow.utensils if utensil.kind == "chopping_board")
    assert narrow.next_move(cell(1, 1, 7), NORTH, -1, [board]) == EAST
    assert narrow.next_move(cell(1, 1, 7), NORTH, corridor, [board]) is None


@pytest.mark.parametrize(
    ("first", "second", "moves"),
    [
        ((2, 1), (4, 1), (EAST, WEST)),  # both want (3, 1)
        ((2, 1), (3, 1), (EAST, WEST)),  # they would change places
    ],
)
def test_who_would_share_or_swap_cells_only_turns(
    first: tuple[int, int], second: tuple[int, int], moves: tuple[int, int]
) -> None:
    kitchen = Kitchen((Body(cell(*first, 7), SOUTH), Body(cell(*second, 7), SOUTH)), ("boiled_egg",))
    after = WIDE.stepper.step(kitchen, ((moves[0], ""), (moves[1], ""))).kitchen
    assert after.bodies == (Body(cell(*first, 7), moves[0]), Body(cell(*second, 7), moves[1]))


def test_one_may_follow_where_the_other_leaves() -> None:
    kitchen = Kitchen((Body(cell(2, 1, 7), EAST), Body(cell(3, 1, 7), EAST)), ("boiled_egg",))
    after = WIDE.stepper.step(kitchen, ((EAST, ""), (EAST, ""))).kitchen
    assert [body.cell for body in after.bodies] == [cell(3, 1, 7), cell(4, 1, 7)]
    after = WIDE.stepper.step(kitchen, ((EAST, ""), IDLE)).kitchen
    assert [body.cell for body in after.bodies] == [cell(2, 1, 7), cell(3, 1, 7)]


def test_a_blocked_way_is_told_and_asked_about() -> None:
    """The assistant stands in the corridor; the chef wants to pass."""
    world = world_of("gratin", layout=OPEN_KITCHEN)
    start = world.start()
    bodies = (start.kitchen.bodies[0], Body(cell(3, 2, 7), NORTH))
    state = answer(
        world,
        replace(start, kitchen=replace(start.kitchen, bodies=bodies)),
        "pickup(dish,dish_dispenser)",
        refused=["way_blocked"],
    )
    assert (state.ask, state.asked) == ("correct", 0)


def test_after_a_collision_the_assistant_decides_anew() -> None:
    """Both are on their way to the corridor and want the cell above it in the same step."""
    world = world_of("gratin", layout=OPEN_KITCHEN)
    state = answer(world, world.start(), "pickup(dish,dish_dispenser);place_obj_on_counter()")
    start = replace(state.kitchen, bodies=(state.kitchen.bodies[0], Body(cell(5, 1, 7), WEST, "potato")))
    state = answer(world, replace(state, kitchen=start), "put_obj_in_utensil(chopping_board0)")
    assert (state.kitchen.steps, state.ask, world.deciders(state)) == (2, "correct", ("assistant",))
    assert [world.compiled.grid.at(body.cell) for body in state.kitchen.bodies] == [(2, 1), (4, 1)]
    state = answer(world, state, "wait(4);put_obj_in_utensil(chopping_board0);wait(20)")
    state = answer(world, state, "wait(20)")
    assert [cook.recent[0].call for cook in state.cooks] == [
        "pickup(dish,dish_dispenser)",
        "put_obj_in_utensil(chopping_board0)",
    ]
