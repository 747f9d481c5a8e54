"""The example of play: another dish than the level's, for as many bodies as are asked for."""

from __future__ import annotations

import pytest

from backburner.kernel.errors import Refused
from backburner.kernel.registry import expand
from backburner.worlds.cuisineworld.game import Scenario
from backburner.worlds.cuisineworld.game.cookbook import Cookbook, Recipe
from backburner.worlds.cuisineworld.game.text import example_dish, example_scenario
from support.cuisineworld.play import world_of

SMALL = Cookbook(
    ingredients=("salmon", "rice", "flour"),
    recipes=(
        Recipe("salmonSlice", "chopboard", ("salmon",)),
        Recipe("salmonRice", "pot", ("salmonSlice", "rice")),
        Recipe("salmonCake", "blender", ("salmon", "flour")),
    ),
)
"""Work: 3 steps for each of 4 things and 2 of the pot, 14; for each of 3 things and 1 of the blender, 10."""


def level(*dishes: str, **more: object) -> Scenario:
    kitchen = ("storage", "servingtable", "pot", "chopboard", "blender")
    return Scenario("small", dishes, kitchen, 5, (9,) * len(dishes), cookbook=SMALL, **more)


@pytest.mark.parametrize("path", sorted({id.partition("@")[0] for id in expand("cuisineworld/all")}))
def test_every_published_level_shows_a_dish_that_none_of_them_orders(path: str) -> None:
    """Meatcakes take 3 steps for each of 3 things, and 1 of the blender; beef comes first in the book."""
    world = world_of(path.removeprefix("cuisineworld/"))
    shown, seat = world.demonstration("dispatcher")
    assert (shown.scenario.dishes, seat) == (("beefMeatcake",), "dispatcher")
    assert shown.scenario.kitchen == ("storage", "servingtable", "blender")
    assert shown.rules == world.rules


def test_the_dish_with_the_least_work_is_shown() -> None:
    assert example_dish(level("salmonRice")) == "salmonCake"
    assert example_dish(level("salmonCake")) == "salmonRice"
    with pytest.raises(Refused, match=r"small: every dish of its recipes is ordered"):
        example_dish(level("salmonRice", "salmonCake"))


def test_one_order_waits_as_long_as_the_game_lasts_and_nothing_is_cooked_ahead() -> None:
    shown = example_scenario(level("salmonCake", tau=2.0, episode=2, seed=7))
    assert (shown.interval, shown.lifetimes, shown.steps, shown.table_room) == (30, (30,), 30, 0)
    assert (shown.tau, shown.episode, shown.seed) == (None, 0, 0)
    assert shown.kitchen == ("storage", "servingtable", "chopboard", "pot")


def test_seats_stay_as_they_are_as_far_as_they_can() -> None:
    assert example_scenario(world_of("level_0@bodies=4").scenario, 2).bodies == 2
    each = world_of("level_0@bodies=3,seats=each")
    assert each.demonstration("agent2")[1] == "agent2"
    fewer, seat = each.demonstration("agent2", 2)
    assert (fewer.seats, seat) == (("agent0", "agent1"), "agent0")
    with pytest.raises(Refused, match="how 2 bodies would share these seats is not told"):
        example_scenario(world_of("level_0@bodies=3,seats=0.1+2").scenario, 2)
