"""``backburner serve``: one address, a clean end, clear lines where it cannot begin."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from backburner.serve.protocol import Frame, Turn, Welcome
from support.command_line import complaint
from support.serve.site import Page, asked, opened

PERSON = {"kind": "person"}


class Running:
    """``backburner serve`` in a process of its own."""

    def __init__(self, *options: str, cwd: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "backburner", "serve", "--listen", "0", *options],
            cwd=cwd,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.page = self.process.stdout.readline().strip()
        assert self.page, self.process.communicate()[1]
        self.port = urlsplit(self.page).port or 0

    def end(self, number: signal.Signals) -> tuple[int, str]:
        """(exit code, what was said on stderr) after the signal."""
        self.process.send_signal(number)
        _, said = self.process.communicate(timeout=20)
        return self.process.returncode, said


@contextmanager
def serving(*options: str, cwd: Path) -> Iterator[Running]:
    running = Running(*options, cwd=cwd)
    try:
        yield running
    finally:
        running.process.kill()
        running.process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_ends_cleanly_and_goes_on_where_it_was(number: signal.Signals, tmp_path: Path) -> None:
    with serving(cwd=tmp_path) as running:
        assert running.page == f"http://127.0.0.1:{running.port}/"
        assert asked(running.port)[0] == 200
        game = opened(running.port, "timearena/household1", {"agent": PERSON})
        with Page(running.port, game["seats"]["agent"]) as page:
            turn = page.until(Turn)
            page.say(f'{{"kind": "move", "id": 1, "number": {turn.number}, "option": 0}}')
            assert page.until(Turn).number == 1
            code, said = running.end(number)
        assert (code, said.count("Traceback")) == (0, 0)
        assert "1 game goes on at the next start" in said and "served" in said
    with serving(cwd=tmp_path) as running, Page(running.port, game["seats"]["agent"]) as page:
        assert page.until(Turn).number == 1


def test_the_demonstration_plays_at_once(tmp_path: Path) -> None:
    with serving("--games", "demo=yes", cwd=tmp_path) as running:
        assert running.page.endswith("/watch#demo")
        end = time.monotonic() + 20
        while True:  # the first game is being opened
            try:
                with Page(running.port, "demo") as page:
                    welcome = page.until(Welcome, seconds=2)
                    break
            except Exception:
                assert time.monotonic() < end
                time.sleep(0.1)
        assert welcome.role == "onlooker" and len(welcome.seats) > 1
        assert {seat.kind for seat in welcome.seats} == {"agent"}
        with Page(running.port, "demo") as page:
            first = page.until(Frame)
            assert page.until(Frame).number == first.number + 1 and first.scene is not None
        assert '"watch":"demo"' in asked(running.port, "/api/offers")[2]


def test_beyond_this_machine_it_takes_a_token(tmp_path: Path) -> None:
    with serving("--listen", "0.0.0.0:0", cwd=tmp_path) as running:
        address, _, token = running.page.partition("/#")
        assert len(token) >= 22 and socket.gethostname() in address
        assert asked(running.port, "/api/games")[0] == 401
        assert asked(running.port, "/api/games", authorization=f"Bearer {token}")[0] == 200
        assert asked(running.port, "/", host=f"{socket.gethostname()}:{running.port}")[0] == 200
        assert asked(running.port, "/", host="evil.example")[0] == 403
        assert token not in running.end(signal.SIGTERM)[1]


def test_behind_a_proxy_it_goes_by_its_public_address(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("a-token-from-a-file-of-mine\n")
    options = ("--address", "https://play.example.org", "--token-file", "token")
    with serving(*options, cwd=tmp_path) as running:
        assert running.page == "https://play.example.org/#a-token-from-a-file-of-mine"


def test_what_cannot_begin_is_told_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = complaint("serve", "--listen", port)
        assert port in said and "in use" in said and "--listen" in said
    Path("file").write_text("")
    assert "file" in complaint("serve", "--listen", "0", "--folder", "file/games")
    assert "203.0.113.1, port" in complaint("serve", "--listen", "203.0.113.1:8765")
    assert "no token" in complaint("serve", "--token-file", "file")
    assert "none.json" in complaint("serve", "--models", "none.json")
    assert "without a path" in complaint("serve", "--address", "play.example.org")
    with serving(cwd=tmp_path):
        assert "another process has it open" in complaint("serve", "--listen", "0")


def test_a_missing_extra_is_named(tmp_path: Path) -> None:
    """In a process of its own: a package imported twice in one process leaves two modules of one name."""
    code = "import sys; sys.modules['starlette.applications'] = None; from backburner.cli import main; main()"
    ended = subprocess.run(
        [sys.executable, "-c", code, "serve"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 2 and ended.stderr.count("\n") == 1
    assert "serve needs an optional part" in ended.stderr and "[serve]" in ended.stderr


def test_what_cannot_be_used_is_told_before_the_server_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "noise").write_bytes(b"\x00\x01")
    for options, why in (
        (["--budget", "prices=noise"], "noise: not JSON"),
        (["--folder", "noise"], "noise/games.sqlite: .*noise is a file, not a folder"),
    ):
        assert re.search(f"^backburner: {why}", complaint("serve", "--listen", "0", *options))
