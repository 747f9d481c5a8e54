"""Floors: drawn and made ones hold their kitchens and let everybody everywhere; what is none says why."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.kernel import registry
from backburner.kernel.errors import BadFile
from backburner.kernel.files import Place
from backburner.worlds.clocked_kitchen.game.floor import FAR, LETTERS, Floor
from backburner.worlds.clocked_kitchen.game.scenarios import check_scenario, drawn_plans
from backburner.worlds.cuisineworld.game.cookbook import shipped_cookbook
from backburner.worlds.cuisineworld.game.scenarios import levels
from support.clocked_kitchen.play import scenario_of, world_of

ROOM = ("##SS###", "#.....#", "#.....B", "#.....#", "##TT###")


def everywhere(floor: Floor) -> bool:
    """Whether every place and shelf can be reached from every cell of floor."""
    cells = [cell for cell, free in enumerate(floor.walkable) if free]
    return all(target.distance[cell] < FAR for target in floor.targets for cell in cells)


def test_every_level_has_a_drawn_plan() -> None:
    assert drawn_plans().keys() == levels().keys() and len(levels()) == 13


@pytest.mark.parametrize("level", levels())
def test_on_a_drawn_plan_every_place_can_be_reached(level: str) -> None:
    world = world_of(f"{level}@bodies=4")
    kitchen = world.compiled.kitchen
    assert everywhere(world.compiled.floor)
    shelves = {
        spot.item for spot in world.compiled.floor.spots if spot.place == kitchen.places.index("storage0")
    }
    assert shelves == set(kitchen.level_ingredients)
    assert {spot.place for spot in world.compiled.floor.spots} == set(range(len(kitchen.places)))


@settings(max_examples=60)
@given(level=st.sampled_from(sorted(levels())), seed=st.integers(0, 1_000_000), bodies=st.integers(1, 16))
def test_a_made_plan_is_a_kitchen_in_which_everybody_gets_everywhere(
    level: str, seed: int, bodies: int
) -> None:
    id = f"clocked_kitchen/{level}@bodies={bodies},plan={seed}"
    scenario = registry.scenario(id)
    check_scenario(scenario, Place(id))
    assert everywhere(registry.world(id).compiled.floor)
    assert registry.scenario(id) == scenario


def test_other_seeds_make_other_plans() -> None:
    plans = {registry.scenario(f"clocked_kitchen/level_5@plan={seed}").plan for seed in range(20)}
    assert len(plans) == 20


def test_the_letters_are_those_of_the_cookbook() -> None:
    assert sorted(LETTERS.values()) == sorted(kind.name for kind in shipped_cookbook().kinds)


def test_places_and_shelves_are_counted_as_one_reads() -> None:
    """Level 1: salmon, lamb, lobster, flour; the blender above comes first."""
    compiled = world_of("level_1").compiled
    assert compiled.spot_names == (
        "storage0-salmon",
        "storage0-lamb",
        "storage0-lobster",
        "storage0-flour",
        "blender0",
        "blender1",
        "servingtable0",
        "servingtable0-2",
    )


def test_bodies_start_at_the_serving_table() -> None:
    world = world_of("level_3@bodies=4", ())
    table = world.compiled.floor.targets[world.compiled.kitchen.start]
    assert [table.distance[cell] for cell in world.start().at] == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        ((), "draw at least one row"),
        (("##SS###", "#.....#", "#.....B", "#....", "##TT###"), "rows[3]: has 5 signs, the first row 7"),
        (("##SS###", "#.....#", "#..P..B", "#.....#", "##TT###"), "rows[2]: 'P' is no kind of this kitchen"),
        (("##S####", "#.....#", "#.....B", "#.....#", "##TT###"), "1 cells S (storage); each storage has"),
        (("##SS###", "#.....#", "#.....#", "#.....#", "##TT###"), "0 cells B (blender); the kitchen has 1"),
        (("##SS###", "#.....#", "#.....B", "#.....#", "#######"), "0 cells T (servingtable) for 1"),
        (("##SS###", "#..#..#", "#..#..B", "#..#..#", "##TT###"), "no way leads"),
        (("##SS###", "#.....#", "#######", "#.....#", "##TTB##"), "no way leads"),
        (("##SS###", "#..####", "#.....B", "#.....#", "##TT###"), "nobody can reach storage0 with flour"),
        (("SS##", "...B", "##T#"), "2 bodies need 4 cells of floor; there are 3"),
        (("." * 101,), "a side is longer than 100 cells"),
        (("." * 60,) * 60, "3600 cells are too many"),
    ],
)
def test_what_is_no_kitchen_says_why(plan: tuple[str, ...], why: str) -> None:
    with pytest.raises(BadFile) as caught:
        scenario_of("level_0", plan or ("",))
    assert why in str(caught.value) and "field 'plan'" in str(caught.value)
