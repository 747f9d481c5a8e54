"""Recipe2Plan's optima: by hand, against everything the world accepts, and for the published pairs."""

from __future__ import annotations

from statistics import mean
from typing import Any

import pytest
from hypothesis import event, given, settings

from backburner.evaluation.solving import solve_world
from backburner.kernel import registry
from backburner.kernel.contract import Schedulable
from backburner.kernel.errors import Refused, ReplayMismatch
from backburner.kernel.scheduling import Activity, Lag, Level, Problem, Resource
from backburner.scheduling import model as cp_model
from backburner.scheduling.cpsat import solve_problem
from backburner.scheduling.pieces import timetable
from backburner.worlds.recipe2plan.game import Cook, Piece, Recipe, Recipe2Plan, Step, optima
from backburner.worlds.recipe2plan.game.scenarios import shipped_recipes
from support.recipe2plan import BREAD, CAKE, PIE, SOUP, kitchen_of, standard_but
from support.small_recipes import best_by_trying, kitchens

OVEN = Resource("oven")


def shortest(*activities: Activity, grid: int = 1) -> int | None:
    """The proven optimum of these activities; ``None`` if it is proven that there is no plan."""
    problem = Problem("minutes", activities, (OVEN, Resource("stove")), "made for a test", grid=grid)
    solution = solve_problem(problem)
    assert solution.status in ("optimal", "infeasible")
    assert solution.bound == solution.objective
    return solution.objective


def by_hand(name: str, duration: int, **more: Any) -> Activity:
    return Activity(name, duration, duration, **more)


def alone(name: str, duration: int, **more: Any) -> Activity:
    return Activity(name, duration, 0, **more)


# --- maximum lags -------------------------------------------------------------------------------


@pytest.mark.parametrize(("at_most", "minutes"), [(0, 12), (3, 12), (4, 9), (5, 9)])
def test_a_lag_binds_a_step_to_the_end_of_another(at_most: int, minutes: int) -> None:
    # Boil 0-3 and chop 0-7, drain 7-9: 4 after boiling. If that is too late, either the chopping waits
    # (boil 0-3, drain 3-5, chop 5-12) or the boiling (chop 0-7, boil 7-10, drain 10-12).
    chop, boil = by_hand("chop", 7), alone("boil", 3)
    drain = by_hand("drain", 2, after=("boil",), lags=(Lag("boil", at_most),))
    assert shortest(chop, boil, drain) == minutes


def test_lags_that_exclude_each_other_leave_no_plan() -> None:
    # both within 1 of the end of boiling, and each takes the agent for 2
    drain, stir = (by_hand(name, 2, after=("boil",), lags=(Lag("boil", 1),)) for name in ("drain", "stir"))
    assert shortest(alone("boil", 3), drain, stir) is None


# --- autonomous steps ---------------------------------------------------------------------------


def test_what_takes_no_attention_starts_between_two_things_and_not_within_one() -> None:
    # wash 2, boil 6 after it by itself, chop 5 and peel 3 by hand: wash 0-2, boil 2-8, chop 2-7, peel 7-10
    steps = [by_hand("wash", 2), alone("boil", 6, after=("wash",)), by_hand("chop", 5), by_hand("peel", 3)]
    assert shortest(*steps) == 10
    # Simmer 2 after boiling cannot start at 8, within peeling, and at 10 it would end at 12. The agent
    # waits in 7-8: simmer 8-10, peel 8-11.
    assert shortest(*steps, alone("simmer", 2, after=("boil",))) == 11


# --- levels of an oven --------------------------------------------------------------------------


def oven(name: str, duration: int, *, sets: int | None = None, needs: int | None = None) -> Activity:
    return alone(
        name,
        duration,
        resources=("oven",),
        sets=None if sets is None else Level("oven", sets),
        needs=None if needs is None else Level("oven", needs),
    )


def test_each_bake_follows_a_preheat_of_its_own_temperature() -> None:
    # 350 and 400 cannot be mixed: 2 + 5, then 3 + 4
    hot = [oven("heat to 400", 3, sets=400), oven("bread", 4, needs=400)]
    warm = [oven("heat to 350", 2, sets=350), oven("cake", 5, needs=350)]
    assert shortest(*warm, *hot) == 14
    # two cakes with one preheat, and nothing that needs the other one
    assert shortest(*warm, oven("another cake", 5, needs=350)) == 12


