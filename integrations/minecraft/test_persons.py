"""A person beside the bots: another client of the same server, whose place, hands and words are told."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from farms import act, build, good
from models import model
from msgspec.structs import replace
from serving import CLOCK, Playing, Server

from backburner.kernel.claims import check
from backburner.kernel.episode import read_episode
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


class Dispatcher:
    """A model that goes where it is told to. Its second answer waits until a person has acted."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.person_has_acted = threading.Event()

    def answer(self, prompt: str) -> str:
        self.told.append(prompt)
        if len(self.told) == 2:
            assert self.person_has_acted.wait(60)
        return "['goto(alex, chest)']" if "says: alex, go to the chest" in prompt else "[]"


async def acts(setup: Setup, server: Server, then: Callable[[], object]) -> None:
    """Put something into the chest, speak, and stay there."""
    chest = next(each["at"] for each in server.look()["containers"] if each["kind"] == "chest")
    x, y, z = map(int, chest)
    area = Area((x - 3, y - 1, z - 3), (x + 3, y + 3, z + 3))
    async with person(setup, server) as client:
        beside = Prepare(area=area, starts={PERSON: (x + 1, y, z)}, wild=True, dry_run=False)
        await client.ask(beside, Prepared, 60)
        server.tell("give", name=PERSON, item="cooked_chicken", count=2)
        await client.ask(Wait(ticks=5), Waited, 30)
        good(await act(client, f"putInChest({PERSON}, cooked_chicken)", before=0, after=0, renew="never"))
        await client.ask(Say(bot=PERSON, text="alex, go to the chest"), Done, 30)
        await client.ask(Wait(ticks=20), Waited, 30)
        await asyncio.to_thread(then)


def test_a_model_hears_a_person_in_the_chat_and_sees_what_it_does(
    server: Server, setup: Setup, tmp_path: Path
) -> None:
    server.begin(operators=("alex", PERSON))
    dispatcher, record = Dispatcher(), tmp_path / "live.jsonl"
    with model(dispatcher.answer) as url:
        asked = ("--agent", "dispatcher", "--model", f"stub@base_url={url}")
        keys = f"agreed=yes,person={PERSON},clock={CLOCK:g},node_folder={setup.folder}"
        where = ("--server", f"127.0.0.1:{server.port}@{keys}")
        kept = ("--out", str(record))
        game = ("live", "minecraft/level_1@instructor=yes", "--steps", "4")
        command = [sys.executable, "-m", "backburner", *game, *asked, *where, *kept]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as playing:
            assert playing.stdout and playing.stderr
            assert playing.stdout.readline().startswith("1: ")

            def let_it_play_on() -> None:
                dispatcher.person_has_acted.set()
                playing.wait(60)

            asyncio.run(acts(setup, server, let_it_play_on))
            told, wrong = playing.stdout.read(), playing.stderr.read()
        assert playing.returncode == 1, told + wrong  # the chest differs from what was predicted
    assert [prompt.count("alex, go to the chest") for prompt in dispatcher.told] == [0, 0, 1, 1]
    seen = f"{PERSON}, a person:\n    carries: 1 cooked_chicken\n"
    assert [seen in prompt for prompt in dispatcher.told] == [False, False, True, True]
    episode = read_episode(record)
    assert check(episode) == len(episode.entries) == 12
    players = {seat: player.name for seat, player in episode.header.players.items()}
    assert players == {"instructor": "chat", "dispatcher": "dispatcher(stub)", "server": "live"}
    differs = [event.label for event in episode.entries[5].events if event.kind == "differs"]
    assert differs == ["chest: 1 cooked_chicken (predicted: nothing)"]
    did = [(event.lane, event.label) for event in episode.entries[8].events if event.what == "end"]
    assert did == [("alex", "goto chest")]
    assert not server.look()["mobs"]


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
