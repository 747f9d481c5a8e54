"""A full disk stops a run of scripted agents as it stops others: one line, no litter, and it goes on."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backburner.agents.spec import AgentSpec
from backburner.evaluation.records import records
from backburner.evaluation.running.chains_of_jobs import Summary
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.running.runner import run
from backburner.kernel.claims import check
from backburner.kernel.episode import read_episode


def opening(room: int) -> Callable[..., Any]:
    """``Path.open`` of a disk that takes so many bytes of records, then no more."""
    opened, left = Path.open, [room]

    class File(io.FileIO):
        def write(self, content: Any) -> int:
            fits = bytes(content)[: left[0]]
            if not fits:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            left[0] -= len(fits)
            return super().write(fits)

    def open(path: Path, mode: str = "r", *more: Any, **named: Any) -> Any:
        if ".part-" in path.name:
            return io.BufferedWriter(File(path, "wb"))
        return opened(path, mode, *more, **named)

    return open


def play(out: Path) -> Summary:
    jobs = jobs_of(
        ["timearena/singles"], [AgentSpec("greedy"), AgentSpec("random")], 1, "standard", "article"
    )
    return run(jobs, out, workers=1)


def test_a_full_disk_stops_scripted_runs_and_with_room_they_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", opening(200_000))
        full = play(tmp_path)
    assert full.stopped.endswith(": No space left on device") and "\n" not in full.stopped
    assert 0 < full.played < 60 and (full.broken, full.errors) == (0, ())
    before = {path: path.read_bytes() for path in records(tmp_path)}
    assert len(before) == full.played
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == set(before)
    again = play(tmp_path)
    assert (again.kept, again.kept + again.played, again.stopped) == (full.played, 60, "")
    assert {path: path.read_bytes() for path in before} == before
    for path in records(tmp_path):
        episode = read_episode(path)
        assert check(episode) == len(episode.entries)
