"""The server: OpenEnv's application around our sessions, with bounds."""

from __future__ import annotations

import hmac
import socket
from collections.abc import Callable, MutableMapping
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.types import ConcurrencyConfig

from backburner.kernel.errors import BackburnerError
from backburner.training.offer import Offer
from backburner.training.openenv.environment import NAME, WorldEnvironment
from backburner.training.openenv.models import EpisodeState, ReplyAction, ToldObservation

MOST_MESSAGE_BYTES = 8 << 20
"""Of a message over a WebSocket and of a request's body: a reply of the longest that is read, as JSON."""

PING_SECONDS = 20.0


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
        elif kind == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            told = JSONResponse({"detail": "a token is needed: Authorization: Bearer TOKEN"}, 401)
            await told(scope, receive, send)


def application(
    offer: Offer, *, most_sessions: int = 64, idle_seconds: float | None = 3600.0, token: str = ""
) -> FastAPI:
    """The ASGI application. ``most_sessions`` may be open at once; one more is told that there is no room.
    A session that nothing was heard of for ``idle_seconds`` is closed. With a ``token`` every request has to
    carry it, as ``Authorization: Bearer``."""
    app: FastAPI = create_fastapi_app(
        lambda: WorldEnvironment(offer),
        ReplyAction,
        ToldObservation,
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=most_sessions, session_timeout=idle_seconds),
        env_name=NAME,
        state_cls=EpisodeState,
    )
    app.add_exception_handler(BackburnerError, _explained)
    app.add_middleware(Bounded)
    if token:
        app.add_middleware(Guarded, token=token)
    return app


def _explained(request: Request, error: Exception) -> JSONResponse:
    """What a client asked for and cannot have: its message, as over a WebSocket."""
    return JSONResponse({"detail": str(error)}, 400)


def serve(app: FastAPI, listening: socket.socket, opened: Callable[[], None]) -> None:
    """Serve on a socket until somebody stops it. ``opened`` is called when it listens."""
    config = uvicorn.Config(
        app,
        ws_max_size=MOST_MESSAGE_BYTES,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,  # messages are small, and it takes more time than it saves
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    server = uvicorn.Server(config)
    opened()  # the socket listens already: who connects now is answered as soon as the loop runs
    server.run(sockets=[listening])
