"""``backburner live`` with a worker that needs no Node: the record is kept, and what was changed is put back,
however play ends."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from backburner.agents.latency import LatePolicy
from backburner.cli import app
from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.clock import Timing
from backburner.kernel.episode import Episode, read_episode, write_episode
from backburner.kernel.errors import BackburnerError
from backburner.kernel.play import play_now
from backburner.kernel.policy import Reply
from backburner.live import bots
from backburner.live.bots import PUT_BACK
from backburner.worlds.minecraft.agents.greedy import GreedyDispatcher
from live.test_worker import gone
from support.live.farm import asked, farm_in, processes

RECORD = "live.jsonl"
SCENARIO = "minecraft/level_1"
CHANGED = [
    "on the server this would be changed, and put back at the end:",
    "  block 1 64 2: air -> chest",
]


def arguments(folder: Path, *more: str, what: str = SCENARIO, keys: str = ",agreed=yes") -> list[str]:
    at = ["--server", f"localhost:25565@node_folder={folder}{keys}", "--out", str(folder / RECORD)]
    return ["live", what, *at, *more]


def live(folder: Path, how: str, *more: str, what: str = SCENARIO) -> Result:
    return CliRunner().invoke(app, arguments(farm_in(folder, how), *more, what=what))


def kept(folder: Path, status: str) -> Episode:
    """The record, which is valid and ended like this; nobody left anything on the server, nor runs on."""
    episode = read_episode(folder / RECORD)
    assert check(episode) == len(episode.entries)
    assert episode.ending and episode.ending.status == status, episode.ending
    assert gone(list(processes(folder)))
    assert [path.name for path in folder.iterdir() if ".part-" in path.name] == []
    return episode


def test_what_is_seen_is_the_state_and_everything_is_put_back(tmp_path: Path) -> None:
    result = live(tmp_path, "well", "--steps", "3", "--json")
    assert result.exit_code == 1  # the chest holds dirt, which nobody has predicted
    assert "chest: 1 dirt (predicted: nothing)" in result.output
    episode = kept(tmp_path, "capped")
    assert episode.header.players["server"].settings == {"minecraft": "1.16.5"}
    assert episode.ending and episode.ending.numbers["seconds"] == 15
    last = asked(tmp_path)[-2:]
    assert last == ["restore", "leave"]


def test_what_passes_on_the_server_while_an_agent_decides_counts(tmp_path: Path) -> None:
    """Three steps of 100 ticks, 50 before each: 22.5 seconds."""
    live(tmp_path, "thinks", "--steps", "3")
    episode = kept(tmp_path, "capped")
    assert episode.ending and episode.ending.numbers["seconds"] == 22.5
    reports = [entry.answers["server"].decision["report"] for entry in episode.entries[1::2]]
    assert [(report["ticks"], report["waited"]) for report in reports] == [(100, 50)] * 3


def test_a_record_s_decisions_are_carried_out_as_far_as_they_go(tmp_path: Path) -> None:
    first, second = tmp_path / "one", tmp_path / "two"
    live(first, "well", "--steps", "3")
    result = live(second, "well", what=str(first / RECORD))
    assert result.exit_code == 1, result.output
    again = kept(second, "capped")
    assert again.header.players["dispatcher"].name == "replay"
    digests = [entry.digest for entry in again.entries]
    assert digests == [entry.digest for entry in read_episode(first / RECORD).entries]


def test_a_record_of_play_with_a_clock_is_carried_out_without_its_silences(tmp_path: Path) -> None:
    """On a server thinking takes what it takes; an agent with a latency is refused there."""
    told = live(tmp_path / "slow", "well", "--agent", "greedy@latency=2")
    assert "no latency for dispatcher" in str(told.exception)
    text, slow = registry.world(SCENARIO), {"dispatcher": "2"}
    greedy = LatePolicy(GreedyDispatcher(text), "2")
    episode = play_now(text, greedy, max_steps=3, clock=Timing("latency").bound(text, slow))
    assert sum(answer.silent for entry in episode.entries for answer in entry.answers.values()) == 3
    text_record = tmp_path / "text.jsonl"
    write_episode(episode, text_record)
    live(tmp_path, "well", what=str(text_record))
    again = kept(tmp_path, "capped")
    decided = [entry.answers["dispatcher"].decision for entry in read_episode(text_record).entries[1::2]]
    assert [entry.answers["dispatcher"].decision for entry in again.entries[::2]] == decided


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("kicked 3", "the server sent steve away: no bots here"),
        ("dies 3", "the worker failed: it ended with exit code 7"),
        ("mute 3", "the worker failed: it said what is no message"),
    ],
)
def test_what_goes_wrong_on_the_way_is_one_line_and_the_record_is_kept(
    how: str, told: str, tmp_path: Path
) -> None:
    result = live(tmp_path, how)
    assert told in str(result.exception) and "\n" not in str(result.exception)
    episode = kept(tmp_path, "failed")
    assert len(episode.entries) == 5 and episode.ending and told in episode.ending.error
    assert how != "kicked 3" or asked(tmp_path)[-2:] == ["restore", "leave"]


def test_bots_that_are_stuck_are_told_to_the_agent_and_play_goes_on(tmp_path: Path) -> None:
    live(tmp_path, "stuck", "--steps", "4")
    episode = kept(tmp_path, "capped")
    refusals = [refusal for entry in episode.entries for refusal in entry.refusals]
    assert {refusal.code for refusal in refusals} == {"on_server"}
    assert refusals[0].get("why") == "alex is stuck at 1 64 2"


def stopped(folder: Path, how: str, number: signal.Signals, asks: str) -> tuple[int, list[str]]:
    """A play that a signal stops once the worker is asked for this: its exit code, and what was told."""
    command = [sys.executable, "-m", "backburner", *arguments(farm_in(folder, how), "--steps", "1")]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as playing:
        while not (folder / "asked").exists() or asks not in asked(folder):
            assert playing.poll() is None
            time.sleep(0.01)
        playing.send_signal(number)
        return playing.wait(), playing.communicate()[1].splitlines()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_whoever_stops_it_while_all_is_put_back_waits_for_that(
    number: signal.Signals, code: int, tmp_path: Path
) -> None:
    told = [*CHANGED, PUT_BACK, f"record: {tmp_path / RECORD}"]
    assert stopped(tmp_path, "slow end", number, "restore") == (code, told)
    kept(tmp_path, "capped")


def test_where_putting_back_takes_long_that_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "SECONDS_QUIET", 0.1)
    result = live(tmp_path, "slow end", "--steps", "1")
    assert result.output.splitlines()[-4:-2] == [bots.PUTTING_BACK, bots.PUT_BACK], result.output
    assert bots.PUTTING_BACK not in live(tmp_path / "well", "well", "--steps", "1").output


def test_whoever_reads_no_further_has_the_record_and_the_server_as_it_was(tmp_path: Path) -> None:
    """As ``head`` does."""
    command = [sys.executable, "-m", "backburner", *arguments(farm_in(tmp_path, "slow"))]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as playing:
        assert playing.stdout and playing.stderr
        assert playing.stdout.readline().startswith("1: ")
        playing.stdout.close()
        told = playing.stderr.read().splitlines()
        assert playing.wait() == 1
    assert told[-2:] == [PUT_BACK, f"record: {tmp_path / RECORD}"]
    kept(tmp_path, "interrupted")


class Wrong:
    """An agent that makes a mistake in its third decision."""

    name, informed, settings = "wrong", False, {}

    async def decide(self, turn, memory):
        return Reply("[]", memory=(memory or 0) + 1) if memory != 2 else 1 / 0


def test_an_agent_that_makes_a_mistake_ends_play_and_the_record_is_kept(tmp_path: Path) -> None:
    result = live(tmp_path, "well", "--agent", "live.test_play:Wrong")
    told = "agent 'live.test_play:Wrong' raises ZeroDivisionError: division by zero (test_play.py, line "
    assert isinstance(result.exception, BackburnerError) and str(result.exception).startswith(told)
    episode = kept(tmp_path, "failed")
    assert episode.ending and episode.ending.error.startswith(told) and len(episode.entries) == 4
    assert asked(tmp_path)[-2:] == ["restore", "leave"]


def test_what_cannot_be_put_back_is_told(tmp_path: Path) -> None:
    result = live(tmp_path, "left", "--steps", "1")
    assert "could not be put back: block 1 64 2: air -> chest" in result.output


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_whoever_stops_it_has_the_record_and_the_server_as_it_was(
    number: signal.Signals, code: int, tmp_path: Path
) -> None:
    command = arguments(farm_in(tmp_path, "slow"))
    whole = [sys.executable, "-m", "backburner", *command]
    pipe = subprocess.PIPE
    with subprocess.Popen(whole, stdout=pipe, stderr=pipe, text=True) as playing:
        assert playing.stdout and playing.stderr
        assert playing.stdout.readline().startswith("1: ")
        began = time.monotonic()
        playing.send_signal(number)
        last = playing.stderr.read().splitlines()[-1]
        assert playing.wait() == code and time.monotonic() - began < 20
    assert last == f"record: {tmp_path / RECORD}"
    kept(tmp_path, "interrupted")
    assert asked(tmp_path)[-2:] == ["restore", "leave"]
