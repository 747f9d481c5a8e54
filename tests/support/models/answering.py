"""A server of a model that always says the same, at once or not at all."""

from __future__ import annotations

import json
import threading
import time
from contextlib import AbstractContextManager
from dataclasses import dataclass

from support.models.local_server import JsonHandler, LocalServer, served

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


class AnsweringServer(LocalServer):
    """``failing_after``: so many answers are given, and no more; ``refuses_key``: no answer at all."""

    def __init__(self, seconds: float = 0.005) -> None:
        super().__init__(_Handler)
        self.seconds = seconds
        self.requests: list[Request] = []
        self.failing_after: int | None = None
        self.refuses_key = False
        self.lock = threading.Lock()


class _Handler(JsonHandler):
    server: AnsweringServer

    def do_POST(self) -> None:
        server = self.server
        self.sent()
        time.sleep(server.seconds)
        with server.lock:
            fails = server.failing_after is not None and len(server.requests) >= server.failing_after
            status = 401 if server.refuses_key else 403 if fails else 200
            server.requests.append(Request(self.headers.get("Authorization", ""), status == 200))
        body = json.dumps(ANSWER if status == 200 else {"error": {"message": "no"}}).encode()
        self.reply(status, body)


def answering(seconds: float = 0.005) -> AbstractContextManager[AnsweringServer]:
    """Answer while the block runs."""
    return served(AnsweringServer(seconds))
