"""Records and decisions of strangers: one clear error, at once, or a refusal; never a crash."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.kernel.errors import BackburnerError
from backburner.worlds.minecraft.game import Calls
from backburner.worlds.minecraft.game.catalogue import catalogue
from support.minecraft.play import DISPATCHER, world_of, yard
from support.promptly import within

RULES = msgspec.to_builtins(world_of("level_2").rules)
LIMITS = msgspec.to_builtins(world_of("level_2").limits)


def scenario(**changes: Any) -> dict[str, Any]:
    written: dict[str, Any] = msgspec.to_builtins(world_of("level_2").scenario)
    return {**written, **changes}


@pytest.mark.parametrize(
    "changes",
    [
        {"bodies": 3},
        {"blocks": []},
        {"blocks": [{"kind": "lava", "at": [0, 0]}]},
        {"mobs": [{"kind": "chicken", "at": [0, 0]}] * 100_000},
        {"mobs": [{"kind": "chicken", "at": [10**30, 0]}]},
        {"spawns": []},
        {"spawns": [[0, 0]] * 100_000},
        {"dishes": ["cooked_chicken"] * 100_000},
        {"dishes": ["x" * 1_000_000]},
        {"level": "a\x1b[2Jb"},
        {"level": "a" * 1_000_000},
        {"interval": 0},
        {"lifetime": 10**12},
        {"steps": 10**12},
        {"seed": 2**80},
        {"tau": -1.0},
        {"groups": [[0], [7]]},
        {"groups": [[]]},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_scenario_that_cannot_be_played_is_one_line(changes: Mapping[str, Any]) -> None:
    with within(1), pytest.raises((BackburnerError, msgspec.ValidationError)) as caught:
        catalogue.restore("minecraft/level_2", scenario(**changes), RULES, LIMITS)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 600


def test_the_longest_wait_between_orders_is_one_quick_step() -> None:
    """Orders that came in no time would make a step as long as one likes: an interval is a step at least."""
    world = catalogue.restore("minecraft/x", scenario(interval=1, lifetime=1), RULES, LIMITS)
    with within(0.1):
        step = world.step(world.start(), {DISPATCHER: Calls(("goto(alex, cow)",))})
    assert step.state.arrived <= 3


texts = st.text(max_size=40) | st.from_regex(
    r"[a-zA-Z]{1,9}\((alex|steve|bob), ?[a-z_]{0,12}\)", fullmatch=True
)


@settings(max_examples=80)
@given(st.sampled_from(["standard", "released"]), st.lists(st.lists(texts, max_size=5), max_size=5), texts)
def test_any_calls_are_one_step_each(rules: str, steps: list[list[str]], answer: str) -> None:
    world = yard(rules)
    state = world.start()
    for number, calls in enumerate(steps, 1):
        state = world.step(state, {DISPATCHER: Calls(tuple(calls))}).state
        assert state.steps == number
        world.describe(world.observe(state, DISPATCHER))
    decision = world.parse(state, DISPATCHER, answer)
    assert world.step(state, {DISPATCHER: decision}).state.steps == len(steps) + 1
