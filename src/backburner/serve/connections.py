"""Connections: bounded as they come in, then one WebSocket for each page, which asks things of its game.

uvicorn reads HTTP with h11 (which bounds headers) and WebSockets with ``websockets``. It lets a connection
wait for its first request forever, and waits forever for a reader that does not read; both are ended here.
So are connections beyond a number, before anything of them is read. Whatever a page sends can do no more than
close its own connection, with a line that says why.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, ClassVar, TypeVar, cast

from msgspec import Struct
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from backburner.kernel.doors import is_loopback
from backburner.kernel.errors import BackburnerError, Refused
from backburner.serve.audience import Page, SendQueue
from backburner.serve.game import Game
from backburner.serve.games import Admission, Games
from backburner.serve.limits import Bucket, Buckets, client_of, network_of
from backburner.serve.protocol import (
    HELLO_SECONDS,
    MESSAGES_PER_SECOND,
    MOST_AT_ONCE,
    Back,
    Begin,
    Confirm,
    End,
    FromPage,
    FromServer,
    Hello,
    Leave,
    LinkTold,
    Move,
    Ping,
    Pong,
    Ready,
    Renew,
    Replace,
    Told,
    said,
)

# --- as they come in ------------------------------------------------------------------------------------


FAREWELL_SECONDS = 5.0
"""So long what was said last may take to a reader; then the connection is cut."""


NO_SOCKET = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Bounds(Struct, frozen=True):
    """How much of the server anybody may have.

    ``connections``: in all. ``of_one_address``: from one address; connections from this machine itself are a
    proxy's, or the user's own, and count in all alone. ``wrong_tokens``: that lead nowhere, which an address
    may try at once; one more every two seconds. ``request_seconds``: until a first request is there.
    ``http_seconds``: the longest life of a connection that does not become a WebSocket, downloads included.
    """

    connections: int = 2000
    of_one_address: int = 64
    request_seconds: float = 10.0
    http_seconds: float = 300.0
    wrong_tokens: int = 30


class Open:
    """The connections that there are."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self.all: dict[asyncio.Transport, str] = {}
        self._of: Counter[str] = Counter()

    def admits(self, transport: asyncio.Transport) -> bool:
        """Whether there is room for one more, which counts from now on."""
        address = _peer(transport)
        if len(self.all) >= self.bounds.connections or self._of[address] >= self.bounds.of_one_address:
            return False
        self.all[transport] = address
        if not is_loopback(address):
            self._of[address] += 1
        return True

    def gone(self, transport: asyncio.Transport) -> None:
        """It does not count any more."""
        address = self.all.pop(transport, "")
        self._of[address] -= 1
        if self._of[address] <= 0:
            del self._of[address]


def _peer(transport: asyncio.Transport) -> str:
    peer = transport.get_extra_info("peername")
    return network_of(str(peer[0])) if isinstance(peer, tuple) else ""


def protocols(
    open: Open,
) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """The classes for HTTP and WebSockets that uvicorn makes a connection's protocol of."""

    class Http(_Http):
        open_connections = open

    class Sockets(_Sockets):
        open_connections = open

    return Http, Sockets


class _Http(H11Protocol):
    open_connections: ClassVar[Open]
    admitted = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        wire = cast(asyncio.Transport, transport)
        super().connection_made(wire)
        self.admitted = self.open_connections.admits(wire)
        if not self.admitted:
            wire.abort()
            return
        bounds = self.open_connections.bounds
        self._first = self.loop.call_later(bounds.request_seconds, wire.abort)
        self._last = self.loop.call_later(bounds.http_seconds, wire.abort)

    def handle_events(self) -> None:
        super().handle_events()
        if self.scope is not None:  # the first request's headers are complete
            self._first.cancel()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._first.cancel()
        self._last.cancel()
        super().handle_websocket_upgrade(event)
        taken = self.transport.get_protocol()
        if isinstance(taken, _Sockets) and not taken.handshake_initiated:
            # What h11 reads as a request and websockets does not (one with a body, with hundreds of headers)
            # would be neither answered nor ended.
            self.transport.write(NO_SOCKET)
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        if self.admitted:
            self._first.cancel()
            self._last.cancel()
            self.open_connections.gone(self.transport)
        super().connection_lost(exc)


class _Sockets(WebSocketsSansIOProtocol):
    open_connections: ClassVar[Open]

    def connection_lost(self, exc: Exception | None) -> None:
        self.open_connections.gone(self.transport)
        super().connection_lost(exc)

    async def run_asgi(self) -> None:
        # What is still to be sent may wait for a reader that never reads.
        await super().run_asgi()
        self.loop.call_later(FAREWELL_SECONDS, self.transport.abort)


# --- one page -------------------------------------------------------------------------------------------


SEND_SECONDS = 20.0
"""So long the network may take to take a message."""

LAST_SECONDS = 3.0
"""So long it may take for what is said last."""

DEMO = "demo"
"""Stands in a link in place of a token: the game that everybody may look at now, if there is one."""


