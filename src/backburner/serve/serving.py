"""How the application is run: uvicorn, one process, one loop."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn

from backburner.kernel.doors import is_loopback
from backburner.kernel.errors import Refused
from backburner.serve.protocol import MOST_MESSAGE_BYTES
from backburner.serve.wires import Bounds, Open, protocols

SHUTDOWN_SECONDS = 5
PING_SECONDS = 20.0


def configured(
    app: Any, bounds: Bounds, proxies: str = "", most_message_bytes: int = MOST_MESSAGE_BYTES
) -> uvicorn.Config:
    """How uvicorn serves it. ``proxies``: addresses, with commas between them, that say from where a request
    comes; nobody else is believed. ``most_message_bytes``: of a WebSocket, where pages beside the games'
    send longer ones."""
    http, sockets = protocols(Open(bounds))
    return uvicorn.Config(
        app,
        http=http,
        ws=sockets,
        ws_max_size=most_message_bytes,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,  # frames are small, and it takes more time than it saves
        lifespan="on",
        log_config=None,
        log_level="error",  # no addresses, and no paths
        access_log=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or "",
        server_header=False,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        backlog=1024,
    )


class Server(uvicorn.Server):
    """Ends cleanly when it is asked to, and at once when it is asked twice. ``opened`` is called when it
    listens."""

    def __init__(self, config: uvicorn.Config, opened: Callable[[], None]) -> None:
        super().__init__(config)
        self._opened = opened

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """See ``uvicorn.Server``."""
        await super().startup(sockets)
        if self.started:
            self._opened()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ctrl-C, SIGTERM and SIGHUP end the server, and nothing else; one that is ignored stays so."""
        loop = asyncio.get_running_loop()
        there = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
        former = {name: handler for name in there if (handler := signal.getsignal(name)) != signal.SIG_IGN}
        try:
            for name in former:
                signal.signal(name, lambda number, frame: loop.call_soon_threadsafe(self._stop))
            yield
        finally:
            for name, handler in former.items():
                signal.signal(name, handler)

    def _stop(self) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there; raises ``Refused`` where that cannot be."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=1024)
    except (OSError, OverflowError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        hint = "; name another with --port, or --port 0 for any that is free" if is_loopback(host) else ""
        raise Refused(f"{host}, port {port}: {why}{hint}") from error
