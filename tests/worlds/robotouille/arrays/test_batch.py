"""Robotouille in batches: in lockstep with the exact world, plans to their end, and what is not covered."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import backburner
from backburner.agents.planned import shipped_plan
from backburner.arrays.batch import Batch, batch_of
from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.training.lockstep import lockstep
from backburner.worlds.robotouille.arrays.encoding import RobotouilleEncoding
from backburner.worlds.robotouille.game.rule_set import STANDARD
from backburner.worlds.robotouille.game.state import State

KITCHENS = [
    *registry.expand("robotouille/quick"),
    "robotouille/synchronous/10@seed=42",
    "robotouille/asynchronous/7@seed=84",
    "robotouille/asynchronous/10@seed=42",
    "robotouille/multi_agent/1@seed=42",
    "robotouille/multi_agent/7@play=together,seed=84",
    "robotouille/multi_agent/10@play=dispatcher,robots=3,seed=42",
    "robotouille/training/asynchronous@seed=26",
]


def world_of(id: str, **changed: bool) -> Any:
    """A kitchen with the article's limits, or without where they cannot be told; with some rules changed."""
    rules = replace(STANDARD, **changed) if changed else "standard"
    return registry.world_to_look_at(id, rules=rules)[0]


@pytest.mark.slow
@pytest.mark.parametrize("id", KITCHENS)
def test_batches_agree_with_the_exact_world(id: str) -> None:
    """Menu play and, in three of ten, any code. Walking and waiting are rarer than chance would have them."""
    world = world_of(id)
    weights = [
        0.05 if name == "wait" else 0.3 if name.startswith(("move", "unstack")) else 1.0
        for name in batch_of(world).encoding.actions
    ]
    assert lockstep(world, 3, 120, 1.0, seed=1, weights=weights).outside == 0
    assert lockstep(world, 3, 60, 0.7, seed=2, weights=weights).outside > 0


def agree(batch: Batch, rows: Any, state: State) -> None:
    """The one row holds the state, and tells what the exact world tells."""
    encoding = batch.encoding
    for name, value in batch.fields(state).items():
        assert np.array_equal(getattr(rows, name)[0], value), name
    assert batch.over(batch.tables, rows, 0) == bool(state.ended)
    assert batch.score(batch.tables, rows, 0) == encoding.score(state)
    assert batch.potential(batch.tables, rows, 0) == pytest.approx(encoding.potential(state))
    seats = [(seat, body) for seat, bodies in encoding.bodies.items() for body in range(len(bodies))]
    for number, (seat, body) in enumerate(seats):
        mask = np.zeros(len(encoding.actions), np.uint8)
        batch.mask(batch.tables, rows, 0, number, mask)
        assert np.array_equal(mask, encoding.mask(state, seat)[body])
        seen = np.zeros(len(encoding.feature_names), np.float32)
        batch.features(batch.tables, rows, 0, number, seen)
        assert np.array_equal(seen, encoding.features(state, seat)[body])


def codes_of(numbers: RobotouilleEncoding, state: State, decisions: dict[str, Any]) -> list[int]:
    """The codes of what was decided, and waiting for all others."""
    codes = []
    for seat, robots in numbers.robots_of.items():
        wanted = decisions[seat].acts if seat in decisions else ()
        for robot in robots:
            possible = numbers.codes.possible(state.kitchen, robot)
            codes.append(next((code for code, name in possible.items() if name in wanted), 0))
    return codes


PLANNED = [
    f"robotouille/{task}@seed=42"
    for task in (
        *(f"synchronous/{number}" for number in (1, 4, 7, 10)),
        *(f"asynchronous/{number}" for number in (1, 3, 5, 7, 10)),
        *(f"multi_agent/{number}" for number in (1, 6, 10)),
    )
]


@pytest.mark.parametrize("id", PLANNED)
def test_plans_end_alike_whatever_slips_in_between(id: str) -> None:
    """The shipped plan, in which now and then something else is done that the next step takes back: cooking,
    cutting, boiling and pouring come to their end, and so does the goal."""
    world = world_of(id)
    batch, draw = batch_of(world), random.Random(id)
    numbers: Any = batch.encoding
    rows, drawn = batch.rows(1), np.zeros(1, np.int32)
    policy = shipped_plan(world)
    assert policy is not None
    entries = backburner.play_now(world, policy).entries
    state = world.start()
    batch.start(batch.tables, rows, 0, drawn)
    for entry in entries:
        agree(batch, rows, state)
        if draw.random() < 0.15 and state.steps + len(entries) < world.limits.steps:
            state = self_same(world, batch, rows, state, draw)
        decisions = {seat: answer.decision for seat, answer in entry.answers.items()}
        codes = codes_of(numbers, state, decisions)
        state = world.step(state, decisions).state
        batch.step(batch.tables, rows, 0, drawn, np.array(codes))
    agree(batch, rows, state)
    assert state.ended == "completed" and not batch.cut_off(batch.tables, rows, 0)


def self_same(world: Any, batch: Batch, rows: Any, state: State, draw: random.Random) -> State:
    """A decision that is refused: it takes no time and changes nothing but what is counted."""
    numbers, drawn = batch.encoding, np.zeros(1, np.int32)
    codes, decisions = [], {}
    for seat, bodies in numbers.bodies.items():
        shut = [c for c, is_open in enumerate(numbers.mask(state, seat)[0]) if not is_open]
        own = [draw.choice(shut) for _ in bodies]
        codes += own
        decisions[seat] = numbers.decision(state, seat, own)
    batch.step(batch.tables, rows, 0, drawn, np.array(codes))
    return world.step(state, decisions).state


@pytest.mark.parametrize("field", ["missing_guards", "config_ignored", "boiling_at_a_distance"])
def test_some_defects_of_the_release_are_covered_as_well(field: str) -> None:
    world = world_of("robotouille/asynchronous/3@seed=42", **{field: True})
    assert lockstep(world, 2, 80, 0.8, seed=3).steps == 160


@pytest.mark.parametrize(
    ("id", "told"),
    [
        ("robotouille/synchronous/1@seed=42", "rules with skipped_ticks=true"),
        ("robotouille/multi_agent/1@seed=42", "rules with skipped_ticks=true"),
    ],
)
def test_what_is_not_covered_is_refused_with_its_name(id: str, told: str) -> None:
    with pytest.raises(Refused, match=f"a batch does not cover {told}; the exact world does"):
        batch_of(backburner.world(id, rules="released", limits="none"))


@pytest.mark.parametrize("field", ["timers_stay_at_station", "nested_once", "goal_names_in_part"])
def test_each_rule_that_is_not_covered_is_told(field: str) -> None:
    with pytest.raises(Refused, match=f"rules with {field}=true"):
        batch_of(world_of("robotouille/synchronous/1@seed=42", **{field: True}))
    with pytest.raises(Refused, match="rules with joint_step_breaks_off=true"):
        batch_of(world_of("robotouille/multi_agent/1@seed=42", joint_step_breaks_off=True))
