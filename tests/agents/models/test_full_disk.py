"""A disk that is full stops a run before more is paid for, and what was answered is not lost."""

from __future__ import annotations

import errno
from io import FileIO
from pathlib import Path

import pytest

from backburner.agents.models import OpenAIClient
from backburner.agents.spec import AgentSpec
from backburner.evaluation.records import JOURNAL
from backburner.evaluation.running import calls
from backburner.evaluation.running.chains_of_jobs import Summary
from backburner.evaluation.running.jobs import Job
from backburner.evaluation.running.runner import run
from backburner.kernel.episode import read_episode


class Full(FileIO):
    """A journal's file on a disk that takes so many writes of all files, and no more."""

    left = 0

    def write(self, content: bytes) -> int:  # type: ignore[override]
        if Full.left == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        Full.left -= 1
        return super().write(content)


def test_nothing_is_sent_once_nothing_can_be_written(
    server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two lines a call: three calls are answered and kept, and the fourth is never sent. With room again, the
    same command goes on, and asks for none of the three."""
    Full.left = 6
    jobs = [Job("timearena/household1", AgentSpec("act", "good", server.url), seed) for seed in range(3)]

    def played() -> Summary:
        return run(jobs, tmp_path, at_once=1, client_of=lambda each: OpenAIClient(each.model, each.base_url))

    locked = calls._locked

    def on_full_disk(path: Path) -> FileIO:
        locked(path).close()
        return Full(path, "a+")

    monkeypatch.setattr(calls, "_locked", on_full_disk)
    first = played()
    assert first.stopped.endswith(f"{JOURNAL}: No space left on device")
    assert (first.played, first.failed, first.broken) == (0, 0, 0)
    assert len(server.requests) == 3

    monkeypatch.undo()
    second = played()
    assert (second.played, second.failed, second.stopped) == (3, 0, "")
    paths = sorted(path for path in tmp_path.rglob("*.jsonl"))
    assert len(server.requests) == sum(len(read_episode(path).entries) for path in paths)
