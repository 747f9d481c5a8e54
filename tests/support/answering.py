"""A server of a model that always says the same, at once or not at all."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ANSWER = {
    "object": "chat.completion",
    "model": "m-1",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "wait"}}],
    "usage": {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14},
}


@dataclass
class Request:
    """What was asked with which key, and whether it was answered."""

    key: str
    answered: bool


class AnsweringServer(ThreadingHTTPServer):
    """``failing_after``: so many answers are given, and no more; ``refuses_key``: no answer at all."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, seconds: float = 0.005) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.seconds = seconds
        self.requests: list[Request] = []
        self.failing_after: int | None = None
        self.refuses_key = False
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, *_: object) -> None:
        """A caller that is killed is no error here."""


class _Handler(BaseHTTPRequestHandler):
    server: AnsweringServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        server = self.server
        self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep(server.seconds)
        with server.lock:
            fails = server.failing_after is not None and len(server.requests) >= server.failing_after
            status = 401 if server.refuses_key else 403 if fails else 200
            server.requests.append(Request(self.headers.get("Authorization", ""), status == 200))
        body = json.dumps(ANSWER if status == 200 else {"error": {"message": "no"}}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep the test's output clean."""


@contextmanager
def answering(seconds: float = 0.005) -> Iterator[AnsweringServer]:
    """Answer while the block runs."""
    with AnsweringServer(seconds) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
