"""What people with bad intentions send over a WebSocket: nothing is read, nothing is broken."""

from __future__ import annotations

import json
import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from backburner.serve import protocol
from backburner.serve.connections import Bounds
from backburner.serve.protocol import (
    Begin,
    Closed,
    Confirm,
    End,
    Frame,
    Lobby,
    Move,
    Over,
    Ping,
    Pong,
    Replace,
    Told,
    Turn,
    Wanted,
    Welcome,
)
from support.serve.serving import PATIENCE_SECONDS
from support.serve.site import Page, asked, opened, site

PERSON = {"kind": "person"}
COOKS = "collab_overcooked/boiled_egg"
BOTH = {"chef": PERSON, "assistant": PERSON}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with site(tmp_path_factory.mktemp("games"), proxies="127.0.0.1") as port:
        yield port


def still_there(port: int) -> None:
    """The server does what it is there for."""
    game = opened(port, "timearena/household1", {"agent": PERSON})
    with Page(port, game["seats"]["agent"]) as page:
        assert page.until(Turn).options


WRONG = [
    "",
    "hello",
    "null",
    "[]",
    "{}",
    '{"kind": "hello"}',
    '{"kind": "hello", "token": 5}',
    '{"kind": "hello", "token": "a", "seen": 1e999}',
    '{"kind": "hello", "token": "a", "seat": "chef"}',
    '{"kind": "move", "id": 1, "number": 0, "option": 0}',
    '{"kind": "welcome"}',
    '{"kind": "hello", "token": "\\ud800"}',
    '{"kind": "hello", "token": "' + "a" * 300 + '"}',
    "[" * 5000,
    '{"a":' * 2000,
    '{"kind": "hello", "kind": "move", "token": "a"}',
    "\x00" * 100,
    b"\xff\xfe",
    b'{"kind": "hello", "token": "a"}',
]


@pytest.mark.parametrize("message", WRONG, ids=lambda message: repr(message[:30]))
def test_what_is_no_hello_closes_the_connection_with_a_reason(port: int, message: str | bytes) -> None:
    with connect(f"ws://127.0.0.1:{port}/ws") as ws:
        ws.send(message)
        closed = json.loads(ws.recv(timeout=PATIENCE_SECONDS))
        assert closed["kind"] == "closed" and closed["why"] and not closed["again"]
        with pytest.raises(ConnectionClosed):
            ws.recv(timeout=PATIENCE_SECONDS)


def test_what_is_no_message_closes_the_page_and_nobody_elses(port: int) -> None:
    game = opened(port, COOKS, BOTH)
    tokens = game["seats"]
    with Page(port, tokens["chef"]) as chef:
        for message in (
            '{"kind": "move"}',
            "null",
            "[" * 5000,
            b"{}",
            '{"kind": "move", "id": 1, "number": 0}',
        ):
            with Page(port, tokens["assistant"]) as assistant:
                assistant.until(Welcome)
                assistant.say(message)
                assert assistant.until(Closed | Told)
        chef.say(Ping(7))
        assert chef.until(Pong).id == 7


