"""Two runs into one folder: each episode is played by one of them, and paid for once."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from backburner.agents.models import OpenAIClient
from backburner.agents.models.client import ModelClient, ScriptedModel
from backburner.agents.spec import AgentSpec, Endpoint
from backburner.evaluation.records import journal_of, records
from backburner.evaluation.running.calls import Journal
from backburner.evaluation.running.chains_of_jobs import Done, JobChain, Summary
from backburner.evaluation.running.jobs import Job
from backburner.evaluation.running.playing import OwnProcesses, Stage
from backburner.evaluation.running.runner import run
from backburner.kernel.claims import check
from backburner.kernel.episode import read_episode
from backburner.kernel.registry import expand
from support.command_line import Started
from support.models.fault_server import FaultServer, serving

SUITE = "timearena/singles/household"
RANDOM = AgentSpec("random")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving() as faulty:
        yield faulty


def jobs(agent: AgentSpec) -> list[Job]:
    return [Job(scenario, agent, 0) for scenario in expand(SUITE)]


def everything_replays(out: Path) -> int:
    """The decision points of all records."""
    episodes = [read_episode(path) for path in records(out)]
    assert all(check(episode) == len(episode.entries) for episode in episodes)
    return sum(len(episode.entries) for episode in episodes)


class Late(OwnProcesses, frozen=True):
    """A place that something else happens in after the run has looked what is finished, before it plays."""

    meanwhile: Callable[[], object] = lambda: None

    def play_scripted(
        self, lines: Sequence[JobChain], out: Path, sign: Path | None, note: Callable[[Done], None]
    ) -> None:
        self.meanwhile()
        super().play_scripted(lines, out, sign, note)

    @asynccontextmanager
    async def stage(
        self, clients: Mapping[Endpoint, ModelClient], lines: Sequence[JobChain], out: Path, *more: Any
    ) -> AsyncIterator[Stage]:
        await asyncio.to_thread(self.meanwhile)
        async with super().stage(clients, lines, out, *more) as stage:
            yield stage


def later(meanwhile: Callable[[], object], workers: int = 1) -> Late:
    return Late(workers=workers, meanwhile=meanwhile)


@pytest.mark.parametrize("workers", [1, 2])
def test_what_another_run_has_finished_since_is_not_played_again(workers: int, tmp_path: Path) -> None:
    """The other run ends between this one's look and its play: a window that no lock closes."""
    first: list[Summary] = []
    place = later(lambda: first.append(run(jobs(RANDOM), tmp_path)), workers)
    heard: list[Done] = []
    second = run(jobs(RANDOM), tmp_path, place=place, progress=heard.append)
    assert (first[0].played, second.played, second.kept, second.errors) == (10, 0, 10, ())
    assert {done.status for done in heard} == {"kept"}
    everything_replays(tmp_path)


def test_no_answer_is_paid_for_that_another_run_has_bought_since(server: FaultServer, tmp_path: Path) -> None:
    spec = AgentSpec("act", "good", server.url)

    def client_of(endpoint: Endpoint) -> ModelClient:
        return OpenAIClient(endpoint.model, endpoint.base_url)

    def other() -> None:
        run = Started(*command(server.url, "good", tmp_path)).ended()
        assert run.code == 0, run.stderr

    summary = run(jobs(spec), tmp_path, client_of=client_of, place=later(other))
    assert (summary.played, summary.kept) == (0, 10)
    assert len(server.requests) == everything_replays(tmp_path)


def command(url: str, model: str, out: Path, *more: str) -> list[str]:
    return [
        "run", SUITE, "--agent", "act",
        "--model", f"{model}{',' if '@' in model else '@'}base_url={url}", "--out", str(out), "--json", *more,
    ]  # fmt: skip


def ended(processes: Sequence[Started]) -> list[dict[str, Any]]:
    told = []
    for process in processes:
        run = process.ended()
        assert run.code == 0, run.stderr
        told.append(json.loads(run.stdout))
    return told


@pytest.mark.parametrize("answers", [0, 7, 20])
def test_a_second_run_that_begins_in_the_middle_shares_the_rest(
    server: FaultServer, tmp_path: Path, answers: int
) -> None:
    """Every answer that the server was asked for stands in a record once."""
    line = command(server.url, "good@at_once=3", tmp_path, "--seeds", "2")
    runs = [Started(*line)]
    while len(server.requests) < answers:
        assert runs[0].poll() is None
        time.sleep(0.001)
    told = ended([*runs, Started(*line)])
    assert [each["played"] + each["kept"] for each in told] == [20, 20]
    assert sum(each["played"] for each in told) == 20
    assert len(server.requests) == everything_replays(tmp_path)
    assert all(path.suffix == ".jsonl" for path in tmp_path.rglob("*") if path.is_file())


SLOW = """
import time

class Slow:
    name, informed, settings = "slow", False, {}

    async def decide(self, turn, memory):
        import backburner
        time.sleep(0.01)
        return backburner.Reply("wait", memory=memory)
"""


def slow(folder: Path) -> list[str]:
    (folder / "mine.py").write_text(SLOW)
    return [
        "run", SUITE, "--agent", "mine:Slow", "--seeds", "4",
        "--out", "runs", "--json",
    ]  # fmt: skip


def test_two_scripted_runs_share_the_work(tmp_path: Path) -> None:
    told = ended([Started(*slow(tmp_path), folder=tmp_path) for _ in range(2)])
    assert [each["played"] + each["kept"] for each in told] == [40, 40]
    assert sum(each["played"] for each in told) == 40
    assert all(path.suffix == ".jsonl" for path in (tmp_path / "runs").rglob("*") if path.is_file())


def test_whoever_was_killed_holds_nothing(tmp_path: Path) -> None:
    """kill -9 in the middle of an episode, while another run goes on: that one plays it, too."""
    first, second = (Started(*slow(tmp_path), folder=tmp_path) for _ in range(2))
    while len(list(tmp_path.rglob("*.jsonl.part-*"))) < 2:
        assert first.poll() is None and second.poll() is None
        time.sleep(0.005)
    first.kill()
    (told,) = ended([second])
    assert told["played"] + told["kept"] == 40
    assert len(list(records(tmp_path / "runs"))) == 40
    assert not list((tmp_path / "runs").rglob("*.calls"))


def test_what_another_run_plays_is_waited_for_and_played_if_that_one_gives_up(tmp_path: Path) -> None:
    path = jobs(RANDOM)[3].path(tmp_path, jobs(RANDOM)[3].scenario)
    elsewhere = Journal(journal_of(path))
    heard: list[Done] = []

    def note(done: Done) -> None:
        heard.append(done)
        if len(heard) == 9:
            assert not path.exists()
            elsewhere.__exit__(None, None, None)

    summary = run(jobs(RANDOM), tmp_path, workers=1, progress=note)
    assert (summary.played, heard[-1].path) == (10, path)


def test_a_failure_of_another_run_is_kept_unless_failed_ones_are_played_again(tmp_path: Path) -> None:
    """Each call after the second of an episode fails."""
    spec = AgentSpec("act", "m")

    def play(place: OwnProcesses | None = None, **options: Any) -> Summary:
        client = ScriptedModel(["wait"], name="m", fail_at_call=3)
        return run(jobs(spec), tmp_path, client_of=lambda endpoint: client, place=place, **options)

    assert play(later(play)).kept == 10
    assert play(later(play)).kept == 10
    assert play(later(play), retry_failed=True).played == 10
