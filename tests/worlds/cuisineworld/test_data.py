"""The shipped data: how much there is, and that every shipped level can be played."""

from __future__ import annotations

from typing import Any

import pytest

from backburner.kernel import registry
from backburner.kernel.errors import BadFile, Refused, UnknownName
from backburner.kernel.files import Place
from backburner.worlds.cuisineworld.game.catalogue import catalogue
from backburner.worlds.cuisineworld.game.cookbook import check_cookbook, shipped_cookbook
from backburner.worlds.cuisineworld.game.scenarios import check_level, classes, evaluated, levels
from backburner.worlds.cuisineworld.metrics.published import published_tables
from backburner.worlds.cuisineworld.metrics.score import scoring
from support.cuisineworld.play import world_of
from support.facts import facts_about


def test_how_much_there_is() -> None:
    book = shipped_cookbook()
    assert (len(book.recipes), len(book.ingredients), len(book.kinds)) == (63, 27, 10)
    assert list(levels()) == [f"level_{number}" for number in range(13)]
    assert [len(classes()[name]) for name in classes()] == [3, 3, 3, 3, 1]
    assert len(evaluated()) == 12 and "level_6" not in evaluated()
    assert len({dish for name in evaluated() for dish in levels()[name].dishes}) == 30


def test_the_cookbook_passes_its_own_checks() -> None:
    check_cookbook(shipped_cookbook(), Place("cookbook.json"))


@pytest.mark.parametrize("name", levels())
def test_levels_pass_their_own_checks_but_for_the_fryer_of_level_12(name: str) -> None:
    level, here = levels()[name], Place("levels.json")
    if name == "level_12":
        with pytest.raises(BadFile, match="frenchFries needs a fryer, and there is none in the kitchen"):
            check_level(level, shipped_cookbook(), here)
    else:
        check_level(level, shipped_cookbook(), here)


def test_only_level_12_has_another_kitchen_in_standard_rules() -> None:
    differing = [
        name
        for name in levels()
        if world_of(name).compiled.places != world_of(name, "released").compiled.places
    ]
    assert differing == ["level_12"]


def test_suites_are_the_cells_of_the_article() -> None:
    suites = catalogue.suites()
    assert len(suites["all"]) == 12 * 5 * 3
    assert all(
        len(suites[name]) == 3 * 5 * 3 for name in ("very_simple", "simple", "intermediate", "advanced")
    )
    assert len(suites["level_6/all"]) == 5 * 3
    ids = registry.expand("cuisineworld/level_3/all@bodies=4")
    assert ids[1] == "cuisineworld/level_3@bodies=4,episode=1,tau=1.0"
    assert len({*ids}) == 15


def test_ids_leave_out_what_goes_without_saying() -> None:
    (id,) = registry.expand("cuisineworld/level_3@bodies=2,episode=0,tau=1.5")
    assert id == "cuisineworld/level_3@tau=1.5"
    assert registry.world(id).id == id


@pytest.mark.parametrize(
    ("id", "error", "says"),
    [
        ("levl_3", UnknownName, "level_3"),
        ("level_3@body=2", UnknownName, "bodies"),
        ("level_3@bodies=0", Refused, "from 1 to 64"),
        ("level_3@bodies=two", Refused, "whole number"),
        ("level_3@bodies=02", Refused, "whole number"),
        ("level_3@tau=1", Refused, "1.0"),
        ("level_3@tau=nan", Refused, "number"),
        ("level_3@tau=1e9", Refused, "number"),
        ("level_3@orders=seen", UnknownName, "shown, hidden"),
        ("level_3@seats=0+0", Refused, "each of the bodies 0 to 1 belongs to one seat"),
        ("level_3@seats=some", Refused, "one, each, person"),
        ("level_3@seats=0+", Refused, r"0\+1\.2"),
        ("level_3@seed=-1", Refused, "or play"),
        ("level_3@table=-1", Refused, "or endless"),
        ("level_3@spoil=0", Refused, "or never"),
    ],
)
def test_what_is_wrong_with_an_id_is_said(id: str, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        world_of(id)


def test_an_empty_path_is_refused() -> None:
    with pytest.raises(Refused, match="name a level"):
        catalogue.scenario("", {})


def test_the_statistics_have_a_row_for_each_level() -> None:
    columns, rows = scoring.statistics(registry.expand("cuisineworld/all"))
    assert len(rows) == 12 and all(len(row) == len(columns) for row in rows)
    by_level = {row[0]: dict(zip(columns, row, strict=True)) for row in rows}
    assert by_level["level_5"]["work in a dish (steps)"] == "21 to 22"
    assert by_level["level_0"]["orders in an episode"] == "7 to 21"


def test_data_are_the_facts() -> None:
    """Kinds, ingredients, recipes, levels, intervals, lifetimes and orders, as read out of the release."""
    facts = facts_about("cuisineworld")
    book = shipped_cookbook()
    assert list(book.ingredients) == facts["base_ingredients"]
    assert {r.product: (r.tool, list(r.inputs)) for r in book.recipes} == {
        name: (recipe["tool"], recipe["inputs"]) for name, recipe in facts["recipes"].items()
    }
    for kind in book.kinds:
        told = facts["tools"][kind.name]
        assert (kind.capacity, kind.busy_steps) == (told["capacity"], told["busy_steps"])
        assert kind.holds_body == told["agent_must_stay"]
    for name, told in facts["levels"].items():
        check_against_facts(name, told)
    published = {(r.level, r.bodies): r for r in published_tables().results if r.agent == "GPT-4"}
    for bodies in (2, 3, 4):
        for level, told in facts["paper"]["gpt4"][f"{bodies}_agents"]["per_level"].items():
            row = published[level, bodies]
            assert [list(cell) for cell in row.cells] == told["completed_of_total_per_tau"]
            assert row.cos == told["cos"]


def check_against_facts(name: str, told: dict[str, Any]) -> None:
    for tau, pace in told["per_tau"].items():
        world = world_of(f"{name}@tau={tau}", "released")
        scenario = world.scenario
        assert list(scenario.dishes) == told["dishes"]
        assert list(world.compiled.places) == told["kitchen_in_order"]
        assert scenario.interval == pace["interval"]
        assert dict(zip(scenario.dishes, scenario.lifetimes, strict=True)) == pace["lifetimes"]
        assert scenario.orders_per_episode == pace["orders_per_episode"]
    stream = told["order_stream_seed_0"]
    first = world_of(f"{name}@tau=1.0")
    assert [
        first.scenario.dishes[first.rulebook.clock.drawn(0, number).dish] for number in range(len(stream))
    ] == stream