def test_no_bake_without_a_preheat() -> None:
    assert shortest(oven("heat to 350", 2, sets=350), oven("bread", 4, needs=400)) is None


def test_preheating_to_the_same_temperature_for_as_long_is_shared() -> None:
    # 3 together, then 4 and 5 one after the other
    same = [oven("one", 3, sets=400), oven("other", 3, sets=400)]
    bakes = [oven("bread", 4, needs=400), oven("pie", 5, needs=400)]
    assert shortest(*same, *bakes) == 12
    # not if it takes longer: 3 + 2 + 4 + 5
    assert shortest(same[0], oven("other", 2, sets=400), *bakes) == 14
    # by the rule about what starts together: as long as the pie, it may as well be set while the pie bakes
    assert shortest(same[0], oven("other", 5, sets=400), *bakes) == 12


# --- pieces -------------------------------------------------------------------------------------


def test_a_splittable_step_makes_room() -> None:
    # boil 0-5 and drain at once, 5-6; chop 8: 0-5 and 6-9. In one go: chop 0-8 and boil 8-13 and drain
    # 13-14, or boil 0-5, drain 5-6, chop 6-14.
    boil, drain = alone("boil", 5), by_hand("drain", 1, after=("boil",), lags=(Lag("boil", 0),))
    assert shortest(boil, drain, by_hand("chop", 8)) == 14
    assert shortest(boil, drain, by_hand("chop", 8, splittable=True)) == 9


def test_the_grid_says_where_it_may_be_cut() -> None:
    # The same with all times doubled, and a grid of 2.
    boil, drain = alone("boil", 10), by_hand("drain", 2, after=("boil",), lags=(Lag("boil", 0),))
    chop = by_hand("chop", 16, splittable=True)
    assert shortest(boil, drain, chop, grid=2) == shortest(boil, drain, chop) == 18


@pytest.mark.parametrize(("at_most", "minutes"), [(0, 8), (3, 8), (4, 7)])
def test_a_lag_binds_every_piece(at_most: int, minutes: int) -> None:
    # Wash 0-2, boil 0-2, toast 0-5, take out 5-6, and stir in 2-5 and 6-7: its last piece begins 4
    # after boiling. If that is too late, toast from 2 on, stir 2-6 in one go, take out 7-8.
    wash, boil, toast = by_hand("wash", 2), alone("boil", 2), alone("toast", 5)
    take_out = by_hand("take out", 1, after=("toast",), lags=(Lag("toast", 0),))
    stir = by_hand("stir", 4, after=("boil",), lags=(Lag("boil", at_most),), splittable=True)
    assert shortest(wash, boil, toast, take_out, stir) == minutes


@pytest.mark.parametrize(("at_most", "minutes"), [(0, 8), (1, 7)])
def test_the_last_piece_may_go_on_after_the_lag(at_most: int, minutes: int) -> None:
    # Toast takes 3. Wash 0-2, boil 0-2, stir 2-3, start to toast, stir 3-6, take out 6-7: the second
    # piece begins 1 after boiling and lasts for 3. In one go: wash 0-2, toast 0-3, boil 2-4, take out
    # 3-4, stir 4-8.
    wash, boil, toast = by_hand("wash", 2), alone("boil", 2), alone("toast", 3)
    take_out = by_hand("take out", 1, after=("toast",), lags=(Lag("toast", 0),))
    stir = by_hand("stir", 4, after=("boil",), lags=(Lag("boil", at_most),), splittable=True)
    assert shortest(wash, boil, toast, take_out, stir) == minutes


def test_a_plan_names_a_piece_by_what_is_done_before_it() -> None:
    # boil 0-5, drain 5-6, cool 6-9: a chain that leaves the hands free in 0-5 and 6-9
    boil, drain = alone("boil", 5), by_hand("drain", 1, after=("boil",))
    cool, chop = alone("cool", 3, after=("drain",)), by_hand("chop", 8, splittable=True)
    solution = solve_problem(Problem("minutes", (boil, drain, cool, chop), (), "made for a test"))
    assert solution.starts == {"boil": 0, "drain": 5, "cool": 6, "chop": 0, "chop+5": 6}


