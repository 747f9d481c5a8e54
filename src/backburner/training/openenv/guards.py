"""What stands before OpenEnv's application: how much is read, whose pages may ask, who has the token."""

from __future__ import annotations

import hmac
from collections.abc import MutableMapping
from typing import Any

from starlette.responses import JSONResponse

from backburner.kernel.doors import CLOSED, Doors

MOST_MESSAGE_BYTES = 8 << 20
"""Of a message over a WebSocket and of a request's body: a reply of the longest that is read, as JSON."""


class Bounded:
    """An ASGI application that reads no more of a request's body than ``MOST_MESSAGE_BYTES``."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        """Answer 413 where a body says that it is longer; hang up where it is without saying so."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        told = dict(scope["headers"]).get(b"content-length", b"0")
        if not told.isdigit() or len(told) > 15 or int(told) > MOST_MESSAGE_BYTES:
            answer = JSONResponse({"detail": f"at most {MOST_MESSAGE_BYTES} bytes are read"}, 413)
            await answer(scope, receive, send)
            return
        left = MOST_MESSAGE_BYTES

        async def bounded() -> Any:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            return message if left >= 0 else {"type": "http.disconnect"}

        await self._app(scope, bounded, send)


class Guarded:
    """An ASGI application that answers who has the token; that it is well it says to anybody."""

    def __init__(self, app: Any, token: str) -> None:
        self._app, self._wanted = app, f"Bearer {token}".encode()

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        """Answer 401, or refuse the WebSocket, where the token is missing or another one."""
        kind = scope["type"]
        given = dict(scope.get("headers", ())).get(b"authorization", b"")
        if kind == "lifespan" or scope["path"] == "/health" or hmac.compare_digest(given, self._wanted):
            await self._app(scope, receive, send)
        else:
            await _refuse(401, "a token is needed: Authorization: Bearer TOKEN", scope, receive, send)


class Doored:
    """An ASGI application that answers no page of another origin, and to none but the server's own names: a
    page that somebody looks at on this machine would else play here."""

    def __init__(self, app: Any, doors: Doors) -> None:
        self._app, self._doors = app, doors

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        """Answer 403, or refuse the WebSocket, where the page or the name is another one."""
        if scope["type"] == "lifespan" or self._doors.open_to(scope):
            await self._app(scope, receive, send)
        else:
            await _refuse(403, f"{CLOSED}; its owner names another with --address", scope, receive, send)


async def _refuse(status: int, told: str, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
    """Answer a request with this status, or close the WebSocket that was asked for."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
    else:
        await JSONResponse({"detail": told}, status)(scope, receive, send)
