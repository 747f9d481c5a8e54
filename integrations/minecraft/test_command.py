"""``backburner live`` itself, as it is installed: a play on a server, and what goes wrong in one line."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from serving import CLOCK, Server

from backburner.evaluation.transcripts.page import transcript_html
from backburner.kernel.claims import check
from backburner.kernel.episode import read_episode
from backburner.live.install import Setup
from backburner.worlds.minecraft.live.stage import told_drops

SEED = 123
PUT_BACK = "what was changed on the server is put back"


AGREED = ",agreed=yes"


def keys(setup: Setup) -> str:
    """What is said of every server here."""
    return f"clock={CLOCK:g},node_folder={setup.folder}"


def command(server: Server, setup: Setup, folder: Path, *more: str, agreed: str = AGREED) -> list[str]:
    at = ["--server", f"127.0.0.1:{server.port}@{keys(setup)}{agreed}"]
    record = ["--out", str(folder / "live.jsonl")]
    return [sys.executable, "-m", "backburner", "live", "minecraft/level_1", *at, *record, *more]


def test_a_play_is_carried_out_and_kept(server: Server, setup: Setup, tmp_path: Path) -> None:
    server.begin(drops=told_drops(SEED))
    done = subprocess.run(command(server, setup, tmp_path, "--steps", "3"), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "block" in done.stderr and "mob" in done.stderr and "-> furnace" in done.stderr
    told = [line.partition(":")[0] for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert told == ["1", "2", "3"]
    episode = read_episode(tmp_path / "live.jsonl")
    assert check(episode) == len(episode.entries) == 6  # without any server
    assert (
        episode.header.id == "minecraft/level_1@live=yes" and episode.header.players["server"].name == "live"
    )
    reports = [entry.answers["server"].decision["report"] for entry in episode.entries[1::2]]
    assert all(reports)
    # 17 by 30 columns and 4 around them; it does not change, and is told once
    ground = reports[0]["ground"]
    assert (ground["width"], ground["depth"]) == (25, 38) and "others" not in ground
    assert {"grass_block", "furnace", "chest", "oak_log"} <= set(ground["kinds"])
    assert ground["source"].startswith("flying-squid 1.12.0, backburner's test server, Minecraft 1.16.5")
    assert all("ground" not in report for report in reports[1:])
    assert "flying-squid 1.12.0" in transcript_html(tmp_path / "live.jsonl", episode)
    seen = server.look()
    assert seen["mobs"] == [] and seen["players"] == {}


def test_nothing_is_changed_where_nobody_agrees(server: Server, setup: Setup, tmp_path: Path) -> None:
    done = subprocess.run(
        command(server, setup, tmp_path, agreed=""), capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "backburner: nothing was changed: nobody can be asked here; agree with agreed=yes behind the server"
    )
    assert not server.look()["mobs"] and not server.look()["containers"]
    assert not list(tmp_path.iterdir())


def test_what_was_observed_is_kept_when_the_server_goes(setup: Setup, tmp_path: Path) -> None:
    server = Server(setup, CLOCK)
    server.begin()
    with subprocess.Popen(
        command(server, setup, tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as playing:
        assert playing.stdout and playing.stderr
        assert playing.stdout.readline().startswith("1: ")
        server.stop()
        began = time.monotonic()
        last = playing.stderr.read().splitlines()
        assert playing.wait() == 2 and time.monotonic() - began < 20
    assert last[-1].startswith("backburner: ") and last[-1].endswith(": see whether the server still runs")
    assert any(line.startswith("what was changed on the server may still be there: ") for line in last)
    episode = read_episode(tmp_path / "live.jsonl")
    assert check(episode) >= 2 and episode.ending and episode.ending.status == "failed"


def stopped(
    server: Server, setup: Setup, folder: Path, stop: Callable[[subprocess.Popen[str]], object]
) -> tuple[int, list[str]]:
    """A play in which this happens after its first step: the exit code, and what was told."""
    with subprocess.Popen(
        command(server, setup, folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as playing:
        assert playing.stdout and playing.stderr
        assert playing.stdout.readline().startswith("1: ")
        workers = children(playing.pid)
        assert workers
        stop(playing)
        _, errors = playing.communicate(timeout=60)
    end = time.monotonic() + 5
    while time.monotonic() < end and any(Path(f"/proc/{worker}").exists() for worker in workers):
        time.sleep(0.05)
    assert not [worker for worker in workers if Path(f"/proc/{worker}").exists()]
    episode = read_episode(folder / "live.jsonl")
    assert check(episode) == len(episode.entries) >= 2
    return playing.returncode, errors.splitlines()


def children(process: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def kill_worker(playing: subprocess.Popen[str]) -> None:
    for worker in children(playing.pid):
        os.kill(worker, signal.SIGKILL)


STOPS: dict[str, tuple[Callable[[Server, subprocess.Popen[str]], object], int, str]] = {
    "the operator is kicked": (
        lambda server, playing: server.tell("kick", name="alex", reason="no bots"),
        2,
        "backburner: the server sent alex away: no bots: the server's log tells why",
    ),
    "the worker is killed": (
        lambda server, playing: kill_worker(playing),
        2,
        "backburner: the worker failed: it ended with exit code -9: play again",
    ),
    "Ctrl-C": (lambda server, playing: playing.send_signal(signal.SIGINT), 130, "record: "),
    "SIGTERM": (lambda server, playing: playing.send_signal(signal.SIGTERM), 143, "record: "),
}


@pytest.mark.parametrize("how", STOPS)
def test_all_is_put_back_where_play_ends_early(
    how: str, server: Server, setup: Setup, tmp_path: Path
) -> None:
    stop, expected, last = STOPS[how]
    code, told = stopped(server, setup, tmp_path, lambda playing: stop(server, playing))
    assert code == expected and PUT_BACK in told and told[-1].startswith(last), told
    seen = server.look()
    assert seen["mobs"] == [] and seen["containers"] == [] and seen["players"] == {}


def silent(connection: socket.socket) -> None:
    connection.recv(1024)
    time.sleep(30)


def speaks_http(connection: socket.socket) -> None:
    connection.recv(1024)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")


@pytest.mark.parametrize(
    "speak", [silent, speaks_http, lambda connection: None], ids=["silent", "http", "closes"]
)
def test_what_is_no_minecraft_server_is_told(
    speak: Callable[[socket.socket], None], setup: Setup, tmp_path: Path
) -> None:
    listening = socket.create_server(("127.0.0.1", 0))

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listening.accept()
                threading.Thread(target=answer, args=[connection], daemon=True).start()

    def answer(connection: socket.socket) -> None:
        with connection:
            speak(connection)

    threading.Thread(target=accept, daemon=True).start()
    port = listening.getsockname()[1]
    at = ["--server", f"127.0.0.1:{port}@{keys(setup)}{AGREED}"]
    asked = [sys.executable, "-m", "backburner", "live", "minecraft/level_1", *at]
    done = subprocess.run(
        [*asked, "--out", str(tmp_path / "live.jsonl")], capture_output=True, text=True, timeout=60
    )
    listening.close()
    assert done.returncode == 2 and not list(tmp_path.iterdir())
    assert re.fullmatch(
        rf"backburner: no Minecraft server answers at 127.0.0.1:{port} \(.*\): "
        "see that it runs, and that this is its port\n",
        done.stderr,
    )
