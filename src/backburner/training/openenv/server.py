"""The server: OpenEnv's application around our sessions, with bounds."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.types import ConcurrencyConfig

from backburner.kernel.doors import Doors
from backburner.kernel.errors import BackburnerError
from backburner.training.offer import Offer
from backburner.training.openenv.environment import NAME, WorldEnvironment
from backburner.training.openenv.guards import MOST_MESSAGE_BYTES, Bounded, Doored, Guarded
from backburner.training.openenv.models import EpisodeState, ReplyAction, ToldObservation

PING_SECONDS = 20.0


def application(
    offer: Offer,
    doors: Doors,
    *,
    most_sessions: int = 64,
    idle_seconds: float | None = 3600.0,
    token: str = "",
) -> FastAPI:
    """The ASGI application. ``most_sessions`` may be open at once; one more is told that there is no room.
    A session that nothing was heard of for ``idle_seconds`` is closed. With a ``token`` every request has to
    carry it, as ``Authorization: Bearer``. ``doors``: by which names it is asked, and from which pages."""
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
    app.add_middleware(Doored, doors=doors)
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
