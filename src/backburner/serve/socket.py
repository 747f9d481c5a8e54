"""One WebSocket of one page: it says hello, then hears and is heard, within bounds.

Whatever a page sends can do no more than close its own connection, with a line that says why.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from backburner.kernel.errors import BackburnerError, Refused
from backburner.serve import requests
from backburner.serve.games import Admission, Games
from backburner.serve.outlets import Outlet
from backburner.serve.protection import Bucket, Buckets, client_of
from backburner.serve.protocol import HELLO_SECONDS, MESSAGES_PER_SECOND, MOST_AT_ONCE, Hello, said

SEND_SECONDS = 20.0
"""So long the network may take to take a message."""

LAST_SECONDS = 3.0
"""So long it may take for what is said last."""

SOME_GUESSES = 30
"""Tokens that nobody has which an address may try at once; one more every two seconds."""


DEMO = "demo"
"""Stands in a link in place of a token: the game that everybody may look at now, if there is one."""


class Sockets:
    """The WebSockets of all pages. ``alias`` gives the token of the game that everybody may look at."""

    def __init__(self, games: Games, alias: Callable[[], str] | None = None) -> None:
        self.games, self._alias = games, alias
        self.guesses = Buckets(rate=0.5, burst=SOME_GUESSES)

    async def open(self, socket: WebSocket) -> None:
        """One page, from before its hello to its end."""
        await carried(socket, self._hear)

    async def _hear(self, socket: WebSocket, outlet: Outlet) -> None:
        """All that the page says; the outlet is closed when it says what it must not, or is gone."""
        try:
            hello = await _hello(socket)
            admission = await self._admit(hello, client_of(socket.scope))
            admission.game.attach(outlet, admission.link, hello, hosts=admission.hosts)
            try:
                await _listen(socket, outlet, admission)
            finally:
                admission.game.detach(outlet)
        except WebSocketDisconnect:
            pass
        except BackburnerError as error:
            outlet.close(str(error))

    async def _admit(self, hello: Hello, address: str) -> Admission:
        """Raises ``Refused`` for a token that leads nowhere, and where too many such came from there."""
        guesses = self.guesses.of(address)
        if guesses.left() < 1.0:
            raise Refused("too many links from here led to no game; wait a little")
        token = hello.token
        if token == DEMO and self._alias is not None:
            token = self._alias()
        try:
            return await self.games.admit(token, hello.host)
        except Refused:
            guesses.take()
            raise


async def carried(socket: WebSocket, hear: Callable[[WebSocket, Outlet], Coroutine[Any, Any, None]]) -> None:
    """Carry what is said over a socket, from its opening to its end; ``hear`` hears all that comes in, and
    what it puts into the outlet goes out."""
    await socket.accept()
    outlet = Outlet()
    sending = asyncio.create_task(_send(socket, outlet))
    hearing = asyncio.create_task(hear(socket, outlet))
    try:
        await asyncio.wait((sending, hearing), return_when=asyncio.FIRST_COMPLETED)
        if not sending.done():  # the page is gone, or what it sent ends this
            outlet.close("the connection is closed")
            await asyncio.wait((sending,), timeout=LAST_SECONDS)
    finally:
        sending.cancel()
        hearing.cancel()
        await asyncio.gather(sending, hearing, return_exceptions=True)
    if socket.application_state is WebSocketState.CONNECTED:
        with contextlib.suppress(TimeoutError, RuntimeError, WebSocketDisconnect):
            async with asyncio.timeout(LAST_SECONDS):
                await socket.close()


async def _hello(socket: WebSocket) -> Hello:
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            message = said(await received(socket))
    except TimeoutError:
        raise Refused(f"nothing was said within {HELLO_SECONDS:g} seconds") from None
    if not isinstance(message, Hello):
        raise Refused("the first message is hello")
    return message


async def _listen(socket: WebSocket, outlet: Outlet, admission: Admission) -> None:
    bucket = Bucket(MESSAGES_PER_SECOND, MOST_AT_ONCE)
    while not outlet.closed:
        text = await received(socket)
        if not bucket.take():
            raise Refused(f"more than {MESSAGES_PER_SECOND} messages a second")
        await requests.take(admission.game, outlet, said(text))


async def received(socket: WebSocket) -> str:
    """The next message; raises ``WebSocketDisconnect``, and ``Refused`` for one that is no text."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text = message.get("text")
    if text is None:
        raise Refused("messages are texts")
    return str(text)


async def _send(socket: WebSocket, outlet: Outlet) -> None:
    """Send what the outlet has, to its end; a page that does not take it is gone."""
    with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
        while (message := await outlet.next()) is not None:
            async with asyncio.timeout(SEND_SECONDS):
                await socket.send_text(message)
