"""A server that does wrong on purpose, and an environment without keys."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.models.fault_server import FaultServer, serving

KEY = "sk-live-Zq7%/n0t\"for'anyone+\\eyes=="
"""A key with every character that some encoding would write in another way."""


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Neither keys nor proxies of whoever runs the tests."""
    for name in (
        "BACKBURNER_API_KEY",
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "HTTP_PROXY",
        "http_proxy",
        "ALL_PROXY",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return monkeypatch


@pytest.fixture
def key(environment: pytest.MonkeyPatch) -> str:
    """A key, set in the environment."""
    environment.setenv("OPENAI_API_KEY", KEY)
    return KEY


@pytest.fixture
def server() -> Iterator[FaultServer]:
    """The fault server."""
    with serving() as faulty:
        yield faulty
