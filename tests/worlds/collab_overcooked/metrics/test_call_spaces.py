"""Which calls count for whom."""

from __future__ import annotations

import pytest

from backburner.worlds.collab_overcooked.metrics.measures import counted, word
from backburner.worlds.collab_overcooked.metrics.references import ASSISTANT, CHEF, shipped_references
from support.collab_overcooked_words import SPACES


@pytest.mark.parametrize("order", shipped_references())
def test_every_call_of_a_reference_counts(order: str) -> None:
    for reference in shipped_references()[order].references:
        for cook in (CHEF, ASSISTANT):
            assert counted(reference.of(cook), SPACES[cook]) == reference.of(cook)


@pytest.mark.parametrize(
    ("call", "chef", "assistant"),
    [
        ("cook(pot0)", True, False),
        ("cut(chopping_board0)", False, True),
        ("cut(pot0)", False, False),
        ("deliver()", True, False),
        ("deliver_soup()", True, False),
        ("put_obj_in_utensil( pot0 )", True, True),  # out of the assistant's reach, yet counted as released
        ("pickup(egg, ingredient_dispenser)", True, True),
        ("pickup(unicorn,counter)", False, False),
        ("pickup(egg)", False, False),
        ("fill_dish_with_food(oven0)", True, False),
        ("wait(1)", False, False),
        ("", False, False),
    ],
)
def test_calls(call: str, chef: bool, assistant: bool) -> None:
    assert (word(call) in SPACES[CHEF], word(call) in SPACES[ASSISTANT]) == (chef, assistant)
