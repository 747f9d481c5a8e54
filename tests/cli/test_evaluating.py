"""``evaluate``: a script and a stand-in over a world, going on, one line for what is wrong, live lines."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from queue import Queue

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner, Result

from backburner.agents.models.openai_client import Traffic
from backburner.agents.planned import world_agent
from backburner.agents.spec import AgentSpec
from backburner.cli import app, console
from backburner.cli.console import EvaluationProgress
from backburner.evaluation.evaluating import SoFar, is_left, jobs_for, scale_of
from backburner.evaluation.records import records
from backburner.evaluation.running.chains_of_jobs import Done, world_of
from backburner.evaluation.running.jobs import Job
from backburner.kernel.episode import write_episode
from backburner.kernel.play import play_now
from support.models.fault_server import serving

SMALL = ("--over", "timearena", "--agent", "greedy", "--agent", "act", "--model", "stand-in:skill=1")
"""Three scenarios for each agent."""


def evaluate(out: Path, *more: str) -> Result:
    return CliRunner().invoke(app, ["evaluate", *more, "--out", str(out)])


def test_a_script_and_a_stand_in_come_to_points_a_page_and_a_submission(tmp_path: Path) -> None:
    out = tmp_path / "evaluation"
    stopped = evaluate(out, *SMALL, "--budget", "calls=3")
    assert stopped.exit_code == 1 and "the budget of 3 calls is used up" in stopped.stderr
    kept = len(list(records(out)))
    assert 3 <= kept < 6
    result = evaluate(out, *SMALL)
    assert result.exit_code == 0, result.output
    assert f"published, small: 3 of 90 scenarios in 1 world, {kept} of them played before" in result.stderr
    assert "greedy (informed) has 100.0 [" in result.stdout and "over 3 of 90 scenarios" in result.stdout
    assert "Missing are 87 of 90 scenarios of timearena. --size full plays them." in result.stdout
    assert "<p>greedy (informed) has 100.0" in (out / "report.html").read_text()
    assert len(list(records(out))) == 6
    (line,) = (each for each in result.stderr.splitlines() if "stand-ins" in each)
    command = [part.strip("'") for part in line.partition("backburner ")[2].split()]
    assert CliRunner().invoke(app, [*command[:-1], str(tmp_path / "submission")]).exit_code == 0
    told = json.loads(evaluate(out, *SMALL, "--json").stdout)
    assert {one["headline"]["agent"] for one in told["agents"]} == {"greedy", "act(stand-in:skill=1)"}


def test_json_without_an_episode_is_json(tmp_path: Path) -> None:
    asked = ("--over", "timearena", "--model", "stand-in", "--budget", "calls=0", "--json")
    assert json.loads(evaluate(tmp_path / "none", *asked).stdout) == {"report": None, "agents": []}


def test_a_killed_evaluation_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(self: SoFar, done: Done) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(SoFar, "heard", killed)
        result = evaluate(tmp_path, *SMALL[:4])
    assert result.exit_code == 130 and "the same command goes on from here" in result.stderr
    assert "2 episodes played, 1 kept from before" in evaluate(tmp_path, *SMALL[:4]).stdout


def test_what_is_wrong_is_one_line_at_once(tmp_path: Path) -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    nobody = evaluate(tmp_path, "--over", "timearena", "--model", f"m@base_url={url}")
    assert "is the server running, and the base URL right?" in str(nobody.exception)
    assert list(records(tmp_path)) == []
    assert "about" in nobody.stderr and "calls" in nobody.stderr, "what it may cost is told first"
    assert "--model NAME asks a language model" in str(evaluate(tmp_path).exception)


def test_money_is_told_before_and_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every call of the server has 11 tokens in and 3 out: at 100 and 300 a million 0.002 each."""
    monkeypatch.setenv("NO_PROXY", "*")
    prices = tmp_path / "prices.json"
    prices.write_text('{"models": {"good": {"input_per_million": 100, "output_per_million": 300}}}')
    told: list[list[str]] = []
    heard = SoFar.heard

    def listening(self: SoFar, done: Done) -> None:
        heard(self, done)
        told.append([*self.told()])

    monkeypatch.setattr(SoFar, "heard", listening)
    asked = ("--over", "timearena", "--budget", f"prices={prices}")
    with serving() as server:
        result = evaluate(tmp_path / "out", *asked, "--model", f"good@base_url={server.url}")
        calls = server.calls["good"] - 1  # but for that which asks whether somebody is there
    assert result.exit_code == 0, result.output
    assert "42 calls" in result.stderr and "dollars at most" in result.stderr
    assert told[-1][0] == f"{14 * calls:,} tokens in finished episodes, {0.002 * calls:.2f} dollars"


def test_what_is_played_again_counts_among_what_is_left(tmp_path: Path) -> None:
    (job, *_) = jobs_for(scale_of(["timearena"]), "small", [AgentSpec("greedy")], None)
    path = job.path(tmp_path, job.scenario)
    assert is_left(job, tmp_path, retry_failed=False)
    world = world_of(job)
    episode = play_now(world, world_agent("greedy", world))
    assert episode.ending
    for status, retry, left in (("ended", True, False), ("failed", False, False), ("failed", True, True)):
        write_episode(replace(episode, ending=replace(episode.ending, status=status)), path)
        assert is_left(job, tmp_path, retry_failed=retry) == left
    for reason, left in (("model", True), ("agent", False)):  # at the first call; of an own agent
        ending = replace(episode.ending, status="failed", reason=reason, steps=0)
        write_episode(replace(episode, ending=ending), path)
        assert is_left(job, tmp_path, retry_failed=False) == left
    path.write_text("no record")
    assert not is_left(job, tmp_path, retry_failed=True), "the run tells why it is broken"


def test_a_pipe_is_told_of_calls_the_time_left_and_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """After 60 seconds a quarter of the calls are made: three times as long is left."""
    lines: Queue[str] = Queue()
    monkeypatch.setattr(console, "remark", lines.put)
    monkeypatch.setattr(console, "FIRST_SECONDS", 0.01)
    monkeypatch.setattr(console, "LONGEST_SECONDS", 0.01)
    traffic, clock = Traffic(), iter([0.0])
    with EvaluationProgress(
        17, traffic, 400, lambda: ["me: 43.1 points"], lambda: next(clock, 60.0)
    ) as shown:
        shown.heard(Done(Job("timearena/lab1", AgentSpec("greedy"), 0), "ended"))
        for _ in range(100):
            traffic.opened()
        line = "1 of 17 episodes; 100 calls; 25% of about 400 calls, about 0:03:00 left; me: 43.1 points"
        while lines.get(timeout=60) != line:
            pass
