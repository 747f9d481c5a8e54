"""What a cook is told: its own part, and nothing of what it may not know."""

from __future__ import annotations

from msgspec.structs import replace

from backburner.worlds.collab_overcooked.game.layout import DISH
from backburner.worlds.collab_overcooked.game.rule_set import NO_LIMITS, STANDARD
from backburner.worlds.collab_overcooked.game.scenarios import scenario_of, suites
from backburner.worlds.collab_overcooked.game.state import (
    Content,
    Cook,
    LoggedCall,
    Lying,
    State,
    Talk,
    Utterance,
)
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
from support.collab_overcooked.kitchens import (
    BOARD,
    CHEF_AT_OVEN,
    OPEN_KITCHEN,
    OVEN,
    POT,
    answer,
    cell,
    holding,
    kitchen_with,
    world_of,
)

PATTY = "potato_carrot_and_onion_patty"


def test_only_who_has_the_recipe_is_told_it() -> None:
    for knows, told in (("chef", [True, False]), ("assistant", [False, True]), ("both", [True, True])):
        for path in suites()["all"]:
            scenario = scenario_of(path, {"knows": knows})
            world = CollabOvercooked(f"collab_overcooked/{path}", scenario, STANDARD, NO_LIMITS)
            briefings = [world.briefing(seat) for seat in world.seats]
            assert [f"{path}: takes" in briefing for briefing in briefings] == told
            assert ["after 3 steps it is" in briefing for briefing in briefings] == told


def test_a_recipe_in_words() -> None:
    briefing = world_of(PATTY).briefing("chef")
    assert briefing.partition("Recipes\n")[2].partition("\n\n")[0].splitlines()[1:] == [
        f"{PATTY}: takes potato (1), onion (1), carrot (1).",
        "1. Put potato into a chopping_board and start it; it becomes potato_slices.",
        "2. Put potato_slices into a pot and start it; after 3 steps it is boiled_potato_slices.",
        "3. Put boiled_potato_slices into a blender and start it; after 3 steps it is mashed_potato.",
        "4. Put onion into a chopping_board and start it; it becomes onion_slices.",
        "5. Put mashed_potato and onion_slices and carrot into an oven and start it; "
        f"after 3 steps it is {PATTY}.",
        "6. Fill a dish with it and deliver it.",
    ]


def test_each_cook_is_told_what_it_can_reach_and_do() -> None:
    world = world_of("boiled_egg")
    chef, assistant = (world.briefing(seat) for seat in world.seats)
    assert "You can reach: serving_place, pot0, oven0." in chef
    assert "You can reach: ingredient_dispenser, dish_dispenser, chopping_board0, blender0." in assistant
    assert "- Operations of the assistant: cut(chopping_board0), stir(blender0)" in chef
    assert "- deliver_soup(): bring" in chef and "deliver_soup" not in assistant
    assert "apple" not in chef + assistant
    assert "- cook(pot0): start it" in chef and "- cut(chopping_board0): start it" in assistant
    assert "3 counters are within reach of both of you" in chef
    assert "Assistant say: words to your partner" in assistant


def test_a_scene_in_words() -> None:
    world = world_of("boiled_egg", "baked_carrot_soup")
    contents = (
        Content(POT, ("egg",), "boiled_egg", 2, 3),
        Content(OVEN, ("carrot_slices",), "baked_carrot_slices", 3, 3),
        Content(BOARD, ("onion", "egg")),
    )
    lying = (
        Lying(cell(2, 1), "tofu"),
        Lying(cell(2, 3), "baked_carrot_soup", True),
        Lying(cell(4, 1), "egg"),
    )
    kitchen = kitchen_with(
        holding(CHEF_AT_OVEN, DISH),
        orders=("boiled_egg", "baked_carrot_soup"),
        contents=contents,
        lying=lying,
        ruined=(3,),
    )
    talk = Talk(1, (Utterance(1, "What now?"),))
    cooks = (
        Cook(recent=tuple(LoggedCall(step, "stir(a)") for step in range(1, 7))),
        Cook("wait(2)", queue=("place_obj_on_counter()",)),
    )
    state = State(kitchen, cooks, 0, "answer", talk=talk)
    assert world.describe(world.observe(state, "chef")).splitlines() == [
        "Step 0. Orders: boiled_egg, baked_carrot_soup.",
        "What was in blender0 matched no recipe and is gone.",
        f"What you did last: {'; '.join(f'stir(a) (done at {step})' for step in (3, 4, 5, 6))}.",
        "You can reach: serving_place, pot0, oven0.",
        "You hold dish; you plan: nothing.",
        "The assistant holds nothing; it plans: wait(2); place_obj_on_counter().",
        "pot0: at work, 1 step to go.",
        "chopping_board0 holds onion, egg: belongs to no recipe; not started.",
        "oven0: baked_carrot_slices is ready.",
        "blender0: empty.",
        "On the 3 shared counters: tofu, baked_carrot_soup on a dish.",
        "On counters that only you can reach: egg.",
        "The talk so far:",
        "assistant: What now?",
        "Your partner speaks to you. Answer; what you plan now is queued.",
    ]


def test_menus_offer_what_can_be_begun() -> None:
    world = world_of("boiled_egg", layout=OPEN_KITCHEN)
    start = world.start()
    labels = [option.label for option in world.menu(start, "chef").options]
    assert labels == [
        "pickup(dish,dish_dispenser)",
        "pickup(egg,ingredient_dispenser)",
        "pickup(potato,ingredient_dispenser)",
        "wait(1)",
        "wait(2)",
        "wait(3)",
        "wait(5)",
    ]
    state = answer(world, start, "pickup(egg,ingredient_dispenser)")
    state = answer(world, state, "wait(20)")
    labels = [option.label for option in world.menu(state, "chef").options if not option.passes]
    utensils = ("chopping_board0", "oven0", "pot0", "pot1")
    assert labels == [*(f"put_obj_in_utensil({each})" for each in utensils), "place_obj_on_counter()"]


def test_a_seat_sees_nothing_of_the_partners_troubles() -> None:
    world = world_of("boiled_egg")
    state = answer(world, world.start(), "dance()", refused=["fmt_unparsable"])
    assert world.observe(state, "chef").refusal is not None
    assert world.observe(state, "assistant").refusal is None
    assert world.observe(replace(state, seed=9), "assistant") == world.observe(state, "assistant")
