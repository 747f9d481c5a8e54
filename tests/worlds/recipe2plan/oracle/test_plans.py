"""Recipe2Plan's optima: by hand, against everything the world accepts, and for the published pairs."""

from __future__ import annotations

from statistics import mean

import pytest
from hypothesis import event, given, settings

from backburner.kernel import registry
from backburner.kernel.errors import Refused, ReplayMismatch
from backburner.kernel.oracle import Request, solve_world
from backburner.kernel.schedule import Schedulable, problem_of
from backburner.scheduling import model as cp_model
from backburner.worlds.recipe2plan.game import Cook, Piece, Recipe, Recipe2Plan, Step
from backburner.worlds.recipe2plan.game.catalogue import known_optima, known_optimum
from backburner.worlds.recipe2plan.game.scenarios import shipped_recipes
from support.recipe2plan.play import BREAD, CAKE, PIE, SOUP, kitchen_of, standard_but
from support.recipe2plan.small_recipes import best_by_trying, kitchens

# --- the world ----------------------------------------------------------------------------------


def test_the_world_is_schedulable_and_plays_a_plan_as_one_decision() -> None:
    world = kitchen_of(SOUP, limits="article")
    solution = solve_world(world)
    # boil 10, put in 1, let stand 2, season 1.5
    assert (solution.status, solution.objective, solution.bound) == ("optimal", 870, 870)
    assert isinstance(world, Schedulable)
    assert len(solution.plan) == 1
    assert "30 seconds" in solution.space


def test_two_recipes_share_a_preheat_but_not_a_temperature() -> None:
    # preheat 10 together, then the loaf 20 and the pie 15, or the pie first while the dough is kneaded
    assert solve_world(kitchen_of(BREAD, PIE)).objective == 60 * (10 + 15 + 20)
    # preheat 10 and bake 20; preheat 10 and bake 15
    assert solve_world(kitchen_of(BREAD, CAKE)).objective == 60 * (10 + 20 + 10 + 15)


def test_a_plan_in_pieces_becomes_actions() -> None:
    starts = {f"Soup {number}": start for number, start in enumerate([0, 0, 600, 660, 780])}
    (decision,) = kitchen_of(SOUP).plan({**starts, "Soup 0+120": 180})
    assert decision == Cook(
        (
            Piece(1, "Soup", 600, 0),
            Piece(0, "Soup", 120, 0),
            Piece(0, "Soup", 180, 180),
            Piece(2, "Soup", 60, 600),
            Piece(3, "Soup", 120, 660),
            Piece(4, "Soup", 90, 780),
        )
    )


def test_a_schedule_of_other_steps_is_refused() -> None:
    world = kitchen_of(PIE)
    with pytest.raises(Refused, match="Pie 1"):
        world.plan({"Pie 0": 0})
    with pytest.raises(Refused, match="Pie 7"):
        world.plan({"Pie 0": 0, "Pie 1": 600, "Pie 7": 0})
    with pytest.raises(Refused, match=r"Pie 0\+soon"):
        world.plan({"Pie 0": 0, "Pie 1": 600, "Pie 0+soon": 0})


def test_what_is_left_out_is_said_and_only_attention_bounds_it() -> None:
    released = solve_world(kitchen_of(SOUP, rules="released"))
    assert (released.status, released.objective, released.bound) == ("feasible", 870, 450)
    assert "zero seconds" in released.space
    one_defect = standard_but(zero_length_actions=True)
    assert not problem_of(kitchen_of(SOUP, rules=one_defect)).complete
    heating = Recipe("Pan", (Step("Heat.", 60, splittable=True, appliance="oven", sets_fahrenheit=350),))
    assert not problem_of(kitchen_of(heating)).complete
    # one minute by hand is one minute at least
    assert solve_world(kitchen_of(heating)).status == "optimal"


@settings(max_examples=30)
@given(kitchens())
def test_on_kitchens_made_at_random(recipes: tuple[Recipe, ...]) -> None:
    world = kitchen_of(*recipes)
    solution = solve_world(world)
    event(solution.status)
    best = best_by_trying(world)
    if best is None:
        assert (solution.status, solution.starts) == ("infeasible", None)
    else:
        assert (solution.status, solution.objective) == ("optimal", best.seconds)
        assert solution.starts is not None and len(solution.starts) == best.actions


# --- without any one ingredient they disagree ---------------------------------------------------

