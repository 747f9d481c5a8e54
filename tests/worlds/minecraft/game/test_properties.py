"""What holds in whatever is played."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.worlds.minecraft.game import Calls, Minecraft
from backburner.worlds.minecraft.game.actions import PARAMETERS, spelt
from backburner.worlds.minecraft.game.physics import COOKED, MOBS, RAW, drops
from backburner.worlds.minecraft.game.state import State, count_of
from support.minecraft.play import act, world_of

THINGS = (*MOBS, *COOKED, *RAW, "furnace", "chest", "oak_log", "feather", "nothing")
calls = st.builds(
    lambda verb, bot, thing: spelt(verb, bot, thing if PARAMETERS.get(verb, ("x",)) else ""),
    st.sampled_from([*PARAMETERS, "dance"]),
    st.sampled_from(["alex", "steve", "zoe"]),
    st.sampled_from(THINGS),
)
paths = st.sampled_from(["level_1@tau=1.0", "level_2@tau=1.5", "farm/2"])
rule_sets = st.sampled_from(["standard", "released"])


def items_in(state: State) -> Counter[str]:
    """Everything there is, wherever it is."""
    found: Counter[str] = Counter()
    for items in (*state.carried, state.chest):
        found.update(dict(items))
    for item, count in (state.furnace.input, state.furnace.fuel, state.furnace.output):
        found[item] += count
    return found


@settings(max_examples=60)
@given(paths, rule_sets, st.integers(0, 999), st.lists(st.lists(calls, max_size=3), max_size=12))
def test_nothing_is_made_of_nothing(path: str, rules: str, seed: int, steps: list[list[str]]) -> None:
    world = world_of(path, rules)
    state = _busy(world, seed)
    for given_calls in steps:
        before, step = state, act(world, state, *given_calls)
        state = step.state
        _check_times(before, state, [float(event.time) for event in step.events])
        had, has = items_in(before), items_in(state)
        for raw, cooked in COOKED.items():
            gained = sum(
                dict(drops(state.stream, kind, number)).get(raw, 0)
                for kind in MOBS
                for number in range(count_of(before.kills, kind), count_of(state.kills, kind))
            )
            assert has[raw] + has[cooked] == had[raw] + had[cooked] + gained
            assert has[cooked] >= had[cooked]
        assert all(count > 0 for items in (*state.carried, state.chest) for _, count in items)
        for dish, name in enumerate(world.compiled.dishes):
            assert state.served.count(dish) <= count_of(state.chest, name)
        assert len(state.orders) + len(state.served) + state.expired == state.arrived
        assert not set(state.at) & world.compiled.taken


def _busy(world: Minecraft, seed: int) -> State:
    """The state after twenty steps from the menu."""
    state, draw = world.start(), random.Random(seed)
    for _ in range(20):
        options = world.menu(state, "dispatcher").options
        state = world.step(state, {"dispatcher": draw.choice(options).decision}).state
    return state


def _check_times(before: State, after: State, times: list[float]) -> None:
    assert after.ticks >= before.ticks + 40 and after.steps == before.steps + 1
    assert times == sorted(times)
    assert not times or (before.ticks <= times[0] * 20 and times[-1] * 20 <= after.ticks)


@settings(max_examples=40)
@given(paths, rule_sets, st.integers(0, 999))
def test_what_a_menu_offers_to_each_bot_can_be_done_by_all_of_them(path: str, rules: str, seed: int) -> None:
    """Each alone is never refused; together, one may come too late for what another takes."""
    world = world_of(path, rules)
    state, draw = _busy(world, seed), random.Random(seed)
    options = world.menu(state, "dispatcher").options
    for option in options:
        assert not world.step(state, {"dispatcher": option.decision}).refusals
    pair = [draw.choice([each for each in options if each.body == name]) for name in ("alex", "steve")]
    step = world.step(state, {"dispatcher": world.together([each.decision for each in pair])})
    assert {refusal.code for refusal in step.refusals} <= {"no_mob", "no_block", "no_output", "slot_taken"}


@given(st.sampled_from(sorted(MOBS)), st.integers(0, 10**6), st.integers(0, 500))
def test_drops_are_those_of_the_game(kind: str, seed: int, number: int) -> None:
    found = dict(drops(seed, kind, number))
    for item, least, most in MOBS[kind].drops:
        assert least <= found.pop(item, 0) <= most
    assert not found


def test_drops_stay_what_they_are() -> None:
    """A server is told them in advance, and records replay by them."""
    assert [drops(123, "sheep", number)[0][1] for number in range(8)] == SHEEP
    assert [dict(drops(123, "chicken", number)).get("feather", 0) for number in range(8)] == CHICKENS


SHEEP = [1, 2, 2, 1, 2, 1, 1, 1]
CHICKENS = [1, 2, 1, 2, 0, 2, 0, 1]


def test_an_empty_decision_is_one_step_of_forty_ticks() -> None:
    world = world_of("level_2")
    assert world.step(world.start(), {"dispatcher": Calls(())}).state.ticks == 40
