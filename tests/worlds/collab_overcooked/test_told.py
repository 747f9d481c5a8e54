"""Which facts a cook is told, and where: those that the released program's prompts carry, and no others.

Each row is one fact, with the words it is looked for by. ``@told=more`` tells what the released prompts leave
out; the rows say that as well.
"""

from __future__ import annotations

from itertools import product
from typing import Literal, NamedTuple

import pytest
from msgspec.structs import replace

from backburner.kernel.errors import UnknownName
from backburner.kernel.values import Seat
from backburner.worlds.collab_overcooked.game.layout import DISH
from backburner.worlds.collab_overcooked.game.rule_set import NO_LIMITS, PRESETS
from backburner.worlds.collab_overcooked.game.scenarios import scenario_of, suites
from backburner.worlds.collab_overcooked.game.state import Content, Cook, LoggedCall, Lying, State
from backburner.worlds.collab_overcooked.game.text import refusal_text
from backburner.worlds.collab_overcooked.game.world import CollabOvercooked
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
    world_of,
)

PATTY = "potato_carrot_and_onion_patty"
BOTH = ("chef", "assistant")
CHEF, ASSISTANT = BOTH[:1], BOTH[1:]
NOBODY: tuple[Seat, ...] = ()

Where = Literal["briefing", "state"]


class Fact(NamedTuple):
    """A fact, where it is told and to whom; ``more``: to whom with ``@told=more``; the same if not given."""

    fact: str
    where: Where
    words: str
    told: tuple[Seat, ...]
    more: tuple[Seat, ...] | None = None
    rules: tuple[str, ...] = ("standard", "released")


