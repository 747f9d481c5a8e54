"""What a run tells while it goes on: calls, tries, the last failure, and at once that nobody is there."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import pytest
from rich.text import Text
from typer.testing import CliRunner

from backburner.agents.models.openai_client import Traffic
from backburner.agents.spec import AgentSpec
from backburner.cli import app, console
from backburner.cli.console import BuildProgress, RunProgress, progress_bar
from backburner.evaluation.records import records
from backburner.evaluation.running.chains_of_jobs import Done
from backburner.evaluation.running.jobs import Job
from backburner.kernel.building import Standing
from backburner.kernel.episode import read_episode
from support.models.fault_server import FaultServer, serving

SUITE = "timearena/singles"
DONE = Done(Job("timearena/lab1", AgentSpec("greedy"), 0), "ended")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultServer]:
    monkeypatch.setenv("NO_PROXY", "*")
    with serving() as faulty:
        yield faulty


def run(url: str, model: str, out: Path, *more: str, code: int = 1, keys: str = "") -> str:
    """What stands on stderr."""
    command = ["run", SUITE, "--agent", "act", "--model", f"{model}@base_url={url}{keys}", "--out", str(out)]
    result = CliRunner().invoke(app, [*command, *more])
    assert result.exit_code == code, result.output
    return result.stderr


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Queue[str]:
    """The lines that a pipe gets, one every hundredth of a second."""
    lines: Queue[str] = Queue()
    monkeypatch.setattr(console, "remark", lines.put)
    monkeypatch.setattr(console, "FIRST_SECONDS", 0.01)
    monkeypatch.setattr(console, "LONGEST_SECONDS", 0.01)
    return lines


def comes(told: Queue[str], line: str) -> bool:
    """Waits for this line, and does not return before."""
    while told.get(timeout=60) != line:
        pass
    return True


def test_calls_tries_and_the_last_failure_are_told(told: Queue[str]) -> None:
    traffic = Traffic()
    with RunProgress(30, traffic) as run:
        assert comes(told, "0 of 30 episodes")
        run.heard(DONE)
        for _ in range(340):
            traffic.opened()
        traffic.again("m at URL: the server\x1b[31m failed")
        calls, failure = "340 calls, 1 try sent again", "m at URL: the server\\x1b[31m failed"
        assert comes(told, f"1 of 30 episodes; {calls}; last failure: {failure}")


def test_a_pipe_is_told_how_far_any_long_command_is(told: Queue[str]) -> None:
    with progress_bar() as bar:
        task = bar.add_task("records", total=None)
        bar.advance(task)
        assert comes(told, "records: 1")
        bar.update(task, total=20, advance=2)
        assert comes(told, "3 of 20 records")


def test_a_build_tells_attempts_proofs_and_the_time_that_is_left(
    told: Queue[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After 30 s 3 of 10 are there: the other 7 need 70 s. 48 of 400 attempts are less."""
    now = iter([0.0])
    monkeypatch.setattr(console, "monotonic", lambda: next(now, 30.0))
    with BuildProgress("scenarios") as build:
        build.heard(Standing(0, 10, 0, 400))
        assert comes(told, "0 of 10 scenarios; 0 of 400 attempts")
        build.heard(Standing(3, 10, 48, 400, 0.9))
        assert comes(told, "3 of 10 scenarios; 48 of 400 attempts, 90% proven, 0:01:10 left")


def test_with_json_a_pipe_has_a_line_of_each_scenario_and_the_index_in_the_end(tmp_path: Path) -> None:
    line = ["build", "recipe2plan@length=6,scenarios=2", "--json", "--out", str(tmp_path / "new")]
    for counted in ([1, 2], [2, 2]):  # the second time both are there already
        result = CliRunner().invoke(app, line, catch_exceptions=False)
        kept = json.loads(result.stdout)["kept"]
        lines = [json.loads(each) for each in result.stderr.splitlines()]
        assert [each["file"] for each in lines] == [each["file"] for each in kept]
        assert [each["kept"] for each in lines] == counted
        assert all((each["wanted"], each["attempts"], each["proven"]) == (2, 24, 1) for each in lines)


def test_the_bar_has_them_below() -> None:
    lines = ["340 calls, 5 tries sent again", "last failure: gone"]
    below = list(progress_bar(lambda: lines).get_renderables())[1:]
    assert [each.plain.strip() for each in below if isinstance(each, Text)] == lines


@pytest.mark.parametrize("host", ["127.0.0.1", "nobody.invalid"])
def test_a_server_that_is_not_there_is_told_at_once(
    host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 16 first calls one line, which comes before any pause; in the end the run stops with another."""
    monkeypatch.setenv("NO_PROXY", "*")
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        url = f"http://{host}:{nobody.getsockname()[1]}/v1"
        told = run(url, "m", tmp_path, keys=",tries=2,longest_pause=0")
    first, stopped = [line for line in told.splitlines() if url in line]
    assert first.startswith(f"m at {url}: no connection (")
    assert first.endswith("trying 2 times within 1800 s; Ctrl-C stops")
    assert stopped.startswith(f"stopped: m at {url}: no connection (")


def test_a_run_of_failures_stops_with_a_line_and_takes_other_settings_then(
    server: FaultServer, tmp_path: Path
) -> None:
    keys = ",tries=1,at_once=1"
    told = run(server.url, "400", tmp_path, keys=keys)
    (line,) = [line for line in told.splitlines() if line.startswith("stopped:")]
    assert "10 of the last 10 episodes failed" in line and "the request was refused (400)" in line
    assert server.calls["400"] == 10
    run(server.url, "400", tmp_path, "--budget", "most_failed=1", keys=f"{keys},own_temperature=yes")
    assert server.calls["400"] == 10 + 30


def test_a_nucleus_of_nothing_is_sent_and_recorded(server: FaultServer, tmp_path: Path) -> None:
    run(server.url, "good", tmp_path, code=0, keys=",top_p=0")
    assert {request["top_p"] for request in server.requests} == {0}
    settings = [read_episode(path).header.players["agent"].settings for path in records(tmp_path)]
    assert {each["top_p"] for each in settings} == {0}
