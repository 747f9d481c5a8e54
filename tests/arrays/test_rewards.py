"""Rewards, worked out by hand on the relay: half a point for oiled hinges, one for an open door."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from backburner.arrays.encoding import Encoding, encoding_of
from backburner.arrays.rewards import reward_of, score_of
from backburner.kernel import registry
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.values import Step
from support.small_worlds.relay import READER, RUNNER, Limits, Oil, Press, Relay, Rest, State
from support.small_worlds.relay_arrays import RelayEncoding

WORLD = Relay()
NUMBERS: Encoding[Any, Any] = RelayEncoding(WORLD)

OPENING = (
    {READER: Oil(), RUNNER: Press("red")},
    {RUNNER: Press("blue")},
    {READER: Rest()},
)
"""Oiled 0-4, red pressed 0-2, blue 2-5 (the luck below has presses of 2 and then 3 steps), rest 4-5, open."""


def first() -> State:
    return replace(WORLD.start(0), code=("red", "blue"), luck=1 << 8)


def rewards(
    name: str, discount: float = 1.0, play: Sequence[Any] = OPENING, world: Relay = WORLD
) -> list[float]:
    """What each step of the play is worth."""
    state, found = first(), []
    reward = reward_of(world, RelayEncoding(world), name, discount)
    reward.begin(state)
    for decisions in play:
        step = world.step(state, decisions)
        found.append(reward.add(state, step))
        state = step.state
    return found


def test_the_play_is_as_the_examples_below_have_it() -> None:
    states = [first()]
    for decisions in OPENING:
        states.append(WORLD.step(states[-1], decisions).state)
    assert [state.time for state in states] == [0, 2, 4, 5]
    assert [NUMBERS.score(state) for state in states] == [0, 0, 0.5, 1.5]
    assert [NUMBERS.potential(state) for state in states] == [1.5, 1.5, 1.0, 0]
    assert states[-1].ended == "open"


def test_sparse_pays_the_score_when_the_episode_is_over() -> None:
    assert rewards("sparse") == [0, 0, 1.5]


def test_score_pays_each_rise() -> None:
    assert rewards("score") == [0, 0.5, 1.0]


def test_a_bound_that_is_met_leaves_nothing_to_pay() -> None:
    # Each rise of the score is what the potential falls by.
    assert rewards("potential") == [0, 0, 0]


def test_potential_pays_with_the_discount_of_the_learner() -> None:
    # 0 + 0.9 * 1.5 - 1.5 = -0.15; 0.5 + 0.9 * 1.0 - 1.5 = -0.1; 1 + 0.9 * 0 - 1 = 0
    assert rewards("potential", 0.9) == pytest.approx([-0.15, -0.1, 0])


@pytest.mark.parametrize("discount", [1.0, 0.99, 0.5, 0.0])
def test_shaping_changes_every_return_by_the_first_potential(discount: float) -> None:
    """So that it changes no comparison of policies: Ng, Harada and Russell, theorem 1."""

    def discounted(found: Sequence[float]) -> float:
        return sum(discount**number * each for number, each in enumerate(found))

    shaped, plain = discounted(rewards("potential", discount)), discounted(rewards("score", discount))
    assert shaped == pytest.approx(plain - NUMBERS.potential(first()))


def test_an_episode_that_is_cut_off_pays_what_it_has() -> None:
    # The limit of 4 steps comes with the oil: half a point, and nothing is left to hope for.
    short = Relay(Limits(steps=4))
    assert rewards("sparse", world=short) == [0, 0.5, 0]
    assert rewards("score", world=short) == [0, 0.5, 0]
    assert rewards("potential", world=short) == [0, 0.5 - 1.5, 0]


def test_a_step_after_the_end_is_worth_nothing() -> None:
    again = (*OPENING, {READER: Rest()})
    for name in ("sparse", "score", "potential", "pressed"):
        assert rewards(name, play=again)[3:] == [0]


def test_a_worlds_own_rewards_go_by_their_names() -> None:
    assert rewards("pressed") == [0.1, 0, 0.1]


def test_without_numbers_the_score_is_what_is_completed() -> None:
    class Told(Relay):
        def outcome(self, state: State) -> Any:
            outcome = super().outcome(state)
            return replace(outcome, numbers=outcome.numbers | {"completed": int(state.ended == "open")})

    world, last = Told(), replace(first(), ended="open")
    assert [score_of(world, None)(state) for state in (first(), last)] == [0, 1]
    assert score_of(Relay(), None)(last) == 0, "this outcome tells nothing of it"
    reward = reward_of(world, None, "sparse")
    assert reward.add(first(), Step(last)) == 1


@pytest.mark.parametrize(
    ("name", "told"),
    [("sparce", "did you mean sparse"), ("presed", "did you mean pressed"), ("?", "known: sparse, score")],
)
def test_an_unknown_reward_is_answered_with_the_nearest(name: str, told: str) -> None:
    with pytest.raises(UnknownName, match=told):
        reward_of(WORLD, NUMBERS, name)


@pytest.mark.parametrize("discount", [-0.1, 1.1, float("nan")])
def test_a_discount_is_between_0_and_1(discount: float) -> None:
    with pytest.raises(Refused, match="from 0 to 1"):
        reward_of(WORLD, NUMBERS, "score", discount)


@pytest.mark.parametrize("id", ["timearena/household1", "recipe2plan/Cobbler+Pancakes@lags=off"])
def test_rewards_of_an_episode_of_chance_add_up_to_its_score(id: str) -> None:
    """By what the worlds' packs name; the potential ends at 0, so that it pays what it began with less."""
    world = registry.world(id, limits="article")
    (seat,), numbers, random = world.seats, encoding_of(world), Random(5)
    rewards = {name: reward_of(world, numbers, name) for name in ("sparse", "score", "potential")}
    state = world.start()
    for reward in rewards.values():
        reward.begin(state)
    sums, first = dict.fromkeys(rewards, 0.0), numbers.potential(state)
    while world.deciders(state):
        codes = [code for code, is_open in enumerate(numbers.mask(state, seat)[0]) if is_open]
        step = world.step(state, {seat: numbers.decision(state, seat, [random.choice(codes)])})
        for name, reward in rewards.items():
            sums[name] += reward.add(state, step)
        state = step.state
    score = numbers.score(state)
    assert score > 1
    assert sums == pytest.approx({"sparse": score, "score": score, "potential": score - first})
