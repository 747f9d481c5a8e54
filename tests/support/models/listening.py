"""A server that hands everything on to another one and writes down what was said."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from support.models.local_server import JsonHandler, LocalServer, served


@dataclass
class Call:
    """One request with its answer; none if the caller was gone, or the server failed."""

    request: dict[str, Any]
    answer: dict[str, Any] = field(default_factory=dict)

    @property
    def first_words(self) -> str:
        """What the conversation begins with."""
        return str(self.request["messages"][0]["content"])


class Listener(LocalServer):
    """``calls`` holds what was asked, in order, and answered."""

    def __init__(self, upstream: str) -> None:
        super().__init__(_Handler)
        self.upstream = upstream
        self.calls: list[Call] = []
        self.direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class _Handler(JsonHandler):
    server: Listener

    def do_POST(self) -> None:
        sent = self.sent()
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
        self.reply(status, body)


def listening(upstream: str) -> AbstractContextManager[Listener]:
    """Listen in while the block runs."""
    return served(Listener(upstream))
