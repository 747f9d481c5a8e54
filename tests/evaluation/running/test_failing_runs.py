"""A server that dies in mid-run stops the run, and what failed before anything was decided binds nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from backburner.agents.models.client import Choices, Message, ScriptedModel
from backburner.agents.spec import AgentSpec
from backburner.evaluation.records import records
from backburner.evaluation.running.chains_of_jobs import LAST, Summary
from backburner.evaluation.running.jobs import Job
from backburner.evaluation.running.runner import run
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import PolicyFailure, Refused
from backburner.kernel.registry import expand


class Server:
    """Answers ``good`` calls, and fails then."""

    def __init__(self, good: int) -> None:
        self.good = good
        self.calls = 0

    def answer(self, messages: Sequence[Message]) -> str:
        self.calls += 1
        if self.calls > self.good:
            raise PolicyFailure("model", "m at URL: the server failed (500): gone")
        return "wait"


def play(server: Server, out: Path, decoding: Choices | None = None, **options: object) -> Summary:
    spec = AgentSpec("act", "m", decoding=decoding or Choices())
    jobs = [Job(id, spec, 0) for id in expand("timearena/singles")]
    client = ScriptedModel(server.answer, name="m")
    return run(jobs, out, client_of=lambda endpoint: client, at_once=4, **options)  # type: ignore[arg-type]


def test_a_server_that_dies_stops_the_run_after_a_share_of_failures(tmp_path: Path) -> None:
    """Of the last ten episodes six have failed when the run stops; up to four more are under way by then."""
    stopped = play(Server(300), tmp_path, most_failed=0.5)
    assert stopped.stopped.startswith(f"6 of the last {LAST} episodes failed, such as timearena/")
    assert "m at URL: the server failed (500): gone" in stopped.stopped
    assert "the same command with --budget retry_failed=yes goes on" in stopped.stopped
    assert 6 <= stopped.failed <= 6 + 4 < 30 - stopped.played
    again = play(Server(10_000), tmp_path, most_failed=0.5, retry_failed=True)
    assert (again.stopped, again.failed, again.played + again.kept) == ("", 0, 30)


@pytest.mark.parametrize(("most", "failed"), [(1.0, 30), (0.9, 10), (0.0, 10)])
def test_no_run_stops_before_ten_episodes_and_none_with_a_share_of_1(
    most: float, failed: int, tmp_path: Path
) -> None:
    summary = play(Server(0), tmp_path, most_failed=most)
    assert failed <= summary.failed <= min(30, failed + 4)
    assert bool(summary.stopped) == (most < 1)


def test_a_single_failure_stops_nothing(tmp_path: Path) -> None:
    server = Server(20)

    def once(messages: Sequence[Message]) -> str:
        if server.calls == 21:
            server.good = 100_000
        return Server.answer(server, messages)

    server.answer = once  # type: ignore[method-assign]
    summary = play(server, tmp_path, most_failed=0.5)
    assert (summary.failed, summary.played, summary.stopped) == (1, 30, "")


def test_an_episode_in_which_nothing_was_decided_binds_no_settings_and_is_played_anew(tmp_path: Path) -> None:
    """Ten fail at their first call; the same folder takes other settings then, and a plain rerun plays on."""
    assert play(Server(0), tmp_path, most_failed=0.5).stopped
    assert len(list(records(tmp_path))) >= 10
    other = play(Server(10_000), tmp_path, Choices(temperature=None), most_failed=0.5)
    assert (other.played, other.kept, other.failed) == (30, 0, 0)
    assert all(
        read_episode(path).header.players["agent"].settings["temperature"] is None
        for path in records(tmp_path)
    )


def test_an_episode_that_failed_later_is_kept_with_its_settings(tmp_path: Path) -> None:
    assert play(Server(40), tmp_path).failed
    kept = play(Server(10_000), tmp_path)
    begun = [path for path in records(tmp_path) if read_episode(path).ending.status == "failed"]
    assert kept.failed == len(begun) > 0
    assert all(read_episode(path).entries for path in begun)
    with pytest.raises(Refused, match="another temperature"):
        play(Server(10_000), tmp_path, Choices(temperature=None))


def test_an_agent_that_can_play_nothing_is_told_before_play(tmp_path: Path) -> None:
    jobs = [Job("timearena/household1", AgentSpec(name), 0) for name in ("random", "clumsy")]
    with pytest.raises(Refused, match="this world has no agent 'clumsy'"):
        run(jobs, tmp_path)
    assert not list(records(tmp_path))
    able = Job("collab_overcooked/boiled_egg", AgentSpec("clumsy"), 0)
    summary = run([*jobs, able], tmp_path)
    assert (summary.played, summary.broken) == (2, 1)
