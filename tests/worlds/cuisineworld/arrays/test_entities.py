"""What a policy that reads recipes sees: needs by hand, and the same numbers from what a seat may know."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from backburner.arrays.entities import UNDECIDED, Entities
from backburner.kernel import registry
from backburner.worlds.cuisineworld.agents.learned import _Eyes
from backburner.worlds.cuisineworld.agents.planner_state import Memory
from backburner.worlds.cuisineworld.arrays.entities import CODE_NAMES, CONTEXT_NAMES, entities
from backburner.worlds.cuisineworld.arrays.needs import NEVER, SPARE, Needs, work_out
from backburner.worlds.cuisineworld.game.scenarios import levels
from backburner.worlds.cuisineworld.game.state import State
from backburner.worlds.cuisineworld.game.world import CuisineWorld


def world_of(id: str) -> CuisineWorld:
    world = registry.world(f"cuisineworld/{id}")
    assert isinstance(world, CuisineWorld)
    return world


def row_of(made: Entities, state: State) -> Any:
    rows = made.batch.rows(1)
    for name, value in made.batch.fields(state).items():
        getattr(rows, name)[0] = value
    return rows


def needs_of(made: Entities, state: State) -> tuple[Needs, float]:
    kitchen = made.tables
    progress = work_out(kitchen.recipes, row_of(made, state), 0, kitchen.needs, kitchen.stock)
    return kitchen.needs, progress


def seen(made: Entities, rows: Any, body: int, chosen: list[int]) -> tuple[float, Any, Any, Any]:
    """Progress, mask, context, and the numbers of each allowed code by name."""
    mask = np.zeros(len(made.batch.encoding.actions), np.uint8)
    context = np.zeros(len(CONTEXT_NAMES), np.float32)
    codes = np.zeros((len(mask), len(CODE_NAMES)), np.float32)
    progress = made.look(
        made.batch.tables, made.tables, rows, 0, body, np.array(chosen), mask, context, codes
    )
    return progress, mask, context, codes * mask[:, None]


def test_the_needs_of_an_order_by_hand() -> None:
    """Level 0: salmon and flour go into the blender. One order is open, and a spare dish is wanted.

    The order: dish 3 steps of bodies, two ingredients 2 each, 7 in all. The spare dish finds no second
    blender. Progress 1 - 7/7.
    """
    world = world_of("level_0@bodies=1,seed=1")
    made = entities(world)
    encoding = made.batch.encoding
    state = world.start()
    needs, progress = needs_of(made, state)
    things = [world.compiled.things[thing] for thing in encoding.things]  # type: ignore[attr-defined]
    missing = dict(zip(things, needs.missing.tolist(), strict=True))
    assert missing == {"salmon": 2, "flour": 2, "salmonMeatcake": 2}
    assert set(needs.due.tolist()) == {state.orders[0].left}
    assert set(needs.work.tolist()) == {7}
    blender = world.compiled.places.index("blender0")
    assert things[needs.aim[blender]] == "salmonMeatcake"
    assert needs.aim_due[blender] == state.orders[0].left
    assert progress == 0
    assert set(needs.claimed.tolist()) == {NEVER}


def test_what_is_there_is_claimed_by_the_first_order() -> None:
    """With flour in hands, the first order lacks salmon alone: 3 + 2 + 1 steps are left of 7."""
    world = world_of("level_0@bodies=1,seed=1")
    made = entities(world)
    state = world.start()
    for command in ("goto_agent0_storage0", "get_agent0_flour_storage0"):
        state = world.step(state, {"dispatcher": world.parse(state, "dispatcher", command)}).state
    needs, progress = needs_of(made, state)
    encoding = made.batch.encoding
    things = [world.compiled.things[thing] for thing in encoding.things]  # type: ignore[attr-defined]
    assert dict(zip(things, needs.missing.tolist(), strict=True)) == {
        "salmon": 2,
        "flour": 1,
        "salmonMeatcake": 2,
    }
    assert needs.claimed[things.index("flour")] == state.orders[0].left
    assert needs.due[things.index("flour")] == SPARE
    assert progress == pytest.approx(1 - 6 / 7)


def test_whoever_decides_later_sees_what_those_before_have_chosen() -> None:
    world = world_of("level_0@bodies=2,seed=1")
    made = entities(world)
    state = world.start()
    rows = row_of(made, state)
    before = [np.array(array) for array in rows]
    goto_storage = made.batch.encoding.actions.index("goto storage0")
    others_there = CODE_NAMES.index("others there")
    _, _, _, alone = seen(made, rows, 1, [UNDECIDED, UNDECIDED])
    _, _, _, after = seen(made, rows, 1, [goto_storage, UNDECIDED])
    assert alone[goto_storage, others_there] == 0
    assert after[goto_storage, others_there] == 0.5
    assert all((was == array).all() for was, array in zip(before, rows, strict=True))


@pytest.mark.parametrize("level", list(levels()))
def test_a_seat_knows_all_that_the_policy_sees(level: str) -> None:
    """The numbers are the same from the state, and from what was observed and is remembered."""
    for options in ("bodies=3,seed=3,tau=1.5", "bodies=2,seats=each,seed=4,tau=1.0"):
        world = world_of(f"{level}@{options}")
        made, eyes = entities(world), _Eyes(world)
        draw, state, memory = Random(level), world.start(), Memory()
        seat = world.seats[-1]
        while world.deciders(state):
            known, memory = eyes.state(world.observe(state, seat), memory)
            chosen = [UNDECIDED] * world.scenario.bodies
            for body in range(world.scenario.bodies):
                exact = seen(made, row_of(made, state), body, chosen)
                mine = seen(made, row_of(made, known), body, chosen)
                assert mine[0] == exact[0]
                for name, array, other in zip(("mask", "context", "codes"), mine[1:], exact[1:], strict=True):
                    assert (array == other).all(), (level, state.steps, body, name)
                assert np.abs(exact[2]).max() <= 1 and np.abs(exact[3]).max() <= 1
                chosen[body] = int(draw.choice(np.nonzero(exact[1])[0]))
            encoding, first = made.batch.encoding, 0
            decisions = {}
            for each, bodies in encoding.bodies.items():
                decisions[each] = encoding.decision(state, each, chosen[first : first + len(bodies)])
                first += len(bodies)
            state = world.step(state, decisions).state


def test_the_numbers_have_the_same_names_at_all_levels() -> None:
    assert len({entities(world_of(level)).reads for level in levels()}) == 1
    assert len(set(CODE_NAMES)) == len(CODE_NAMES)
    assert len(set(CONTEXT_NAMES)) == len(CONTEXT_NAMES)
