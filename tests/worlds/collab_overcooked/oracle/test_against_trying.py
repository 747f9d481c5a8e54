"""Plans and bounds against breadth-first search through the world itself, in small kitchens."""

from __future__ import annotations

import pytest

from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.rule_set import PRESETS
from backburner.worlds.collab_overcooked.oracle.heuristic import FAR
from backburner.worlds.collab_overcooked.oracle.search import Problem
from backburner.worlds.collab_overcooked.oracle.solver import solve_cooks
from support.collab_overcooked.breadth_first import fewest_in_calls, on_shortest_way_in_moves, small_layout
from support.collab_overcooked.kitchens import world_of

CELLS = 3


@pytest.mark.parametrize("seed", [0, 3, 5, 6, 12, 14, 18, 27, 28, 38, 39])
def test_no_calls_are_faster(seed: int) -> None:
    world = world_of("boiled_egg", layout=small_layout(seed, CELLS))
    found = solve_cooks(world, foods="all")
    assert found.status == "optimal" and found.objective is not None
    assert found.objective == fewest_in_calls(world, found.objective)


@pytest.mark.parametrize("rules", sorted(PRESETS))
@pytest.mark.parametrize("seed", [5, 28, 38, 39])
def test_no_moves_are_faster_and_no_bound_is_too_high(seed: int, rules: str) -> None:
    compiled = Compiled(small_layout(seed, CELLS), PRESETS[rules])
    to_go = on_shortest_way_in_moves(compiled, ("boiled_egg",))
    found = solve_cooks(world_of("boiled_egg", layout=compiled.layout, rules=compiled.rules), space="moves")
    assert found.objective == max(to_go.values())
    problem = Problem(compiled, ("boiled_egg",), "moves", "all")
    for kitchen, steps in to_go.items():
        assert problem.heuristic.steps(problem.pack(kitchen)) <= steps


def test_there_are_plans_and_none_among_these_kitchens() -> None:
    found = {
        solve_cooks(world_of("boiled_egg", layout=small_layout(seed, CELLS)), space="moves").status
        for seed in range(10)
    }
    assert found == {"optimal", "infeasible"}


def test_a_bound_is_far_where_nothing_leads_on() -> None:
    """No egg may be fetched, and there is none."""
    compiled = Compiled(small_layout(5, CELLS), PRESETS["standard"])
    problem = Problem(compiled, ("boiled_egg",), "moves")
    packed = problem.pack(compiled.stepper.start(("boiled_egg",)))
    assert problem.heuristic.steps(packed) < FAR
    assert problem.heuristic.steps(packed._replace(budget=(0,))) >= FAR
