"""Who does not read is let go, and takes nothing with them: neither memory nor a seat nor a connection."""

from __future__ import annotations

import asyncio
import socket
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocket
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from backburner.serve.connections import Bounds, Sockets
from backburner.serve.games import Games
from backburner.serve.protocol import GamePlan, Hello, Wanted, written
from support.serve.serving import PATIENCE_SECONDS
from support.serve.site import served

UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def test_a_page_that_takes_nothing_loses_its_connection_and_keeps_its_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backburner.serve.connections.SEND_SECONDS", 0.2)
    monkeypatch.setattr("backburner.serve.connections.LAST_SECONDS", 0.2)

    async def played() -> None:
        games = Games(tmp_path)
        plan = GamePlan("timearena/household1", {"agent": Wanted("person")}, away_seconds=60.0)
        opened = await games.create(plan)
        token = opened.seats["agent"]
        game = (await games.admit(token)).game
        said = [{"type": "websocket.connect"}, {"type": "websocket.receive", "text": written(Hello(token))}]
        sent: list[str] = []

        async def receive() -> Any:
            if said:
                return said.pop(0)
            return await asyncio.Event().wait()

        async def send(message: Any) -> None:
            sent.append(message["type"])
            if message["type"] == "websocket.send":
                await asyncio.Event().wait()  # the network takes nothing

        scope = {"type": "websocket", "client": ("127.0.0.1", 1), "path": "/ws", "headers": []}
        await asyncio.wait_for(
            Sockets(games, Bounds()).open(WebSocket(scope, receive, send)), PATIENCE_SECONDS
        )
        assert sent[:2] == ["websocket.accept", "websocket.send"]
        assert game.pages == 0 and not game.seats["agent"].present
        again = await games.admit(token)  # and the link still leads to it
        assert again.game is game
        await games.close()

    asyncio.run(played())


def test_what_is_left_for_a_reader_that_reads_nothing_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection itself ends, although much is still to be sent over it."""
    monkeypatch.setattr("backburner.serve.connections.FAREWELL_SECONDS", 0.3)
    ended: list[float] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})
            return
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": "a" * 50_000_000})
        ended.append(time.monotonic())

    with served(app, Bounds(connections=1, request_seconds=5.0)) as port:
        wire = socket.create_connection(("127.0.0.1", port))
        wire.sendall(UPGRADE)  # and never a byte is read
        until = time.monotonic() + PATIENCE_SECONDS
        while not ended and time.monotonic() < until:
            time.sleep(0.05)
        while not (free := has_place(port)) and time.monotonic() < until:
            time.sleep(0.1)
        assert free  # again, and still nothing was read
        wire.close()


def has_place(port: int) -> bool:
    try:
        with connect(f"ws://127.0.0.1:{port}/", max_size=None, close_timeout=0.1):
            return True
    except (OSError, WebSocketException):
        return False
