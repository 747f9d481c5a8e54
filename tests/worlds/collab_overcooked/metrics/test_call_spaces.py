"""Which calls count for whom."""

from __future__ import annotations

import pytest

from backburner.worlds.collab_overcooked.metrics.references import (
    ASSISTANT,
    CHEF,
    counted,
    counted_as_released,
    shipped_references,
    word,
)
from support.collab_overcooked.words import RELEASED_SPACES, SPACES


@pytest.mark.parametrize("order", shipped_references())
def test_every_call_of_a_reference_counts(order: str) -> None:
    for reference in shipped_references()[order].references:
        for cook in (CHEF, ASSISTANT):
            assert counted(reference.of(cook), SPACES[cook]) == reference.of(cook)
            assert counted_as_released(reference.of(cook), RELEASED_SPACES[cook]) == reference.of(cook)


@pytest.mark.parametrize(
    ("call", "chef", "assistant"),
    [
        ("cook(pot0)", True, False),
        ("cut(chopping_board0)", False, True),
        ("cut(pot0)", False, False),
        ("deliver()", True, False),
        ("deliver_soup()", True, False),
        ("put_obj_in_utensil( pot0 )", True, True),  # out of the assistant's reach: wrong, and so redundant
        ("pickup(egg, ingredient_dispenser)", True, True),
        ("pickup(unicorn,counter)", False, False),
        ("pickup(egg)", False, False),
        ("fill_dish_with_food(oven0)", True, False),
        ("check_recipe()", False, False),
        ("wait(1)", False, False),
        ("", False, False),
    ],
)
def test_each_call_counts_for_the_cooks_whose_list_has_it(call: str, chef: bool, assistant: bool) -> None:
    assert (word(call) in SPACES[CHEF], word(call) in SPACES[ASSISTANT]) == (chef, assistant)


@pytest.mark.parametrize(
    ("call", "chef", "assistant"),
    [
        ("cook(pot0)", True, False),
        ("cut(chopping_board0)", False, True),
        ("put_obj_in_utensil( pot0 )", True, False),
        ("put_obj_in_utensil(blender0)", False, True),
        ("pickup(egg, ingredient_dispenser)", False, True),
        ("pickup(egg, dish_dispenser)", False, True),
        ("pickup(dish, ingredient_dispenser)", False, False),
        ("pickup(dish, counter)", True, True),
        ("pickup(boiled_egg, pot0)", True, False),
        ("pickup(apple, blender0)", False, True),
        ("fill_dish_with_food()", True, False),
        ("fill_dish_with_food(blender0)", True, False),
        ("check_recipe()", True, False),
        ("deliver_soup()", True, False),
        ("deliver()", False, False),
        ("Cook(pot0)", False, False),
        ("cook(pot0)\t", False, False),
        ("wait(1)", False, False),
        ("[NONE]", True, True),
    ],
)
def test_calls_as_released(call: str, chef: bool, assistant: bool) -> None:
    found = [bool(counted_as_released([call], RELEASED_SPACES[cook])) for cook in (CHEF, ASSISTANT)]
    assert found == [chef, assistant]


def test_so_many_calls_count_as_released() -> None:
    chef, assistant = RELEASED_SPACES
    assert (len(chef), len(assistant), len(chef | assistant)) == (332, 538, 761)
