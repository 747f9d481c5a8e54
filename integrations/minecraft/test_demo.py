"""``backburner live --demo``: one command plays on a server of ours, shows it in a page, leaves nothing."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from serving import CLOCK
from test_command import children

from backburner.kernel.claims import check
from backburner.kernel.episode import read_episode
from backburner.live.install import Setup


def demo(setup: Setup, folder: Path, address: str, keys: str, *more: str) -> subprocess.Popen[str]:
    """A demo whose temporary files are in the folder ``tmp``."""
    (folder / "tmp").mkdir()
    at = f"{address}@clock={CLOCK:g},node_folder={setup.folder}{keys}"
    return subprocess.Popen(
        [sys.executable, "-m", "backburner", "live", "--demo", "--server", at, *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder / "tmp")},
    )


def check_nothing_is_left(folder: Path, processes: list[int]) -> None:
    """Soon: bots may put back what is theirs first."""
    runs = [Path(f"/proc/{each}") for each in processes]
    end = time.monotonic() + 30
    while time.monotonic() < end and (any(map(Path.exists, runs)) or any((folder / "tmp").iterdir())):
        time.sleep(0.05)
    assert not [each for each in runs if each.exists()]
    assert not list((folder / "tmp").iterdir())


def test_a_demo_is_played_shown_kept_and_gone(setup: Setup, tmp_path: Path) -> None:
    """In another version of the game than the usual one."""
    with demo(setup, tmp_path, "", ",version=1.15.2", "--steps", "2", "--out", "demo.jsonl") as playing:
        assert playing.stdout and playing.stderr
        page = playing.stdout.readline()
        assert page.startswith("http://127.0.0.1:"), playing.stderr.read()
        shown = urllib.request.urlopen(page.partition("#")[0], timeout=60)  # noqa: S310
        assert b"<html" in shown.read()
        processes = children(playing.pid)
        told, remarks = playing.communicate(timeout=120)
    assert playing.returncode == 0, remarks
    assert [line[0] for line in told.splitlines() if line[0] != " "] == ["1", "2"]
    assert "Minecraft 1.15.2; bots join" in remarks and "over: steps 2," in remarks
    check_nothing_is_left(tmp_path, processes)
    episode = read_episode(tmp_path / "demo.jsonl")
    assert check(episode) == len(episode.entries) >= 4
    assert episode.header.players["server"].settings == {"minecraft": "1.15.2"}
    assert {file.name for file in tmp_path.iterdir()} == {"tmp", "demo.jsonl"}


def test_a_demo_that_is_killed_leaves_nothing(setup: Setup, tmp_path: Path) -> None:
    with demo(setup, tmp_path, "", "") as playing:
        assert playing.stdout
        assert playing.stdout.readline().startswith("http://127.0.0.1:")
        processes = children(playing.pid)
        assert len(processes) == 3 and any((tmp_path / "tmp").iterdir())  # server, bots, agent
        playing.send_signal(signal.SIGKILL)
    check_nothing_is_left(tmp_path, processes)


def test_a_port_that_is_taken_is_told(setup: Setup, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with demo(setup, tmp_path, f"localhost:{port}", "") as playing:
            _, remarks = playing.communicate(timeout=60)
    assert playing.returncode == 2 and remarks.count("\n") == 1
    assert f"our server does not start at port {port}: listen EADDRINUSE" in remarks
    check_nothing_is_left(tmp_path, [])
