"""Bodies on the floor: corridors, crowds, nobody walks for ever."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.worlds.clocked_kitchen.game import STANDARD, Rules
from backburner.worlds.clocked_kitchen.game.state import State
from support.clocked_kitchen.play import Played, world_of

CORRIDOR = ("##########", "S........T", "S........B", "##########")
LANE = ("#########S#", "T.........S", "######B####")
ISLAND = ("##SS####", "#......#", "#.####.#", "#.#B##.T", "#......#", "########")


def crossing(plan: tuple[str, ...], rules: Rules = STANDARD) -> Played:
    """One body at the left end, one at the right; both want to where the other is."""
    world = world_of("level_0@asks=always", plan, rules)
    played = Played(world)
    played.do("goto_agent1_storage0").until_done()
    return played.do("goto_agent0_storage0", "goto_agent1_servingtable0")


def test_two_in_a_lane_squeeze_past_each_other() -> None:
    played = crossing(LANE).until_done()
    assert played.cell(0)[0] > played.cell(1)[0]
    assert not played.state.feedback


def test_without_squeezing_they_give_up() -> None:
    played = crossing(LANE, Rules("standard,blocking=true", blocking=True)).until_done(4000)
    assert {refusal.code for refusal in played.state.feedback} == {"way_blocked"}


def test_where_there_is_room_nobody_squeezes() -> None:
    """Eight cells, two ticks each, and a step aside; to squeeze past would take six ticks for one cell."""
    played = crossing(CORRIDOR)
    began = played.state.tick
    played.until_done()
    assert played.state.tick - began <= 2 * 9 + 4


def test_a_body_with_nothing_to_do_is_passed() -> None:
    world = world_of("level_0@asks=always", LANE)
    played = Played(world).do("goto_agent1_storage0").until_done()
    assert played.cell(1)[0] == 9 and not played.state.feedback


def test_cells_are_never_shared_and_bodies_walk_on_the_floor() -> None:
    world = world_of("level_5@asks=always,bodies=8")
    played, draw = Played(world), random.Random(5)
    for _ in range(400):
        body = draw.randrange(8)
        options = world.menu(played.state, f"agent{body}").options
        played.do(*draw.choice(options).decision.commands)
        check(played.state, world.compiled.floor.walkable)


def check(state: State, walkable: tuple[bool, ...]) -> None:
    assert len(set(state.at)) == len(state.at)
    assert all(walkable[cell] for cell in state.at)


@settings(max_examples=80)
@given(
    plan=st.sampled_from([CORRIDOR, LANE, ISLAND]),
    seed=st.integers(0, 100_000),
    bodies=st.integers(2, 4),
)
def test_nobody_walks_for_ever(plan: tuple[str, ...], seed: int, bodies: int) -> None:
    """Errands of all bodies at once, to any places: all are done in the time that a few detours take."""
    world = world_of(f"level_0@asks=always,bodies={bodies}", plan)
    played, draw = Played(world), random.Random(seed)
    for _ in range(4):
        places = draw.choices(world.compiled.kitchen.places, k=bodies)
        played.do(*(f"goto_agent{body}_{place}" for body, place in enumerate(places)))
        played.until_done(300)
        check(played.state, world.compiled.floor.walkable)


@pytest.mark.parametrize("bodies", [4, 8])
def test_a_crowd_gets_everywhere_on_made_floors(bodies: int) -> None:
    for seed in range(8):
        world = world_of(f"level_12@asks=always,bodies={bodies},plan={seed}")
        played, draw = Played(world), random.Random(seed)
        for _ in range(4):
            places = draw.choices(world.compiled.kitchen.places, k=bodies)
            played.do(*(f"goto_agent{body}_{place}" for body, place in enumerate(places)))
            played.until_done(400)
