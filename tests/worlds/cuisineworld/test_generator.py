"""Kitchens are drawn from parameters, load as users' files, and are measured by their orders."""

from __future__ import annotations

from itertools import chain
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.generation.attempt import NOTHING, attempt
from backburner.generation.builder import arguments_of, asked_of
from backburner.generation.measure import Planned
from backburner.kernel import registry, testing
from backburner.kernel.errors import BackburnerError
from backburner.kernel.generating import Draw, Rejected
from backburner.kernel.oracle import Request, solve_world
from backburner.kernel.values import Outcome
from backburner.worlds.cuisineworld.game.cookbook import Cookbook, Kind, Recipe
from backburner.worlds.cuisineworld.game.rule_set import STANDARD, Limits
from backburner.worlds.cuisineworld.game.scenarios import Scenario
from backburner.worlds.cuisineworld.game.state import GET, PUT, Act, Commands
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.cuisineworld.oracle.generator import GENERATOR, handovers, tree
from backburner.worlds.cuisineworld.oracle.kitchens import PARAMETERS, least_steps
from backburner.worlds.cuisineworld.oracle.order_bound import dish_work
from support.dispatch.drafts import drafted, world_of

USUAL: dict[str, Any] = {
    **{"layers": 2, "dishes": 2, "inputs": 2, "ingredients": 4, "tools": 3, "units": 1, "busy": 2},
    **{"attended": 0.3, "bodies": 2, "interval": 7, "patience": 1.5, "steps": 30, "spare": 1},
}
SHOWN = {"orders": "shown"}


def knobs() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            knob.name: st.floats(knob.low, knob.high)
            if knob.kind == "real"
            else st.integers(int(knob.low), int(knob.high))
            for knob in PARAMETERS
        }
    )


@settings(max_examples=25, deadline=None)
@given(knobs(), st.integers(0, 2**32))
def test_every_draft_is_a_scenario_with_the_parameters(parameters: dict[str, Any], seed: int) -> None:
    parameters["layers"] = min(parameters["layers"], 3)  # deeper ones take the longest to be looked at
    try:
        draft = GENERATOR.draft(parameters, {"orders": "hidden"}, Draw(seed, Random(seed)))
    except Rejected:
        return
    again = GENERATOR.draft(parameters, {"orders": "hidden"}, Draw(seed, Random(seed)))
    assert again == draft
    world = world_of("cuisineworld", GENERATOR, draft)
    scenario = world.scenario
    assert (scenario.bodies, scenario.interval) == (parameters["bodies"], parameters["interval"])
    assert len(scenario.dishes) == parameters["dishes"] and scenario.hidden_orders
    structure = GENERATOR.structure(world)
    deepest = max(_depth(scenario.book, dish) for dish in scenario.dishes)
    assert deepest == parameters["layers"]
    # ceil(patience * least) lies within a step of patience * least
    for job in structure.jobs:
        assert job.due is not None
        assert 0 <= job.due - job.release - parameters["patience"] * job.alone < 1 + 1e-6
        assert job.body_time <= scenario.bodies * job.alone


def _depth(book: Cookbook, thing: str) -> int:
    recipe = book.by_product.get(thing)
    return 1 + max(_depth(book, name) for name in recipe.inputs) if recipe else 0


def test_most_drafts_are_proven_and_play_as_the_kit_demands() -> None:
    worlds = [
        world_of("cuisineworld", GENERATOR, drafted(GENERATOR, USUAL, SHOWN, seed), "pottery")
        for seed in range(8)
    ]
    solutions = [solve_world(world, Request(effort=20.0)) for world in worlds]
    proven = [solution for solution in solutions if solution.status == "optimal"]
    assert len(proven) >= 5 and all(solution.objective for solution in proven)
    testing.check_world(worlds[0])


BOOK = Cookbook(
    ("leaf", "root"),
    (Recipe("cut", "board", ("leaf",)), Recipe("stew", "pot", ("cut", "root"))),
    (
        *(Kind("storage", gives="ingredients"), Kind("servingtable", gives="nothing")),
        *(Kind("board", 1, busy_steps=2, holds_body=True), Kind("pot", 5, busy_steps=3)),
    ),
)
KITCHEN = ("storage", "servingtable", "board", "pot")


