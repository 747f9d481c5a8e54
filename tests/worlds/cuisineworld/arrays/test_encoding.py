"""CuisineWorld in numbers: codes, masks, features, score, potential and the article's reward."""

from __future__ import annotations

import random

import pytest

from backburner.arrays.encoding import encoding_of
from backburner.arrays.rewards import reward_of
from backburner.kernel.errors import Refused
from backburner.kernel.play import play_now
from backburner.kernel.replay import trajectory
from backburner.worlds.cuisineworld.agents.dispatchers import GreedyDispatcher
from backburner.worlds.cuisineworld.game.state import State
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.cuisineworld.oracle.order_bound import order_bound
from support.cuisineworld.hiding import hidden_variants
from support.cuisineworld.play import MEATCAKE, after, world_of

CODES = ("goto storage0", "get salmon", "goto blender0", "put", "goto storage0", "get flour")
"""How ``MEATCAKE`` begins."""

VARIED = (
    "level_3",
    "level_7@bodies=1",
    "level_9@bodies=3,seats=2.0+1",
    "level_12@bodies=4,decide=in_turn,seats=each",
)


def random_codes(world: CuisineWorld, state: State, rng: random.Random) -> dict[str, list[int]]:
    """A code of the mask for each body that is asked."""
    encoding = encoding_of(world)
    return {
        seat: [
            rng.choice([code for code, may in enumerate(row) if may]) for row in encoding.mask(state, seat)
        ]
        for seat in world.deciders(state)
    }


def test_codes_stand_for_commands_where_the_body_is() -> None:
    world = world_of("level_0@bodies=1")
    encoding = encoding_of(world)
    state = world.start()
    for name, command in zip(CODES, MEATCAKE, strict=False):
        decision = encoding.decision(state, "dispatcher", [encoding.actions.index(name)])
        assert decision.commands == (command,)
        state = world.step(state, {"dispatcher": decision}).state


@pytest.mark.parametrize("path", VARIED)
def test_masks_are_the_menu_and_the_world_accepts_what_they_hold(path: str) -> None:
    world, rng = world_of(path), random.Random(0)
    encoding, state = encoding_of(world), world.start()
    while asked := world.deciders(state):
        for seat in world.seats:
            masks = encoding.mask(state, seat)
            if seat not in asked:
                assert all(list(row) == [True] + [False] * (len(row) - 1) for row in masks)
                continue
            coded = {
                encoding.decision(
                    state, seat, [code if body == acting else 0 for body in range(len(masks))]
                ).commands[acting]
                for acting, row in enumerate(masks)
                for code, may in enumerate(row)
                if may
            }
            assert coded == {option.label for option in world.menu(state, seat).options}
        codes = random_codes(world, state, rng)
        step = world.step(state, {seat: encoding.decision(state, seat, codes[seat]) for seat in asked})
        assert not step.refusals
        state = step.state


def test_features_tell_what_they_are_called_by() -> None:
    world = world_of("level_0@bodies=2")
    encoding = encoding_of(world)
    state = after(world, "\n".join((MEATCAKE[0], "goto_agent1_blender0")), MEATCAKE[1])
    own, other = (
        {name for name, value in zip(encoding.feature_names, row, strict=True) if value == 1.0}
        for row in encoding.features(state, "dispatcher")
    )
    assert own == {
        "body at storage0",
        "body holds salmon",
        "body +1 at blender0",
        "order 0 for salmonMeatcake",
    }
    assert {"body at blender0", "body +1 at storage0", "body +1 holds salmon"} < other


def test_features_tell_no_order_that_the_seat_has_not_seen() -> None:
    world, rng = world_of("level_1@orders=hidden,tau=1.0,bodies=1"), random.Random(1)
    encoding, state, compared = encoding_of(world), world.start(), 0
    while world.deciders(state):
        for variant in hidden_variants(world, state, "dispatcher"):
            assert encoding.features(variant, "dispatcher") == encoding.features(state, "dispatcher")
            compared += 1
        codes = random_codes(world, state, rng)["dispatcher"]
        state = world.step(state, {"dispatcher": encoding.decision(state, "dispatcher", codes)}).state
    assert compared > 20


def test_the_potential_is_no_less_than_what_is_served_and_falls_with_it() -> None:
    """A meatcake takes 13 steps and is served in the 13th; its order waits 8 x 2.5 = 15 steps (tau 2)."""
    world = world_of("level_0@bodies=1,tau=2.0")
    encoding = encoding_of(world)
    states = [world.start()]
    for line in MEATCAKE:
        states.append(after(world, line, state=states[-1]))
    scores = [encoding.score(state) for state in states]
    potentials = [encoding.potential(state) for state in states]
    assert scores == [0.0] * 13 + [1.0]
    assert potentials[0] <= order_bound(world).most_served + 1
    assert all(score + potential >= 1 for score, potential in zip(scores, potentials, strict=True))
    assert potentials[-1] == potentials[-2] - 1
    idle = after(world, *["noop_agent0"] * 10)
    assert encoding.potential(idle) < encoding.potential(states[10])


@pytest.mark.parametrize("path", [f"level_{level}@tau=2.0,bodies=2" for level in (1, 2, 7, 11)])
def test_nobody_serves_more_than_the_potential_allows(path: str) -> None:
    """Held against a dispatcher that serves most of what is ordered, in every state."""
    world = world_of(path)
    encoding, episode = encoding_of(world), play_now(world, GreedyDispatcher(world))
    states = [world.start(), *(step.state for _, _, step in trajectory(episode, world))]
    served = encoding.score(states[-1])
    assert served >= 4
    for state in states:
        assert encoding.potential(state) >= served - encoding.score(state), state
    assert encoding.potential(states[-1]) == 0


def test_the_article_s_reward_has_its_name() -> None:
    """A body that holds an ingredient of an open order: -0.05 + 0.02 + 0.1."""
    world = world_of("level_0@bodies=1")
    reward = reward_of(world, encoding_of(world), "article")
    state = after(world, MEATCAKE[0])
    reward.begin(state)
    step = world.step(state, {"dispatcher": world.decision_type(MEATCAKE[1:2])})
    assert reward.add(state, step) == pytest.approx(0.07)


def test_a_head_chef_s_words_are_no_numbers() -> None:
    with pytest.raises(Refused, match="head chef"):
        encoding_of(world_of("level_0@head_chef=yes"))
