"""Many rooms at one server: how long a move takes to be a picture, how late ticks are, what a room holds.

``python benchmarks/serve_load.py [--rooms 100] [--seconds 30] [--think 2] [--scenario ID]``; for games with
a clock ``--rooms 25 --think 0.5 --scenario clocked_kitchen/level_9@asks=always,bodies=4,tau=1.5``. The server
and this program, which plays for everybody, are put on different cores of the machine where there are two
(``--cores SERVER,LOAD``). In each room four people play; each looks at what they are asked for about
``--think`` seconds, then chooses an option by chance. In a game with a clock each presses a key as often.

*picture*: from the last move that a step waits for to each page's next frame; with a clock, from each press
to the frame after it was taken, which waits for the next tick. *told*: from each move to the word that it is
taken. *late* (with a clock): how much later a frame comes than the clock of its game says, the earliest frame
of each page being on time. Numbers of a machine that does other work as well say little: the load before and
after is printed with them, and so are the CPU time of the server, and how late a process was at the same time
that did nothing but sleep on the server's core (*sleeper*).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from backburner.serve.catalogue import scenario_told

TURNS = "cuisineworld/level_9@bodies=4,seats=each,tau=1.5"


class Room:
    """A game, and when the last move of its present step was sent."""

    def __init__(self, opened: dict[str, Any]) -> None:
        self.seats: dict[str, str] = opened["seats"]
        self.moved_seconds = 0.0


class Counts:
    """What was measured, in seconds, while ``measuring``."""

    def __init__(self) -> None:
        self.pictures: list[float] = []
        self.told: list[float] = []
        self.messages = self.bytes = self.moves = self.over = 0
        self.measuring = False


@contextmanager
def server(folder: Path, core: int | None, rooms: int) -> Iterator[tuple[int, int]]:
    """(process id, port) of ``backburner serve`` on a core of its own."""
    options = ("--listen", "0", "--folder", str(folder), "--most-games", str(rooms + 1))
    process = subprocess.Popen(  # noqa: S603  # our own command
        [sys.executable, "-m", "backburner", "serve", *options], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        if core is not None:
            for task in Path(f"/proc/{process.pid}/task").iterdir():
                os.sched_setaffinity(int(task.name), {core})
        yield process.pid, int(address.rstrip("/").rpartition(":")[2])
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def opened(port: int, scenario: str, seats: Sequence[str], seed: int) -> Room:
    """A room for people alone."""
    plan = {"scenario": scenario, "players": {seat: {"kind": "person"} for seat in seats}, "seed": seed}
    request = urllib.request.Request(  # the server of this program
        f"http://127.0.0.1:{port}/api/games",
        json.dumps(plan).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        return Room(json.load(answer))


class Player:
    """One page, until its room's game is over."""

    def __init__(self, room: Room, token: str, think: float, counts: Counts, chance: random.Random) -> None:
        self.room, self.token, self.think = room, token, think
        self.counts, self.chance = counts, chance
        self.sent: dict[int, float] = {}
        self.moves = 0
        self.answering: asyncio.Task[None] | None = None
        self.keys: list[str] = []
        self.number = 0
        self.clock: list[float] = []
        self.pressed = 0.0

    async def play(self, port: int, ready: asyncio.Semaphore) -> None:
        """Look at everything, and answer what is asked."""
        url = f"ws://127.0.0.1:{port}/ws"
        async with connect(url, compression=None, max_size=None, max_queue=None) as ws:
            await ws.send(json.dumps({"kind": "hello", "token": self.token}))
            ready.release()
            async for text in ws:
                now = time.perf_counter()
                message = msgspec.json.decode(text)
                self.count(now, message, len(text))
                if message["kind"] == "welcome" and message["live"]:
                    await ws.send(json.dumps({"kind": "ready"}))
                    entries = message["controls"]["keyboard_actions"]
                    self.keys = sorted({entry["input_instructions"]["key"] for entry in entries})
                    self.answering = asyncio.create_task(self.steer(ws))
                elif message["kind"] == "turn" and not self.keys:
                    self.answering = asyncio.create_task(self.answer(ws, message))
                elif message["kind"] in ("over", "closed"):
                    self.counts.over += 1
                    break

    def count(self, now: float, message: dict[str, Any], size: int) -> None:
        """What a message says of the time that it took."""
        asked = self.sent.pop(message["id"], None) if message["kind"] == "told" else None
        if not self.counts.measuring:
            return
        self.counts.messages += 1
        self.counts.bytes += size
        if asked is not None:
            self.counts.told.append(now - asked)
            self.pressed = asked
        elif message["kind"] == "frame":
            self.number = message["number"]
            if self.keys:
                self.clock.append(now - message["time"])
                pressed, self.pressed = self.pressed, 0.0
                self.counts.pictures += [now - pressed] if pressed else []
            elif self.room.moved_seconds:
                self.counts.pictures.append(now - self.room.moved_seconds)

    async def answer(self, ws: ClientConnection, turn: dict[str, Any]) -> None:
        """Look at what is asked for some time, and choose."""
        await asyncio.sleep(self.think * self.chance.uniform(0.5, 1.5))
        self.moves += 1
        option = self.chance.randrange(max(1, len(turn["options"])))
        move = {"kind": "move", "id": self.moves, "number": turn["number"], "option": option}
        self.sent[self.moves] = self.room.moved_seconds = time.perf_counter()
        self.counts.moves += self.counts.measuring
        with suppress(ConnectionClosed):
            await ws.send(json.dumps(move))

    async def steer(self, ws: ClientConnection) -> None:
        """Press a key now and then."""
        with suppress(ConnectionClosed):
            while True:
                await asyncio.sleep(self.think * self.chance.uniform(0.5, 1.5))
                self.moves += 1
                press = {"key": self.chance.choice(self.keys)}
                move = {"kind": "move", "id": self.moves, "number": self.number, "press": press}
                self.sent[self.moves] = time.perf_counter()
                self.counts.moves += self.counts.measuring
                await ws.send(json.dumps(move))

    def lateness(self) -> list[float]:
        """How much later than the earliest frame of the page's clock each came."""
        return [at - min(self.clock) for at in self.clock]


