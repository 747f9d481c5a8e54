"""The shipped kitchen and orders: complete, without a stray entry, and equal to what the sources say."""

from __future__ import annotations

import math

import pytest

from backburner.kernel.errors import Refused, UnknownName
from backburner.worlds.collab_overcooked.game.catalogue import limits_of
from backburner.worlds.collab_overcooked.game.layout import SHIPPED, Grid, shipped_layout
from backburner.worlds.collab_overcooked.game.recipes import method_of
from backburner.worlds.collab_overcooked.game.rule_set import RELEASED, STANDARD, Limits
from backburner.worlds.collab_overcooked.game.scenarios import (
    KNOWS,
    Scenario,
    order_file,
    orders,
    scenario_of,
    suites,
)
from support.facts import facts_about

KITCHEN = shipped_layout(SHIPPED)


def test_there_are_30_orders_in_6_levels_of_5() -> None:
    assert len(orders()) == 30
    for level in range(1, 7):
        assert len(suites()[f"level{level}"]) == 5
    assert suites()["all"] == tuple(orders())


def test_levels_are_workflows() -> None:
    """An order takes as many operations as its level says: 1, 2, 3, then 2 for a stew, 4, 5 for patties."""
    operations = {1: 1, 2: 2, 3: 3, 4: 2, 5: 4, 6: 5}
    for name, order in orders().items():
        assert len(method_of(KITCHEN, name).steps) == operations[order.level], name
        assert KITCHEN.needs_dish[name] == (order.level >= 3), name


def test_the_kitchen_is_that_of_the_release() -> None:
    facts = facts_about("collab_overcooked")
    layout, grid = facts["layout"], Grid(KITCHEN)
    assert list(KITCHEN.grid) == layout["grid"]
    assert list(KITCHEN.ingredients) == facts["ingredients"]
    assert KITCHEN.needs_dish == facts["needs_dish"]
    assert (KITCHEN.capacity, KITCHEN.delivery_reward) == (
        layout["utensil_capacity"],
        layout["delivery_reward"],
    )
    tables = [
        {"output": one["output"], "inputs": tuple(one["inputs"]), "steps": one["duration"], "utensil": kind}
        for kind, rows in facts["synthesis"].items()
        for one in rows
    ]
    ours = [
        {name: getattr(one, name) for name in ("output", "inputs", "steps", "utensil")}
        for one in KITCHEN.recipes
    ]
    assert ours == tables
    for utensil in grid.utensils:
        told = layout["utensils"][utensil.name]
        assert (list(grid.at(utensil.cell)), utensil.verb) == (told["pos"], told["operation"])
        assert [utensil.cell in reach for reach in grid.reach] == [told["agent"] == cook for cook in (0, 1)]
    for cook, agent in enumerate(layout["agents"]):
        assert list(grid.at(grid.starts[cook])) == agent["start"]


def test_orders_levels_and_methods_are_those_of_the_release() -> None:
    tasks = facts_about("collab_overcooked")["tasks"]
    assert {name: order.level for name, order in orders().items()} == {
        n: t["level"] for n, t in tasks.items()
    }
    for name, task in tasks.items():
        method = method_of(KITCHEN, name)
        assert dict(method.ingredients) == task["ingredients"], name
        assert method.on_dish == task["needs_dish"]
        ours = {(one.output, one.utensil, tuple(sorted(one.inputs)), one.steps) for one in method.steps}
        assert ours == {
            (one["output"], one["utensil"], tuple(sorted(one["inputs"])), one["duration"])
            for one in task["steps"]
        }


def test_limits_are_half_as_much_again_as_the_recorded_run() -> None:
    facts = facts_about("collab_overcooked")["time_limit"]
    assert order_file().limit_factor == facts["gamma"]
    for level in order_file().levels:
        last = facts["optimal_last_index_by_level"][str(level.level)]
        earlier = facts["earlier_values_left_in_upstream_comments"][str(level.level)]
        assert (level.released_last_step, level.earlier_last_step) == (last, earlier)
        scenario = scenario_of(suites()[f"level{level.level}"][0], {})
        # a last step of at most 1.5 times the number, counted from 0, is one step more in all
        for rules in (STANDARD, RELEASED):
            assert limits_of(scenario, rules).steps == math.floor(1.5 * last) + 1


def test_a_stated_limit_comes_first_and_unknown_levels_have_the_released_horizon() -> None:
    assert limits_of(Scenario(("boiled_egg",), step_limit=9), STANDARD).steps == 9
    assert limits_of(Scenario(("boiled_egg", "boiled_mushroom")), STANDARD).steps == 120
    with pytest.raises(Refused, match="rounds is 0"):
        Limits(rounds=0)


def test_ids_name_orders_and_who_knows_their_recipes() -> None:
    assert scenario_of("boiled_egg+baked_carrot_soup", {"knows": "both"}) == Scenario(
        ("boiled_egg", "baked_carrot_soup"), informed=("chef", "assistant")
    )
    for knows, informed in KNOWS.items():
        assert scenario_of("boiled_egg", {"knows": knows}).informed == informed
    for members in suites().values():
        assert all(scenario_of(member, {}) for member in members)


def test_unknown_names_answer_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean boiled_egg"):
        scenario_of("boild_egg", {})
    with pytest.raises(UnknownName, match=r"unknown option 'know' .*; did you mean knows"):
        scenario_of("boiled_egg", {"know": "both"})
    with pytest.raises(UnknownName, match="unknown value of option 'knows'"):
        scenario_of("boiled_egg", {"knows": "nobody"})
    with pytest.raises(Refused, match="names an order"):
        scenario_of("", {})
    with pytest.raises(Refused, match="at most 8"):
        scenario_of("+".join(["boiled_egg"] * 9), {})
