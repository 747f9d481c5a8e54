"""Runs through Inspect over HTTP: what was answered is never asked again, and costs count once."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("openai", reason="the provider needs it: pip install -e '.[dev]'")

from backburner.evaluation.records import records
from backburner.kernel.claims import check
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.values import Usage, total
from support.command_line import Started, answer
from support.models.fault_server import FaultServer, serving

SUITE = "timearena/singles/household"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultServer]:
    monkeypatch.setenv("LOCAL_API_KEY", "no-key")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving() as faulty:
        yield faulty


def command(server: FaultServer, model: str, out: Path, *more: str, at_once: int = 2) -> list[str]:
    return [
        "run", SUITE, "--agent", "act",
        "--model", f"openai-api/local/{model}@engine=inspect,base_url={server.url},at_once={at_once}",
        "--out", str(out), "--json", *more,
    ]  # fmt: skip


def finish(line: list[str], code: int = 0) -> dict[str, object]:
    return json.loads(answer(*line, code=code))


def played(out: Path) -> list[Episode]:
    episodes = [read_episode(path) for path in records(out)]
    for episode in episodes:
        assert check(episode) == len(episode.entries)
    return episodes


def cost_of(episodes: list[Episode]) -> Usage:
    return total(cost for episode in episodes for _, cost in episode.costs())


def test_a_killed_run_asks_nothing_twice_that_was_answered(server: FaultServer, tmp_path: Path) -> None:
    """kill -9 while two of ten episodes wait: an episode is over after five refused answers, so after 23
    answers four are, and two are in the middle. The cost table counts every answer once."""
    server.patience = 23
    line = command(server, "stalls", tmp_path)
    process = Started(*line)
    while len(server.requests) < 23 + 2:
        assert process.poll() is None, process.so_far()
        time.sleep(0.01)
    process.kill()
    before = {path: path.read_bytes() for path in records(tmp_path)}
    assert len(before) == 4
    assert len(list(tmp_path.rglob("*.calls"))) == 2

    server.released.set()
    summary = finish(line)
    assert (summary["kept"], summary["played"], summary["failed"]) == (4, 6, 0)
    assert {path: path.read_bytes() for path in before} == before
    assert not [*tmp_path.rglob("*.calls"), *tmp_path.rglob("*.part-*")]
    episodes = played(tmp_path)
    cost = cost_of(episodes)
    assert (len(episodes), cost.lost) == (10, 2)
    assert cost.calls + cost.lost == len(server.requests)
    assert cost.input_tokens == 11 * cost.calls


def test_kills_at_random_moments_lose_no_answer(server: FaultServer, tmp_path: Path) -> None:
    chance = Random(2)
    line = command(server, "good", tmp_path)
    kills = 0
    while kills < 2:
        process = Started(*line)
        until = len(server.requests) + chance.randint(1, 12)
        while len(server.requests) < until and process.poll() is None:
            time.sleep(0.001)
        time.sleep(chance.random() / 100)
        if process.poll() is not None:
            break
        process.kill()
        kills += 1
    finish(line)
    cost = cost_of(played(tmp_path))
    assert kills
    assert cost.calls <= len(server.requests) <= cost.calls + cost.lost
    assert cost.lost <= 2 * kills


def test_what_failed_goes_on_from_its_journal_and_a_budget_stops(server: FaultServer, tmp_path: Path) -> None:
    """After three answers every call is refused (403); played again, those three are not asked for anew.
    A budget of 20 calls stops the run before the 21st; with more, the same command goes on."""
    server.patience = 3
    first = finish(command(server, "closes", tmp_path, at_once=1), code=1)
    assert (first["failed"], len(server.requests)) == (10, 3 + 10)
    server.patience = 1000
    again = command(server, "closes", tmp_path, "--budget", "retry_failed=yes,calls=20", at_once=1)
    stopped = finish(again, code=1)
    assert "budget of 20 calls is used up" in str(stopped["stopped"])
    assert len(server.requests) == 13 + 20
    assert finish([*again, "--budget", "calls=1000"])["failed"] == 0
    cost = cost_of(played(tmp_path))
    assert cost.calls == len(server.requests) - 10


def test_two_runs_into_one_folder_share_the_work(server: FaultServer, tmp_path: Path) -> None:
    """The first two calls wait for each other, so both are under way."""
    runs = [Started(*command(server, "in step", tmp_path, at_once=1)) for _ in range(2)]
    told = []
    for process in runs:
        run = process.ended()
        assert run.code == 0, run.stderr
        told.append(json.loads(run.stdout))
    assert [each["errors"] for each in told] == [[], []]
    assert [each["played"] + each["kept"] for each in told] == [10, 10]
    episodes = played(tmp_path)
    assert sum(each["played"] for each in told) == len(episodes) == 10
    assert len(server.requests) == sum(len(episode.entries) for episode in episodes)


def test_a_wrong_key_stops_the_run(server: FaultServer, tmp_path: Path) -> None:
    told = finish(command(server, "401", tmp_path, at_once=1), code=1)
    assert "the key was refused" in str(told["stopped"])
    assert (told["played"], told["failed"], server.calls["401"]) == (0, 0, 1)
    assert not list(records(tmp_path))
