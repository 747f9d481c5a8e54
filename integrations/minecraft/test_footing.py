"""Ground is looked at before a farm is built: what is wrong is one line, and nothing is changed."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from farms import build, farm
from serving import CLOCK, Playing, Server

from backburner.kernel import registry
from backburner.live.install import Setup
from backburner.live.messages import Area, Cell, LiveError, Observation, Observe, PlacedBlock, Prepared
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
            LiveError, match=r"1 of its 2 places have no ground .* whose Y is the height of feet$"
        ):
            await worker.ask(hole, Prepared, 60)

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
