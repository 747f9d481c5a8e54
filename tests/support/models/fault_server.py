"""A server of chat completions that does wrong on purpose."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from support.models.local_server import JsonHandler, LocalServer, served


def completion(content: str | None, **more: object) -> dict[str, object]:
    """The body of a chat completion."""
    message = {"role": "assistant", "content": content, **more}
    usage = {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    named = {"id": "1", "object": "chat.completion", "created": 1, "model": "faulty-1"}
    return {**named, "choices": [choice], "usage": usage}


def ends(finish_reason: str, content: str | None, **more: object) -> dict[str, object]:
    """The body of a chat completion that did not end of itself."""
    whole = completion(content, **more)
    return {**whole, "choices": [{**whole["choices"][0], "finish_reason": finish_reason}]}


class FaultServer(LocalServer):
    """Does what the model's name says: ``good``, ``429``, ``silent``, ``not-json`` ...

    Its errors repeat the key in several spellings, as careless servers do. ``requests`` holds what
    was asked of it. The model ``stalls`` answers ``patience`` calls at once, and the others when
    ``released`` is set; ``closes`` refuses those others, and to ``outgrown`` they are too long. The first two
    calls of ``in step`` are answered when both are there.
    """

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.requests: list[dict[str, object]] = []
        self.headers: dict[str, str] = {}
        self.calls: Counter[str] = Counter()
        self.released = threading.Event()
        self.patience = 0
        self.both = threading.Barrier(2)

    def body(self, model: str, key: str) -> tuple[int, bytes]:
        """Status and body of the reply."""
        if model.isdigit():
            words = (
                f"status {model} for {key}, that is {json.dumps(key)}, also known as {key[:10]}***{key[-2:]}"
            )
            return int(model), json.dumps({"error": {"message": words}}).encode()
        if model == "closes" and self.calls[model] > self.patience:
            return 403, b'{"error": {"message": "this account is closed for today"}}'
        if model == "422 in detail":
            return 422, json.dumps({"detail": [{"loc": ["header"], "input": key}]}).encode()
        if model == "flaky" and self.calls[model] == 1:
            return 503, b'{"error": {"message": "one moment, please"}}'
        if model == "later":
            return 429, b'{"error": {"message": "come back in an hour"}}'
        if model == "limited" and self.calls[model] == 1:
            return 429, b'{"error": {"message": "too many requests"}}'
        if model == "context":
            words = "the request exceeds the available context size (4096 tokens), try increasing it"
            return 400, json.dumps(
                {"error": {"message": words, "type": "exceed_context_size_error"}}
            ).encode()
        if model == "outgrown" and self.calls[model] > self.patience:
            words = "This model's maximum context length is 4096 tokens. However, you requested 4200 tokens."
            code = {"code": "context_length_exceeded", "param": "messages", "type": "invalid_request_error"}
            return 400, json.dumps({"error": {"message": words, **code}}).encode()
        if model == "no quota":
            return 429, b'{"error": {"message": "you have run out", "code": "insufficient_quota"}}'
        if model == "moved":
            return 307, b""
        bodies = {
            "good": completion("activate radio"),
            "flaky": completion("activate radio"),
            "limited": completion("activate radio"),
            "stalls": completion("activate radio"),
            "in step": completion("activate radio"),
            "closes": completion("activate radio"),
            "outgrown": completion("wait"),
            "tool-call": completion(None, tool_calls=[{"id": "1", "type": "function", "function": {}}]),
            "nothing": completion(""),
            "null": completion(None),
            "reasons": ends("length", None, reasoning_content="On the one hand, on the other hand"),
            "in parts": completion([{"type": "thinking", "thinking": []}, {"type": "text", "text": "wait"}]),
            "endless": ends("length", "wait and " * 20),
            "declines": completion(None, refusal="I cannot help with household chores."),
            "filtered": ends("content_filter", None),
            "half a pair": completion("wait \ud83d and see"),
            "broken bytes": json.dumps(completion("wait ~ and see")).encode().replace(b"~", b"\xff\xfe"),
            "no-usage": {**completion("wait"), "usage": None},
            "echo": completion(f"Your key is {key}"),
            "no-choices": {"choices": []},
            "null-choices": {"choices": None},
            "200 with an error": {"error": {"message": "upstream is busy", "code": None}},
            "wrong-shape": {"choices": [{"message": {"content": 7}}]},
            "empty": None,
            "not-json": f'{{"choices": [{{"message": {{"content": "cut off, key {key}',
            "web-page": f"<html><title>Gateway</title>\x1b[31m {key}</html>",
        }
        body = bodies[model]
        if body is None:
            return 200, b""
        if isinstance(body, bytes):
            return 200, body
        return 200, body.encode() if isinstance(body, str) else json.dumps(body).encode()


class _Handler(JsonHandler):
    server: FaultServer

    def do_POST(self) -> None:
        request = json.loads(self.sent())
        model = request["model"]
        self.server.requests.append(request)
        self.server.headers = dict(self.headers)
        self.server.calls[model] += 1
        if model == "silent":
            self.server.released.wait(30)
        if model == "stalls" and self.server.calls[model] > self.server.patience:
            self.server.released.wait(60)
        if model == "in step" and self.server.calls[model] <= 2:
            self.server.both.wait(60)
        if model == "drips":
            self._drip()
        if model in ("silent", "hangs-up", "drips"):
            self.close_connection = True
            return
        status, body = self.server.body(model, self.headers["Authorization"].removeprefix("Bearer "))
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if model == "moved":
            self.send_header("Location", "http://other/v1")
        patience = {"limited": ("retry-after", "0.01"), "later": ("retry-after", "3600")}
        self.send_header(*patience.get(model, ("retry-after-ms", "1")))
        self.end_headers()
        self.wfile.write(body)

    def _drip(self) -> None:
        """A byte now and then, of an answer that never ends, as long as somebody listens."""
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        while not self.server.released.wait(0.05):
            self.wfile.write(b" ")


@contextmanager
def serving() -> Iterator[FaultServer]:
    """A fault server, on this machine only."""
    with served(FaultServer()) as faulty:
        yield faulty
        faulty.released.set()