SLEEPER = """
import json, sys, time
late, due = [], time.perf_counter()
for _ in range(int(float(sys.argv[1]) * 20)):
    due = max(due, time.perf_counter() - 0.05) + 0.05
    time.sleep(max(0.0, due - time.perf_counter()))
    late.append(time.perf_counter() - due)
print(json.dumps(late))
"""


def sleeper(seconds: float, core: int | None) -> subprocess.Popen[str]:
    """A process that sleeps for 50 ms again and again, and then tells how late it woke."""
    process = subprocess.Popen(  # noqa: S603  # our own lines
        [sys.executable, "-c", SLEEPER, str(seconds)], stdout=subprocess.PIPE, text=True
    )
    if core is not None:
        os.sched_setaffinity(process.pid, {core})
    return process


def resident_mb(process: int) -> float:
    """Memory of a process."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def cpu_seconds(process: int) -> float:
    """CPU time of a process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def load(process: int, port: int, core: int | None, asked: argparse.Namespace) -> dict[str, Any]:
    """Everybody comes, plays for some time, and is measured after the first seconds."""
    counts, chance = Counts(), random.Random(1)
    empty = resident_mb(process)
    seats = scenario_told(asked.scenario).seats
    rooms = [opened(port, asked.scenario, seats, seed) for seed in range(asked.rooms)]
    ready = asyncio.Semaphore(0)
    players = [
        Player(room, token, asked.think, counts, random.Random(chance.random()))
        for room in rooms
        for token in room.seats.values()
    ]
    playing = [asyncio.create_task(player.play(port, ready)) for player in players]
    for _ in players:
        await ready.acquire()
    await asyncio.sleep(asked.think * 2 + 2)
    beside = sleeper(asked.seconds - 1.0, core)
    counts.measuring = True
    before, began = cpu_seconds(process), time.perf_counter()
    await asyncio.sleep(asked.seconds)
    counts.measuring = False
    seconds, cpu = time.perf_counter() - began, cpu_seconds(process) - before
    full = resident_mb(process)
    woken, _ = await asyncio.to_thread(beside.communicate)
    for task in (*playing, *(player.answering for player in players)):
        if task is not None:
            task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return {
        "rooms": len(rooms),
        "pages": len(players),
        "picture_ms": spread(counts.pictures),
        "told_ms": spread(counts.told),
        "late_ms": spread([late for player in players for late in player.lateness()]),
        "sleeper_late_ms": spread(json.loads(woken)),
        "moves_a_second": counts.moves / seconds,
        "messages_a_second": counts.messages / seconds,
        "megabytes_a_second": counts.bytes / seconds / 1e6,
        "server_cores": cpu / seconds,
        "megabytes_a_room": (full - empty) / len(rooms),
        "pages_over": counts.over,
    }


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Median, 99th percentile and worst, in milliseconds."""
    ordered = sorted(seconds) or [float("nan")]
    places = {"p50": 0.5, "p99": 0.99, "worst": 1.0}
    return {name: ordered[min(len(ordered) - 1, int(len(ordered) * at))] * 1e3 for name, at in places.items()}


def main() -> None:
    """Play, and print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])  # type: ignore[union-attr]
    parser.add_argument("--rooms", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--think", type=float, default=2.0)
    parser.add_argument("--scenario", default=TURNS)
    parser.add_argument("--cores", default="0,1", help="of the server, of this program")
    asked = parser.parse_args()
    cores = [int(core) for core in asked.cores.split(",")]
    apart = len(os.sched_getaffinity(0)) > 1 and len(cores) == 2
    core = cores[0] if apart else None
    loads = [os.getloadavg()[0]]
    with (
        tempfile.TemporaryDirectory() as folder,
        server(Path(folder), core, asked.rooms) as (process, port),
    ):
        if apart:
            os.sched_setaffinity(0, {cores[1]})
        measured = asyncio.run(load(process, port, core, asked))
    loads.append(os.getloadavg()[0])
    print(json.dumps({**measured, "machine_load": loads, "apart": apart}, indent=1))


if __name__ == "__main__":
    main()
