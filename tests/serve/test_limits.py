"""What comes over the wire and may not: other origins, other names, too much, too slow, too many."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from backburner.kernel.doors import Doors
from backburner.kernel.errors import Refused
from backburner.serve import limits
from backburner.serve.connections import Bounds
from backburner.serve.limits import HEADERS, Bucket, Buckets, Guard, Secret, Unacceptable, body_of
from backburner.serve.store import new_token
from support.serve.serving import PATIENCE_SECONDS
from support.serve.site import asked, served

BOUNDS = Bounds(connections=30, of_one_address=8, request_seconds=0.5, http_seconds=2.0)


async def hello(request: Request) -> PlainTextResponse:
    return PlainTextResponse("hello")


async def read(request: Request) -> PlainTextResponse:
    try:
        return PlainTextResponse(str(len(await body_of(request.receive, 1000, 0.5))))
    except Unacceptable as error:
        return PlainTextResponse(error.why, error.status)


async def echo(ws: WebSocket) -> None:
    await ws.accept()
    async for text in ws.iter_text():
        await ws.send_text(text)


def application() -> Any:
    routes = [Route("/", hello), Route("/read", read, methods=["POST"]), WebSocketRoute("/ws", echo)]
    doors = Doors.of(["kitchen.example"], ["https://play.example.org"])
    return Guard(Starlette(routes=routes), doors)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served(application(), BOUNDS, proxies="127.0.0.1") as port:
        yield port


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (200, {}),
        (200, {"host": "localhost:9000"}),
        (200, {"host": "[::1]:9000"}),
        (200, {"host": "192.168.1.7"}),
        (200, {"host": "kitchen.example:80"}),
        (200, {"host": "play.example.org"}),
        (200, {"origin": "https://play.example.org"}),
        (200, {"host": "kitchen.example:80", "origin": "http://kitchen.example:80"}),
        (200, {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}),
        (403, {"host": "evil.example"}),
        (403, {"host": "play.example.org.evil.example"}),
        (403, {"host": "localhost.evil.example"}),
        (403, {"host": "127.0.0.1.evil.example"}),
        (403, {"host": "evil.example@localhost"}),
        (403, {"host": ""}),
        (403, {"host": "[::1"}),
        (403, {"origin": "http://evil.example"}),
        (403, {"origin": "null"}),
        (403, {"origin": "https://play.example.org.evil.example"}),
        (403, {"host": "kitchen.example", "origin": "http://localhost"}),
        (403, {"sec_fetch_site": "cross-site", "sec_fetch_mode": "no-cors"}),
        (403, {"sec_fetch_site": "same-site", "sec_fetch_mode": "cors"}),
    ],
)
def test_only_by_our_names_and_from_our_pages(port: int, status: int, headers: dict[str, str]) -> None:
    found, _, text = asked(port, **headers)
    assert found == status, text


def test_two_hosts_are_none(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as wire:
        wire.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n")
        assert wire.recv(100).startswith((b"HTTP/1.1 400", b"HTTP/1.1 403"))


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://localhost.evil.example"])
def test_a_page_of_another_origin_opens_no_socket(port: int, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        connect(f"ws://127.0.0.1:{port}/ws", additional_headers={"Origin": origin})
    assert refused.value.response.status_code == 403


def test_a_name_that_was_bound_anew_opens_no_socket(port: int) -> None:
    wire = socket.create_connection(("127.0.0.1", port))
    with pytest.raises(InvalidStatus), wire:
        connect(f"ws://evil.example:{port}/ws", sock=wire)


def test_our_own_page_opens_one(port: int) -> None:
    with connect(f"ws://127.0.0.1:{port}/ws", origin=f"http://127.0.0.1:{port}") as ws:
        ws.send("hello")
        assert ws.recv(timeout=PATIENCE_SECONDS) == "hello"


def test_every_answer_says_what_a_page_may_load(port: int) -> None:
    for status, path, host in (
        (200, "/", "localhost"),
        (404, "/none", "localhost"),
        (403, "/", "evil.example"),
    ):
        found, headers, _ = asked(port, path, host=host)
        assert found == status
        assert {name: headers.get(name) for name in HEADERS} == HEADERS
    policy = HEADERS["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy


def test_a_long_path_is_refused(port: int) -> None:
    assert asked(port, f"/{'a' * 3000}")[0] == 414


def test_long_headers_are_refused_before_they_end(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as wire:
        wire.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        with pytest.raises(OSError):
            for number in range(100_000):
                wire.sendall(b"X-%d: %s\r\n" % (number, b"a" * 1000))


def test_a_long_body_is_refused(port: int) -> None:
    assert asked(port, "/read", "POST", b"a" * 1000)[2] == "1000"
    assert asked(port, "/read", "POST", b"a" * 1001)[0] == 413
    with socket.create_connection(
        ("127.0.0.1", port), timeout=PATIENCE_SECONDS
    ) as wire:  # one that has no end
        wire.sendall(b"POST /read HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        wire.sendall(b"400\r\n" + b"a" * 1024 + b"\r\n")
        assert wire.recv(100).startswith(b"HTTP/1.1 413")


def test_a_body_that_does_not_come_is_not_waited_for(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as wire:
        wire.sendall(b"POST /read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\na")
        assert wire.recv(100).startswith(b"HTTP/1.1 408")


UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


@pytest.mark.parametrize(
    "rest",
    [
        b"Content-Length: 4\r\n\r\nabcd",
        b"Transfer-Encoding: chunked\r\n\r\n",
        b"".join(b"X-%d: y\r\n" % number for number in range(200)) + b"\r\n",
        b"X: " + b"y" * 9000 + b"\r\n\r\n",
    ],
    ids=["body", "pieces", "many headers", "long header"],
)
def test_an_opening_that_is_no_sockets_is_answered_and_ended(port: int, rest: bytes) -> None:
    """Two libraries read it; what one takes and the other does not was left open for ever."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as wire:
        wire.sendall(UPGRADE + rest)
        assert wire.recv(1000).startswith(b"HTTP/1.1 400")
        assert wire.recv(1000) == b""