FACTS = (
    # What the released prompts say, once and for all.
    Fact("one's own part, and that there is a partner", "briefing", "You are the chef", CHEF),
    Fact("one's own part, and that there is a partner", "briefing", "You are the assistant", ASSISTANT),
    Fact("what the chef can reach", "briefing", "You can reach: serving_place, pot0, oven0", CHEF),
    Fact("what the chef can reach", "briefing", "The chef can reach: serving_place, pot0, oven0", ASSISTANT),
    Fact("how many counters both can reach", "briefing", "3 counters are within reach of both", BOTH),
    Fact("hands hold one thing", "briefing", "You hold one thing at a time", BOTH),
    Fact("utensils have to be started", "briefing", "must be started once its ingredients are in it", BOTH),
    Fact("the chef's operations", "briefing", "- cook(pot0): start it", CHEF),
    Fact("the assistant's operations", "briefing", "- cut(chopping_board0): start it", ASSISTANT),
    Fact("what the partner can start", "briefing", "assistant: cut(chopping_board0), stir(blender0)", CHEF),
    Fact("what the partner can start", "briefing", "chef: cook(pot0), bake(oven0)", ASSISTANT),
    Fact("dishes are filled", "briefing", "fill_dish_with_food(utensil)", BOTH),
    Fact("who delivers", "briefing", "deliver_soup()", CHEF),
    Fact("how requests are written", "briefing", "request('call')", BOTH),
    Fact("the order of the work", "briefing", "in the order of the recipe", BOTH),
    Fact("the recipe is to be followed", "briefing", "Follow the recipe", CHEF),
    Fact("what one cannot do oneself is asked for", "briefing", "ask the assistant for", CHEF),
    Fact("the assistant asks and follows", "briefing", "Ask the chef what to do, and do what", ASSISTANT),
    Fact("what is finished is served at once", "briefing", "finished is delivered at once", CHEF),
    Fact("what the order takes", "briefing", "takes potato (1), onion (1), carrot (1)", CHEF),
    Fact("the steps of the recipe", "briefing", "Put mashed_potato and onion_slices and carrot into", CHEF),
    Fact("how long pot and oven take", "briefing", "it; after 3 steps it is boiled_potato_slices", CHEF),
    Fact("how long the blender takes, at level 6", "briefing", "after 3 steps it is mashed_potato", CHEF),
    Fact("how the food is served", "briefing", "Fill a dish with it and deliver it", CHEF),
    Fact("who has no recipe", "briefing", "You do not have them", ASSISTANT),
    Fact("a request is for one call", "briefing", "one call that the assistant should do", CHEF),
    Fact("a request is for one call", "briefing", "one call that the chef should do", ASSISTANT),
    Fact("a plan has calls alone", "briefing", "semicolons between them and nothing else", BOTH),
    Fact("what the partner does is requested", "briefing", "assistant has to do as requests", CHEF),
    Fact("what is requested is said as well", "briefing", "if you request something, tell the", BOTH),
    Fact("the form of an answer", "briefing", "three fields, in this order", BOTH),
    Fact("how a talk ends", "briefing", "[END]", BOTH),
    # What they say wrongly, and what they do not say.
    Fact("a wait may take 20 steps", "briefing", "up to 20 steps", BOTH, BOTH, ("standard",)),
    Fact("20 steps, which are refused", "briefing", "up to 20 steps", BOTH, NOBODY, ("released",)),
    Fact("a wait may take 5 steps", "briefing", "up to 5 steps", NOBODY, BOTH, ("released",)),
    Fact("the foods there are", "briefing", "apple, carrot, onion,", NOBODY, ASSISTANT),
    Fact("how much a utensil holds", "briefing", "up to 3 things", NOBODY, BOTH),
    Fact("what matches no recipe is lost", "briefing", "is lost when it is started", NOBODY, BOTH),
    Fact("what walking and turning cost", "briefing", "turning and acting take a step each", NOBODY, BOTH),
    Fact("which counters are chosen", "briefing", "a shared one if there is room", NOBODY, BOTH),
    Fact("how long the board takes", "briefing", "after 3 steps it is potato_slices", NOBODY, CHEF),
    # How things stand.
    Fact("the step", "state", "Step 7.", BOTH),
    Fact("the order", "state", f"Orders: {PATTY}", BOTH),
    Fact("one's own last deeds", "state", "cook(pot0) (done at 6)", CHEF),
    Fact("one's own last deeds", "state", "cut(chopping_board0) (done at 5)", ASSISTANT),
    Fact("what one holds", "state", "You hold dish", CHEF),
    Fact("what the partner holds", "state", "The chef holds dish", ASSISTANT),
    Fact("what the partner plans", "state", "it plans: wait(2); place_obj_on_counter()", CHEF),
    Fact("how far an operation is", "state", "at work, 2 steps to go", BOTH, NOBODY),
    Fact("what is being made", "state", "boiled_egg is being made, 2 steps to go", NOBODY, BOTH),
    Fact("what is ready", "state", "potato_slices is ready", BOTH),
    Fact("what is part of a product", "state", f"mashed_potato, onion_slices: part of {PATTY}", BOTH),
    Fact("what belongs to no recipe", "state", "holds egg: belongs to no recipe", BOTH),
    Fact("what lies on shared counters", "state", "On the 3 shared counters: carrot", BOTH),
    Fact("what lies on private counters", "state", "only you can reach: onion", CHEF, CHEF, ("standard",)),
    Fact("what lies on private counters", "state", "only you can reach", NOBODY, NOBODY, ("released",)),
    Fact("the recipe", "state", "Put ", NOBODY),
)  # fmt: skip

CASES = [
    pytest.param(fact, rules, more, id=f"{fact.fact}, {rules}{', more' if more else ''}: {fact.words}")
    for fact in FACTS
    for rules, more in product(fact.rules, (False, True))
]


def world_told(path: str, rules: str, more: bool) -> CollabOvercooked:
    scenario = scenario_of(path, {"told": "more" if more else "published"})
    return CollabOvercooked(f"collab_overcooked/{path}", scenario, PRESETS[rules], NO_LIMITS)


@pytest.mark.parametrize(("fact", "rules", "more"), CASES)
def test_who_is_told_what(fact: Fact, rules: str, more: bool) -> None:
    world = world_told(PATTY, rules, more)
    state = a_moment()
    told = fact.more if more and fact.more is not None else fact.told
    for seat in BOTH:
        seen = world.observe(state, seat)
        text = world.briefing(seat) if fact.where == "briefing" else world.describe(seen)
        assert (fact.words in text) == (seat in told), (seat, text)


