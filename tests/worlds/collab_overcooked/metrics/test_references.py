"""The shipped references and published tables: consistent in themselves, and as released."""

from __future__ import annotations

import pytest

from backburner.kernel.errors import UnknownName
from backburner.worlds.collab_overcooked.metrics.levels import Reach, behaviours, level_of
from backburner.worlds.collab_overcooked.metrics.references import (
    ASSISTANT,
    CHEF,
    published_tables,
    references_of,
    shipped_references,
)
from support.facts import facts_about

every_order = pytest.mark.parametrize("order", shipped_references())


def test_five_orders_in_each_of_six_levels() -> None:
    levels = [one.level for one in shipped_references().values()]
    assert levels == sorted(levels)
    assert {level: levels.count(level) for level in levels} == dict.fromkeys(range(1, 7), 5)


@every_order
def test_references_of_an_order_differ_and_end_with_the_delivery(order: str) -> None:
    references = references_of(order)
    assert len({(one.chef, one.assistant) for one in references}) == len(references)
    assert [one.name for one in references] == [
        f"reference_{number + 1}" for number in range(len(references))
    ]
    for reference in references:
        assert reference.of(CHEF)[-1] == "deliver_soup()"
        assert reference.of(ASSISTANT)[-1] == "place_obj_on_counter()"


def test_an_unknown_order_names_the_nearest() -> None:
    with pytest.raises(UnknownName, match="boiled_egg"):
        references_of("boiled_eg")


def test_the_released_optimum_of_a_level_is_its_first_reference() -> None:
    """The 0-based index of the last step; at level 1 that of the oven, the pot is a step quicker."""
    for line in published_tables().levels:
        mine = [one for one in shipped_references().values() if one.level == line.level]
        assert max(one.references[0].steps for one in mine) == line.optimal_last_index + 1


def test_what_is_missing_is_said() -> None:
    assert any("Figure 8" in one.where for one in published_tables().missing)
    assert published_tables().level(7) is None


@every_order
def test_references_as_released(order: str) -> None:
    task = facts_about("collab_overcooked")["tasks"][order]
    mine = shipped_references()[order]
    assert mine.level == task["level"]
    assert {one.name: [list(one.chef), list(one.assistant)] for one in mine.references} == task["rats"]
    assert {one.name: one.steps for one in mine.references} == task["rat_execution_steps"]


def test_limits_as_released() -> None:
    facts = facts_about("collab_overcooked")["time_limit"]
    printed = published_tables()
    assert printed.time_limit_factor == facts["gamma"]
    found = {str(line.level): line.optimal_last_index for line in printed.levels}
    assert found == facts["optimal_last_index_by_level"]


@every_order
def test_levels_from_the_released_tables(order: str) -> None:
    facts = facts_about("collab_overcooked")
    lines = [
        (kind, tuple(one["inputs"]), one["output"])
        for kind, made in facts["synthesis"].items()
        for one in made
    ]
    reach = Reach(
        frozenset({"pot", "oven"}),
        frozenset({"chopping_board", "blender", "ingredient_dispenser", "dish_dispenser"}),
    )
    task = facts["tasks"][order]
    needed = behaviours(order, task["needs_dish"], facts["ingredients"], lines, reach)
    assert needed is not None
    assert level_of(needed) == task["level"]
