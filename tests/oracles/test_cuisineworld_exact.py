"""The best of all plays of small kitchens."""

from __future__ import annotations

import pytest

from backburner.agents.planned import greedy
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.oracles.cuisineworld_bound import order_bound
from backburner.oracles.cuisineworld_exact import most_served
from backburner.worlds.cuisineworld import CuisineWorld, Limits
from support.cuisineworld import steps_of, world_of


def short(path: str, steps: int, rules: str = "standard") -> CuisineWorld:
    world = world_of(path, rules)
    return CuisineWorld(world.id, world.scenario, world.rules, Limits(steps))


def test_one_body_serves_the_first_meatcake_in_the_thirteenth_step() -> None:
    assert most_served(short("level_0@bodies=1,tau=3.0", 12)).served == 0
    best = most_served(short("level_0@bodies=1,tau=3.0", 13))
    assert best.served == 1
    steps = steps_of(world_of("level_0@bodies=1,tau=3.0"), *("\n".join(c.commands) for c in best.plan))
    assert len(steps[-1].state.served) == 1


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_one_body_cannot_do_more_than_four_meatcakes_an_episode(rules: str) -> None:
    """The bound is met here, and the greedy dispatcher is as good as anybody."""
    world = short("level_0@bodies=1,tau=1.0", 60, rules)
    assert most_served(world).served == order_bound(world).most_served == 4
    ending = play_now(world, greedy(world)).ending
    assert ending is not None and ending.numbers["completed"] == 4


def test_two_bodies_need_nine_steps() -> None:
    # 8 with a third that activates as the second puts; here one of them activates in the fifth
    assert most_served(short("level_0@tau=2.0", 8)).served == 0
    assert most_served(short("level_0@tau=2.0", 9)).served == 1


def test_the_bound_holds_where_everything_was_tried() -> None:
    world = short("level_1@bodies=1,tau=1.0", 16)
    served = most_served(world).served
    assert served is not None and served <= order_bound(world).most_served


def test_it_gives_up_honestly() -> None:
    assert most_served(short("level_5@bodies=2", 30), most_states=500).served is None
    with pytest.raises(Refused, match="one dispatcher"):
        most_served(short("level_0@seats=each", 5))