def a_moment() -> State:
    """Something of everything: made, being made, loaded, lying about."""
    contents = (
        Content(POT, ("egg",), "boiled_egg", 1, 3),
        Content(BOARD, ("potato",), "potato_slices", 3, 3),
        Content(OVEN, ("mashed_potato", "onion_slices")),
        Content(BLENDER, ("egg",)),
    )
    lying = (Lying(cell(2, 1), "carrot"), Lying(cell(4, 1), "onion"))
    kitchen = kitchen_with(
        holding(CHEF_AT_POT, DISH), ASSISTANT_AT_BOARD, orders=(PATTY,), contents=contents, lying=lying
    )
    cooks = (
        Cook(recent=(LoggedCall(6, "cook(pot0)"),)),
        Cook("wait(2)", queue=("place_obj_on_counter()",), recent=(LoggedCall(5, "cut(chopping_board0)"),)),
    )
    return State(replace(kitchen, steps=7), cooks, 0, "plan")


@pytest.mark.parametrize(
    ("utensil", "items", "words"),
    [
        (POT, ("egg",), "pot0 holds egg: all that boiled_egg takes; not started."),
        (
            OVEN,
            ("potato_slices",),
            "oven0 holds potato_slices: all that baked_potato_slices takes; not started.",
        ),
        (
            OVEN,
            ("carrot", "mashed_potato"),
            f"oven0 holds carrot, mashed_potato: part of {PATTY}; not started.",
        ),
        (
            OVEN,
            ("onion_slices", "carrot", "mashed_potato"),
            f"oven0 holds onion_slices, carrot, mashed_potato: all that {PATTY} takes; not started.",
        ),
        (POT, ("chickpea",), "part of sliced_eggplant_and_chickpea_stew"),
        (POT, ("egg", "egg"), "pot0 holds egg, egg: belongs to no recipe; not started."),
        (BOARD, ("egg", "tofu"), "chopping_board0 holds egg, tofu: belongs to no recipe; not started."),
    ],
)
def test_what_the_contents_of_a_utensil_belong_to(utensil: int, items: tuple[str, ...], words: str) -> None:
    """In whatever order they went in, and for whoever has no recipe. The released program compares them in
    the order of its tables, so that it calls some that fit wrong."""
    state = State(kitchen_with(contents=(Content(utensil, items),)), (Cook(), Cook()))
    for rules, seat in product(PRESETS, BOTH):
        world = world_told(PATTY, rules, more=False)
        assert words in world.describe(world.observe(state, seat))


@pytest.mark.parametrize("path", suites()["all"])
def test_recipes_tell_the_times_that_the_published_ones_tell(path: str) -> None:
    """Those of pot and oven; at level 6 that of the blender as well; never that of the board."""
    world = world_told(path, "standard", more=False)
    lines = [line for line in world.briefing("chef").splitlines() if "and start it" in line]
    timed = {"a pot", "an oven"} | ({"a blender"} if world.scenario.level == 6 else set())
    for line in lines:
        assert ("after 3 steps" in line) == any(f"into {utensil} " in line for utensil in timed), line


def test_a_refusal_tells_what_is_wrong() -> None:
    """That a wait is too long is told when it is refused, as the released program does."""
    world = world_told(PATTY, "released", more=False)
    text = "Chef analysis: x\nChef plan: wait(6)\nChef say: [NOTHING]"
    step = world.step(world.start(), {"chef": world.parse(world.start(), "chef", text)})
    assert [refusal_text(refusal) for refusal in step.refusals] == ["A wait is 5 steps at most."]


def test_times_are_left_out_of_published_recipes_only() -> None:
    """Several orders are told each in its own way; orders of another kitchen are told with all times."""
    published = world_told("boiled_egg+baked_potato_slices", "standard", more=False)
    assert "start it; it becomes potato_slices" in published.briefing("chef")
    assert "start it; after 3 steps it is boiled_egg" in published.briefing("chef")
    assert "after 1 step it is potato_slices" in world_of("gratin", layout=OPEN_KITCHEN).briefing("chef")


def test_another_way_of_telling_is_refused() -> None:
    with pytest.raises(UnknownName, match="more"):
        scenario_of("boiled_egg", {"told": "mor"})
    assert scenario_of("boiled_egg", {"told": "published"}) == scenario_of("boiled_egg", {})