def test_a_dish_is_a_tree_of_what_is_brought_and_made() -> None:
    """Leaf 4 steps, cut 2 on the board, which holds the body, and 3 to the pot; root 4; the pot starts in a
    step, stews 3, and after one more to get there the stew is carried in 3: 4 + 5 + 4 + 5 = 18 steps of
    bodies. The longest row is leaf, cut, stew: 4 + 5 + 6."""
    works = {each.name.partition(" ")[0]: each for each in tree(BOOK, "stew")}
    assert {name: (each.duration, each.operator_time) for name, each in works.items()} == {
        "leaf": (4, 4),
        "cut": (5, 5),
        "root": (4, 4),
        "stew": (6, 5),
    }
    assert sum(each.operator_time for each in works.values()) == dish_work(BOOK, "stew", 2).body_steps
    # One body puts the leaf into the board in step 4, where the other starts it at once; the first takes what
    # is cut in 6 and puts it into the pot in 8. The other, free from 6 on, puts in the root in 9; the pot,
    # started at once by the first, is done in 12, and the stew is served in 14.
    assert least_steps(BOOK, "stew", KITCHEN, 2) == 14


def _played(bodies: int, interval: int, lifetime: int, steps: int) -> CuisineWorld:
    scenario = Scenario(
        "new", ("stew",), KITCHEN, interval, (lifetime,), bodies=bodies, steps=steps, cookbook=BOOK
    )
    return CuisineWorld("cuisineworld/new", scenario, STANDARD, Limits(steps))


def test_orders_of_the_stream_are_jobs() -> None:
    """Orders come at 0, 10 and 20, and one at the end, 30, which nobody can serve any more."""
    structure = GENERATOR.structure(_played(2, 10, 30, 30))
    assert [(job.release, job.due, job.alone, job.body_time) for job in structure.jobs] == [
        (0, 30, 14, 18),
        (10, 40, 14, 18),
        (20, 50, 14, 18),
    ]
    assert len(structure.activities) == 12 and structure.horizon == 30
    assert all(structure.objects.values()) and structure.told["orders"] == (3, 2)
    ended = Outcome("ended", "horizon", {"completed": 2})
    assert GENERATOR.result(_played(2, 10, 30, 30), ended).share == pytest.approx(2 / 3)


def test_only_orders_that_are_served_contend() -> None:
    """Four orders come in 40 steps, the last too late, and one body has time for two of 18 steps each: their
    stews are 6 steps each in the only pot."""
    world = _played(1, 10, 40, 40)
    structure = GENERATOR.structure(world)
    solution = solve_world(world, Request(effort=20.0))
    plan = Planned(world, GENERATOR, structure, solution)
    assert (len(structure.jobs), solution.status, solution.objective) == (4, "optimal", 2)
    assert len(plan.required.activities) == 2 * 4
    assert plan.dials(())["contention"] == 2 * 6 / plan.time


def test_what_no_order_needs_is_a_lure() -> None:
    world = _played(2, 10, 30, 30)
    spare = replace(
        world.scenario, kitchen=(*KITCHEN, "mill"), cookbook=replace(BOOK, kinds=(*BOOK.kinds, Kind("mill")))
    )
    more = CuisineWorld("cuisineworld/new", spare, STANDARD, Limits(30))
    assert not GENERATOR.is_needed(more, Commands(("goto_agent0_mill0",)))
    assert GENERATOR.is_needed(more, Commands(("goto_agent0_pot0",)))
    assert GENERATOR.structure(more).objects["mill0"] is False


def test_a_product_that_another_body_takes_is_a_handover() -> None:
    board, pot = 2, 3
    done = [
        [Act(0, PUT, board, 0), Act(1, PUT, pot, 1)],
        [Act(0, GET, board, 2), Act(0, GET, pot, 3)],
    ]
    assert handovers(_played(2, 10, 30, 30).compiled, chain(*done)) == 1


def test_a_kitchen_in_which_nothing_can_be_served_is_left_out() -> None:
    """One body has 24 steps for dishes of up to four layers: of a best of 0 nobody loses a share."""
    large = {"layers": 4, "dishes": 3, "inputs": 3, "ingredients": 6, "tools": 3, "units": 1, "busy": 4}
    hurried = {"attended": 1.0, "bodies": 1, "interval": 14, "patience": 0.8, "steps": 24, "spare": 0}
    usual = {each.name: each.default for each in arguments_of(GENERATOR) if each.default is not None}
    asked = asked_of("cuisineworld", GENERATOR, {**usual, "width": ":99", "split": "open"})
    made = attempt(asked, 0, 0, large | hurried)
    assert (made.attempt.verdict, made.attempt.best, made.files) == (NOTHING, 0, {})


def test_published_levels_are_measured_as_well() -> None:
    structure = GENERATOR.structure(registry.world("cuisineworld/level_3"))
    assert len(structure.jobs) > 3 and {resource.name for resource in structure.resources} <= {
        name.rstrip("0123456789") for name in structure.objects
    }
    with pytest.raises(BackburnerError, match="end of play"):
        GENERATOR.structure(registry.world("cuisineworld/level_3", limits="none"))
