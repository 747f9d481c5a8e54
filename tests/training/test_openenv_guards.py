"""What stands before OpenEnv's application, around one of ours; ``integrations/openenv`` tries the whole."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from backburner.kernel.doors import Doors
from backburner.training.openenv.guards import Bounded, Doored, Guarded

LOCAL = {"host": "127.0.0.1:8000"}


def answered(guard: Any, kind: str = "http", **headers: str) -> tuple[Any, bool]:
    """(status of the answer or code of the closed socket, whether the application was asked)."""
    asked, sent = [], []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        asked.append(scope)
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(message)

    async def receive() -> Mapping[str, Any]:
        return {"type": "http.request", "body": b""}

    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    asyncio.run(guard(app)({"type": kind, "path": "/reset", "headers": pairs}, receive, send))
    return sent[0].get("status", sent[0].get("code")), bool(asked)


def doored(host: str = "127.0.0.1", *addresses: str) -> Any:
    return lambda app: Doored(app, Doors.of_host(host, addresses))


@pytest.mark.parametrize(
    "headers",
    [
        LOCAL,
        {"host": "localhost:8000"},
        {"host": "[::1]:8000"},
        LOCAL | {"origin": "http://127.0.0.1:8000"},
    ],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_programs_and_own_pages_are_answered(kind: str, headers: dict[str, str]) -> None:
    assert answered(doored(), kind, **headers) == (200, True)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"host": "evil.example"},
        LOCAL | {"origin": "http://evil.example"},
        LOCAL | {"origin": "null"},
        LOCAL | {"origin": "http://localhost:9000"},
        LOCAL | {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"},
    ],
)
def test_other_pages_and_other_names_are_not(headers: dict[str, str]) -> None:
    assert answered(doored(), "http", **headers) == (403, False)
    assert answered(doored(), "websocket", **headers) == (1008, False)


def test_an_address_that_is_named_is_one_of_its_own() -> None:
    named = doored("0.0.0.0", "http://envs:8000")  # noqa: S104
    assert answered(named, host="envs:8000", origin="http://envs:8000") == (200, True)
    assert answered(named, host="other:8000") == (403, False)


def test_the_token_and_the_size_are_asked_for() -> None:
    assert answered(lambda app: Guarded(app, "t"), **LOCAL) == (401, False)
    assert answered(lambda app: Guarded(app, "t"), authorization="Bearer t") == (200, True)
    assert answered(Bounded, **{"content-length": str(9 << 20)}) == (413, False)
