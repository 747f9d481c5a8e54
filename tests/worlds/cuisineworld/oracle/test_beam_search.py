"""The most orders that can be served: worked by hand, against trying everything, and played in the world."""

from __future__ import annotations

import pytest

from backburner.agents.planned import world_agent
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.worlds.cuisineworld.game import CuisineWorld, Limits, Scenario
from backburner.worlds.cuisineworld.game.cookbook import Cookbook, Kind, Recipe
from backburner.worlds.cuisineworld.game.rule_set import PRESETS
from backburner.worlds.cuisineworld.oracle.beam_search import most_served
from backburner.worlds.cuisineworld.oracle.order_bound import order_bound
from support.cuisineworld.exhaustive import exhaustive
from support.cuisineworld.play import steps_of, world_of


def short(path: str, steps: int, rules: str = "standard") -> CuisineWorld:
    world = world_of(path, rules)
    return CuisineWorld(world.id, world.scenario, world.rules, Limits(steps))


def proven(world: CuisineWorld) -> int:
    found = most_served(world)
    assert found.status == "optimal" and found.objective == found.bound is not None
    return found.bound


def test_one_body_serves_the_first_meatcake_in_the_thirteenth_step() -> None:
    assert proven(short("level_0@bodies=1,tau=3.0", 12)) == 0
    assert proven(short("level_0@bodies=1,tau=3.0", 13)) == 1


def test_two_bodies_need_nine_steps() -> None:
    # 8 with a third that activates as the second puts; here one of them activates in the fifth
    assert proven(short("level_0@tau=2.0", 8)) == 0
    assert proven(short("level_0@tau=2.0", 9)) == 1
    assert proven(short("level_0@bodies=3,tau=2.0", 8)) == 1


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_the_plan_serves_in_the_world_what_it_promises(rules: str) -> None:
    world = short("level_1@tau=1.0", 25, rules)
    found = most_served(world)
    steps = steps_of(world, *found.plan)
    assert len(steps) == 25, "a decision for each step"
    assert not any(step.refusals for step in steps)
    assert len(steps[-1].state.served) == found.objective == 3


def test_one_body_cannot_do_more_than_four_meatcakes_an_episode() -> None:
    """The bound is met here, and the greedy dispatcher is as good as anybody."""
    world = world_of("level_0@bodies=1,tau=1.0")
    assert proven(world) == order_bound(world).most_served == 4
    ending = play_now(world, world_agent("greedy", world)).ending
    assert ending is not None and ending.numbers["completed"] == 4


def test_two_bodies_make_eight_meatcakes_of_the_nine_that_the_bound_allows() -> None:
    """A whole episode: the greedy dispatcher serves seven."""
    world = world_of("level_0@bodies=2,tau=1.0")
    assert (proven(world), order_bound(world).most_served) == (8, 9)


BOOK = Cookbook(
    ("a", "b", "c"),
    (
        Recipe("blend", "blender", ("a", "b")),
        Recipe("chop", "chopboard", ("c",)),
        Recipe("mix", "mixer", ("chop", "a")),
        Recipe("two", "mixer", ("a", "b")),
        Recipe("hot", "pan", ("b",)),
    ),
)

SMALL = [
    ("standard", ("two",), ("mixer",), 2, 7, (14,), 4),
    ("released", ("two",), ("mixer",), 1, 18, (16,), 3),
    ("released", ("blend",), ("blender",), 2, 9, (9,), 3),
    ("standard", ("hot",), ("pan", "pan"), 2, 8, (8,), 2),
    ("released", ("chop",), ("chopboard",), 2, 8, (9,), 2),
    ("standard", ("hot", "chop"), ("pan", "chopboard"), 1, 17, (12, 9), 4),
    ("released", ("mix",), ("chopboard", "mixer"), 1, 16, (16,), 5),
]
"""Rules, dishes, tools, bodies, steps, lifetimes, interval: few enough to try everything."""


@pytest.mark.parametrize(("rules", "dishes", "tools", "bodies", "steps", "lifetimes", "interval"), SMALL)
def test_nothing_is_missed_where_everything_can_be_tried(
    rules: str,
    dishes: tuple[str, ...],
    tools: tuple[str, ...],
    bodies: int,
    steps: int,
    lifetimes: tuple[int, ...],
    interval: int,
) -> None:
    kitchen = ("storage", "servingtable", *tools)
    scenario = Scenario("own", dishes, kitchen, interval, lifetimes, bodies, steps=steps, cookbook=BOOK)
    world = CuisineWorld("cuisineworld/own", scenario, PRESETS[rules], Limits(steps))
    assert proven(world) == exhaustive(world)


def test_it_gives_up_honestly() -> None:
    found = most_served(world_of("level_7@tau=1.0"), most_nodes=10)
    assert (found.status, found.objective) == ("feasible", 0)
    assert found.bound == order_bound(world_of("level_7@tau=1.0")).most_served


@pytest.mark.parametrize(
    ("path", "limits", "expected"),
    [
        ("level_0@seats=each", "article", "takes one dispatcher"),
        ("level_0", "none", "takes an end of play"),
        ("level_0@table=1", "article", "hold everything for ever"),
        ("level_0@spoil=5", "article", "hold everything for ever"),
    ],
)
def test_what_it_does_not_know_it_refuses(path: str, limits: str, expected: str) -> None:
    with pytest.raises(Refused, match=expected):
        most_served(world_of(path, limits=limits))


def test_what_goes_back_into_its_kind_of_tool_is_refused() -> None:
    book = Cookbook(("rice",), (Recipe("soft", "pot", ("rice",)), Recipe("softer", "pot", ("soft",))))
    scenario = Scenario(
        "own", ("softer",), ("storage", "servingtable", "pot"), 9, (30,), steps=30, cookbook=book
    )
    with pytest.raises(Refused, match="goes back into its kind of tool"):
        most_served(CuisineWorld("cuisineworld/own", scenario, PRESETS["standard"], Limits(30)))


def test_a_tool_may_keep_whoever_starts_it() -> None:
    """A press that takes three steps and the body with it. One body: goto, get, goto, put, activate in 5,
    get in 8, goto, put in 10."""
    kinds = (
        Kind("storage", gives="ingredients"),
        Kind("servingtable", gives="nothing"),
        Kind("press", 1, 3, True),
    )
    book = Cookbook(("olive",), (Recipe("oil", "press", ("olive",)),), kinds)
    kitchen = ("storage", "servingtable", "press")
    scenario = Scenario("own", ("oil",), kitchen, 20, (30,), 1, cookbook=book)
    for steps, served in ((9, 0), (10, 1)):
        world = CuisineWorld("cuisineworld/own", scenario, PRESETS["standard"], Limits(steps))
        assert proven(world) == served
