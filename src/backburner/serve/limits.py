"""What stands between the server and everybody who can reach it: whose pages may ask, how often, how much.

*Whose*: ``kernel/doors.py`` tells it by ``Origin`` and ``Host``.

*How often*: a ``Bucket`` for each address that asks. *How much*: bodies are read up to a size and a time.
What is written here about a token is never the token itself.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from backburner.kernel.doors import CLOSED, Doors, headers_of, is_loopback

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

HEADERS: Mapping[str, str] = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"
    " data:; media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), payment=(), usb=(), microphone=(self),"
    " xr-spatial-tracking=(self)",
}
"""Sent with every answer. A page may load from here alone, and no other page may show it in a frame; the
microphone is for the browser's own speech input, the last one for headsets."""

LONGEST_TARGET = 2000
"""Characters of a path, with its query."""


class Secret:
    """The token of the server itself, kept as its digest; asking takes as long for any guess."""

    def __init__(self, token: str) -> None:
        self._digest = hashlib.sha256(token.encode()).digest()

    def is_(self, guess: str) -> bool:
        """Whether it is this one."""
        return hmac.compare_digest(self._digest, hashlib.sha256(guess.encode("utf-8", "replace")).digest())

    def __repr__(self) -> str:
        return "Secret(...)"


def bearer(headers: Mapping[str, str]) -> str:
    """The token of a request's header ``Authorization``; empty if there is none."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


# --- how often --------------------------------------------------------------------------------------------


class Bucket:
    """Lets through ``rate`` things a second, averaged, and ``burst`` at once."""

    __slots__ = ("_at", "_left", "burst", "rate")

    def __init__(self, rate: float, burst: float, now: float | None = None) -> None:
        self.rate, self.burst, self._left = rate, burst, burst
        self._at = time.monotonic() if now is None else now

    def take(self, now: float | None = None) -> bool:
        """One more; ``False`` if it is one too many, which costs nothing."""
        left = self.left(now)
        if left < 1.0:
            return False
        self._left = left - 1.0
        return True

    def left(self, now: float | None = None) -> float:
        """How many there are now."""
        now = time.monotonic() if now is None else now
        self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now
        return self._left


MOST_ADDRESSES = 10_000


class Buckets:
    """A bucket for each address. Those that were asked longest ago are forgotten first, so that nobody fills
    the memory with addresses."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._of: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, address: str) -> Bucket:
        """The bucket of an address. IPv6: of its network of 64 bits, all of which one subscriber has."""
        key = network_of(address)
        bucket = self._of.pop(key, None) or Bucket(self.rate, self.burst)
        self._of[key] = bucket
        if len(self._of) > MOST_ADDRESSES:
            self._of.popitem(last=False)
        return bucket


def network_of(address: str) -> str:
    """What counts as one address."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address[:100]
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is None:
        return str(ipaddress.ip_network((ip, 64), strict=False))
    return address


# --- how much ---------------------------------------------------------------------------------------------


class Unacceptable(Exception):
    """A request that is refused: its HTTP status, and why, in a line."""

    def __init__(self, status: int, why: str) -> None:
        self.status, self.why = status, why
        super().__init__(why)


async def body_of(receive: Receive, most_bytes: int, most_seconds: float) -> bytes:
    """A request's body; raises ``Unacceptable`` for one that is too long or takes too long."""
    try:
        async with asyncio.timeout(most_seconds):
            return await _body_of(receive, most_bytes)
    except TimeoutError:
        raise Unacceptable(408, f"the request took longer than {most_seconds:g} seconds") from None


async def _body_of(receive: Receive, most_bytes: int) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Unacceptable(400, "the connection was closed")
        body += message.get("body", b"")
        if len(body) > most_bytes:
            raise Unacceptable(413, f"a request has at most {most_bytes} bytes")
        if not message.get("more_body"):
            return bytes(body)


# --- before anything else ---------------------------------------------------------------------------------


class Guard:
    """Lets an application see what may come in, and sends the headers above with whatever goes out.

    Who asks from this machine itself, through no proxy, may ask as often as they like.
    """

    def __init__(self, app: App, doors: Doors) -> None:
        self.app, self.doors = app, doors
        self.asked = Buckets(rate=20.0, burst=200.0)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or one WebSocket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        async def sending(message: MutableMapping[str, Any]) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                message["headers"] = [*message.get("headers", ()), *_ENCODED]
            await send(message)

        try:
            self._check(scope)
        except Unacceptable as error:
            await refuse(scope, sending, error)
            return
        await self.app(scope, receive, sending)

    def _check(self, scope: Scope) -> None:
        headers = dict(headers_of(scope))
        if "transfer-encoding" in headers and "content-length" in headers:
            # A proxy may go by one and we by the other: then the rest is taken for somebody else's request.
            raise Unacceptable(400, "a request has a length or comes in pieces, not both")
        if not self.doors.open_to(scope):
            raise Unacceptable(403, CLOSED)
        if len(scope.get("raw_path", b"")) + len(scope.get("query_string", b"")) > LONGEST_TARGET:
            raise Unacceptable(414, "the path is too long")
        client = client_of(scope)
        if not is_loopback(client) and not self.asked.of(client).take():
            raise Unacceptable(429, "too many requests; wait a little")


_ENCODED = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


def client_of(scope: Mapping[str, Any]) -> str:
    """The address that a request comes from."""
    client = scope.get("client")
    return str(client[0]) if client else ""


async def refuse(scope: Scope, send: Send, error: Unacceptable) -> None:
    """Answer a request with why it is refused; a WebSocket is not accepted."""
    kind = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    content = f"{error.why}\n".encode()
    start = {
        "type": f"{kind}.start",
        "status": error.status,
        "headers": [
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"content-length", str(len(content)).encode()),
            (b"cache-control", b"no-store"),
            (b"connection", b"close"),
        ],
    }
    await send(start)
    await send({"type": f"{kind}.body", "body": content})