def test_a_request_of_two_lengths_is_none_and_what_follows_is_not_read(port: int) -> None:
    """A proxy that goes by one and a server that goes by the other see two different second requests."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as wire:
        wire.sendall(
            b"POST /read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n"
            b"\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
        heard = b""
        while more := wire.recv(10_000):
            heard += more
    assert heard.startswith(b"HTTP/1.1 400")
    assert heard.count(b"HTTP/1.1") == 1


def test_two_origins_are_none(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as wire:
        wire.sendall(
            b"GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n"
            b"Origin: http://localhost\r\n\r\n"
        )
        assert wire.recv(100).startswith(b"HTTP/1.1 403")


@pytest.mark.parametrize("begun", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "])
def test_a_request_that_does_not_come_is_not_waited_for(port: int, begun: bytes) -> None:
    """A server that waits is kept from everybody else by somebody who sends a byte a minute (slowloris)."""
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as wire:
        wire.sendall(begun)
        with pytest.raises(OSError):
            while time.monotonic() - began < PATIENCE_SECONDS:
                time.sleep(0.1)
                wire.sendall(b"a")


def test_a_connection_that_is_no_socket_has_an_end(port: int) -> None:
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as wire:
        while time.monotonic() - began < PATIENCE_SECONDS:
            try:
                wire.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                if not wire.recv(10_000):
                    break
            except OSError:
                break
            time.sleep(0.2)
    assert 1.5 < time.monotonic() - began < PATIENCE_SECONDS


def test_a_megabyte_in_one_message_closes_the_socket(port: int) -> None:
    with connect(f"ws://127.0.0.1:{port}/ws", max_size=None) as ws:
        with pytest.raises(ConnectionClosed) as closed:
            ws.send("a" * 2**20)
            ws.recv(timeout=PATIENCE_SECONDS)
        assert closed.value.rcvd is None or closed.value.rcvd.code == 1009


def is_open(wire: socket.socket) -> bool:
    wire.setblocking(False)
    try:
        return wire.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def test_connections_are_bounded_and_come_back() -> None:
    with served(application(), Bounds(connections=20, request_seconds=3.0)) as port:
        wires = [socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) for _ in range(500)]
        alive = wires
        until = time.monotonic() + PATIENCE_SECONDS
        while len(alive) > 20 and time.monotonic() < until:
            time.sleep(0.05)
            alive = [wire for wire in alive if is_open(wire)]
        assert len(alive) == 20
        for wire in alive:  # those that say nothing
            wire.settimeout(PATIENCE_SECONDS)
            assert wire.recv(1) == b""
        assert asked(port)[0] == 200
        for wire in wires:
            wire.close()


def allowed(port: int, came_from: str, most: int) -> int:
    """How many requests of an address are answered in a row; a slow machine does not ask too often soon."""
    for number in range(most):
        status = asked(port, x_forwarded_for=came_from)[0]
        if status == 429:
            return number
        assert status == 200
    return most


def test_an_address_behind_a_proxy_asks_so_often_and_no_oftener(port: int) -> None:
    assert allowed(port, "203.0.113.9", 5000) in range(200, 5000)
    assert asked(port, x_forwarded_for="203.0.113.10")[0] == 200
    # What the proxy adds stands last; a new address might ask 200 times.
    assert allowed(port, "198.51.100.1, 203.0.113.9", 199) < 199


def test_a_bucket_fills_again() -> None:
    bucket = Bucket(rate=2.0, burst=3.0, now=0.0)
    assert [bucket.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(0.5), bucket.take(0.5)] == [True, False]
    assert bucket.left(100.0) == 3.0


def test_addresses_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_ADDRESSES", 100)
    buckets = Buckets(1.0, 1.0)
    for number in range(1000):
        buckets.of(f"10.0.{number // 256}.{number % 256}")
    assert len(buckets._of) == 100


def test_a_network_of_ipv6_is_one_address() -> None:
    buckets = Buckets(1.0, 1.0)
    assert buckets.of("2001:db8::1") is buckets.of("2001:db8::ffff")
    assert buckets.of("2001:db8:0:1::1") is not buckets.of("2001:db8::1")


def test_a_secret_is_compared_and_not_shown() -> None:
    token = new_token()
    secret = Secret(token)
    assert secret.is_(token)
    assert not any(secret.is_(guess) for guess in ("", token[:-1], token + "a", "\ud800"))
    assert token not in repr(secret) and len(token) >= 22
    assert len({new_token() for _ in range(1000)}) == 1000


@pytest.mark.parametrize(
    "address", ["play.example.org", "ftp://a.example", "https://", "https://a/b", "https://a:x"]
)
def test_an_address_is_written_in_full(address: str) -> None:
    with pytest.raises(Refused):
        Doors.of([], [address])


def test_a_body_is_put_together() -> None:
    parts = [
        {"type": "http.request", "body": b"ab", "more_body": True},
        {"type": "http.request", "body": b"c"},
    ]

    async def receive() -> Any:
        return {"type": "http.request", **parts.pop(0)}

    assert asyncio.run(body_of(receive, 3, 1.0)) == b"abc"
