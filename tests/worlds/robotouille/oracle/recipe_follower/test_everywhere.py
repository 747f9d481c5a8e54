"""The recipe follower where it has not been before: any state, another domain, the published kitchens."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.kernel import registry
from backburner.worlds.robotouille.game import Robotouille
from backburner.worlds.robotouille.game.scenarios import PLAYS
from backburner.worlds.robotouille.game.state import State
from backburner.worlds.robotouille.oracle.recipe_follower.follower import Mind, RecipeFollower, followed_plan
from support.robotouille.followed import told
from support.robotouille.greenhouse import OPENING, greenhouse
from support.robotouille.kitchens import say
from support.robotouille.random_kitchens import choices, walk, worlds

GREENHOUSES = [
    greenhouse(rules, play, gardeners, ahead=ahead)
    for rules in ("standard", "released")
    for play, gardeners in (("turns", 1), ("together", 2), ("dispatcher", 2))
    for ahead in (False, True)
]


def last_of(world: Robotouille, numbers: list[int]) -> State:
    """Where play by these numbers comes to."""
    state = world.start()
    for turn in walk(world, numbers):
        state = turn.step.state
    return state


def follows(world: Robotouille, state: State, most_steps: int) -> None:
    """It decides for some steps. What it does is possible, unless others do something in the same step."""
    follower = RecipeFollower(world)
    minds: dict[str, Mind] = {}
    for n in range(most_steps):
        seats = world.deciders(state)
        decided = {}
        for seat in seats:
            menu = world.menu(state, seat)
            decided[seat], minds[seat] = follower.decide(state, seat, menu, minds.get(seat), f"{seat}/{n}")
        step = world.step(state, decided)
        assert not step.refusals or len(seats) > 1
        state = step.state


@settings(max_examples=20)
@given(worlds(), choices, st.integers(0, 60))
def test_it_has_an_answer_in_every_state_of_every_kitchen(
    world: Robotouille, numbers: list[int], most_turns: int
) -> None:
    follows(world, last_of(world, numbers[:most_turns]), most_steps=20)


@settings(max_examples=20)
@given(st.sampled_from(GREENHOUSES), choices, st.integers(0, 60))
def test_it_has_an_answer_in_every_state_of_the_greenhouse(
    world: Robotouille, numbers: list[int], most_turns: int
) -> None:
    follows(world, last_of(world, numbers[:most_turns]), most_steps=20)


@settings(max_examples=20)
@given(worlds(), choices, st.integers(0, 60))
def test_its_plans_reach_the_goal(world: Robotouille, numbers: list[int], most_turns: int) -> None:
    state = last_of(world, numbers[:most_turns])
    plan = followed_plan(world, state, most_steps=30)
    for decided in plan or ():
        assert not state.ended
        state = world.step(state, decided).state
    assert plan is None or state.ended == "completed"


WATER, WEED, FEED = "Water bed1 as gardener1", "Weed bed1 as gardener1", "Feed seedling1 as gardener1"
UNTIL_RIPE = {
    "standard": (*OPENING, WATER, WATER, WEED, "Wait", "Wait", FEED, FEED),
    "released": (*OPENING, *[WATER] * 3, *["Wait"] * 3, *[FEED] * 3),
}


@pytest.mark.parametrize("rules", UNTIL_RIPE)
def test_it_reaps_in_a_domain_that_is_no_kitchen(rules: str) -> None:
    """The seedling is ripe: harvest, lay the cress on the bench, shut the tap. Five steps are the fewest."""
    world = greenhouse(rules)
    ripe = say(world, world.start(), *UNTIL_RIPE[rules])
    assert told(world, ripe) == [
        "harvest(m=seedling1,p=gardener1,s=bed1)",
        "Walk from bed1 to bench1 as gardener1",
        "Put cress1 on bench1 as gardener1",
        "Walk from bench1 to tap1 as gardener1",
        "Shut tap1 as gardener1",
    ]


@pytest.mark.parametrize("play", PLAYS)
@pytest.mark.parametrize("rules", ["standard", "released"])
def test_it_completes_published_kitchens(rules: str, play: Any) -> None:
    """One of each suite; any kitchen of the suites can be completed."""
    for id in ("synchronous/2@seed=7", "asynchronous/3@seed=7", "multi_agent/5@seed=7"):
        world = registry.world(f"robotouille/{id.replace('@', f'@play={play},')}", rules=rules, limits="none")
        assert isinstance(world, Robotouille)
        assert followed_plan(world, world.start()), id