class Sockets:
    """The WebSockets of all pages. ``alias`` gives the token of the game that everybody may look at."""

    def __init__(self, games: Games, bounds: Bounds, alias: Callable[[], str] | None = None) -> None:
        self.games, self._alias = games, alias
        self.guesses = Buckets(rate=0.5, burst=bounds.wrong_tokens)

    async def open(self, socket: WebSocket) -> None:
        """One page, from before its hello to its end."""
        await carry(socket, self._hear)

    async def _hear(self, socket: WebSocket, queue: SendQueue) -> None:
        """All that the page says."""
        hello = await first_message(socket, said, Hello)
        admission = await self._admit(hello, client_of(socket.scope))
        admission.game.attach(queue, admission.link, hello, hosts=admission.hosts)
        try:
            async for text in messages(socket, queue):
                await take(admission.game, queue, said(text))
        finally:
            admission.game.detach(queue)

    async def _admit(self, hello: Hello, address: str) -> Admission:
        """Raises ``Refused`` for a token that leads nowhere, and says so where too many such came from there;
        one that leads to a game is good whatever others have tried."""
        token = hello.token
        if token == DEMO and self._alias is not None:
            token = self._alias()
        try:
            return await self.games.admit(token, hello.host)
        except Refused:
            if not self.guesses.of(address).take():
                raise Refused("too many links from here led to no game; wait a little") from None
            raise


async def carry(socket: WebSocket, hear: Callable[[WebSocket, SendQueue], Coroutine[Any, Any, None]]) -> None:
    """Carry what is said over a socket, from its opening to its end; ``hear`` hears all that comes in, and
    what it puts into the queue goes out."""
    await socket.accept()
    queue = SendQueue()
    sending = asyncio.create_task(_send(socket, queue))
    hearing = asyncio.create_task(_heard(socket, queue, hear))
    try:
        await asyncio.wait((sending, hearing), return_when=asyncio.FIRST_COMPLETED)
        if not sending.done():  # the page is gone, or what it sent ends this
            queue.close("the connection is closed")
            await asyncio.wait((sending,), timeout=LAST_SECONDS)
    finally:
        sending.cancel()
        hearing.cancel()
        await asyncio.gather(sending, hearing, return_exceptions=True)
    if socket.application_state is WebSocketState.CONNECTED:
        with contextlib.suppress(TimeoutError, RuntimeError, WebSocketDisconnect):
            async with asyncio.timeout(LAST_SECONDS):
                await socket.close()


async def _heard(
    socket: WebSocket, queue: SendQueue, hear: Callable[[WebSocket, SendQueue], Coroutine[Any, Any, None]]
) -> None:
    """All that comes in; the queue is closed when it is what nobody may say."""
    try:
        await hear(socket, queue)
    except WebSocketDisconnect:
        pass
    except BackburnerError as error:
        queue.close(str(error))


First = TypeVar("First", bound=Struct)


async def first_message(socket: WebSocket, read: Callable[[str], Any], kind: type[First]) -> First:
    """What a page says first; raises ``Refused`` where that is something else, or takes too long."""
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            message = read(await received(socket))
    except TimeoutError:
        raise Refused(f"nothing was said within {HELLO_SECONDS:g} seconds") from None
    if not isinstance(message, kind):
        raise Refused(f"the first message is {kind.__struct_config__.tag}")
    return message


async def messages(socket: WebSocket, queue: SendQueue) -> AsyncIterator[str]:
    """What a page says until its queue is closed; raises ``Refused`` where it says too much at a time."""
    bucket = Bucket(MESSAGES_PER_SECOND, MOST_AT_ONCE)
    while not queue.closed:
        text = await received(socket)
        if not bucket.take():
            raise Refused(f"more than {MESSAGES_PER_SECOND} messages a second")
        yield text


async def received(socket: WebSocket) -> str:
    """The next message; raises ``WebSocketDisconnect``, and ``Refused`` for one that is no text."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text = message.get("text")
    if text is None:
        raise Refused("messages are texts")
    return str(text)


async def _send(socket: WebSocket, queue: SendQueue) -> None:
    """Send what the queue has, to its end; a page that does not take it is gone."""
    with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
        while (message := await queue.next()) is not None:
            async with asyncio.timeout(SEND_SECONDS):
                await socket.send_text(message)


# --- what a page asks of its game -----------------------------------------------------------------------


async def take(game: Game, queue: SendQueue, message: FromPage) -> None:
    """Do what the page of a connection asks for, and send it what comes of that. Never raises
    ``BackburnerError``."""
    page = game.page_of(queue)
    if page is None:
        return
    try:
        answer = await _answer(game, page, message)
    except BackburnerError as error:
        answer = Told(getattr(message, "id", 0), "refused", str(error))
    if answer is not None:
        queue.send(answer)


async def _answer(game: Game, page: Page, message: FromPage) -> FromServer | None:
    if isinstance(message, Ping):
        return Pong(message.id)
    if isinstance(message, Replace | Renew | Begin | End):
        if not page.hosts:
            raise Refused("only the host may do that")
        return await _for_the_host(game, message)
    policy = game.seats.get(page.link.seat)
    if isinstance(message, Hello) or policy is None:
        raise Refused("nobody plays from this page")
    if policy.queue is not page.queue:
        raise Refused("the seat was opened in another window")
    match message:
        case Move():
            return policy.move(message) if game.playing else Told(message.id, "late", "nobody is asked now")
        case Confirm():
            return policy.confirm(message)
        case Leave() | Back():
            game.leave(policy, away=isinstance(message, Leave))
        case Ready():
            game.ready(policy.seat)
    return None


async def _for_the_host(game: Game, message: Replace | Renew | Begin | End) -> FromServer | None:
    match message:
        case Begin():
            game.begin()
        case End():
            game.end()
        case Renew(seat=seat):
            return LinkTold(seat, game.renew(seat))
        case Replace(seat=seat, player=player):
            if token := await game.replace(seat, player):
                return LinkTold(seat, token)
    return None
