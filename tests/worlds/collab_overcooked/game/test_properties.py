"""Whatever two cooks say: nothing raises, time goes on, nothing comes from nowhere."""

from __future__ import annotations

from collections import Counter

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.worlds.collab_overcooked.game.layout import DISH
from backburner.worlds.collab_overcooked.game.rule_set import PRESETS, Limits, Rules
from backburner.worlds.collab_overcooked.game.state import Kitchen, Reply, State
from support.collab_overcooked.kitchens import OPEN_KITCHEN, world_of

CALLS = st.sampled_from(
    [
        "pickup(egg,ingredient_dispenser)", "pickup(potato,ingredient_dispenser)", "pickup(egg,counter)",
        "pickup(dish,dish_dispenser)", "pickup(boiled_egg,pot0)", "pickup(potato_slices,chopping_board0)",
        "put_obj_in_utensil(pot0)", "put_obj_in_utensil(pot1)", "put_obj_in_utensil(chopping_board0)",
        "put_obj_in_utensil(oven0)", "cook(pot0)", "cook(pot1)", "cut(chopping_board0)", "bake(oven0)",
        "fill_dish_with_food(oven0)", "place_obj_on_counter()", "deliver_soup()", "wait(1)", "wait(3)",
        "request('cook(pot0)')", "check_recipe()", "nonsense",
    ]
)  # fmt: skip
SAID = st.sampled_from(["[NOTHING]", "[NOTHING]", "Hello", "Done [END]", ""])
MIXES = st.builds(Rules, st.just("mix"), *(st.booleans() for _ in Rules.__struct_fields__[1:]))
REPLIES = st.builds(Reply, st.sampled_from(["", "so"]), st.lists(CALLS, max_size=4).map(tuple), SAID)


@settings(max_examples=60)
@given(st.sampled_from(list(PRESETS.values())) | MIXES, st.lists(REPLIES, max_size=60), st.booleans())
def test_play_goes_on_whatever_is_said(rules: Rules, replies: list[Reply], limited: bool) -> None:
    """Under both presets and under any mixture of their fields."""
    limits = Limits(80, 4) if limited else Limits(rounds=4)
    world = world_of(
        "gratin", layout=OPEN_KITCHEN, rules=rules, limits=limits, order_weights={"boiled_egg": 1.0}
    )
    state = world.start(1)
    for reply in replies:
        if not world.deciders(state):
            break
        seat = world.deciders(state)[0]
        step = world.step(state, {seat: reply})
        assert step == world.step(state, {seat: reply})
        assert step.state.kitchen.steps >= state.kitchen.steps
        assert msgspec.json.decode(msgspec.json.encode(step.state), type=State) == step.state
        state = step.state
        makes_sense(state.kitchen)
    assert world.outcome(state).numbers["steps"] == state.kitchen.steps


def makes_sense(kitchen: Kitchen) -> None:
    """Cooks stand apart on the floor, a counter bears one thing, a utensil holds what fits."""
    first, second = kitchen.bodies
    assert first.cell != second.cell
    tiles = "".join(OPEN_KITCHEN.grid)
    assert all(tiles[body.cell] in " 12" for body in kitchen.bodies)
    assert all(number == 1 for number in Counter(one.cell for one in kitchen.lying).values())
    assert all(tiles[one.cell] == "X" for one in kitchen.lying)
    for content in kitchen.contents:
        assert 1 <= len(content.items) <= OPEN_KITCHEN.capacity
        assert 0 <= content.timer <= content.steps
        assert bool(content.output) == bool(content.timer)
        assert DISH not in content.items
