"""Connections as they come in: bounded in all and for each address, in time, and in what they may hold.

uvicorn reads HTTP with h11 (which bounds headers) and WebSockets with ``websockets``. It lets a connection
wait for its first request forever, and waits forever for a reader that does not read; both are ended here.
So are connections beyond a number, before anything of them is read.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, ClassVar, cast

from msgspec import Struct
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from backburner.kernel.doors import is_loopback
from backburner.serve.protection import network_of

FAREWELL_SECONDS = 5.0
"""So long what was said last may take to a reader; then the connection is cut."""


NO_SOCKET = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Bounds(Struct, frozen=True):
    """How much of the server anybody may have.

    ``connections``: in all. ``of_one_address``: from one address; connections from this machine itself are a
    proxy's, or the user's own, and count in all alone. ``request_seconds``: until a first request is there.
    ``http_seconds``: the longest life of a connection that does not become a WebSocket, downloads included.
    """

    connections: int = 2000
    of_one_address: int = 64
    request_seconds: float = 10.0
    http_seconds: float = 300.0


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
        wires = open

    class Sockets(_Sockets):
        wires = open

    return Http, Sockets


class _Http(H11Protocol):
    wires: ClassVar[Open]
    admitted = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        wire = cast(asyncio.Transport, transport)
        super().connection_made(wire)
        self.admitted = self.wires.admits(wire)
        if not self.admitted:
            wire.abort()
            return
        bounds = self.wires.bounds
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
            self.wires.gone(self.transport)
        super().connection_lost(exc)


class _Sockets(WebSocketsSansIOProtocol):
    wires: ClassVar[Open]

    def connection_lost(self, exc: Exception | None) -> None:
        self.wires.gone(self.transport)
        super().connection_lost(exc)

    async def run_asgi(self) -> None:
        # What is still to be sent may wait for a reader that never reads.
        await super().run_asgi()
        self.loop.call_later(FAREWELL_SECONDS, self.transport.abort)
