"""Kitchens are drafted from parameters, load as users' files, and are measured by the graphs of orders."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.agents.planned import plan_policy
from backburner.kernel import registry, testing
from backburner.kernel.errors import Refused
from backburner.kernel.generating import Draw, Rejected
from backburner.kernel.oracle import Request, Solution, oracle_of, solve_world
from backburner.kernel.play import play_now
from backburner.kernel.replay import decisions_in, trajectory
from backburner.kernel.values import Outcome
from backburner.worlds.collab_overcooked.game.layout import Grid
from backburner.worlds.collab_overcooked.oracle.generator import GENERATOR, PARAMETERS
from support.collab_overcooked.drafts import drafted, world_of_draft
from support.collab_overcooked.kitchens import OPEN_KITCHEN, world_of

HERE = "collab_overcooked"


def knobs() -> st.SearchStrategy[dict[str, Any]]:
    kinds: dict[str, Any] = {"real": st.floats, "whole": lambda low, high: st.integers(int(low), int(high))}
    return st.fixed_dictionaries(
        {
            each.name: st.sampled_from(each.values) if each.values else kinds[each.kind](each.low, each.high)
            for each in PARAMETERS
        }
    )


@settings(max_examples=40, deadline=None)
@given(knobs(), st.integers(0, 2**32))
def test_every_draft_is_a_kitchen_of_two_rooms_with_the_parameters(
    parameters: dict[str, Any], seed: int
) -> None:
    parameters["depth"] = min(parameters["depth"], (4, 1)[parameters["orders"] - 1])  # more are rejected
    try:
        draft = GENERATOR.draft(parameters, {}, Draw(seed, Random(seed)))
    except Rejected:
        return
    assert GENERATOR.draft(parameters, {}, Draw(seed, Random(seed))) == draft
    world = world_of_draft(HERE, draft)
    grid: Grid = world.compiled.grid
    assert len(world.scenario.orders) == parameters["orders"]
    assert len(grid.utensils) == parameters["utensils"] and len(grid.shared_counters) >= 2
    assert not grid.ways(grid.starts[0], -1).keys() & grid.ways(grid.starts[1], -1).keys()
    structure = GENERATOR.structure(world)
    operations = [work.activity for work in structure.activities if work.activity.resources]
    assert all(work.by for work in structure.activities)
    assert structure.told["recipes"][0] == len(operations) >= parameters["depth"] * parameters["orders"]
    spare = [name for name, needed in structure.objects.items() if not needed]
    assert sum(name in world.compiled.layout.ingredients for name in spare) == parameters["spare"]


def test_most_drafts_of_one_order_are_proven_and_play_as_the_kit_demands() -> None:
    worlds = [world_of_draft(HERE, drafted(HERE, seed, depth=1 + seed % 2)) for seed in range(8)]
    solutions = [solve_world(world, Request(effort=1.0)) for world in worlds]
    assert sum(solution.status == "optimal" for solution in solutions) >= 6
    testing.check_world(worlds[0])


def test_an_order_is_fetched_made_and_delivered() -> None:
    """The article's egg: the assistant alone gets to the ingredients, the chef to the pot and the serving
    place, and an egg needs no dish. 3 steps of the pot, a step of everything else."""
    structure = GENERATOR.structure(registry.world("collab_overcooked/boiled_egg"))
    of = {work.activity.name: work.activity for work in structure.activities}
    by = {work.activity.name: work.by for work in structure.activities}
    found = {
        name.rpartition(":")[2]: (of[name].duration, by[name], len(of[name].predecessors)) for name in of
    }
    assert found == {
        "egg": (1, ("assistant",), 0),
        "boiled_egg": (3, ("chef",), 1),
        "deliver": (1, ("chef",), 1),
    }
    assert structure.told == {"recipes": (1, 1)} and structure.alone == (1, 1)
    assert sum(structure.objects.values()) == 2  # of 29 ingredients and 4 utensils
    both = GENERATOR.structure(registry.world("collab_overcooked/boiled_egg@knows=both"))
    assert both.told == {"recipes": (1, 0)} and both.alone == (1, 0)


def test_ways_between_places_are_the_same_there_and_back() -> None:
    ground = GENERATOR.structure(registry.world("collab_overcooked/boiled_egg")).ground
    assert all(ground[a][b] == ground[b][a] for a in range(len(ground)) for b in range(a))
    places = sorted(row[number] for number, row in enumerate(ground))
    # two starts, dispensers of food and of dishes, the serving place, three counters between the rooms, of
    # four utensils one that is used
    assert places == [-8, -7, -7, -7, -6, -6, -6, -5, -4, -3, -2, -2]
    assert ground[0][1] == -1  # the cooks cannot meet


def test_what_one_cook_puts_down_and_the_other_takes_is_a_handover() -> None:
    """By the shortest plan of an egg the assistant hands the chef the egg: 1 for 3 activities."""
    world = registry.world("collab_overcooked/boiled_egg")
    solution = oracle_of(world).known(world)
    assert solution is not None and solution.objective == 16
    episode = play_now(world, plan_policy(world, solution))
    decisions = [decisions_in(world, entry) for _, entry, _ in trajectory(episode, world)]
    assert GENERATOR.own(world, solution, decisions) == {"handovers": 1 / 3}
    assert GENERATOR.own(world, None, ()) == {}


def test_results_and_limits_go_by_orders_and_by_what_is_proven() -> None:
    world = registry.world("collab_overcooked/boiled_egg+baked_potato_soup")
    numbers = {"steps": 50, "completed": 0, "delivered": 1, "reward": 20}
    result = GENERATOR.result(world, Outcome("cut off", "step_limit", numbers))
    assert (result.share, result.value, result.complete) == (0.5, 50, False)
    solution = Solution("new", "optimal", 21, 21, "min", "steps", "calls")
    assert GENERATOR.with_answer({"orders": []}, {}, solution) == {"orders": [], "step_limit": 42}


def test_orders_without_end_are_not_measured() -> None:
    world = world_of(layout=OPEN_KITCHEN, order_weights={"boiled_egg": 1.0})
    with pytest.raises(Refused, match="new orders come in for ever"):
        GENERATOR.structure(world)
