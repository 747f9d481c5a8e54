"""How a server looks from above, as bots see it: blocks, heights, who is there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from farms import DROPS, act, build, good
from serving import CLOCK, Playing, Server

from backburner.live.install import Setup
from backburner.live.messages import (
    Area,
    Being,
    Join,
    Joined,
    LiveError,
    Observation,
    Observe,
    Place,
    PlacedBlock,
    Restore,
    Restored,
    Survey,
    Surveyed,
)
from backburner.live.own_server import SECONDS
from backburner.live.worker import Worker


@pytest.fixture(scope="module")
def common(setup: Setup) -> Iterator[Server]:
    """A server of these tests' own: others leave their farms behind."""
    server = Server(setup, CLOCK)
    yield server
    server.stop()


@pytest.fixture
def play(play: Playing) -> Playing:
    """Everything is put back at the end."""

    def run(server: Server, playing: Callable[[Worker], Awaitable[None]]) -> None:
        async def and_back(worker: Worker) -> None:
            await playing(worker)
            assert await worker.ask(Restore(), Restored, 60) == Restored(())

        play(server, and_back)

    return run


def tops(seen: Surveyed) -> dict[tuple[int, int], tuple[str, int]]:
    """The top block of each column and its height, by (x, z)."""
    cells = [(seen.kinds[kind], height) for count, kind, height in seen.runs for _ in range(count)]
    width, depth = seen.size
    assert len(cells) == width * depth
    west, north = seen.corner
    return {(west + n % width, north + n // width): cell for n, cell in enumerate(cells)}


def cell(at: Place) -> tuple[int, int]:
    return int(at[0] // 1), int(at[2] // 1)


def test_blocks_heights_and_who_is_there_are_seen(server: Server, play: Playing, setup: Setup) -> None:
    server.begin(drops=DROPS)

    async def maya() -> Worker:
        worker = await Worker.start(setup.command(CLOCK), setup.folder, setup.environment(CLOCK))
        await worker.ask(Join(host="127.0.0.1", port=server.port, bots=("Maya",)), Joined, 60)
        return worker

    async def playing(worker: Worker) -> None:
        wanted = await build(worker)
        x, y, z = wanted.starts["alex"]
        seen = await worker.ask(Survey(margin=2), Surveyed, 30)
        assert (seen.corner, seen.size, seen.floor) == ((x - 12, z - 12), (35, 35), y - 1)
        assert seen.version == "1.16.5" and seen.server.startswith("flying-squid 1.")
        above = tops(seen)
        standing = {(x + 2, z + 4): "furnace", (x + 6, z + 4): "chest", (x, z + 3): "oak_log"}
        assert {at: top for at, top in above.items() if top[1] > 0} == {
            at: (kind, 1) for at, kind in standing.items()
        }
        assert {top for at, top in above.items() if at not in standing} == {("grass_block", 0)}
        bots = {being.name: cell(being.at) for being in seen.beings if being.bot}
        assert bots == {"alex": (x, z), "steve": (x + 5, z + 1)}
        mobs = {being.kind: cell(being.at) for being in seen.beings if not being.name}
        assert mobs == {"chicken": (x + 3, z), "sheep": (x + 7, z + 1)}

        other = await maya()
        try:
            server.tell("put", name="Maya", at=[x + 1.5, y, z + 6.5])
            persons: list[Being] = []
            async with asyncio.timeout(SECONDS):
                while not persons or cell(persons[0].at) != (x + 1, z + 6):  # until alex is told of her
                    told = (await worker.ask(Survey(), Surveyed, 30)).beings
                    persons = [being for being in told if being.name and not being.bot]
            assert [(being.kind, being.name) for being in persons] == [("player", "Maya")]
        finally:
            await other.close()

    play(server, playing)


def test_a_furnace_that_burns_looks_so(server: Server, play: Playing) -> None:
    async def playing(worker: Worker) -> None:
        wanted = await build(worker)
        at = next((x, z) for x, _, z in [each.at for each in wanted.blocks if each.block == "furnace"])
        server.tell("give", name="alex", item="oak_log")
        server.tell("give", name="alex", item="chicken")
        good(await act(worker, "goto(alex, furnace)"))
        good(await act(worker, "putFuelFurnace(alex, oak_log)"))
        good(await act(worker, "putItemFurnace(alex, chicken)"))
        assert tops(await worker.ask(Survey(), Surveyed, 30))[at] == ("furnace[lit=true]", 1)
        good(await act(worker, after=400))
        seen = await worker.ask(Observe(("furnace",)), Observation, 30)
        assert seen.furnace and seen.furnace.output == ("cooked_chicken", 1)  # what it held is there yet
        assert tops(await worker.ask(Survey(), Surveyed, 30))[at] == ("furnace", 1)

    play(server, playing)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "bad-request": ({"margin": 40}, "margin is 40, not a whole number from 0 to 32"),
    "refused": ({"margin": 17}, "65 x 65 columns are more than the 4096 of a survey; ask for less margin"),
}


def test_what_is_too_large_is_refused(server: Server, play: Playing) -> None:
    async def refused(worker: Worker, request: Survey, kind: str, words: str) -> None:
        with pytest.raises(LiveError) as caught:
            await worker.ask(request, Surveyed, 30)
        assert (caught.value.kind, str(caught.value)) == (kind, words)

    async def playing(worker: Worker) -> None:
        await refused(worker, Survey(), "bad-request", "no area is marked; prepare one first")
        await build(worker)
        for kind, (fields, words) in REFUSED.items():
            await refused(worker, Survey(**fields), kind, words)

    play(server, playing)


def test_what_was_dug_is_lower_and_what_is_high_is_seen_up_to_the_ceiling(
    server: Server, play: Playing
) -> None:
    async def playing(worker: Worker) -> None:
        seen = await worker.ask(Observe(), Observation, 30)
        x, y, z = (int(n // 1) for n in seen.bots["alex"].at)
        tower = [PlacedBlock("stone", (x + 3, y + up, z)) for up in range(3)]
        hole = [PlacedBlock("air", (x + 5, y - 1, z))]
        area = Area((x - 2, y - 1, z - 2), (x + 8, y + 2, z + 4))
        await build(worker, area=area, blocks=(*tower, *hole), mobs=(), starts={"alex": (x, y, z)})
        above = tops(await worker.ask(Survey(margin=0), Surveyed, 30))
        assert above[x + 3, z] == ("stone", 3) and above[x + 5, z] == ("dirt", -1)

    play(server, playing)
