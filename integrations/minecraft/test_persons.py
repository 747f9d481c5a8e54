"""A person beside the bots: another client of the same server, whose place, hands and words are told."""

from __future__ import annotations

import json
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from farms import build
from msgspec.structs import replace
from serving import CLOCK, Playing, Server

from backburner.live.install import SOURCES, Setup
from backburner.live.messages import (
    Area,
    Done,
    Event,
    Join,
    Joined,
    Observation,
    Observe,
    Prepare,
    Prepared,
    Say,
    Wait,
    Waited,
)
from backburner.live.worker import Worker

PERSON = "Maya"


@asynccontextmanager
async def person(setup: Setup, server: Server, name: str = PERSON) -> AsyncIterator[Worker]:
    """Somebody who plays with a client of their own."""
    async with await Worker.start(setup.command(CLOCK), setup.folder, setup.environment(CLOCK)) as client:
        await client.ask(Join(host="127.0.0.1", port=server.port, bots=(name,)), Joined, 60)
        yield client


async def around_alex(worker: Worker, far: int) -> Area:
    x, y, z = (int(n // 1) for n in (await worker.ask(Observe(), Observation, 30)).bots["alex"].at)
    return Area((x - far, y - 1, z - far), (x + far, y + 3, z + far))


def test_persons_in_the_area_are_observed_with_what_they_carry(
    server: Server, play: Playing, setup: Setup
) -> None:
    async def playing(worker: Worker) -> None:
        async with person(setup, server) as client:
            seen = await worker.ask(Observe(), Observation, 30)
            assert seen.persons == {}  # there is no area yet
            around = await around_alex(worker, 60)
            await build(worker, area=around)
            server.tell("give", name=PERSON, item="oak_log", count=3)
            server.tell("give", name=PERSON, item="chicken")
            await worker.ask(Wait(ticks=10), Waited, 30)
            seen = await worker.ask(Observe(), Observation, 30)
            assert list(seen.persons) == [PERSON] and set(seen.bots) == {"alex", "steve"}
            assert seen.persons[PERSON].inventory == {"oak_log": 3, "chicken": 1}
            where = (await client.ask(Observe(), Observation, 30)).bots[PERSON].at
            assert seen.persons[PERSON].at == where
            await client.ask(Say(bot=PERSON, text="alex, cook my chicken"), Done, 30)
            await worker.ask(Wait(ticks=10), Waited, 30)
            assert list(worker.events) == [Event("chat", PERSON, "alex, cook my chicken")]
            far = replace(around, lowest=(around.highest[0], *around.lowest[1:]))
            await worker.ask(Prepare(area=far, wild=True, dry_run=False), Prepared, 30)
            assert (await worker.ask(Observe(), Observation, 30)).persons == {}  # not inside of that one

    play(server, playing)


def test_bots_that_are_no_operators_do_not_know_what_persons_carry(
    server: Server, play: Playing, setup: Setup
) -> None:
    server.begin(operators=())

    async def playing(worker: Worker) -> None:
        async with person(setup, server):
            around = await around_alex(worker, 60)
            await worker.ask(Prepare(area=around, wild=True, dry_run=False), Prepared, 30)
            seen = await worker.ask(Observe(), Observation, 30)
            assert seen.persons[PERSON].inventory is None

    play(server, playing)


TOLD = {
    '[{Slot: 0b, id: "minecraft:oak_log", Count: 3b}, {Slot: 103b, id: "minecraft:iron_helmet", Count: 1b, '
    'tag: {Damage: 4, display: {Name: \'{"text":"my, {hat}"}\'}}}]': {"oak_log": 3, "iron_helmet": 1},
    # what lies in a box that is carried is not carried itself
    '[{Slot: 1b, id: "minecraft:shulker_box", Count: 1b, tag: {BlockEntityTag: {Items: [{Slot: 0b, '
    'id: "minecraft:chicken", Count: 64b}]}}}]': {"shulker_box": 1},
    '[{Slot: -106b, id: "minecraft:filled_map", Count: 2b, tag: {map: [I; 1, 2], none: [B; ], f: 1E-3d}}]': {
        "filled_map": 2
    },
    "[]": {},
    '[{Slot: 0b, id: "evil mod:x", Count: 3b}, {id: 3, Count: 1b}, 7]': {},
    "[{": None,
    '{"a": "b} ': None,
    "[" * 100_000: None,
    '"' + "\\" * 100_000: None,
}


def test_what_a_server_says_of_slots_is_read_whatever_they_hold(setup: Setup) -> None:
    script = f"""
        const {{ itemsIn, readSnbt }} = await import({json.dumps((SOURCES / "snbt.mjs").as_uri())})
        const told = JSON.parse(await new Response(process.stdin).text())
        const of = text => {{ const slots = readSnbt(text)
          if (slots === undefined) return null
          return Object.fromEntries(itemsIn(slots).map(item => [item.name, item.count])) }}
        console.log(JSON.stringify(told.map(of)))
    """
    done = subprocess.run(
        [setup.node, "--input-type=module", "--eval", script],
        input=json.dumps(list(TOLD)),
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == list(TOLD.values())
