"""Recipe2Plan's Algorithm 1: rankings and searches by hand, and how near it comes to the stored plans."""

from __future__ import annotations

from functools import cache
from statistics import mean

import pytest
from hypothesis import event, given, settings

from backburner.kernel import registry
from backburner.kernel.errors import ReplayMismatch
from backburner.kernel.oracle import solve_world
from backburner.worlds.recipe2plan.game import Lag, Recipe, Recipe2Plan, Step
from backburner.worlds.recipe2plan.game.legality import Legality
from backburner.worlds.recipe2plan.game.transition import Termination
from backburner.worlds.recipe2plan.oracle.solver import (
    NODE_LIMIT,
    HeuristicPlan,
    _Search,
    heuristic_plan,
    ranking,
)
from support.recipe2plan.play import BREAD, CAKE, SOUP, kitchen_of, world_of
from support.recipe2plan.small_recipes import kitchens


def ranked(*recipes: Recipe) -> list[str]:
    return [job.label for job in ranking(kitchen_of(*recipes).compiled.jobs)]


def starts(world: Recipe2Plan) -> dict[str, int]:
    plan = heuristic_plan(world)
    assert plan.status == "found" and plan.starts is not None
    return plan.starts


def seconds(*recipes: Recipe) -> int | None:
    return heuristic_plan(kitchen_of(*recipes)).seconds


def by_hand(seconds: int, *after: int, **lags: int) -> Step:
    return Step("Do it.", seconds, after=after, lags=within(lags))


def alone(seconds: int, *after: int, **lags: int) -> Step:
    return Step("Let it be.", seconds, autonomous=True, after=after, lags=within(lags))


def within(lags: dict[str, int]) -> tuple[Lag, ...]:
    """``of_0=60`` as: at most 60 seconds after step 0."""
    return tuple(Lag(int(name.removeprefix("of_")), limit) for name, limit in lags.items())


# --- the ranking ----------------------------------------------------------------------------------


def test_a_ranking_by_hand() -> None:
    # By themselves: water (1) for 10 min, standing (3) for 2; up to standing lead 2, then 0 and 1, so
    # that 1, 0, 2 come before it, and 4 last. Those by themselves first: 1 and 3, then 0, 2, 4.
    assert ranked(SOUP) == ["Soup 1", "Soup 3", "Soup 0", "Soup 2", "Soup 4"]


def test_what_leads_up_to_the_longest_comes_first_and_the_nearest_last() -> None:
    # Up to 4 (alone, 300) lead 3, then 1; to 2 (alone, 120) nothing. 0 is by hand and leads nowhere.
    steps = (by_hand(60), by_hand(60), alone(120), by_hand(60, 1), alone(300, 3))
    assert ranked(Recipe("Stew", steps)) == ["Stew 4", "Stew 2", "Stew 1", "Stew 3", "Stew 0"]


def test_a_ranking_holds_every_step_once() -> None:
    jobs = world_of("Tacos+Smore-Bars+Pizza").compiled.jobs
    assert sorted(job.index for job in ranking(jobs)) == list(range(len(jobs)))


# --- the search -----------------------------------------------------------------------------------


def test_a_plan_by_hand() -> None:
    # boil 0-600, chop 0-300, wait, put in 600-660, stand 660-780, season 780-870
    plan = heuristic_plan(kitchen_of(SOUP))
    assert plan.starts == {"Soup 0": 0, "Soup 1": 0, "Soup 2": 600, "Soup 3": 660, "Soup 4": 780}
    # six nodes with something new (the start and five steps), and two waits
    assert (plan.status, plan.seconds, plan.nodes) == ("found", 870, 8)


@pytest.mark.parametrize(("limit", "finish"), [(180, 720), (240, 540)])
def test_it_waits_where_going_on_leads_nowhere(limit: int, finish: int) -> None:
    # Boil 3 min, chop 7 min, drain 2 min at most so long after boiling. Chopping from 0 on ends 4 min
    # after boiling. If that is too late: wait for the water, drain 3-5, chop 5-12.
    recipe = Recipe("Pasta", (alone(180), by_hand(420), by_hand(120, 0, of_0=limit)))
    assert seconds(recipe) == finish


def test_it_does_not_heat_the_oven_to_what_spoils_a_dish() -> None:
    # Rise 15 min and bake at 400 °F: were the oven set to 350 °F for the cake while the loaf rises, the
    # loaf could never be baked. Preheat 0-10, wait for the loaf to 15, bake to 35, preheat to 45, cake
    # to 60.
    heat, _, bake = BREAD.steps
    loaf = Recipe("Loaf", (heat, alone(900), bake))
    plan = starts(kitchen_of(CAKE, loaf))
    assert plan["Loaf 2"] == 900
    assert seconds(CAKE, loaf) == 3600


def test_nothing_is_split() -> None:
    # Boil 5 min, drain 1 at once, chop 8: in pieces it is 9 min, in one go 14.
    chop = Step("Chop.", 480, splittable=True)
    pasta = Recipe("Pasta", (alone(300), by_hand(60, 0, of_0=0), chop))
    assert seconds(pasta) == 840
    assert solve_world(kitchen_of(pasta)).objective == 540


