"""Games on the server are played in three dimensions, with keys and with a headset on, over the socket."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

PERSON = {"kind": "person"}
GREEDY = {"kind": "agent", "name": "greedy"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of games."""
    folder = tmp_path_factory.mktemp("games")
    command = [sys.executable, "-m", "backburner", "serve", "--listen", "0", "--folder", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout
        yield running.stdout.readline().strip().rstrip("/")
        running.terminate()


class Seat:
    """A page at somebody's seat, and what went over its socket."""

    def __init__(self, page: Page, server: str, token: str) -> None:
        self.page = page
        self.sent: list[dict[str, Any]] = []
        self.heard: list[dict[str, Any]] = []
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("websocket", self._listen)
        page.goto(f"{server}/play#{token}")
        page.get_by_role("button", name="3D").click()
        page.locator(".space-canvas").wait_for()
        page.wait_for_timeout(300)

    def _listen(self, socket: Any) -> None:
        socket.on("framesent", lambda frame: self.sent.append(json.loads(frame)))
        socket.on("framereceived", lambda frame: self.heard.append(json.loads(frame)))

    def said(self, kind: str) -> list[dict[str, Any]]:
        """What the server has said of this kind."""
        return [message for message in self.heard if message["kind"] == kind]

    @property
    def moves(self) -> list[dict[str, Any]]:
        return [message for message in self.sent if message["kind"] == "move"]

    @property
    def scene(self) -> dict[str, Any]:
        found: dict[str, Any] = self.said("frame")[-1]["scene"]
        return found

    def wait(self, ready: Callable[[], Any]) -> None:
        """Until this is so, for ten seconds at most."""
        for _ in range(200):
            if ready():
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never: {ready}; sent {self.sent}, complaints {self.complaints}")


@pytest.fixture
def seated(
    server: str, browsers: Callable[..., Browser], chromium_flags: list[str]
) -> Iterator[Callable[..., Seat]]:
    """Opens a game and the page of its only person."""
    seats: list[Seat] = []

    def sit(scenario: str, players: dict[str, Any], scripts: tuple[str | Path, ...] = ()) -> Seat:
        context = browsers(chromium_flags).new_context(viewport={"width": 900, "height": 500})
        plan = {"scenario": scenario, "players": players}
        answer = context.request.post(f"{server}/api/games", data=plan, headers={"Origin": server})
        assert answer.ok, answer.text()
        for script in scripts:
            context.add_init_script(**({"path": script} if isinstance(script, Path) else {"script": script}))
        seats.append(Seat(context.new_page(), server, next(iter(answer.json()["seats"].values()))))
        return seats[-1]

    yield sit
    for seat in seats:
        assert not seat.complaints
        seat.page.context.close()


def test_a_game_is_played_in_a_headset(
    seated: Callable[..., Seat], headset_of: Callable[[Page], Any], device: tuple[str | Path, ...]
) -> None:
    seat = seated("cuisineworld/level_1@bodies=2,seats=person", {"agent0": PERSON, "agent1": GREEDY}, device)
    seat.wait(lambda: seat.said("turn"))
    headset = headset_of(seat.page)
    headset.enter()
    for step in range(3):
        turn = seat.said("turn")[-1]
        walks = [option for option in turn["options"] if option["verb"] in ("goto", "get", "put", "activate")]
        wanted = walks[0]
        place = next(p for p in seat.scene["places"] if p["name"] == wanted["things"][-1])
        assert headset.aim_down_at(seat.scene, place) == place["name"]
        headset.press()
        assert headset.find_line(seat.scene, place, wanted["label"])
        headset.press()
        seat.wait(lambda step=step: len(seat.moves) == step + 1)
        assert turn["options"][seat.moves[-1]["option"]]["label"] == wanted["label"]
        seat.wait(lambda turn=turn: seat.said("turn")[-1]["number"] > turn["number"])
    assert [told["status"] for told in seat.said("told")] == ["accepted"] * 3


def test_a_live_game_is_walked_with_a_stick_and_with_arrow_keys(
    seated: Callable[..., Seat], headset_of: Callable[[Page], Any], device: tuple[str | Path, ...]
) -> None:
    seat = seated("clocked_kitchen/level_3@asks=always", {"agent0": PERSON, "agent1": GREEDY}, device)
    seat.page.get_by_role("button", name="Ready", exact=True).click()
    seat.wait(lambda: seat.said("turn"))
    start = _cell(seat)
    seat.page.focus(".space-canvas")
    seat.page.keyboard.down("ArrowUp")
    seat.wait(lambda: _cell(seat)[1] < start[1])
    seat.page.keyboard.up("ArrowUp")
    headset = headset_of(seat.page)
    headset.enter()
    there = _cell(seat)
    headset.lean(-1, 0)
    seat.wait(lambda: _cell(seat)[0] < there[0])
    headset.lean(0, 0)
    presses = [move["press"]["key"] for move in seat.moves]  # one for each step that the page has shown
    assert presses == sorted(presses, reverse=True) and set(presses) == {"up", "left"}
    seat.page.wait_for_timeout(400)  # nothing is held any more
    rests = _cell(seat)
    seat.page.wait_for_timeout(500)
    assert _cell(seat) == rests


def _cell(seat: Seat) -> list[int]:
    found: list[int] = next(body["at"] for body in seat.scene["bodies"] if body["name"] == "agent0")
    return found