def test_silence_is_not_waited_for(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backburner.serve.connections.HELLO_SECONDS", 0.3)
    with connect(f"ws://127.0.0.1:{port}/ws") as ws:
        assert "nothing was said" in ws.recv(timeout=PATIENCE_SECONDS)


def test_half_a_message_is_not_waited_for(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hello that comes byte by byte, in a frame that never ends."""
    monkeypatch.setattr("backburner.serve.connections.HELLO_SECONDS", 0.5)
    monkeypatch.setattr("backburner.serve.connections.FAREWELL_SECONDS", 0.5)
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as wire:
        wire.sendall(
            b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        assert b"101" in wire.recv(1000)
        wire.sendall(b"\x81\xfe\x10\x00\x00\x00\x00\x00")  # a text of 4096 bytes
        began = time.monotonic()
        with suppress(OSError):
            while time.monotonic() - began < PATIENCE_SECONDS:
                wire.sendall(b"{")
                wire.settimeout(0.1)
                with suppress(TimeoutError):
                    if not wire.recv(1000):
                        break
        assert time.monotonic() - began < PATIENCE_SECONDS


def test_a_megabyte_is_not_read(port: int) -> None:
    game = opened(port, COOKS, BOTH)
    with Page(port, game["seats"]["chef"]) as page:
        page.until(Welcome)
        with pytest.raises(ConnectionClosed) as closed:
            page.say("a" * 2**20)
            page.until(Closed)
        assert closed.value.rcvd is None or closed.value.rcvd.code == 1009
    still_there(port)


def test_a_message_in_a_thousand_pieces_is_not_put_together(port: int) -> None:
    game = opened(port, COOKS, BOTH)
    with connect(f"ws://127.0.0.1:{port}/ws") as ws:
        ws.send(json.dumps({"kind": "hello", "token": game["seats"]["chef"]}))
        ws.recv(timeout=PATIENCE_SECONDS)
        with pytest.raises(ConnectionClosed):
            ws.send("a" * 1000 for _ in range(1000))
            while True:
                ws.recv(timeout=PATIENCE_SECONDS)
    still_there(port)


def test_a_flood_is_ended_with_a_reason(port: int) -> None:
    game = opened(port, COOKS, BOTH)
    with Page(port, game["seats"]["chef"]) as page:
        page.until(Welcome)
        with suppress(ConnectionClosed):
            for number in range(500):
                page.say(Ping(number))
        closed = page.until(Closed)
        assert "messages a second" in closed.why
        assert sum(isinstance(message, Pong) for message in page.heard) <= 2 * protocol.MOST_AT_ONCE
    with Page(port, game["seats"]["chef"]) as page:  # and the seat is still theirs
        assert page.until(Welcome).seat == "chef"


def test_nobody_plays_a_seat_of_another(port: int) -> None:
    """Neither another player of the same game, nor an onlooker, nor the token of another game."""
    game, other = opened(port, COOKS, BOTH), opened(port, COOKS, BOTH)
    with (
        Page(port, game["seats"]["chef"]) as chef,
        Page(port, game["seats"]["assistant"]) as assistant,
        Page(port, game["watch"]) as onlooker,
        Page(port, other["seats"]["chef"]) as stranger,
    ):
        assert stranger.until(Welcome).game == other["game"]
        for page in (onlooker, stranger):
            page.say(Move(1, 0, option=0))
            assert page.until(Told).status in ("refused", "late")
        turn = chef.until(Turn)
        for page in (assistant, onlooker):
            for message in (
                Replace("chef", Wanted("agent", "greedy")),
                End(),
                Begin(),
                protocol.Renew("chef"),
            ):
                page.say(message)
                assert page.until(Told).status == "refused"
        onlooker.say(Confirm(1))
        assert onlooker.until(Told).status == "refused"
        chef.say(Move(1, turn.number, option=0))
        assert chef.until(Told).status == "accepted"  # it was nobody else's


def test_what_is_sent_again_does_nothing(port: int) -> None:
    game = opened(port, "timearena/household1", {"agent": PERSON})
    with Page(port, game["seats"]["agent"]) as page:
        first = page.until(Turn)
        move = Move(1, first.number, option=0)
        page.say(move)
        second = page.until(Turn)
        assert second.number == first.number + 1
        for again in (move, Move(2, first.number, option=0), Move(1, second.number, option=0)):
            page.say(again)
            assert page.until(Told).status in ("late", "refused")
        page.say(Ping(9))
        page.until(Pong)
        assert not any(
            isinstance(message, Frame) and message.number > second.number for message in page.heard
        )
    with Page(port, game["seats"]["agent"]) as page:  # and after the connection was lost
        page.until(Turn)
        page.say(move)
        assert page.until(Told).status in ("late", "refused")


def test_numbers_beyond_all_bounds(port: int) -> None:
    game = opened(port, "timearena/household1", {"agent": PERSON})
    with Page(port, game["seats"]["agent"]) as page:
        turn = page.until(Turn)
        page.say(Move(1, turn.number, option=1999))
        assert page.until(Told).status == "refused"
        page.say(Move(2, 2**53 - 1, option=0))
        assert page.until(Told).status in ("late", "refused")
        page.say(Move(3, turn.number, line="x", option=0))
        assert page.until(Told).status == "refused"
        page.say(Move(4, turn.number, line="x" * 4000))
        assert page.until(Told)
    still_there(port)


SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>\u202e\x1b]0;a\x07\x00"


def test_script_in_names_and_talk_stays_text(port: int) -> None:
    """It is sent as JSON, which a page shows as text; what would command a terminal is gone from names."""
    players = {"chef": PERSON, "assistant": {"kind": "person", "name": SCRIPT[:20]}}
    game = opened(port, COOKS, players, title=SCRIPT)
    with Page(port, game["seats"]["chef"], name=SCRIPT[:40]) as chef:
        chef.until(Welcome)
        with Page(port, game["seats"]["assistant"]) as assistant:
            welcome = assistant.until(Welcome)
            assert all(seat.player.isprintable() for seat in welcome.seats)
            turn = chef.until(Turn)
            chef.say(Move(1, turn.number, line=f"{SCRIPT} say"))
            chef.until(Told)
    status, headers, _ = asked(port, "/api/games")
    assert status == 200 and headers["content-type"] == "application/json"
    assert headers["x-content-type-options"] == "nosniff"  # no browser takes it for a page


def test_guessing_tokens_is_slow(port: int) -> None:
    said = []
    for number in range(45):
        with connect(
            f"ws://127.0.0.1:{port}/ws", additional_headers={"X-Forwarded-For": "203.0.113.77"}
        ) as ws:
            ws.send(json.dumps({"kind": "hello", "token": f"guess{number}"}))
            said.append(json.loads(ws.recv(timeout=PATIENCE_SECONDS))["why"])
    assert "no game" in said[0] and "wait a little" in said[-1]
    still_there(port)  # for everybody else


def test_thousands_of_sockets_do_not_keep_people_out(tmp_path: Path) -> None:
    with site(tmp_path, bounds=Bounds(connections=300), proxies="") as port, ExitStack() as many:
        game = opened(port, COOKS, BOTH)
        chef = many.enter_context(Page(port, game["seats"]["chef"]))
        chef.until(Welcome)
        for _ in range(2000):
            wire = many.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS))
            with suppress(OSError):
                wire.sendall(b"GET /ws HTTP/1.1\r\n")
        chef.say(Ping(1))
        assert chef.until(Pong)


def test_a_reader_that_does_not_read_slows_nobody(port: int) -> None:
    game = opened(port, "timearena/household1", {"agent": PERSON})
    hello = json.dumps({"kind": "hello", "token": game["watch"]})
    with ExitStack() as all_:
        for _ in range(3):  # onlookers with small windows who never read
            wire = socket.socket()
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            wire.connect(("127.0.0.1", port))
            url = f"ws://127.0.0.1:{port}/ws"
            ws = all_.enter_context(connect(url, sock=wire, max_queue=1, close_timeout=0.1))
            ws.send(hello)
        began = time.monotonic()
        page = all_.enter_context(Page(port, game["seats"]["agent"]))
        for number in range(1, 15):
            turn = page.until(Turn | Over)
            if isinstance(turn, Over):
                break
            page.say(Move(number, turn.number, option=0))
        assert time.monotonic() - began < PATIENCE_SECONDS


def test_no_secret_stands_in_a_log_or_in_the_store(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    with site(tmp_path) as port:
        game = opened(port, COOKS, BOTH)
        secrets = [game["host"], game["watch"], *game["seats"].values()]
        for secret in secrets:
            with Page(port, secret) as page:
                page.until(Welcome)
                page.say('{"kind": "move"}')
                page.until(Closed | Told | Lobby)
            asked(port, "/api/record", authorization=f"Bearer {secret}")
            asked(port, f"/nothing?token={secret}")
    told = caplog.text + "".join(capfd.readouterr())
    kept = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    websockets_own = (
        "> TEXT",
        "< TEXT",
        "> GET",
        "Authorization",
    )  # the client of this test, in this process
    lines = [line for line in told.splitlines() if not any(own in line for own in websockets_own)]
    for secret in secrets:
        assert secret.encode() not in kept
        assert not [line for line in lines if secret in line]


def test_many_at_once_are_answered_in_turn(port: int) -> None:
    """Twenty people come to one game in the same moment, with the right secret and with wrong ones."""
    game = opened(port, COOKS, BOTH)
    heard: list[str] = []

    def come(token: str) -> None:
        with connect(f"ws://127.0.0.1:{port}/ws") as ws:
            ws.send(json.dumps({"kind": "hello", "token": token}))
            heard.append(json.loads(ws.recv(timeout=PATIENCE_SECONDS))["kind"])

    tokens = [game["seats"]["chef"], "wrong"] * 10
    threads = [threading.Thread(target=come, args=(token,)) for token in tokens]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_SECONDS)
    assert sorted(heard) == ["closed"] * 10 + ["welcome"] * 10
