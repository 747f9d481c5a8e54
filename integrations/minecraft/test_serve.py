"""``backburner serve --live`` as it is installed: a game over the wire that bots carry out on a server."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from serving import CLOCK, Server
from websockets.sync.client import ClientConnection, connect

from backburner.kernel.claims import check
from backburner.kernel.episode import Episode, episode_in
from backburner.live.install import Setup
from backburner.serve.protocol import End, Frame, FromPage, FromServer, Hello, Over, told, written

SECONDS = 60.0
FARM = "minecraft/level_1@instructor=yes,live=yes"
GREEDY, CHAT = {"kind": "agent", "name": "greedy"}, {"kind": "agent", "name": "chat"}
PLAYERS = {"instructor": CHAT, "dispatcher": GREEDY}
PUT_BACK = "what was changed on the server is put back"

Message = TypeVar("Message", bound=FromServer)


class Site:
    """A running ``backburner serve --live`` at a ``port``; ``said``: what it has told its host at its end."""

    said = ""

    def __init__(self, server: Server, setup: Setup, folder: Path) -> None:
        keys = f"clock={CLOCK:g},node_folder={setup.folder}"
        at = ("--live", f"127.0.0.1:{server.port}@{keys}")
        kept = ("--folder", str(folder), "--listen", "0")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "backburner", "serve", *at, *kept],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout
        address = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", address)
        assert found, address + self.process.stdout.read()
        self.port = int(found[1])

    def asks(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, bytes]:
        """The status and what is answered."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        headers = {"content-type": "application/json"} if body else {}
        headers |= {"authorization": f"Bearer {token}"} if token else {}
        connection.request(method, path, json.dumps(body) if body else None, headers)
        answer = connection.getresponse()
        found = answer.status, answer.read()
        connection.close()
        return found

    def opens(self, **plan: Any) -> tuple[int, dict[str, Any]]:
        """A game, with the secrets of its links; or why there is none."""
        status, answer = self.asks("POST", "/api/games", {"scenario": FARM, "players": PLAYERS, **plan})
        return status, json.loads(answer)

    def record(self, token: str) -> Episode:
        status, content = self.asks("GET", "/api/record", token=token)
        assert status == 200, content
        return episode_in(content, "record")

    def stop(self) -> None:
        """As Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        self.said += self.process.communicate(timeout=SECONDS)[0]


@contextmanager
def site(server: Server, setup: Setup, folder: Path) -> Iterator[Site]:
    serving = Site(server, setup, folder)
    try:
        yield serving
        serving.stop()
        assert serving.process.returncode == 0, serving.said
    finally:
        serving.process.kill()
        serving.process.wait()


class Page:
    """A page of a game; the host's, or one who looks on."""

    def __init__(self, connection: ClientConnection, token: str) -> None:
        self.connection = connection
        self.say(Hello(token))

    def say(self, message: FromPage) -> None:
        self.connection.send(written(message))

    def until(self, kind: type[Message], holds: Callable[[Message], bool] = lambda message: True) -> Message:
        """The next message of a kind for which this holds."""
        end = time.monotonic() + SECONDS
        while True:
            message = told(self.connection.recv(timeout=max(0.0, end - time.monotonic())))
            if isinstance(message, kind) and holds(message):
                return message


@contextmanager
def page(serving: Site, token: str) -> Iterator[Page]:
    address = f"127.0.0.1:{serving.port}"
    with connect(f"ws://{address}/ws", origin=f"http://{address}", max_size=None) as connection:
        yield Page(connection, token)


def empty(server: Server) -> bool:
    """Whether everything is put back, and no bot is there."""
    seen = server.look()
    return not (seen["mobs"] or seen["containers"] or seen["players"])


def wait_until(holds: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end, f"{what}: not within {SECONDS:g} s"
        time.sleep(0.05)


def test_a_game_is_agreed_to_carried_out_and_put_back(server: Server, setup: Setup, tmp_path: Path) -> None:
    with site(server, setup, tmp_path) as serving:
        offers = json.loads(serving.asks("GET", "/api/offers")[1])
        assert offers["elsewhere"] == f"127.0.0.1:{server.port}"
        scenario = json.loads(serving.asks("GET", f"/api/scenario?id={FARM}")[1])
        assert scenario["seats"] == ["instructor", "dispatcher"] and scenario["chat"] == "instructor"
        status, asked = serving.opens()
        assert status == 409 and asked["place"] == offers["elsewhere"]
        assert [change for change in asked["changes"] if change.endswith("-> furnace")]
        assert not server.look()["mobs"]

        status, opened = serving.opens(agreed=True)
        assert status == 201 and opened["seats"] == {}, opened
        assert server.look()["mobs"]
        status, refused = serving.opens(agreed=True)
        assert status == 400 and "only one can be at a time" in refused["error"]
        with page(serving, opened["host"]) as host:
            host.until(Frame, lambda frame: frame.number >= 3)
            server.tell("say", text="<Maya> alex, please cook chicken")
            said = host.until(Frame, lambda frame: any(event.what == "said" for event in frame.events))
            host.until(Frame, lambda frame: frame.number >= said.number + 3)
            host.say(End())
            assert host.until(Over).status == "interrupted"
        wait_until(lambda: empty(server), "all is put back")
        episode = serving.record(opened["host"])
    assert check(episode) == len(episode.entries) >= 6  # without any server
    players = {seat: player.name for seat, player in episode.header.players.items()}
    assert players == {"instructor": "chat", "dispatcher": "greedy", "server": "live"}
    spoken = [entry.answers["instructor"].decision.get("instruction") for entry in episode.entries[::3]]
    assert [line for line in spoken if line] == ["alex, please cook chicken"]
    reports = [entry.answers["server"].decision["report"] for entry in episode.entries[2::3]]
    assert reports and all(reports)
    assert serving.said.splitlines().count(PUT_BACK) == 1


def test_a_server_that_goes_ends_the_game_and_not_the_site(setup: Setup, tmp_path: Path) -> None:
    server = Server(setup, CLOCK)
    server.begin()
    with site(server, setup, tmp_path) as serving:
        _, opened = serving.opens(agreed=True)
        with page(serving, opened["watch"]) as onlooker:
            onlooker.until(Frame, lambda frame: frame.number >= 3)
            server.stop()
            over = onlooker.until(Over)
        assert (over.status, over.reason) == ("failed", "server"), over
        assert over.why.endswith(": see whether the server still runs") and "\n" not in over.why
        episode = serving.record(opened["host"])
        assert check(episode) >= 3 and episode.ending
        assert (episode.ending.status, episode.ending.error) == ("failed", over.why)
        status, refused = serving.opens(agreed=True)
        assert status == 400 and "and is not put back" in refused["error"]  # as what is there is not known
        status, here = serving.opens(
            scenario="cuisineworld/level_1", players={"dispatcher": GREEDY}, title="here"
        )
        assert status == 201
        with page(serving, here["watch"]) as onlooker:
            assert onlooker.until(Over).status == "ended"
    assert "may still be there" in serving.said
