"""What goes wrong on the way: one clear line each, and nothing is left running."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from farms import act, build, calls, farm, until
from serving import CLOCK, Playing, Server

from backburner.live.install import Setup
from backburner.live.messages import (
    Act,
    Acted,
    Call,
    Done,
    Hello,
    Join,
    Joined,
    LiveError,
    Observation,
    Observe,
    PlacedBlock,
    Request,
    Say,
    Versions,
    Wait,
    Waited,
)
from backburner.live.worker import Worker
from backburner.worlds.minecraft.game.physics import MOBS


def test_a_kicked_bot_is_told_and_comes_back(server: Server, play: Playing) -> None:
    async def playing(worker: Worker) -> None:
        await build(worker)
        acting = asyncio.create_task(act(worker, "killMob(steve, sheep)", "killMob(alex, chicken)", before=0))
        await until(lambda: any(mob["health"] < MOBS[mob["name"]].health for mob in server.look()["mobs"]))
        server.tell("kick", name="steve", reason="no bots here")
        steve, _ = (await acting).calls
        assert steve.kind == "kicked" and "the server sent steve away: no bots here" in (steve.error or "")
        assert [(event.event, event.bot) for event in worker.events] == [("kicked", "steve")]
        with pytest.raises(LiveError, match="no bots here") as kicked:
            await act(worker, "goto(steve, chest)")
        assert kicked.value.kind == "kicked"
        await worker.ask(Join(host="127.0.0.1", port=server.port, bots=("alex", "steve")), Joined, 60)
        assert (await act(worker, "goto(steve, chest)")).calls[0].ok

    play(server, playing)


def test_a_server_that_goes_is_told(setup: Setup, play: Playing) -> None:
    server = Server(setup, CLOCK)
    server.begin()

    async def playing(worker: Worker) -> None:
        await build(worker)
        acting = asyncio.create_task(worker.ask(Act(calls("goto(alex, chest)"), before=200), Acted, 60))
        await asyncio.sleep(0.2)
        server.stop()
        with pytest.raises(LiveError) as gone:
            await acting
        assert gone.value.kind == "gone"
        with pytest.raises(LiveError, match="no Minecraft server answers at"):
            await worker.ask(Join(host="127.0.0.1", port=server.port, bots=("alex",)), Joined, 60)

    play(server, playing)


def test_an_action_that_takes_too_long_is_stopped(server: Server, play: Playing) -> None:
    async def playing(worker: Worker) -> None:
        await build(worker)
        late = await act(
            worker, "goto(steve, oak_log)", "mineBlock(alex, oak_log)", timeout_ticks=20, before=0
        )
        assert [call.kind for call in late.calls] == [None, "timeout"] or {c.kind for c in late.calls} == {
            "timeout"
        }
        assert "mineBlock of alex took longer than 20 ticks" in (late.calls[1].error or "")
        assert (await act(worker, "mineBlock(alex, oak_log)")).calls[0].ok  # it can go on

    play(server, playing)


def test_a_bot_without_a_way_is_stuck(server: Server, play: Playing) -> None:
    async def playing(worker: Worker) -> None:
        wanted = await farm(worker)
        x, y, z = wanted.starts["alex"]
        ring = [(x + dx, y + dy, z + dz) for dx, dz in SIDES for dy in (0, 1, 2)]
        walls = tuple(PlacedBlock("obsidian", cell) for cell in ring)
        blocks = (PlacedBlock("chest", (x + 6, y, z + 6)), *walls)
        await build(worker, blocks=blocks, mobs=())
        stuck = (await act(worker, "goto(alex, chest)")).calls[0]
        assert stuck.kind in ("stuck", "timeout") and stuck.error
        assert "alex" in stuck.error and not stuck.running

    play(server, playing)


SIDES = [(dx, dz) for dx in (-1, 0, 1) for dz in (-1, 0, 1) if (dx, dz) != (0, 0)]


def test_with_an_error_the_step_ends_and_the_other_bot_goes_on(server: Server, play: Playing) -> None:
    async def playing(worker: Worker) -> None:
        await build(worker)
        spelt = ("goto(alex, cow)", "mineBlock(steve, oak_log)")
        acted = await act(worker, *spelt, before=0, after=5, until="error")
        cow, log = acted.calls
        assert cow.kind == "refused" and log.running
        await worker.ask(Wait(ticks=300), Waited, 60)
        seen = await worker.ask(Observe(), Observation, 30)
        assert seen.bots["steve"].inventory == {"oak_log": 1}

    play(server, playing)


def test_a_bot_under_way_turns_to_what_it_is_told_next(server: Server, play: Playing) -> None:
    """Its old way does not stop the new one; and what is refused stops it where it is."""

    async def playing(worker: Worker) -> None:
        await build(worker)
        leaves = ("goto(steve, oak_log)", "goto(alex, cow)")
        first = await act(worker, *leaves, before=0, after=0, until="error")
        assert first.calls[0].running
        second = await act(worker, "goto(steve, chest)", before=0)
        assert (second.calls[0].ok, second.calls[0].error) == (True, None)

        first = await act(worker, *leaves, before=0, after=0, until="error")
        assert first.calls[0].running
        refused = Call("steve", "putFuelFurnace", (), "no_fuel", "no fuel")
        third = await worker.ask(Act((refused,), before=0, after=0, until="error"), Acted, 60)
        came = third.calls[0]
        assert (came.ok, came.code, came.error, came.ticks) == (False, "no_fuel", "no fuel", 0)
        seen = await worker.ask(Observe(), Observation, 30)
        await worker.ask(Wait(ticks=40), Waited, 60)
        later = await worker.ask(Observe(), Observation, 30)
        assert later.bots["steve"].at == pytest.approx(seen.bots["steve"].at, abs=0.5)

    play(server, playing)


def test_chat_of_others_is_heard_and_bots_can_speak(server: Server, play: Playing) -> None:
    async def playing(worker: Worker) -> None:
        await worker.ask(Say(bot="steve", text="hello"), Done, 30)
        await worker.ask(Say(bot="steve", text="/kill @e[tag=x]"), Done, 30)
        server.tell("say", text="<Maya> alex, please cook chicken")
        await worker.ask(Wait(ticks=20), Waited, 30)
        assert [(e.event, e.sender, e.text) for e in worker.events] == [
            ("chat", "Maya", "alex, please cook chicken")
        ]

    play(server, playing)


def test_what_is_no_request_gets_a_line(play: Playing) -> None:
    async def playing(worker: Worker) -> None:
        told = await worker.ask(Hello(), Versions, 30)
        assert told.mineflayer == "4.39.0" and told.node.startswith("2")
        wrong: list[tuple[Request, str]] = [
            (Observe(), "no bot has joined"),
            (Act(calls("fly(alex, chest)")), r"calls\[0\].verb is \"fly\", not one of goto"),
            (Act(calls("goto(alex)")), "goto is about 1 things, not 0"),
            (Act(calls("goto(alex, chest; rm)")), "not a name"),
            (Wait(ticks=-1), "not a whole number from 0"),
            (Join(host="127.0.0.1", port=99999, bots=("alex",)), "port is 99999"),
            (Join(host="127.0.0.1", port=1, bots=("alex",), version="0.1"), "do not know Minecraft 0.1"),
        ]
        for request, part in wrong:
            with pytest.raises(LiveError, match=part):
                await worker.ask(request, Done, 30)

    play(None, playing, bots=())


@pytest.fixture
def other_version() -> Iterator[int]:
    """A server that says it runs another version: it answers the ping of a server list, once."""
    listening = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.recv(1024)
            text = b'{"version":{"name":"1.20.4","protocol":765},"players":{},"description":""}'
            body = bytes([0, len(text)]) + text
            connection.sendall(bytes([len(body)]) + body)
            while connection.recv(1024):
                pass

    threading.Thread(target=answer, daemon=True).start()
    yield listening.getsockname()[1]
    listening.close()


def test_a_server_of_another_version_is_told(other_version: int, play: Playing) -> None:
    async def playing(worker: Worker) -> None:
        with pytest.raises(LiveError, match=r"runs Minecraft 1.20.4 \(protocol 765\), not 1.16.5") as wrong:
            await worker.ask(Join(host="127.0.0.1", port=other_version, bots=("alex",)), Joined, 60)
        assert wrong.value.kind == "version"

    play(None, playing, bots=(), clock=1.0)


def test_when_stdin_ends_bots_put_everything_back_and_leave(server: Server, setup: Setup) -> None:
    async def all_of_it() -> float:
        worker = await Worker.start(setup.command(4.0), setup.folder, setup.environment(4.0))
        await worker.ask(Join(host="127.0.0.1", port=server.port, bots=("alex", "steve")), Joined, 60)
        await build(worker)
        began = time.monotonic()
        assert worker._process.stdin
        worker._process.stdin.close()
        await worker._process.wait()
        ended = time.monotonic() - began
        await worker.close()
        with pytest.raises(ProcessLookupError):
            os.kill(worker._process.pid, 0)
        return ended

    assert asyncio.run(all_of_it()) < 10  # two seconds, where the machine has nothing else to do
    asyncio.run(until(lambda: not server.look()["players"]))
    assert server.look()["mobs"] == []