INGREDIENTS = {
    "predecessors_end_first": ([BREAD, SOUP], "dep_incomplete|dep_unfinished|object_property"),
    "operator_is_at_one_activity_at_a_time": ([BREAD, SOUP], "past_time"),
    "resource_capacities_are_kept": ([BREAD, PIE], "object_occupied"),
    "machine_states_are_as_required": ([BREAD, CAKE], "object_property"),
    "maximum_lags_are_kept": (
        [shipped_recipes()["Pizza"], shipped_recipes()["Chocolate-Egg"]],
        "time_constraint",
    ),
}
"""What the world says to plans of a model that leaves it out."""


@pytest.mark.parametrize("ingredient", INGREDIENTS)
def test_the_world_refuses_the_plans_of_a_model_that_leaves_something_out(
    monkeypatch: pytest.MonkeyPatch, ingredient: str
) -> None:
    recipes, code = INGREDIENTS[ingredient]
    world = kitchen_of(*recipes)
    assert solve_world(world).status == "optimal"
    monkeypatch.setattr(cp_model, ingredient, lambda plan: None)
    with pytest.raises(ReplayMismatch, match=code):
        solve_world(world)


@pytest.mark.parametrize("seconds", [0.0, 0.003, 0.01, 0.03])
def test_little_time_never_makes_the_answer_dishonest(seconds: float) -> None:
    id = "recipe2plan/Pancakes+Chicken-Rice"
    known, solution = (
        known_optimum(id),
        solve_world(registry.world(id), Request(time_limit_seconds=seconds)),
    )
    assert known is not None and solution.bound is not None
    assert solution.bound <= known.seconds
    if solution.objective is None:
        assert solution.status == "unknown"
    else:
        assert solution.objective >= known.seconds
        assert (solution.status == "optimal") <= (solution.objective == solution.bound)


# --- the published pairs ------------------------------------------------------------------------


def minutes(suite: str) -> list[float]:
    known = [known_optimum(id) for id in registry.expand(f"recipe2plan/{suite}")]
    assert all(optimum is not None and optimum.status == "optimal" for optimum in known)
    return [optimum.seconds / 60 for optimum in known if optimum is not None]


def test_the_data_file_holds_every_published_pair() -> None:
    assert list(known_optima()) == registry.expand("recipe2plan/all")
    assert all(optimum.seconds == optimum.bound for optimum in known_optima().values())
    assert known_optimum("recipe2plan/Tacos") is None


def test_the_means_are_those_found_before() -> None:
    without, with_lags = minutes("unconstrained"), minutes("constrained")
    assert round(mean(without), 2) == 73.21
    # for instance 16, Pizza and Chocolate-Egg, the heuristic has no plan
    assert round(mean(with_lags[:16] + with_lags[17:]), 2) == 73.66
    assert with_lags[16] == 61
    differences = [w - wo for w, wo in zip(with_lags, without, strict=True) if w != wo]
    assert sorted(differences) == [1, 1, 1, 1, 2, 2, 9]


@pytest.mark.parametrize("suite", ["constrained", "unconstrained"])
def test_the_shipped_optima_are_what_is_found(suite: str) -> None:
    for id in registry.expand(f"recipe2plan/{suite}")[::4]:
        solution, known = solve_world(registry.world(id)), known_optimum(id)
        assert known is not None
        assert (solution.objective, solution.status, solution.bound) == (
            known.seconds, known.status, known.bound,
        )  # fmt: skip


def test_a_published_pair_is_split_no_more_than_necessary() -> None:
    world = registry.world("recipe2plan/Cookies+Chicken-Rice")
    starts = solve_world(world).starts
    assert isinstance(world, Recipe2Plan) and starts is not None
    # in one go it takes longer
    assert len(starts) == len(world.compiled.jobs) + 1


@pytest.mark.parametrize(("suite", "at_optimum"), [("constrained", 2), ("unconstrained", 36)])
def test_the_heuristics_plans_are_never_shorter(suite: str, at_optimum: int) -> None:
    equal = 0
    for id in registry.expand(f"recipe2plan/{suite}"):
        world, known = registry.world(id), known_optimum(id)
        assert isinstance(world, Recipe2Plan) and known is not None
        plan = world.scenario.reference
        if plan is not None:
            heuristic = max(action.start + action.seconds for action in plan)
            assert heuristic >= known.seconds
            equal += heuristic == known.seconds
    assert equal == at_optimum
