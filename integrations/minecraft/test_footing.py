"""Ground is looked at before a farm is built: what is wrong is one line, and nothing is changed."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter

import pytest
from farms import build, farm
from msgspec.structs import replace
from serving import CLOCK, Playing, Server

from backburner.kernel import registry
from backburner.live.bots import told_changes
from backburner.live.install import Setup
from backburner.live.messages import (
    Area,
    Cell,
    LiveError,
    Observation,
    Observe,
    PlacedBlock,
    Prepare,
    Prepared,
    Restore,
    Restored,
)
from backburner.live.stage import stage_of
from backburner.live.worker import Worker

STAGE = stage_of(registry.world("minecraft/level_1"))


async def around(worker: Worker) -> Cell:
    """The corner of level 1's farm around alex, at the height of its feet."""
    x, y, z = (int(n // 1) for n in (await worker.ask(Observe(), Observation, 30)).bots["alex"].at)
    return x - 8, y, z - 15


WRONG = {
    56: "7 of its 7 places have no ground below them, so that bots would fall (air at ",
    1: "7 of its 7 places have no ground below them, so that bots would fall (air at ",
    -1: "7 of its 7 places are not free (",
}


@pytest.mark.parametrize("up", WRONG)
def test_a_farm_in_the_air_or_in_the_earth_is_told_with_where_it_could_stand(
    up: int, server: Server, play: Playing
) -> None:
    async def playing(worker: Worker) -> None:
        x, y, z = await around(worker)
        with pytest.raises(LiveError) as caught:
            await worker.ask(STAGE.farm((x, y + up, z)), Prepared, 60)
        assert caught.value.kind == "refused"
        told = str(caught.value)
        assert told.startswith(f"the farm cannot stand at the corner {x} {y + up} {z}: {WRONG[up]}")
        assert told.endswith(f"; the ground there is flat, for corner={x},{y},{z}")
        found = await worker.ask(STAGE.farm((x, y, z)), Prepared, 60)
        assert found.changes and found.notes == ()

    play(server, playing)


def test_ground_that_is_not_flat_is_told(server: Server, play: Playing) -> None:
    """A hole under one place is no ground; a tower and a hole elsewhere are only remarked upon."""

    async def playing(worker: Worker) -> None:
        seen = await worker.ask(Observe(), Observation, 30)
        x, y, z = (int(n // 1) for n in seen.bots["alex"].at)
        area = Area((x - 1, y - 1, z - 1), (x + 4, y + 2, z + 4))
        hills = (PlacedBlock("stone", (x + 3, y, z)), PlacedBlock("air", (x + 2, y - 1, z + 2)))
        await build(worker, area=area, blocks=hills, mobs=(), starts={"alex": (x, y, z)}, rules={})
        there = {"area": area, "mobs": (), "starts": {"alex": (x, y, z)}, "rules": {}}
        found = await worker.ask(await farm(worker, blocks=(), **there), Prepared, 60)
        assert found.notes == (
            "2 of the 36 columns of the area are not flat and open, as the game as text is:"
            " bots may find no way",
        )
        hole = await farm(worker, blocks=(PlacedBlock("chest", (x + 2, y, z + 2)),), **there)
        with pytest.raises(
            LiveError,
            match=r"1 of its 2 places have no ground .* whose Y is the height of feet, or .* pad=yes$",
        ):
            await worker.ask(hole, Prepared, 60)

    play(server, playing)


async def small(worker: Worker, up: int) -> Prepare:
    """A pad of six by six so much higher than the ground, with a chest on it."""
    seen = await worker.ask(Observe(), Observation, 30)
    x, y, z = (int(n // 1) for n in seen.bots["alex"].at)
    area = Area((x, y + up, z), (x + 5, y + up + 2, z + 5))
    chest = (PlacedBlock("chest", (x + 2, y + up, z + 2)),)
    return Prepare(area, chest, starts={"alex": area.lowest}, pad=True, dry_run=False)


@pytest.mark.parametrize(("up", "floor", "cleared"), [(2, 36, 0), (-2, 0, 2 * 36 - 1)])
def test_a_pad_is_built_and_put_back(
    up: int, floor: int, cleared: int, server: Server, play: Playing
) -> None:
    """In the air a floor of 36 is laid; in the earth two layers are dug, but for the chest, which takes the
    place of what was there."""

    async def playing(worker: Worker) -> None:
        wanted = await small(worker, up)
        changes = (await worker.ask(wanted, Prepared, 60)).changes
        became = Counter(change.becomes for change in changes if change.kind == "block")
        assert became == Counter(grass_block=floor, air=cleared, chest=1)
        told = list(told_changes(changes))
        assert len(told) == 3 + (cleared > 36)  # of earth and grass, the chest, the bot
        assert len(server.look()["blocks"]) == len(changes) - 1
        restored = await worker.ask(Restore(), Restored, 60)
        assert restored == Restored((), {}) and server.look()["blocks"] == []

    play(server, playing)


def test_water_beside_a_pad_and_a_spawn_that_may_be_protected_are_told(server: Server, play: Playing) -> None:
    async def playing(worker: Worker) -> None:
        wanted = await small(worker, 0)
        x, y, z = wanted.area.lowest
        server.tell("may", name="alex", level=0)
        away = replace(wanted, dry_run=True, area=Area((x - 20, y, z), (x + 5, y + 2, z + 5)))
        (note,) = (await worker.ask(away, Prepared, 60)).notes
        assert re.match(r"alex is no operator, and the farm is \d+ blocks from where players come in: ", note)
        pool = PlacedBlock("water", (x + 6, y, z + 3))
        await build(worker, area=Area((x, y, z), (x + 6, y + 2, z + 6)), blocks=(pool,), mobs=(), starts={})
        told = rf"no pad can be built at the corner {x} {y} {z}: water at {x + 6} {y} {z + 3} would flow"
        with pytest.raises(LiveError, match=told):
            await worker.ask(wanted, Prepared, 60)

    play(server, playing)


def test_the_command_says_it_in_one_line(server: Server, setup: Setup) -> None:
    keys = f"corner=0,60,0,agreed=yes,clock={CLOCK:g},node_folder={setup.folder}"
    asked = ["live", "minecraft/level_1", "--server", f"127.0.0.1:{server.port}@{keys}"]
    done = subprocess.run([sys.executable, "-m", "backburner", *asked], capture_output=True, text=True)
    assert done.returncode == 2
    assert re.fullmatch(
        r"backburner: the farm cannot stand at the corner 0 60 0: .* for corner=0,\d+,0\n", done.stderr
    )
    assert server.look()["mobs"] == [] and server.look()["containers"] == []
