"""A server of games as people run it, and people at its pages: they read the screen, click, and type."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from playwright.sync_api import BrowserContext, Page, expect

PATIENCE_SECONDS = 30.0
SEARCH = "Search the moves, or type one"


class Site:
    """``backburner serve`` (or another command) on a folder; it can be killed, and started again at the
    same address. ``secret``: of the link that it printed; of a study, the researcher's."""

    def __init__(self, folder: Path, *command: str) -> None:
        self.folder, self.command, self.port = folder, command or ("serve",), 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "backburner", *self.command, "--folder", str(self.folder)]
        self.process = subprocess.Popen(
            [*command, "--listen", str(self.port)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        said = ""
        last = "/researcher/" if "study" in self.command else "http://"
        for line in self.process.stdout:
            said += line
            if last in line and (found := re.search(r"http://127\.0\.0\.1:(\d+)[^#]*#?(\S*)", line)):
                self.port, self.secret = int(found[1]), found[2]
                return
        raise AssertionError(f"the server did not start: {said}")

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """As a failing machine does: nothing is closed, nothing is written."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(20)

    def opens(self, scenario: str, players: dict[str, dict[str, str]], **plan: Any) -> dict[str, Any]:
        """A game, with the secrets of its links."""
        body = json.dumps({"scenario": scenario, "players": players, **plan})
        opened: dict[str, Any] = json.loads(
            self.asks("POST", "/api/games", body, {"content-type": "application/json"})
        )
        return opened

    def record(self, token: str) -> bytes:
        """The game's record, as its players may download it."""
        return self.asks("GET", "/api/record", None, {"authorization": f"Bearer {token}"})

    def asks(
        self, method: str, path: str, body: str | None = None, headers: Any = None, refused: int = 0
    ) -> bytes:
        """What the server answers; ``refused``: the status if it is to refuse."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        assert answer.status in ((refused,) if refused else (200, 201)), content
        return content

    @property
    def model(self) -> str:
        """The stand-in for a model that every server has."""
        return str(json.loads(self.asks("GET", "/api/offers"))["models"][-1]["name"])


class Photograph(Protocol):
    """Takes a picture of a page, where somebody wants pictures."""

    def __call__(self, page: Page, name: str, full_page: bool = False) -> None: ...


class Somebody:
    """A person at a page, in a browser of their own. ``heard``: every message that the server sent them, as
    it came; ``told``: the same, read."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context, self.page = context, context.new_page()
        self.heard: list[str] = []
        self.told: list[dict[str, Any]] = []
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._hear))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", self._complain)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(address)

    def _hear(self, frame: str | bytes) -> None:
        self.heard.append(frame if isinstance(frame, str) else frame.decode())
        self.told.append(json.loads(self.heard[-1]))

    def _complain(self, message: Any) -> None:
        lost = "WebSocket connection" in message.text or "ERR_" in message.text  # while nobody serves
        if message.type in ("error", "warning") and not lost:
            self.complaints.append(message.text)

    def messages(self, kind: str) -> list[dict[str, Any]]:
        """What the server has said, of one kind."""
        return [told for told in self.told if told["kind"] == kind]

    @property
    def asked_to_move(self) -> bool:
        """Whether the page says so, and a move can be made."""
        return (
            self.page.title().startswith("Your move")
            and self.page.locator(".moves:not(.waiting)").count() > 0
        )

    @property
    def is_over(self) -> bool:
        return self.page.locator(".end").count() > 0

    def is_ready(self) -> None:
        """For the clock to run, once everybody else is as well."""
        self.page.get_by_role("button", name="Ready", exact=True).click()

    def types(self, line: str) -> None:
        """A line in the box of moves."""
        box = self.page.get_by_label(SEARCH)
        box.fill(line)
        box.press("Enter")

    def clicks(self, name: str) -> None:
        """The button of a move whose words these are."""
        self.page.locator(".moves button.option", has_text=name).first.click()

    def numbers(self) -> dict[str, float]:
        """How the game ended, as the page shows it."""
        expect(self.page.locator(".end")).to_be_visible(timeout=PATIENCE_SECONDS * 1000)
        names = self.page.locator(".end dt").all_text_contents()
        return dict(zip(names, map(float, self.page.locator(".end dd").all_text_contents()), strict=True))

    def check(self, site: Site) -> None:
        """Nothing outside was asked for, and nothing went wrong."""
        ours = (site.address, f"ws://127.0.0.1:{site.port}", "data:", "blob:")
        assert not [url for url in self.asked if not url.startswith(ours)]
        assert not self.complaints, self.complaints


def offered(somebody: Somebody) -> list[str]:
    """The moves of the newest turn."""
    return [option["label"] for option in somebody.messages("turn")[-1]["options"]]


def until(found: Callable[[], bool], page: Page, what: str, seconds: float = PATIENCE_SECONDS) -> None:
    """Wait in the page's own time, so that its messages are heard."""
    end = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < end, f"{what}: it did not come in {seconds} s"
        page.wait_for_timeout(20)


def play(people: dict[str, Somebody], moves: Callable[[str, Somebody], None], most: int = 400) -> None:
    """Everybody makes a move whenever their page asks for one, until it is over."""
    anybody = next(iter(people.values()))
    made: dict[str, int] = dict.fromkeys(people, -1)

    def asked() -> list[str]:
        return [
            seat
            for seat, person in people.items()
            if person.asked_to_move and person.messages("turn")[-1]["number"] != made[seat]
        ]

    for _ in range(most):
        until(lambda: bool(asked()) or anybody.is_over, anybody.page, "a move")
        if anybody.is_over:
            return
        for seat in asked():
            made[seat] = people[seat].messages("turn")[-1]["number"]
            moves(seat, people[seat])
    raise AssertionError(f"not over after {most} rounds")
