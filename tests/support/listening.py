"""A server that hands everything on to another one and writes down what was said."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Call:
    """One request with its answer; none if the caller was gone, or the server failed."""

    request: dict[str, Any]
    answer: dict[str, Any] = field(default_factory=dict)

    @property
    def first_words(self) -> str:
        """What the conversation begins with."""
        return str(self.request["messages"][0]["content"])


class Listener(ThreadingHTTPServer):
    """``calls`` holds what was asked, in order, and answered."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, upstream: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.upstream = upstream
        self.calls: list[Call] = []
        self.direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, *_: object) -> None:
        """A caller that is killed is no error here."""


class _Handler(BaseHTTPRequestHandler):
    server: Listener
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["Content-Length"]))
        call = Call(json.loads(sent))
        self.server.calls.append(call)
        url = self.server.upstream + self.path.removeprefix("/v1")
        request = urllib.request.Request(url, sent, {"Content-Type": "application/json"})  # noqa: S310  ours
        try:
            with self.server.direct.open(request, timeout=60) as response:
                status, body = response.status, response.read()
        except urllib.error.HTTPError as error:
            status, body = error.code, error.read()
        call.answer = json.loads(body)
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep the test's output clean."""


@contextmanager
def listening(upstream: str) -> Iterator[Listener]:
    """Listen in while the block runs."""
    with Listener(upstream) as listener:
        thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield listener
        finally:
            listener.shutdown()
            thread.join()
