"""Shaping changes no optimal policy: shown by the best codes in every state of small TimeArena scenarios."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.arrays.encoding import Encoding, Reward, encoding_of
from backburner.arrays.rewards import ExactRise, Risen, reward_of
from backburner.kernel import registry
from backburner.kernel.errors import Refused, UnknownName
from backburner.worlds.timearena.game import Limits, TimeArena
from backburner.worlds.timearena.game.state import OPENING, State
from backburner.worlds.timearena.game.transition import AGENT
from support.timearena.small_tasks import Doing, doings, small_world

ENOUGH = 1e-9

Policies = Mapping[State, frozenset[int]]
"""The codes that are best in each state."""


def optimal(world: TimeArena, numbers: Encoding[Any, Any], reward: Reward[Any], discount: float) -> Policies:
    """By value iteration backwards from the ends; every step takes time, so that no state comes again.

    What was told last changes nothing of what follows, and is left out of states.
    """
    best: dict[State, tuple[float, frozenset[int]]] = {}

    def value(state: State) -> float:
        if state.ended:
            return 0.0
        if state not in best:
            worth = {}
            for code, allowed in enumerate(numbers.mask(state, AGENT)[0]):
                if allowed:
                    step = world.step(state, {AGENT: numbers.decision(state, AGENT, [code])})
                    after = replace(step.state, feedback=OPENING, reports=())
                    worth[code] = reward.add(state, step) + discount * value(after)
            most = max(worth.values())
            best[state] = most, frozenset(code for code, each in worth.items() if each > most - ENOUGH)
        return best[state][0]

    value(world.start())
    return {state: codes for state, (_, codes) in best.items()}


def policies(world: TimeArena, *names: str, discount: float) -> list[Policies]:
    """The optimal ones for each of these rewards."""
    numbers = encoding_of(world)
    return [optimal(world, numbers, reward_of(world, numbers, name, discount), discount) for name in names]


small_worlds = st.builds(
    lambda tasks, minutes: small_world(*tasks, limits=Limits(minutes=minutes)),
    st.lists(doings(3), min_size=1, max_size=2),
    st.integers(4, 12),
)


@settings(max_examples=40)
@given(small_worlds)
def test_all_rewards_have_the_same_optimal_policies(world: TimeArena) -> None:
    """In every state that play can get to, what is best now and in the long run."""
    sparse, score, shaped = policies(world, "sparse", "score", "potential", discount=1.0)
    assert sparse == score == shaped


@settings(max_examples=40)
@given(small_worlds, st.sampled_from([0.5, 0.9, 0.99]))
def test_with_a_discount_shaping_changes_nothing_either(world: TimeArena, discount: float) -> None:
    """It is another task than without (what comes late is worth less), for both rewards alike."""
    score, shaped = policies(world, "score", "potential", discount=discount)
    assert score == shaped


TWO = (
    [Doing("wash", "rice", minutes=2), Doing("heat", "rice", minutes=3, after=(0,))],
    [Doing("chop", "beef", minutes=2)],
)
"""Best: wash, heat (3 minutes by itself), chop meanwhile: 5 minutes."""


def test_shaping_by_the_exact_value_changes_nothing_and_pays_for_losses_alone() -> None:
    """Wherever all can be done in time: nothing for what is best, and what it loses for anything else."""
    pytest.importorskip("ortools", reason="the oracle needs it: pip install -e '.[solve]'")
    world = small_world(*TWO, limits=Limits(minutes=12))
    numbers = encoding_of(world)
    score, valued = policies(world, "score", "value", discount=1.0)
    assert score == valued and len(score) > 50
    reward, hoped = reward_of(world, numbers, "value"), ExactRise(world, numbers)
    assert hoped(world.start()) == pytest.approx(1 + 7 / 12)
    in_time = {state: best for state, best in valued.items() if numbers.score(state) + hoped(state) >= 1}
    assert len(in_time) > 30
    for state, best in in_time.items():
        for code, allowed in enumerate(numbers.mask(state, AGENT)[0]):
            if allowed:
                step = world.step(state, {AGENT: numbers.decision(state, AGENT, [code])})
                paid = reward.add(state, step)
                assert paid == pytest.approx(0) if code in best else paid < -ENOUGH


class Naive(Risen):
    """What shaping must not do: pay for where one stands."""

    def add(self, before: Any, step: Any) -> float:
        """The rise and the potential."""
        return super().add(before, step) + 2 * self._potential(step.state)


def test_paying_for_the_potential_itself_would_change_policies() -> None:
    """The comparison above notices it."""
    world = small_world(*TWO, limits=Limits(minutes=12))
    numbers = encoding_of(world)
    (score,) = policies(world, "score", discount=1.0)
    assert optimal(world, numbers, Naive(numbers.score, numbers.potential, 1.0), 1.0) != score


@pytest.mark.parametrize("id", ["timearena/household1", "recipe2plan/Cobbler@lags=off"])
def test_the_exact_value_is_there_for_published_scenarios(id: str) -> None:
    """Along random play the value and the score only fall together: every reward is 0 or a loss."""
    pytest.importorskip("ortools", reason="the oracle needs it: pip install -e '.[solve]'")
    world = registry.world(id)
    numbers, random = encoding_of(world), Random(2)
    (seat,) = world.seats
    reward = reward_of(world, numbers, "value")
    state, paid = world.start(), []
    while world.deciders(state):
        codes = [code for code, ok in enumerate(numbers.mask(state, seat)[0]) if ok]
        step = world.step(state, {seat: numbers.decision(state, seat, [random.choice(codes)])})
        paid.append(reward.add(state, step))
        state = step.state
    assert all(each <= ENOUGH for each in paid)
    assert numbers.score(state) > 1


def test_where_the_oracle_has_no_answer_the_bound_stands() -> None:
    """For steps done in part, for one: the rewards still add up to the score less what was hoped for."""
    pytest.importorskip("ortools", reason="the oracle needs it: pip install -e '.[solve]'")
    world = registry.world("recipe2plan/Tacos+Smore-Bars@lags=off")
    numbers = encoding_of(world)
    reward, state, total = reward_of(world, numbers, "value"), world.start(), 0.0
    hoped, pieces = ExactRise(world, numbers)(state), 0
    while world.deciders(state):
        code = max(code for code, ok in enumerate(numbers.mask(state, "cook")[0]) if ok)
        pieces += numbers.actions[code].endswith("until something has ended")
        step = world.step(state, {"cook": numbers.decision(state, "cook", [code])})
        total += reward.add(state, step)
        state = step.state
    assert pieces and total == pytest.approx(numbers.score(state) - hoped)


def no_value(id: str) -> Callable[[], object]:
    world = registry.world(id)
    return lambda: reward_of(world, encoding_of(world), "value")


def test_who_has_no_exact_value_says_so() -> None:
    with pytest.raises(Refused, match=r"plans from the beginning only|does not follow from when"):
        no_value("cuisineworld/level_0@tau=2.0")()
    world = registry.world("timearena/household1")
    with pytest.raises(UnknownName, match=r"unknown reward 'velue'.*value"):
        reward_of(world, encoding_of(world), "velue")
