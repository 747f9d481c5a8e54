"""Shortest plans against a search that tries everything through the world itself."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.planning.kitchens import KitchenSearch, Known
from backburner.planning.limits import Limits
from backburner.worlds.robotouille.game.state import State
from backburner.worlds.robotouille.game.world import Robotouille
from support.breadth_first import fewest_steps
from support.greenhouse import greenhouse
from support.robotouille import say, world_in

ENOUGH = Limits(seconds=600, states=300_000)
some = settings(max_examples=25, deadline=None)


def term(predicate: str, *pairs: tuple[str, int]) -> dict[str, Any]:
    return {"predicate": predicate, "args": [kind for kind, _ in pairs], "ids": [id for _, id in pairs]}


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


def searched(world: Robotouille, state: State | None = None, known: Known | None = None) -> KitchenSearch:
    search = KitchenSearch(world, state, known)
    search.run(ENOUGH)
    return search


def kitchens() -> st.SearchStrategy[list[str]]:
    station = st.tuples(st.sampled_from(STATIONS), st.sampled_from(THINGS)).map(" ".join)
    return st.lists(station, min_size=2, max_size=4, unique=True)


@some
@given(kitchens(), st.sampled_from(GOALS), st.sampled_from(("standard", "released")))
def test_no_plan_of_one_robot_is_shorter(stations: list[str], goal: Any, rules: str) -> None:
    world = world_in(stations, goal=goal, rules=rules)
    agrees(world, most=9)


@settings(max_examples=15, deadline=None)
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
    solution = searched(world).solution()
    if fewest is None:
        assert solution.objective is None or solution.objective > most
        assert solution.status != "unknown" or (solution.bound or 0) >= most
    else:
        assert (solution.status, solution.objective, solution.bound) == ("optimal", fewest, fewest)


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_a_domain_that_is_no_kitchen(rules: str) -> None:
    """The greenhouse has every kind of effect, deletion too, for which there is no bound but 0."""
    world = greenhouse(rules)
    solution = searched(world).solution()
    assert (solution.status, solution.objective) == ("optimal", {"standard": 16, "released": 17}[rules])


def test_what_a_kitchen_lacks_is_known_to_be_impossible() -> None:
    """There is nothing to cut on, in a kitchen with more states than are ever looked at."""
    stations = [
        f"{kind} {things}" for kind in ("table", "stove", "sink") for things in ("lettuce", "patty bread")
    ]
    search = searched(world_in(stations, goal=[term("iscut", ("lettuce", 1))]))
    assert search.solution().status == "infeasible" and search.seen == 0


def test_from_a_state_with_effects_at_work() -> None:
    """Two of three cuts are done; the lettuce is on the only board: one cut is left."""
    goal = [term("iscut", ("lettuce", 1))]
    world = world_in(["board lettuce", "table"], goal=goal)
    state = say(world, world.start(), *["robot1 cuts lettuce1 on board1"] * 2)
    assert searched(world, state).solution().objective == 1


def test_a_known_plan_is_kept_and_proven() -> None:
    """Take, go, put: no plan is shorter, and the plan that was known is the answer."""
    world = world_in(["board cheese", "table"], goal=[term("item_on", ("cheese", 1), ("table", 2))])
    first = searched(world)
    assert first.deeds is not None and len(first.deeds) == 3
    again = searched(world, known=Known(first.deeds, 2))
    assert (again.deeds, again.bound_steps, again.proven) == (first.deeds, 3, True)


def test_a_paused_search_tells_a_true_bound_and_goes_on() -> None:
    goal = [
        term("item_on", ("bread", 1), ("table", 2)),
        term("item_at", ("lettuce", 3), ("table", 2)),
        term("iscut", ("lettuce", 3)),
        term("item_at", ("bread", 4), ("table", 2)),
        term("clear", ("bread", 4)),
    ]
    stations = ["table bread", "table bread", "table lettuce", "board", "table", "stove patty"]
    search = KitchenSearch(world_in(stations, goal=goal))
    search.run(Limits(seconds=600, states=1))
    assert not search.proven
    paused = search.bound_steps
    search.run(ENOUGH)
    solution = search.solution()
    # Lettuce to the board (go, take, go, put), three cuts, to a bread (take, go, put); then the other
    # bread on top (go, take, go, put): 14.
    assert (solution.status, solution.objective) == ("optimal", 14) and paused <= 14
