"""Clicks on places stand for calls; lines at a prompt stand for answers with words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backburner.agents.person.keys import Keys
from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game.rule_set import PRESETS
from backburner.worlds.collab_overcooked.game.state import Body, Content, Lying, State
from backburner.worlds.collab_overcooked.game.view import answer_typed_as
from support.collab_overcooked.kitchens import CHEF_AT_POT, OVEN, POT, cell, holding, kitchen_with, world_of

WORLD = world_of("boiled_egg")
KEYS = Keys(WORLD.controls, WORLD.verbs, WORLD.together)


def meant(line: str, state: State, seat: str = "chef") -> str:
    """The call that a line of keys stands for, or what is told instead."""
    chosen = KEYS.read(line, WORLD.scene(state, seat), WORLD.menu(state, seat).options, seat)
    assert chosen is not None
    return ";".join(chosen.decision.plan) if chosen.decision else chosen.problem


def state_with(chef: Body = CHEF_AT_POT, *contents: Content, lying: tuple[Lying, ...] = ()) -> State:
    """The chef is asked for a plan."""
    return State(kitchen_with(chef, contents=contents, lying=lying), WORLD.start().cooks, 0, "plan")


def test_a_click_does_what_can_be_done_at_the_place() -> None:
    assert meant("pot0", state_with(holding(CHEF_AT_POT, "egg"))) == "put_obj_in_utensil(pot0)"
    assert meant("pot0", state_with(CHEF_AT_POT, Content(POT, ("egg",)))) == "cook(pot0)"
    ready = Content(POT, ("egg",), "boiled_egg", 3, 3)
    assert meant("pot0", state_with(CHEF_AT_POT, ready)) == "pickup(boiled_egg,pot0)"
    soup = Content(OVEN, ("carrot_slices",), "baked_carrot_soup", 3, 3)
    assert meant("oven0", state_with(holding(CHEF_AT_POT, "dish"), soup)) == "fill_dish_with_food(oven0)"
    assert meant("serving_place", state_with(holding(CHEF_AT_POT, "boiled_egg"))) == "deliver_soup()"


def test_a_click_on_a_counter_takes_what_lies_there_or_puts_down() -> None:
    state = state_with(lying=(Lying(cell(2, 1), "tofu"), Lying(cell(2, 2), "egg")))
    names = {place.at: place.name for place in WORLD.scene(state).places}
    assert meant(names[2, 1], state) == "pickup(tofu,counter)"
    assert meant(names[2, 2], state) == "pickup(egg,counter)"
    assert meant(names[2, 3], state_with(holding(CHEF_AT_POT, "egg"))) == "place_obj_on_counter()"


def test_what_cannot_be_done_is_said_and_space_waits() -> None:
    assert meant("pot0", state_with()) == "pot0: nothing of the kind can be done now"
    assert meant("space", state_with()) == "wait(1)"


def test_ingredients_are_chosen_by_name() -> None:
    """A dispenser gives 29 things, so a click on it means none of them."""
    state = WORLD.start()
    assert "nothing of the kind" in meant("ingredient_dispenser", state, "assistant")
    fetched = [o.things[0] for o in WORLD.menu(state, "assistant").options if o.verb == "fetch"]
    assert len(fetched) == 29 and "egg" in fetched


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize(
    ("line", "plan", "said"),
    [
        ("cook(pot0)", ("cook(pot0)",), "[NOTHING]"),
        ("cook(pot0);wait(2) say: Nearly done.", ("cook(pot0)", "wait(2)"), "Nearly done."),
        ("cook(pot0); SAY : Note: say: hi", ("cook(pot0)",), "Note: say: hi"),
        ("say: What now? [END]", ("wait(1)",), "What now? [END]"),
        ("plan: cook(pot0); say:", ("cook(pot0)",), "[NOTHING]"),
    ],
)
def test_lines_are_answers(line: str, plan: tuple[str, ...], said: str, rules: str) -> None:
    """Under both rule sets, although released ones want all three fields, and the role before each."""
    world = world_of("boiled_egg", rules=PRESETS[rules])
    reply = world.parse(world.start(), "chef", world.typed(line, "chef"))
    assert not isinstance(reply, Refusal)
    assert (reply.plan, reply.say) == (plan, said)


def test_a_whole_answer_is_left_alone() -> None:
    line = "Chef analysis: all is well"
    assert answer_typed_as(line) == line


@given(st.text(max_size=80))
def test_any_line_can_be_typed(line: str) -> None:
    assert WORLD.typed(line) == line or WORLD.typed(line).startswith("analysis: [NOTHING]\nplan: ")