def test_a_plan_is_tidy() -> None:
    # boil 0-5, drain 5-6, cool 6-9 leave the hands free for 5 and 3: chop 4 and peel 4 need one break
    boil, drain = alone("boil", 5), by_hand("drain", 1, after=("boil",))
    cool, chop = alone("cool", 3, after=("drain",)), by_hand("chop", 4, splittable=True)
    peel = by_hand("peel", 4, splittable=True)
    solution = solve_problem(Problem("minutes", (boil, drain, cool, chop, peel), (), "made for a test"))
    assert solution.objective == 9
    assert solution.starts is not None and len(solution.starts) == 6


def test_a_plan_as_a_timetable() -> None:
    boil, chop = alone("boil", 5), by_hand("chop", 8, splittable=True)
    problem = Problem("minutes", (boil, chop), (), "made for a test")
    assert timetable(problem, {"boil": 3, "chop": 0, "chop+3": 3}) == [
        (0, 3, "chop", False),
        (3, 8, "boil", True),
        (3, 8, "chop", False),
    ]


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
    assert not kitchen_of(SOUP, rules=one_defect).problem().complete
    heating = Recipe("Pan", (Step("Heat.", 60, splittable=True, appliance="oven", sets_fahrenheit=350),))
    assert not kitchen_of(heating).problem().complete
    # one minute by hand is one minute at least
    assert solve_world(kitchen_of(heating)).status == "optimal"


@settings(max_examples=30, deadline=None)
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
    "needs_come_first": ([BREAD, SOUP], "dep_incomplete|dep_unfinished|object_property"),
    "agent_attends_to_one_thing_at_a_time": ([BREAD, SOUP], "past_time"),
    "resources_are_not_overbooked": ([BREAD, PIE], "object_occupied"),
    "levels_are_as_needed": ([BREAD, CAKE], "object_property"),
    "lags_are_kept": ([shipped_recipes()["Pizza"], shipped_recipes()["Chocolate-Egg"]], "time_constraint"),
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
    known, solution = optima.known_optimum(id), solve_world(registry.world(id), time_limit_seconds=seconds)
    assert known is not None and solution.bound is not None
    assert solution.bound <= known.seconds
    if solution.objective is None:
        assert solution.status == "unknown"
    else:
        assert solution.objective >= known.seconds
        assert (solution.status == "optimal") <= (solution.objective == solution.bound)


# --- the published pairs ------------------------------------------------------------------------


def minutes(suite: str) -> list[float]:
    known = [optima.known_optimum(id) for id in registry.expand(f"recipe2plan/{suite}")]
    assert all(optimum is not None and optimum.status == "optimal" for optimum in known)
    return [optimum.seconds / 60 for optimum in known if optimum is not None]


def test_the_data_file_holds_every_published_pair() -> None:
    assert list(optima.known_optima()) == registry.expand("recipe2plan/all")
    assert all(optimum.seconds == optimum.bound for optimum in optima.known_optima().values())
    assert optima.known_optimum("recipe2plan/Tacos") is None


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
        solution, known = solve_world(registry.world(id)), optima.known_optimum(id)
        assert known is not None
        assert (solution.objective, solution.status, solution.bound) == (
            known.seconds, known.status, known.bound,
        )  # fmt: skip


def test_a_published_pair_is_split_no_more_than_necessary() -> None:
    world = registry.world("recipe2plan/Cookies+Chicken-Rice")
    starts = solve_world(world).starts
    assert isinstance(world, Recipe2Plan) and starts is not None
    # in one go it takes longer
    assert len(starts) == len(world.cookbook.jobs) + 1


@pytest.mark.parametrize(("suite", "at_optimum"), [("constrained", 2), ("unconstrained", 36)])
def test_the_heuristics_plans_are_never_shorter(suite: str, at_optimum: int) -> None:
    equal = 0
    for id in registry.expand(f"recipe2plan/{suite}"):
        world, known = registry.world(id), optima.known_optimum(id)
        assert isinstance(world, Recipe2Plan) and known is not None
        plan = world.scenario.reference
        if plan is not None:
            heuristic = max(action.start + action.seconds for action in plan)
            assert heuristic >= known.seconds
            equal += heuristic == known.seconds
    assert equal == at_optimum
