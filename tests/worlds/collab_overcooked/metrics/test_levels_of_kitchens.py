"""What a layout says to the metrics: the calls that count, who is asked, the level of any order."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.layout import SHIPPED, Layout, shipped_layout
from backburner.worlds.collab_overcooked.game.rule_set import STANDARD
from backburner.worlds.collab_overcooked.game.scenarios import Scenario, orders
from backburner.worlds.collab_overcooked.game.state import Role
from backburner.worlds.collab_overcooked.metrics.levels import (
    asked_cook,
    behaviours_of,
    computed_level,
)
from backburner.worlds.collab_overcooked.metrics.references import (
    ASSISTANT,
    CHEF,
    call_spaces,
    published_tables,
)
from support.collab_overcooked.kitchens import OPEN_KITCHEN
from support.collab_overcooked.words import SPACES


def ware_of(layout: Layout) -> Compiled:
    return Compiled(layout, STANDARD)


SHIPPED_WARE = ware_of(shipped_layout(SHIPPED))


def test_the_calls_that_count_in_the_published_kitchen() -> None:
    """All that the published orders need, and what is said of foods that none of them takes."""
    for cook, space in enumerate(call_spaces(SHIPPED_WARE)):
        assert space >= SPACES[cook]
    chef, assistant = call_spaces(SHIPPED_WARE)
    assert "cook(pot0)" in chef - assistant and "deliver_soup()" in chef - assistant
    assert "cut(chopping_board0)" in assistant - chef


def test_in_one_room_everything_counts_for_both() -> None:
    chef, assistant = call_spaces(ware_of(OPEN_KITCHEN))
    assert chef == assistant
    assert {"cook(pot0)", "cook(pot1)", "pickup(gratin,oven0)", "deliver_soup()"} <= chef


def test_every_published_order_takes_what_table_3_counts() -> None:
    for order in orders().values():
        needed, line = behaviours_of(SHIPPED_WARE, order.name), published_tables().level(order.level)
        assert needed is not None and line is not None
        assert needed.collaborative_actions == line.collaborative_actions
        assert computed_level(SHIPPED_WARE, order.name) == order.level


def test_the_level_of_an_order_that_is_not_published() -> None:
    """Mashed potato: an ingredient (2), cut by the assistant (3), boiled by the chef (0), stirred by the
    assistant (3) is 8, between the totals 7 of level 3 and 9 of level 4."""
    needed = behaviours_of(SHIPPED_WARE, "mashed_potato")
    assert needed is not None
    counts = (needed.new_ingredients, needed.assistant_processing, needed.new_dish)
    assert (counts, needed.collaborative_actions) == ((1, 2, 0), 8)
    assert computed_level(SHIPPED_WARE, "mashed_potato") == 3


def test_the_level_is_another_when_the_assistant_asks() -> None:
    """Whoever asks does alone what it reaches. The assistant asks for nothing but cooking and delivering:
    the egg goes into the pot, is cooked and taken out, which takes 3 actions of the chef."""
    needed = behaviours_of(SHIPPED_WARE, "boiled_egg", CHEF)
    assert needed is not None
    assert (needed.new_ingredients, needed.assistant_processing, needed.collaborative_actions) == (0, 1, 3)


def test_what_nobody_can_make_has_no_level() -> None:
    grid = tuple(row.replace("P", "X") for row in shipped_layout(SHIPPED).grid)
    without_pot = ware_of(replace(shipped_layout(SHIPPED), grid=grid))
    assert computed_level(without_pot, "boiled_egg") is None
    assert computed_level(without_pot, "baked_bell_pepper") == 1


@pytest.mark.parametrize(
    ("informed", "asked"),
    [
        (("chef",), ASSISTANT),
        (("assistant",), CHEF),
        (("chef", "assistant"), ASSISTANT),
        ((), ASSISTANT),
    ],
)
def test_who_lacks_the_recipe_is_asked(informed: tuple[Role, ...], asked: int) -> None:
    assert asked_cook(Scenario(("boiled_egg",), informed=informed)) == asked
