"""Levels computed from collaborative behaviours: the published orders, and kitchens of one's own."""

from __future__ import annotations

import pytest

from backburner.worlds.collab_overcooked.metrics.levels import Behaviours, Reach, behaviours, level_of
from backburner.worlds.collab_overcooked.metrics.references import published_tables, shipped_references
from support.collab_overcooked.words import DISHES, INGREDIENTS, SYNTHESIS, Dish

CHEFS = frozenset({"pot", "oven"})
ASSISTANTS = frozenset({"chopping_board", "blender", "ingredient_dispenser", "dish_dispenser"})
ROOMS = Reach(CHEFS, ASSISTANTS)
OPEN = Reach(CHEFS | ASSISTANTS, CHEFS | ASSISTANTS)


@pytest.mark.parametrize("dish", DISHES, ids=lambda dish: dish.order)
def test_every_published_order_has_its_level(dish: Dish) -> None:
    needed = behaviours(dish.order, dish.needs_dish, INGREDIENTS, SYNTHESIS, ROOMS)
    assert needed is not None
    assert level_of(needed) == dish.level == shipped_references()[dish.order].level
    printed = published_tables().level(dish.level)
    assert printed is not None
    assert needed == Behaviours(
        printed.collaborative_actions,
        printed.new_ingredients,
        printed.assistant_processing,
        dish.needs_dish,
        printed.chef_processing,
    )


def test_all_thirty_are_there() -> None:
    assert sorted(dish.order for dish in DISHES) == sorted(shipped_references())


def test_the_one_count_of_the_article_that_does_not_fit() -> None:
    """Level 2 has a dish in print, its orders need none: 2 · 1 + 3 · 1 = 5, with a dish it would be 7."""
    wrong = [
        line.level
        for line in published_tables().levels
        if 2 * line.new_ingredients + 3 * line.assistant_processing + 2 * line.new_dish
        != line.collaborative_actions
    ]
    assert wrong == [2]


def test_what_the_chef_can_do_alone_is_no_collaboration() -> None:
    needed = behaviours("baked_pumpkin_soup", True, INGREDIENTS, SYNTHESIS, OPEN)
    assert needed == Behaviours(0, 0, 0, 0, 3)
    assert level_of(needed) == 0


def test_the_way_with_the_fewest_collaborative_actions_counts() -> None:
    """Cut by the assistant (2 + 3), or torn in the chef's bowl (2)."""
    lines = [("chopping_board", ("lettuce",), "salad"), ("bowl", ("lettuce",), "salad")]
    reach = Reach(frozenset({"bowl"}), ASSISTANTS)
    assert behaviours("salad", False, ["lettuce"], lines, reach) == Behaviours(2, 1, 0, 0, 1)
    assert behaviours("salad", False, ["lettuce"], lines[:1], reach) == Behaviours(5, 1, 1, 0, 0)


def test_every_thing_put_in_is_a_processing() -> None:
    """Three apples mashed together: 3 · 2 + 3 · 3 = 15, between levels 5 (12) and 6 (17)."""
    needed = behaviours("sauce", False, ["apple"], [("blender", ("apple",) * 3, "sauce")], ROOMS)
    assert needed == Behaviours(15, 3, 3, 0, 0)
    assert level_of(needed) == 5


def test_more_than_any_published_order() -> None:
    lines = [("blender", ("apple",) * 3, "sauce"), ("blender", ("sauce",) * 2, "jam")]
    needed = behaviours("jam", True, ["apple"], lines, ROOMS)
    assert needed == Behaviours(2 * 6 + 3 * (2 * 3 + 2) + 2, 6, 8, 1, 0)
    assert level_of(needed) == 6


def test_what_cannot_be_made_has_no_level() -> None:
    assert behaviours("cake", False, INGREDIENTS, SYNTHESIS, ROOMS) is None
    circle = [("oven", ("b",), "a"), ("oven", ("a",), "b")]
    assert behaviours("a", False, ["egg"], circle, ROOMS) is None
    nobody = Reach(CHEFS, ASSISTANTS - {"dish_dispenser"})
    assert behaviours("baked_pumpkin_soup", True, INGREDIENTS, SYNTHESIS, nobody) is None
    no_food = Reach(CHEFS, ASSISTANTS - {"ingredient_dispenser"})
    assert behaviours("boiled_egg", False, INGREDIENTS, SYNTHESIS, no_food) is None


def test_a_circle_with_a_way_in() -> None:
    lines = [("oven", ("egg",), "a"), ("oven", ("a",), "b"), ("oven", ("b",), "a")]
    assert behaviours("b", False, ["egg"], lines, ROOMS) == Behaviours(2, 1, 0, 0, 2)
