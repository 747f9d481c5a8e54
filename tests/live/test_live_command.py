"""Faults of live play as whoever plays meets them: one line that says what to do, a record that replays, what
was changed put back, and no process left. The worker is a script; real ones are in integrations/minecraft."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from backburner.cli.on_server import run_on_server
from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.play import play
from backburner.live import players as live_player
from backburner.live.bots import joined
from backburner.live.install import find
from backburner.live.messages import Join
from backburner.live.stage import stage_of
from backburner.worlds.minecraft.agents.greedy import GreedyDispatcher
from support.live.worker import worker_in

STILL_THERE = "what was changed on the server may still be there"
PUT_BACK = "what was changed on the server is put back"


class Played:
    """What came of the command; ``notes``: what the worker was asked for, in order."""

    def __init__(self, code: int, out: str, errors: str, folder: Path) -> None:
        self.code, self.out, self.errors = code, out, errors.splitlines()
        self.file = folder / "plays" / "live.jsonl"
        notes = (folder / "there" / "note").read_text().splitlines()
        self.processes = [int(note.split()[1]) for note in notes if note.startswith("process ")]
        self.notes = [note for note in notes if not note.startswith("process ")]

    @property
    def record(self) -> Episode:
        """The record, which replays."""
        episode = read_episode(self.file)
        assert check(episode) == len(episode.entries)
        return episode

    def check_gone(self) -> None:
        """Nothing runs that the command has started."""
        end = time.monotonic() + 5
        while time.monotonic() < end and any(Path(f"/proc/{number}").exists() for number in self.processes):
            time.sleep(0.05)
        assert not [number for number in self.processes if Path(f"/proc/{number}").exists()]


def command(folder: Path, fault: str, *more: str) -> list[str]:
    there = folder / "there"
    if not there.exists():
        worker_in(there, fault)
    asked = ["--server", f"localhost:1@node_folder={there},agreed=yes", "--steps", "5"]
    record = ["--out", str(folder / "plays" / "live.jsonl")]
    return [sys.executable, "-m", "backburner", "live", "minecraft/level_1", *asked, *record, *more]


def played(folder: Path, fault: str, *more: str) -> Played:
    done = subprocess.run(command(folder, fault, *more), capture_output=True, text=True, timeout=60)
    return Played(done.returncode, done.stdout, done.stderr, folder)


ENDS = {
    "dies": r"the worker failed: it ended with exit code 7 \(it printed: .*the heap is full\): play again",
    "garbage": r"the worker failed: it said what is no message: .*: play again",
    "gone": r"alex lost the server: socketClosed: see whether the server still runs",
    "kicked": r"the server sent steve away: no bots here: the server's log tells why",
}


@pytest.mark.parametrize("fault", ENDS)
def test_play_ends_with_a_line_and_a_record(fault: str, tmp_path: Path) -> None:
    done = played(tmp_path, fault)
    assert done.code == 2 and re.match(f"backburner: {ENDS[fault]}", done.errors[-1]), done.errors
    assert len(done.record.entries) == 5 and done.record.ending
    assert done.record.ending.status == "failed" and done.record.ending.reason == "server"
    assert (done.notes.count("act") == 3 and "restore" in done.notes) or fault == "gone"
    if fault == "gone":
        assert any(
            line.startswith("what was changed on the server may still be there") for line in done.errors
        )
    else:
        assert PUT_BACK in done.errors
    done.check_gone()


@pytest.mark.parametrize("fault", ["stuck", "timeout"])
def test_an_action_that_does_not_end_is_told_and_play_goes_on(fault: str, tmp_path: Path) -> None:
    done = played(tmp_path, fault)
    assert done.code == 0 and PUT_BACK in done.errors
    why = {"stuck": "steve is stuck at 1 5 1", "timeout": "goto of steve took longer than 1200 ticks"}[fault]
    assert any(line.strip().startswith(why) for line in done.out.splitlines())
    assert len(done.record.entries) == 10 and any(e.refusals for e in done.record.entries)
    done.check_gone()


def test_a_server_that_goes_while_all_is_put_back_is_told(tmp_path: Path) -> None:
    done = played(tmp_path, "restore")
    told = f"{STILL_THERE}: alex lost the server: socketClosed"
    assert told in done.errors and done.record.ending
    assert done.code == 0 and done.record.ending.status == "capped"
    done.check_gone()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_who_stops_it_finds_the_record_and_all_put_back(number: int, code: int, tmp_path: Path) -> None:
    with subprocess.Popen(
        command(tmp_path, "none", "--steps", "500"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as playing:
        assert playing.stdout and playing.stderr
        assert playing.stdout.readline().startswith("1: ")
        os.kill(playing.pid, number)
        out, errors = playing.communicate(timeout=30)
    done = Played(playing.returncode, out, errors, tmp_path)
    assert done.code == code and PUT_BACK in done.errors
    assert done.record.ending and done.record.ending.status == "interrupted"
    done.check_gone()


def test_a_stop_comes_where_play_waits_and_leaves_signals_as_they_were() -> None:
    """Not amid whatever runs: the worker's own reading would end with it, and nothing could be put back."""
    seen: list[str] = []

    async def playing() -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        seen.append("goes on")
        try:
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            await asyncio.sleep(0.01)
            seen.append("put back")
            raise

    async def nothing() -> int:
        return 3

    before = signal.getsignal(signal.SIGTERM)
    try:
        assert run_on_server(nothing()) == 3 and signal.getsignal(signal.SIGTERM) is before
        with pytest.raises(KeyboardInterrupt):
            run_on_server(playing())
        assert seen == ["goes on", "put back"]
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL  # who asks twice is obeyed at once
    finally:
        signal.signal(signal.SIGTERM, before)


