"""``backburner live`` itself, as it is installed: a play on a server, and what goes wrong in one line."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from serving import CLOCK, Server

from backburner.evaluation.transcripts import transcript_html
from backburner.kernel.episode import read_episode
from backburner.kernel.replay import check
from backburner.live.install import Setup
from backburner.worlds.minecraft.live.stage import told_drops

SEED = 123


def command(server: Server, setup: Setup, folder: Path, *more: str) -> list[str]:
    at = ["--server", f"127.0.0.1:{server.port}", "--clock", f"{CLOCK:g}", "--node-folder", str(setup.folder)]
    record = ["--out", str(folder / "live.jsonl")]
    return [sys.executable, "-m", "backburner", "live", "minecraft/level_1", *at, *record, *more]


def test_a_play_is_carried_out_and_kept(server: Server, setup: Setup, tmp_path: Path) -> None:
    server.begin(drops=told_drops(SEED))
    done = subprocess.run(
        command(server, setup, tmp_path, "--yes", "--steps", "3"), capture_output=True, text=True
    )
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
        command(server, setup, tmp_path), capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "backburner: nothing was changed: nobody can be asked here; agree with --yes"
    )
    assert not server.look()["mobs"] and not server.look()["containers"]
    assert not list(tmp_path.iterdir())


def test_what_was_observed_is_kept_when_the_server_goes(setup: Setup, tmp_path: Path) -> None:
    server = Server(setup, CLOCK)
    server.begin()
    with subprocess.Popen(
        command(server, setup, tmp_path, "--yes"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as playing:
        assert playing.stdout and playing.stderr
        assert playing.stdout.readline().startswith("1: ")
        server.stop()
        began = time.monotonic()
        last = playing.stderr.read().splitlines()
        assert playing.wait() == 2 and time.monotonic() - began < 20
    assert last[-1].startswith("backburner: ") and "alex" in last[-1]
    episode = read_episode(tmp_path / "live.jsonl")
    assert check(episode) >= 2 and episode.ending and episode.ending.status == "failed"
