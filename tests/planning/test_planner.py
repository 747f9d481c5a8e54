"""Shortest plans against a search that tries everything, through the task and through the world itself."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.kernel.oracle import Solution
from backburner.planning.astar import Limits
from backburner.planning.planner import Known, Planner
from backburner.planning.task import Task
from backburner.worlds.robotouille.game.state import State
from backburner.worlds.robotouille.game.world import Robotouille
from backburner.worlds.robotouille.oracle.planning_task import task_of, to_kitchen
from backburner.worlds.robotouille.oracle.solver import solution_of
from support.planning.breadth_first import fewest_steps
from support.planning.checks import check_planner, space_of, term
from support.planning.laundry import laundry
from support.robotouille.greenhouse import greenhouse
from support.robotouille.kitchens import say, world_in

ENOUGH = Limits(seconds=600, states=300_000)
some = settings(max_examples=25)


GOALS = (
    [term("iscut", ("lettuce", 1))],
    [term("iscooked", ("patty", 1)), term("item_on", ("patty", 1), ("table", 2))],
    [term("atop", ("patty", 1), ("bread", 2)), term("item_on", ("bread", 2), ("table", 3))],
    [term("item_at", ("bread", 1), ("table", 2)), term("item_at", ("bread", 3), ("table", 4))],
    [
        term("item_on", ("bread", 1), ("table", 2)),
        term("item_at", ("patty", 3), ("table", 2)),
        term("clear", ("patty", 3)),
    ],
    [term("in", ("water", 1), ("pot", 2))],
)
THINGS = ("", "", "patty", "lettuce", "bread", "bread patty", "patty bread", "pot")
STATIONS = ("table", "table", "board", "stove", "sink")


def searched(world: Robotouille, state: State | None = None, known: Known | None = None) -> Planner:
    begin = state or world.start()
    planner = Planner(task_of(world.compiled, world.scenario.play, begin.kitchen, begin.turn), known)
    planner.run(ENOUGH)
    return planner


def solved(world: Robotouille, state: State | None = None) -> Solution:
    """What is found, its plan played by the world."""
    return solution_of(world, searched(world, state), state)


@pytest.mark.parametrize(
    "task",
    [
        laundry(),
        laundry(shirts=2, n_folded=2, lines=2),
        laundry(robots=2, shirts=2),
        laundry(robots=2, shirts=2, n_folded=2, lines=2, any_agent=True),
        laundry(robots=2, shirts=2, n_folded=2, order="joint"),
        laundry(robots=2, shirts=2, n_folded=2, order="free"),
        laundry(lines=0),
    ],
)
def test_a_laundry_is_done_in_no_more_steps_than_it_takes(task: Task) -> None:
    """A blind search is enough for these; ``test_heuristic`` has one that needs more."""
    check_planner(task)


@pytest.mark.parametrize("order", ["alternating", "joint", "free"])
def test_the_same_with_a_heuristic(monkeypatch: pytest.MonkeyPatch, order: Any) -> None:
    monkeypatch.setattr("backburner.planning.planner.FEW_STATES", 0)
    check_planner(laundry(robots=2, shirts=2, lines=2, order=order))
    check_planner(laundry(robots=1, shirts=2, n_folded=2, order=order))


def kitchens() -> st.SearchStrategy[list[str]]:
    station = st.tuples(st.sampled_from(STATIONS), st.sampled_from(THINGS)).map(" ".join)
    return st.lists(station, min_size=2, max_size=4, unique=True)


@some
@given(kitchens(), st.sampled_from(GOALS), st.sampled_from(("standard", "released")))
def test_no_plan_of_one_robot_is_shorter(stations: list[str], goal: Any, rules: str) -> None:
    world = world_in(stations, goal=goal, rules=rules)
    agrees(world, most=9)


@settings(max_examples=15)
@given(
    kitchens(),
    st.sampled_from(GOALS),
    st.sampled_from(("standard", "released")),
    st.sampled_from(("turns", "together")),
)
def test_no_plan_of_two_robots_is_shorter(stations: list[str], goal: Any, rules: str, play: Any) -> None:
    world = world_in(stations, robots=(0, 1), goal=goal, rules=rules, play=play)
    agrees(world, most=4)


def agrees(world: Robotouille, most: int) -> None:
    fewest = fewest_steps(world, most=most)
    if world.start().ended:
        return
    solution = solved(world)
    if fewest is None:
        assert solution.objective is None or solution.objective > most
        assert solution.status != "unknown" or (solution.bound or 0) >= most
    else:
        assert (solution.status, solution.objective, solution.bound) == ("optimal", fewest, fewest)


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_a_domain_that_is_no_kitchen(rules: str) -> None:
    """The greenhouse has every kind of effect, deletion too, for which there is no bound but 0."""
    world = greenhouse(rules)
    solution = solved(world)
    assert (solution.status, solution.objective) == ("optimal", {"standard": 16, "released": 17}[rules])


def test_what_a_kitchen_lacks_is_known_to_be_impossible() -> None:
    """There is nothing to cut on, in a kitchen with more states than are ever looked at."""
    stations = [
        f"{kind} {things}" for kind in ("table", "stove", "sink") for things in ("lettuce", "patty bread")
    ]
    world = world_in(stations, goal=[term("iscut", ("lettuce", 1))])
    planner = searched(world)
    assert solution_of(world, planner).status == "infeasible" and planner.seen == 0


def test_from_a_state_with_effects_at_work() -> None:
    """Two of three cuts are done; the lettuce is on the only board: one cut is left."""
    goal = [term("iscut", ("lettuce", 1))]
    world = world_in(["board lettuce", "table"], goal=goal)
    state = say(world, world.start(), *["robot1 cuts lettuce1 on board1"] * 2)
    assert solved(world, state).objective == 1


def test_a_known_plan_is_kept_and_proven() -> None:
    """Take, go, put: no plan is shorter, and the plan that was known is the answer."""
    world = world_in(["board cheese", "table"], goal=[term("item_on", ("cheese", 1), ("table", 2))])
    first = searched(world)
    assert first.plan is not None and len(first.plan) == 3
    again = searched(world, known=Known(first.plan, 2))
    assert (again.plan, again.bound_steps, again.is_proven) == (first.plan, 3, True)


def test_a_paused_search_tells_a_true_bound_and_goes_on() -> None:
    goal = [
        term("item_on", ("bread", 1), ("table", 2)),
        term("item_at", ("lettuce", 3), ("table", 2)),
        term("iscut", ("lettuce", 3)),
        term("item_at", ("bread", 4), ("table", 2)),
        term("clear", ("bread", 4)),
    ]
    stations = ["table bread", "table bread", "table lettuce", "board", "table", "stove patty"]
    world = world_in(stations, goal=goal)
    planner = Planner(task_of(world.compiled, "turns"))
    planner.run(Limits(seconds=600, states=1))
    assert not planner.is_proven
    paused = planner.bound_steps
    planner.run(ENOUGH)
    solution = solution_of(world, planner)
    # Lettuce to the board (go, take, go, put), three cuts, to a bread (take, go, put); then the other
    # bread on top (go, take, go, put): 14.
    assert (solution.status, solution.objective) == ("optimal", 14) and paused <= 14


def test_what_was_made_in_vain_does_not_make_the_goal_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Water in the bowl does not go back into the pot; but the pot can be filled anew."""
    monkeypatch.setattr("backburner.planning.planner.FEW_STATES", 0)
    goal = [term("in", ("water", 5), ("pot", 6)), term("isboiling", ("water", 5))]
    compiled = world_in(["stove", "sink pot", "table bowl"], goal=goal).compiled
    space = space_of(task_of(compiled, "turns"))
    for (state, _), steps in list(space.h.items())[::50]:
        table = space.task.table(state.created)
        if "in(water1,bowl1)" in map(table.words, table.true_atoms(state.facts)):
            planner = Planner(task_of(compiled, "turns", to_kitchen(state)))
            planner.run(ENOUGH)
            assert planner.plan is not None and len(planner.plan) == steps == planner.bound
