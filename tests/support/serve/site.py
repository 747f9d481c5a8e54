"""A server on a free port of this machine, in a thread of its own, for tests that come over the wire."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import uvicorn
from websockets.sync.client import connect

from backburner.kernel.doors import Doors
from backburner.serve.app import Settings, Site
from backburner.serve.connections import Bounds
from backburner.serve.games import Games
from backburner.serve.limits import Secret
from backburner.serve.protocol import FromPage, FromServer, Hello, told, written
from backburner.serve.server import configured
from support.serve.serving import PATIENCE_SECONDS


@contextmanager
def served(app: Any, bounds: Bounds | None = None, proxies: str = "") -> Iterator[int]:
    """The port at which the application is served as ``backburner serve`` does it."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(configured(app, bounds or Bounds(), proxies))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    until = time.monotonic() + PATIENCE_SECONDS
    while not server.started and thread.is_alive() and time.monotonic() < until:
        time.sleep(0.01)
    assert server.started
    try:
        yield int(listening.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(PATIENCE_SECONDS)
        assert not thread.is_alive(), "the server does not end"


@contextmanager
def site(folder: Path, *, token: str = "", bounds: Bounds | None = None, proxies: str = "") -> Iterator[int]:
    """The port of a whole site with its games in a folder."""
    secret = Secret(token) if token else None
    settings = Settings(doors=Doors.of([], []), secret=secret, bounds=bounds or Bounds())
    made: list[Site] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if not made:  # within the loop, where the games live
            made.append(Site(Games(folder), settings))
            made.append(made[0].app())  # type: ignore[arg-type]
        await made[1](scope, receive, send)  # type: ignore[operator]

    with served(app, bounds, proxies) as port:
        yield port


def asked(
    port: int, path: str = "/", method: str = "GET", body: bytes | None = None, **headers: str
) -> tuple[int, dict[str, str], str]:
    """(status, headers, text) of a request with these headers; ``_`` stands for a hyphen."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.putrequest(method, path, skip_host="host" in named, skip_accept_encoding=True)
    for name, value in named.items():
        connection.putheader(name, value)
    if body is not None:
        connection.putheader("content-length", str(len(body)))
    connection.endheaders(body)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, text


def opened(port: int, scenario: str, players: dict[str, Any], **plan: Any) -> dict[str, Any]:
    """A game that was opened over the wire: its id and its tokens."""
    body = json.dumps({"scenario": scenario, "players": players, **plan}).encode()
    status, _, text = asked(port, "/api/games", "POST", body, content_type="application/json")
    assert status == 201, text
    found: dict[str, Any] = json.loads(text)
    return found


class Page:
    """A page of a game, without a browser: what it was told, and what it says."""

    def __init__(self, port: int, token: str, **hello: Any) -> None:
        self.heard: list[FromServer] = []
        self._open = ExitStack()
        self._socket = self._open.enter_context(
            connect(f"ws://127.0.0.1:{port}/ws", max_size=None, max_queue=None)
        )
        self.say(Hello(token, **hello))

    def say(self, message: FromPage | str | bytes) -> None:
        """Send a message, or any text."""
        self._socket.send(message if isinstance(message, str | bytes) else written(message))

    def until(self, kind: type[Any], seconds: float = PATIENCE_SECONDS) -> Any:
        """The next message of this kind."""
        end = time.monotonic() + seconds
        while True:
            message = told(self._socket.recv(timeout=max(0.0, end - time.monotonic())))
            self.heard.append(message)
            if isinstance(message, kind):
                return message

    def close(self) -> None:
        """Go away."""
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