def test_where_no_record_can_be_written_nothing_is_changed(tmp_path: Path) -> None:
    (tmp_path / "plays").write_text("a file")
    done = subprocess.run(command(tmp_path, "none"), capture_output=True, text=True)
    assert done.returncode == 2 and not (tmp_path / "there" / "note").exists()
    told = r"no record can be written into .*/plays \(Not a directory\); name another file with --out"
    assert re.fullmatch(rf"backburner: {told}\n", done.stderr)


def test_a_disk_that_is_full_is_told_before_anything_is_changed(tmp_path: Path) -> None:
    limited = ["bash", "-c", 'ulimit -f 100; exec "$@"', "bash", *command(tmp_path, "none")]
    done = subprocess.run(limited, capture_output=True, text=True)
    assert done.returncode == 2 and "(File too large); name another file" in done.stderr
    assert not (tmp_path / "there" / "note").exists() and not (tmp_path / "plays").exists()


def test_a_worker_that_hangs_ends_the_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_player, "SECONDS_TO_ANSWER", 0.5)
    monkeypatch.setattr(live_player, "SLACK", 0.0)
    setup = find(worker_in(tmp_path / "there", "hangs"))
    stage = stage_of(registry.world("minecraft/level_1"))
    told: list[str] = []

    async def playing() -> Episode:
        join = Join(host="localhost", port=1, bots=stage.bots)
        async with joined(setup, join, tell=told.append) as bots, bots.on(stage, (0, 5, 0)) as player:
            policies = {**dict.fromkeys(stage.text.seats, GreedyDispatcher(stage.text)), stage.seat: player}
            return await play(stage.world, policies)

    episode = asyncio.run(playing())
    assert episode.ending and "it does not answer act within 0.5 s: play again" in episode.ending.error
    assert told == [PUT_BACK]  # by another worker


def test_what_fails_in_the_middle_of_a_play_puts_all_back(tmp_path: Path) -> None:
    """As a full disk does, of which a record's line tells."""
    setup = find(worker_in(tmp_path / "there", "none"))
    stage = stage_of(registry.world("minecraft/level_1"))
    told: list[str] = []

    def full(record: object) -> None:
        raise OSError(28, "No space left on device")

    async def playing() -> None:
        join = Join(host="localhost", port=1, bots=stage.bots)
        async with joined(setup, join, tell=told.append) as bots, bots.on(stage, (0, 5, 0)) as player:
            policies = {**dict.fromkeys(stage.text.seats, GreedyDispatcher(stage.text)), stage.seat: player}
            await play(stage.world, policies, sink=full)

    with pytest.raises(OSError, match="No space left"):
        asyncio.run(playing())
    assert told == [PUT_BACK]
