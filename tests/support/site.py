"""A server on a free port of this machine, in a thread of its own, for tests that come over the wire."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from backburner.serve.serving import configured
from backburner.serve.wires import Bounds


@contextmanager
def served(app: Any, bounds: Bounds | None = None, proxies: str = "") -> Iterator[int]:
    """The port at which the application is served as ``backburner serve`` does it."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(configured(app, bounds or Bounds(), proxies))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    until = time.monotonic() + 10
    while not server.started and thread.is_alive() and time.monotonic() < until:
        time.sleep(0.01)
    assert server.started
    try:
        yield int(listening.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(15)
        assert not thread.is_alive(), "the server does not end"
