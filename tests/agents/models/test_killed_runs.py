"""Runs with language models from the command line, killed in the middle and two at once."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from random import Random

from backburner.agents.models import first_prompt
from backburner.evaluation.records import records
from backburner.kernel.claims import check
from backburner.kernel.episode import read_episode
from backburner.kernel.registry import expand, world
from backburner.kernel.values import total
from support.command_line import Started, answer

SUITE = "timearena/singles/household"


def command(server, model: str, out: Path, at_once: int) -> list[str]:
    return [
        "run", SUITE, "--agent", "act",
        "--model", f"{model}@base_url={server.url},at_once={at_once}", "--out", str(out), "--json",
    ]  # fmt: skip


def calls_of(server) -> Counter[str]:
    """Calls so far by scenario, which is told by the first message of the conversation."""
    first = {first_prompt("act", world(id))[0].content: id for id in expand(SUITE)}
    assert len(first) == 10
    return Counter(first[request["messages"][0]["content"]] for request in server.requests)


def test_a_killed_run_asks_nothing_twice_that_was_answered(server, tmp_path: Path) -> None:
    """kill -9 of the whole group while two of ten episodes wait for an answer.

    There is no radio in the first sets, so that an episode is over after five errors: after 23 answers, the
    last that the server gives, four episodes are, and two are in the middle. Their 23 - 4 * 5 = 3 answers
    are in journals; the two calls that nobody heard the answer to are made again and said to be lost.
    """
    server.patience = 23
    line = command(server, "stalls", tmp_path, at_once=2)
    process = Started(*line)
    while len(server.requests) < 23 + 2:
        assert process.poll() is None, process.so_far()
        time.sleep(0.01)
    process.kill()
    before = {path: path.read_bytes() for path in records(tmp_path)}
    assert len(before) == 4
    assert len(list(tmp_path.rglob("*.calls"))) == 2

    server.released.set()
    summary = json.loads(answer(*line))
    assert (summary["kept"], summary["played"], summary["failed"]) == (4, 6, 0)
    assert {path: path.read_bytes() for path in before} == before
    assert all(path.suffix == ".jsonl" for path in tmp_path.rglob("*") if path.is_file())
    episodes = {episode.header.id: episode for episode in map(read_episode, records(tmp_path))}
    asked = calls_of(server)
    costs = {id: total(cost for entry in episode.entries for cost in entry.usage.values())
             for id, episode in episodes.items()}  # fmt: skip
    assert {id: cost.calls + cost.lost for id, cost in costs.items()} == asked
    assert sum(cost.lost for cost in costs.values()) == 2
    for episode in episodes.values():
        assert check(episode) == len(episode.entries)


def test_forty_kills_lose_no_answer(server, tmp_path: Path) -> None:
    """A run killed after every few calls, forty times: what was answered is in a record once, and what was
    in flight at a kill, two calls at most, is counted as lost, whether or not it had reached the server."""
    chance = Random(40)
    line = command(server, "good", tmp_path, at_once=2)
    kills = 0
    while kills < 40:
        process = Started(*line)
        until = len(server.requests) + chance.randint(1, 3)
        while len(server.requests) < until and process.poll() is None:
            time.sleep(0.001)
        time.sleep(chance.random() / 100)
        if process.poll() is not None:
            break
        process.kill()
        kills += 1
    answer(*line)
    episodes = [read_episode(path) for path in records(tmp_path)]
    cost = total(cost for each in episodes for entry in each.entries for cost in entry.usage.values())
    assert len(episodes) == 10
    assert cost.calls == sum(len(each.entries) for each in episodes)
    assert cost.calls <= len(server.requests) <= cost.calls + cost.lost
    assert cost.lost <= 2 * kills


def test_two_runs_into_one_folder_share_the_work(server, tmp_path: Path) -> None:
    """The same jobs in two processes; the first two calls wait for each other, so both are under way."""
    runs = [Started(*command(server, "in step", tmp_path, at_once=1)) for _ in range(2)]
    told = []
    for process in runs:
        run = process.ended()
        assert run.code == 0, run.stderr
        told.append(json.loads(run.stdout))
    episodes = [read_episode(path) for path in records(tmp_path)]
    assert [each["errors"] for each in told] == [[], []]
    assert [each["played"] + each["kept"] for each in told] == [10, 10]
    assert sum(each["played"] for each in told) == len(episodes) == 10
    for episode in episodes:
        assert episode.finished
        assert check(episode) == len(episode.entries)
    assert len(server.requests) == sum(len(episode.entries) for episode in episodes)
    assert all(path.suffix == ".jsonl" for path in tmp_path.rglob("*") if path.is_file())


def test_what_failed_goes_on_from_its_journal(server, tmp_path: Path) -> None:
    """The server refuses every call after the third of a run, as if the account were closed (403)."""
    server.patience = 3
    line = command(server, "closes", tmp_path, at_once=1)
    first = json.loads(answer(*line, code=1))
    assert first["failed"] == 10
    server.patience = 1000
    assert json.loads(answer(*line, "--budget", "retry_failed=yes"))["failed"] == 0
    episodes = [read_episode(path) for path in records(tmp_path)]
    answered = len(server.requests) - 10
    assert sum(len(episode.entries) for episode in episodes) == answered
