"""A farm on a server, and decisions as bots' calls."""

from __future__ import annotations

import pytest

from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.live.messages import Call, PlacedBlock, PlacedMob
from backburner.live.stage import stage_of
from backburner.worlds.minecraft.game.actions import Calls
from backburner.worlds.minecraft.game.facts import drops
from backburner.worlds.minecraft.live.stage import MARGIN, told_drops


def test_the_farm_is_moved_to_its_corner() -> None:
    """Level 1 goes from the bot at (-10, -15) to x = 2 of the furnace and z = 10 of the other bot."""
    stage = stage_of(registry.world("minecraft/level_1"))
    farm = stage.farm((100, 64, 200))
    assert stage.bots == ("alex", "steve") and MARGIN == 2
    assert farm.dry_run and farm.area.lowest == (100, 64, 200)
    assert farm.area.highest == (100 + 12 + 4, 67, 200 + 25 + 4)
    assert farm.starts == {"alex": (102, 64, 202), "steve": (102, 64, 227)}
    assert PlacedBlock("furnace", (114, 64, 215)) in farm.blocks
    assert farm.mobs == (PlacedMob("sheep", (107, 64, 207)), PlacedMob("chicken", (109, 64, 207)))


@pytest.mark.parametrize("level", ["level_1", "level_2"])
def test_everything_stands_inside_the_area(level: str) -> None:
    farm = stage_of(registry.world(f"minecraft/{level}")).farm((0, 10, 0))
    cells = [*(b.at for b in farm.blocks), *(m.at for m in farm.mobs), *farm.starts.values()]
    for cell in cells:
        for low, here, high in zip(farm.area.lowest, cell, farm.area.highest, strict=True):
            assert low <= here <= high
    assert len(set(cells)) == len(cells)


def test_calls_go_to_their_bots_and_what_is_none_is_left_out() -> None:
    stage = stage_of(registry.world("minecraft/level_1"))
    said = Calls(("goto(alex, chicken)", "fly(alex)", "takeOutFurnace(steve)"))
    act = stage.act({"dispatcher": said})
    assert act and act.calls == (Call("alex", "goto", ("chicken",)), Call("steve", "takeOutFurnace"))
    assert (act.renew, act.until, act.put_waits, act.before, act.after) == ("after", "all", 0, 20, 20)


def test_the_release_s_rules_are_those_of_the_bots() -> None:
    stage = stage_of(registry.world("minecraft/level_1", rules="released"))
    act = stage.act({"dispatcher": Calls(("goto(alex, chicken)",))})
    assert act and (act.renew, act.until, act.put_waits, act.stacks) == ("during", "error", 300, 1)
    voided = stage.act({"dispatcher": Calls(("goto(alex, chicken)", "fly(steve, away)"))})
    assert voided and voided.calls == ()


def test_an_instructor_lets_no_time_pass() -> None:
    world = registry.world("minecraft/level_1@instructor=yes")
    stage = stage_of(world)
    assert stage.act({"instructor": Calls((), "cook")}) is None
    assert stage.act({"dispatcher": Calls(())}) is not None


def test_a_server_is_told_what_the_world_draws() -> None:
    told = told_drops(123)
    assert told["sheep"][4] == dict(drops(123, "sheep", 4))
    assert set(told) == {"chicken", "cow", "pig", "sheep"}


def test_other_worlds_say_that_they_cannot() -> None:
    with pytest.raises(Refused, match="cuisineworld/level_1 cannot be played on a live server"):
        stage_of(registry.world("cuisineworld/level_1"))
