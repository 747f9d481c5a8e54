"""Farms that are built, and what an observer's report becomes."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.worlds.minecraft.game.furnace import Furnace
from backburner.worlds.minecraft.game.observed import Seen, SeenBody, SeenSlots, observed_state
from backburner.worlds.minecraft.game.state import State
from backburner.worlds.minecraft.metrics.build import BUILDER, range_of
from support.minecraft import CHICKEN, act, play, yard

OPTIONS = {"bodies": 3, "tau": 1.5, "seed": 5, "farms": 3, "ways": "10:14"}


def test_farms_are_kept_if_ways_are_as_long_as_asked_for(tmp_path: Path) -> None:
    built = BUILDER.build(tmp_path, OPTIONS, lambda most: None)
    assert not built.missing and len(built.rows) == 3
    assert all(10 <= float(str(row[1])) <= 14 for row in built.rows)
    worlds = [registry.world(id) for id in registry.expand(str(tmp_path))]
    assert [world.scenario.bodies for world in worlds] == [3, 3, 3]
    again = BUILDER.build(tmp_path, OPTIONS, lambda most: None)
    assert again.index == built.index
    with pytest.raises(Refused, match="another"):
        BUILDER.build(tmp_path, {**OPTIONS, "tau": 2.0}, lambda most: None)


def test_there_may_be_fewer_than_asked_for(tmp_path: Path) -> None:
    built = BUILDER.build(tmp_path, {**OPTIONS, "ways": "40:", "attempts": 3}, lambda most: None)
    assert built.missing.startswith("0 of 3 farms found in 3 attempts")


@pytest.mark.parametrize("ways", ["8", "8:4", "x:", "-1:", "nan:"])
def test_ranges(ways: str) -> None:
    with pytest.raises(Refused, match="--ways"):
        range_of(ways)


def reported(state: State, names: tuple[str, ...]) -> Seen:
    """What an observer would report of a state."""
    furnace = state.furnace
    slots = SeenSlots(
        *(slot if slot[1] else None for slot in (furnace.input, furnace.fuel, furnace.output)),
        furnace.burning,
        furnace.progress,
    )
    bots = {
        name: SeenBody((at[0] + 0.5, 64.0, at[1] + 0.5), dict(carried))
        for name, at, carried in zip(names, state.at, state.carried, strict=True)
    }
    return Seen(state.ticks, bots, slots, dict(state.chest))


def test_what_was_seen_of_every_step_is_the_state_of_that_step() -> None:
    world = yard()
    state = followed = world.start()
    waits = [()] * 5
    ends = ("takeOutFurnace(alex)", "goto(alex, chest)", "putInChest(alex, cooked_chicken)", *[""] * 20)
    for calls in (*[(call,) for call in CHICKEN], *waits, *[(call,) if call else () for call in ends]):
        state = act(world, state, *calls).state
        seen = msgspec.json.decode(msgspec.json.encode(reported(state, world.compiled.names)), type=Seen)
        followed = observed_state(world, followed, seen, calls=calls)
        same = replace(state, smelting=0, kills=(), feedback=followed.feedback)
        assert followed == same
    assert followed.served == (0,) and followed.arrived == 2


def test_another_place_and_strange_things_are_read() -> None:
    world = yard()
    seen = Seen(
        100,
        {"alex": SeenBody((-99.5, 64, 7.2), {"dirt": 3, "chicken": 0}), "zoe": SeenBody((0, 0, 0))},
        SeenSlots(("chicken", 1), ("coal", 2), None, -5, -1),
    )
    state = observed_state(world, world.start(), seen, origin=(-103, 3))
    assert state.at == ((3, 4), (4, 4)) and state.carried[0] == (("dirt", 3),)
    assert state.furnace == Furnace(("chicken", 1))
    assert play(world, (), state=state).ticks == 140
    nowhere = Seen(0, {"alex": SeenBody((float("nan"), 0, float("inf")))}, chest={"feather": 10**30})
    lost = observed_state(world, state, nowhere)
    assert lost.at == state.at and lost.ticks == 100