def test_where_every_branch_leads_nowhere_there_is_no_plan() -> None:
    # both at once after boiling, and each takes the cook
    twice = Recipe("Egg", (alone(180), by_hand(60, 0, of_0=0), by_hand(60, 0, of_0=0)))
    assert heuristic_plan(kitchen_of(twice)).status == "none"
    assert solve_world(kitchen_of(twice)).status == "infeasible"


def test_it_waits_for_ends_only_and_misses_plans_that_wait_for_less() -> None:
    # 3 min and 1 min by themselves must end together: the shorter one starts at 2, when nothing ends
    both = Recipe("Sauce", (alone(180), alone(60), by_hand(60, 0, 1, of_0=0, of_1=0)))
    assert heuristic_plan(kitchen_of(both)).status == "none"
    assert solve_world(kitchen_of(both)).objective == 240


def test_too_many_moments_are_left_out_and_the_plan_says_so() -> None:
    assert heuristic_plan(kitchen_of(SOUP), node_limit=7) == HeuristicPlan("gave up", 7)
    assert heuristic_plan(kitchen_of(SOUP), node_limit=8).status == "found"


def test_many_steps_need_no_deep_stack() -> None:
    chain = tuple(by_hand(60, *([number - 1] if number else [])) for number in range(1200))
    assert seconds(Recipe("Chain", chain)) == 72_000


@pytest.mark.parametrize("limits", ["article", "none"])
@pytest.mark.parametrize("rules", ["standard", "released"])
def test_the_plan_is_made_for_standard_rules_and_played_under_any(rules: str, limits: str) -> None:
    world = world_of("Tacos+Smore-Bars", rules, limits)
    assert heuristic_plan(world) == heuristic_plan(world_of("Tacos+Smore-Bars"))


def test_the_world_is_the_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    # a search that knows of no lags chops while the water waits
    pasta = Recipe("Pasta", (alone(180), by_hand(420), by_hand(120, 0, of_0=180)))
    monkeypatch.setattr(Legality, "_lag", lambda *_: None)
    monkeypatch.setattr(Termination, "missed", lambda *_: [])
    carefree = heuristic_plan(kitchen_of(pasta))
    monkeypatch.undo()
    monkeypatch.setattr(_Search, "run", lambda *_: carefree)
    with pytest.raises(ReplayMismatch, match="time_constraint"):
        heuristic_plan(kitchen_of(pasta))
    assert carefree.seconds == 540


@settings(max_examples=60)
@given(kitchens())
def test_on_kitchens_made_at_random_it_is_never_shorter_than_the_optimum(recipes: tuple[Recipe, ...]) -> None:
    plan, solution = heuristic_plan(kitchen_of(*recipes)), solve_world(kitchen_of(*recipes))
    event(plan.status)
    if plan.seconds is not None:
        assert solution.objective is not None and plan.seconds >= solution.objective


# --- the published pairs --------------------------------------------------------------------------


@cache
def plan_of(id: str) -> HeuristicPlan:
    """The plan of a published pair; some take half a second."""
    world = registry.world(id)
    assert isinstance(world, Recipe2Plan)
    return heuristic_plan(world)


def compared(suite: str) -> list[tuple[int, int]]:
    """(ours, stored) in seconds for each pair with a stored plan."""
    rows = []
    for id in registry.expand(f"recipe2plan/{suite}"):
        world = registry.world(id)
        assert isinstance(world, Recipe2Plan)
        ours, stored = plan_of(id), world.scenario.reference
        assert ours.seconds is not None, f"{id}: {ours.status}"
        if stored is not None:
            rows.append((ours.seconds, max(action.start + action.seconds for action in stored)))
    return rows


@pytest.mark.parametrize(
    ("suite", "equal", "shorter", "longer", "minutes", "stored_minutes"),
    [("unconstrained", 59, 3, 3, 75.99, 75.99), ("constrained", 9, 53, 2, 77.30, 83.85)],
)
def test_the_stored_plans(
    suite: str, equal: int, shorter: int, longer: int, minutes: float, stored_minutes: float
) -> None:
    rows = compared(suite)
    assert sum(ours == stored for ours, stored in rows) == equal
    assert sum(ours < stored for ours, stored in rows) == shorter
    assert sum(ours > stored for ours, stored in rows) == longer
    assert round(mean(ours for ours, _ in rows) / 60, 2) == minutes
    assert round(mean(stored for _, stored in rows) / 60, 2) == stored_minutes


def test_it_has_a_plan_where_none_is_stored() -> None:
    world = world_of("Pizza+Chocolate-Egg")
    assert world.scenario.reference is None
    # 61 min are the proven optimum
    assert heuristic_plan(world).seconds == 61 * 60


def test_the_bound_on_the_search_is_far_from_what_the_published_pairs_need() -> None:
    nodes = [plan_of(id).nodes for id in registry.expand("recipe2plan/constrained")]
    assert max(nodes) * 5 < NODE_LIMIT
