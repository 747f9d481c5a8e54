"""Runs with language models from the command line, killed in the middle and two at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from backburner.agents.models import first_prompt
from backburner.evaluation.jobs import records
from backburner.kernel.episode import read_episode
from backburner.kernel.registry import expand, world
from backburner.kernel.replay import check

SUITE = "timearena/singles/household"


def command(server, model: str, out: Path, at_once: int) -> list[str]:
    return [
        sys.executable, "-m", "backburner", "run", SUITE, "--agent", "act", "--model", model,
        "--base-url", server.url, "--out", str(out), "--at-once", str(at_once), "--json",
    ]  # fmt: skip


def start(line: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def calls_of(server) -> Counter[str]:
    """Calls so far by scenario, which is told by the first message of the conversation."""
    first = {first_prompt("act", world(id))[0].content: id for id in expand(SUITE)}
    assert len(first) == 10
    return Counter(first[request["messages"][0]["content"]] for request in server.requests)


def test_a_killed_run_goes_on_and_asks_nothing_twice_that_was_finished(server, tmp_path: Path) -> None:
    """kill -9 of the whole group while two of ten episodes wait for an answer.

    There is no radio in the first sets, so that an episode is over after five errors: after 23 answers, the
    last that the server gives, four episodes are, and two are in the middle.
    """
    server.patience = 23
    line = command(server, "stalls", tmp_path, at_once=2)
    process = start(line)
    while len(server.requests) < 23 + 2:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    finished = {path: path.read_bytes() for path in records(tmp_path)}
    asked = calls_of(server)
    steps = {episode.header.id: len(episode.entries) for episode in map(read_episode, finished)}
    assert len(finished) == 4
    assert {id: asked[id] for id in steps} == steps
    assert len(list(tmp_path.rglob("*.part-*"))) == 2

    server.released.set()
    result = subprocess.run(line, capture_output=True, text=True, check=True)
    summary = json.loads(result.stdout)
    assert (summary["kept"], summary["played"], summary["failed"]) == (4, 6, 0)
    assert {path: path.read_bytes() for path in finished} == finished
    assert not list(tmp_path.rglob("*.part-*"))
    everything = {episode.header.id: episode for episode in map(read_episode, records(tmp_path))}
    began_again = {id: calls for id, calls in asked.items() if id not in steps}
    assert len(began_again) == 2
    for id, calls in calls_of(server).items():
        assert calls == len(everything[id].entries) + began_again.get(id, 0)
        assert check(everything[id]) == len(everything[id].entries)


def test_two_runs_into_one_folder_do_each_other_no_harm(server, tmp_path: Path) -> None:
    """The same jobs in two processes; the first two calls wait for each other, so both are under way."""
    runs = [start(command(server, "in step", tmp_path, at_once=4)) for _ in range(2)]
    for process in runs:
        stdout, stderr = process.communicate(timeout=120)
        assert process.returncode == 0, stderr
        assert json.loads(stdout)["errors"] == []
    episodes = [read_episode(path) for path in records(tmp_path)]
    assert len(episodes) == 10
    for episode in episodes:
        assert episode.finished
        assert check(episode) == len(episode.entries)
    assert all(path.suffix == ".jsonl" for path in tmp_path.rglob("*") if path.is_file())
