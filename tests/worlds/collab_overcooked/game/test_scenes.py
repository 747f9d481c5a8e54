"""A kitchen from above: where things are, what is said, and what a cook is not shown."""

from __future__ import annotations

from msgspec.structs import replace

from backburner.kernel.view import Place, Progress, Scene
from backburner.worlds.collab_overcooked.game.layout import DISH
from backburner.worlds.collab_overcooked.game.state import Content, Cook, Lying, State, Talk, Utterance
from support.collab_overcooked.hiding import hidden_variants
from support.collab_overcooked.kitchens import (
    ASSISTANT_AT_BOARD,
    BLENDER,
    BOARD,
    CHEF_AT_POT,
    OPEN_KITCHEN,
    OVEN,
    POT,
    cell,
    holding,
    kitchen_with,
    with_rule,
    world_of,
)

SHARED, CHEFS_OWN, ASSISTANTS_OWN = cell(2, 1), cell(4, 1), cell(1, 0)

KITCHEN = kitchen_with(
    holding(CHEF_AT_POT, "baked_carrot_soup", plated=True),
    holding(ASSISTANT_AT_BOARD, DISH),
    orders=("boiled_egg", "baked_carrot_soup"),
    contents=(
        Content(POT, ("egg",), "boiled_egg", 2, 3),
        Content(OVEN, ("carrot_slices",), "baked_carrot_slices", 3, 3),
        Content(BOARD, ("onion", "onion")),
    ),
    lying=(Lying(SHARED, "tofu"), Lying(CHEFS_OWN, "taro"), Lying(ASSISTANTS_OWN, "corn")),
    ruined=(BLENDER,),
)
COOKS = (Cook("deliver_soup()"), Cook())
TALK = Talk(0, (Utterance(0, "What now?"), Utterance(1, "Wait."), Utterance(0, "[NOTHING]")))
STATE = State(KITCHEN, COOKS, 1, "answer", talk=TALK)


def place(scene: Scene, name: str) -> Place:
    return next(place for place in scene.places if place.name == name)


def lying(scene: Scene) -> dict[tuple[int, int], str]:
    """What lies on counters, by their cells."""
    return {
        place.at: thing.name for place in scene.places for thing in place.stack if place.kind == "counter"
    }


def test_utensils_show_what_is_in_them_and_how_far_it_has_come() -> None:
    scene = world_of("boiled_egg").scene(STATE)
    assert place(scene, "pot0").at == (3, 0)
    assert place(scene, "pot0").progress == (Progress("boiled_egg", 2, 3),)
    (baked,) = place(scene, "oven0").stack
    assert (baked.name, baked.marks, place(scene, "oven0").progress) == (
        "baked_carrot_slices",
        ("ready",),
        (),
    )
    assert [thing.name for thing in place(scene, "chopping_board0").stack] == ["onion", "onion 2"]
    assert place(scene, "blender0").marks == ("matched no recipe",)


def test_cooks_stand_face_hold_do_and_say() -> None:
    scene = world_of("boiled_egg").scene(STATE)
    chef, assistant = scene.bodies
    assert (chef.at, chef.facing, chef.place, chef.marks) == ((3, 1), (0, -1), "pot0", ("deliver_soup()",))
    assert [(thing.name, thing.marks) for thing in chef.holding] == [("baked_carrot_soup", ("on a dish",))]
    assert (assistant.at, assistant.facing, assistant.place) == ((1, 2), (-1, 0), "chopping_board0")
    assert (chef.says, assistant.says) == ("", "Wait.")
    assert scene.caption == "step 0 · orders: boiled_egg, baked_carrot_soup · delivered: 0"


def test_an_onlooker_sees_every_counter_and_a_cook_its_own_and_the_shared_ones() -> None:
    world = world_of("boiled_egg")
    assert lying(world.scene(STATE)) == {(1, 0): "corn", (2, 1): "tofu", (4, 1): "taro"}
    assert lying(world.scene(STATE, "chef")) == {(2, 1): "tofu", (4, 1): "taro"}
    assert lying(world.scene(STATE, "assistant")) == {(1, 0): "corn", (2, 1): "tofu"}
    blind = world_of("boiled_egg", rules=with_rule("private_counters_unseen", True))
    assert lying(blind.scene(STATE, "chef")) == lying(blind.scene(STATE, "assistant")) == {(2, 1): "tofu"}
    assert len(lying(blind.scene(STATE))) == 3


def test_hidden_states_look_the_same() -> None:
    world = world_of("boiled_egg")
    for seat in world.seats:
        for other in hidden_variants(world, STATE, seat):
            assert world.scene(other, seat) == world.scene(STATE, seat)


def test_what_there_are_several_of_is_numbered() -> None:
    world = world_of("gratin", layout=OPEN_KITCHEN)
    names = [place.name for place in world.scene(world.start()).places]
    assert [name for name in names if not name.startswith("counter")] == [
        "pot0",
        "pot1",
        "ingredient_dispenser",
        "serving_place",
        "dish_dispenser",
        "chopping_board0",
        "oven0",
    ]
    several = replace(OPEN_KITCHEN, grid=("XPXPXDX", *OPEN_KITCHEN.grid[1:]))
    world = world_of("gratin", layout=several)
    names = [place.name for place in world.scene(world.start()).places]
    assert {"dish_dispenser-0", "dish_dispenser-1"} <= set(names) and len(set(names)) == len(names)


def test_food_that_is_called_like_a_place_gets_a_number() -> None:
    world = world_of("gratin", layout=replace(OPEN_KITCHEN, ingredients=("egg", "potato", "pot0")))
    start = world.start()
    first, second = start.kitchen.bodies
    held = replace(start, kitchen=replace(start.kitchen, bodies=(holding(first, "pot0"), second)))
    assert [thing.name for thing in world.scene(held).bodies[0].holding] == ["pot0 2"]
