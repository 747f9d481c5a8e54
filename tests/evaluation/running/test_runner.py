"""Many episodes: parallel, resumable, and nothing finished is ever lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from backburner.agents.models.client import Choices, ModelClient, ScriptedModel
from backburner.agents.models.stand_in import stand_in_named
from backburner.agents.spec import AgentSpec, Endpoint
from backburner.evaluation.records import records
from backburner.evaluation.running.chains_of_jobs import Done, Summary
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.running.runner import run
from backburner.kernel.claims import check
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import BadFile, Refused
from support.command_line import Started, answer
from support.folders import recorded

SUITE = "timearena/singles/household"
RANDOM, SERIAL = AgentSpec("random"), AgentSpec("serial")


def ten(out: Path, **options: object) -> Summary:
    return run(jobs_of([SUITE], [RANDOM], 1, "standard", "article"), out, **options)  # type: ignore[arg-type]


def test_every_job_becomes_one_record_that_replays(tmp_path: Path) -> None:
    summary = run(jobs_of([SUITE], [RANDOM, SERIAL], 2, "standard", "article"), tmp_path)
    assert (summary.played, summary.kept, summary.failed, summary.broken) == (40, 0, 0, 0)
    assert len(recorded(tmp_path)) == 40
    for path in records(tmp_path):
        episode = read_episode(path)
        assert episode.finished
        assert check(episode) == len(episode.entries)


def test_processes_write_what_one_process_writes(tmp_path: Path) -> None:
    ten(tmp_path / "one", workers=1)
    ten(tmp_path / "two", workers=2)
    assert recorded(tmp_path / "one") == recorded(tmp_path / "two")


def test_running_again_repeats_nothing(tmp_path: Path) -> None:
    ten(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in records(tmp_path)}
    lost = next(iter(before))
    lost.unlink()
    assert (ten(tmp_path).played, ten(tmp_path).kept) == (1, 10)
    after = {path: path.stat().st_mtime_ns for path in records(tmp_path)}
    assert {path for path in after if after[path] != before[path]} == {lost}


def test_a_killed_run_keeps_what_was_finished_and_goes_on(tmp_path: Path) -> None:
    """kill -9 in the middle: each record there is whole; the same command completes the rest."""
    command = [
        "run", "timearena/all", "--agent", "random", "--seeds", "20", "--workers", "1",
        "--out", str(tmp_path), "--json",
    ]  # fmt: skip
    process = Started(*command)
    while len(list(tmp_path.rglob("*.jsonl"))) < 20:
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    survivors = recorded(tmp_path)
    assert 20 <= len(survivors) < 1800
    assert all(read_episode(tmp_path / name).finished for name in survivors)

    command[command.index("timearena/all")] = "timearena/singles"
    summary = json.loads(answer(*command))
    assert summary["kept"] > 0 and summary["kept"] + summary["played"] == 600
    assert not list(tmp_path.rglob("*.part-*"))
    assert {name: recorded(tmp_path)[name] for name in survivors} == survivors


def test_the_processes_of_a_killed_run_end_with_it(tmp_path: Path) -> None:
    """Nobody is left to write into the folder when the run goes on. They hold its stderr while they live."""
    command = [
        sys.executable, "-m", "backburner", "run", "timearena/all", "--agent", "random",
        "--seeds", "50", "--out", str(tmp_path), "--workers", "2",
    ]  # fmt: skip
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    while len(list(tmp_path.rglob("*.jsonl"))) < 5:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)  # to the end of stderr: until the last of them has let go of it
    assert len(recorded(tmp_path)) < 4500


def test_ctrl_c_leaves_whole_files(tmp_path: Path) -> None:
    command = [
        sys.executable, "-m", "backburner", "run", "timearena/all", "--agent", "random",
        "--seeds", "50", "--out", str(tmp_path), "--workers", "2",
    ]  # fmt: skip
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while len(list(tmp_path.rglob("*.jsonl"))) < 5:
        assert process.poll() is None
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "goes on from here" in stderr and "Traceback" not in stderr
    assert all(read_episode(path).finished for path in records(tmp_path))


SLOW = """
import time

class Slow:
    name, informed, settings = "slow", False, {}

    async def decide(self, turn, memory):
        import backburner
        time.sleep(0.3)
        return backburner.Reply("wait", memory=memory)
"""


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
@pytest.mark.parametrize("workers", [1, 2])
def test_who_is_to_stop_does_so_in_the_middle_of_slow_episodes(
    number: int, code: int, workers: int, tmp_path: Path
) -> None:
    """Nothing is left over but what the same command takes up, and nobody complains of leaks."""
    (tmp_path / "mine.py").write_text(SLOW)
    command = [
        sys.executable, "-m", "backburner", "run", "timearena/all", "--agent", "mine:Slow",
        "--seeds", "2", "--out", "runs", "--workers", str(workers),
    ]  # fmt: skip
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, cwd=tmp_path, start_new_session=True
    )
    begun = 0
    while begun < workers:  # each has taken a decision
        begun = sum(part.read_bytes().count(b"\n") > 1 for part in tmp_path.rglob("*.part-*"))
        assert process.poll() is None
        time.sleep(0.01)
    began = time.monotonic()
    if number == signal.SIGTERM:
        process.send_signal(number)  # as a scheduler does
    else:
        os.killpg(process.pid, number)  # as a terminal does
    _, stderr = process.communicate(timeout=60)
    took = time.monotonic() - began
    assert process.returncode == code
    assert took < 8, f"{took:.1f} s; an episode takes longer"
    assert stderr == "stopped; the same command goes on from here\n"
    left = list(tmp_path.rglob("*.part-*"))
    assert len(left) == (1 if workers == 1 else 0), "the program's own, which the next run takes up"


def scripted(replies: list[str], **options: object) -> object:
    def client_of(spec: Endpoint) -> ModelClient:
        return ScriptedModel(replies, name=spec.model, **options)  # type: ignore[arg-type]

    return client_of


def test_ctrl_c_is_obeyed_while_a_model_answers_at_once(tmp_path: Path) -> None:
    """A stand-in or a script never lets anybody wait, and so must be left in between."""
    spec = AgentSpec("act", model="stand-in:skill=0.7")
    jobs = jobs_of(["timearena/singles"], [spec], 1, "standard", "article")
    heard: list[Done] = []

    def note(done: Done) -> None:
        heard.append(done)
        if len(heard) == 1:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run(jobs, tmp_path, at_once=4, client_of=lambda model: stand_in_named(model.model), progress=note)
    assert 1 <= len(heard) <= 4 < len(jobs) and len(recorded(tmp_path)) == len(heard)


def test_failed_model_calls_are_recorded_kept_and_tried_again_on_request(tmp_path: Path) -> None:
    spec = AgentSpec("act", model="shaky")
    jobs = jobs_of([SUITE], [spec], 1, "standard", "article")
    heard: list[Done] = []
    summary = run(jobs, tmp_path, client_of=scripted(["wait"], fail_at_call=3), progress=heard.append)
    assert (summary.played, summary.failed) == (10, 10)
    assert {done.status for done in heard} == {"failed"}
    assert all("call 3" in (read_episode(path).ending or 0).error for path in records(tmp_path))
    assert run(jobs, tmp_path, client_of=scripted(["wait"])).kept == 10
    again = run(jobs, tmp_path, client_of=scripted(["wait"]), retry_failed=True)
    assert (again.played, again.failed) == (10, 0)


def test_other_settings_do_not_mix_into_the_same_folder(tmp_path: Path) -> None:
    def jobs(temperature: float) -> list:
        return jobs_of(
            [SUITE], [AgentSpec("act", "m", decoding=Choices(temperature))], 1, "standard", "article"
        )

    run(jobs(0.0), tmp_path, client_of=scripted(["wait"]))
    with pytest.raises(Refused, match="another temperature"):
        run(jobs(0.7), tmp_path, client_of=scripted(["wait"]))


def test_another_scenario_of_the_same_name_does_not_pass_for_the_recorded_one(tmp_path: Path) -> None:
    for name, task in (("one", "household1"), ("two", "household2")):
        scenario = {"world": "timearena", "id": "mine", "tasks": [task]}
        (tmp_path / f"{name}.json").write_text(json.dumps(scenario))
    one, two = (
        jobs_of([str(tmp_path / f)], [RANDOM], 1, "standard", "article") for f in ("one.json", "two.json")
    )
    assert run(one, tmp_path / "runs").played == 1
    with pytest.raises(Refused, match="another scenario"):
        run(two, tmp_path / "runs")


def test_an_agent_named_twice_plays_once(tmp_path: Path) -> None:
    jobs = jobs_of([SUITE], [RANDOM, RANDOM], 1, "standard", "article")
    assert run(jobs, tmp_path).played == 10


def test_a_scenario_that_cannot_be_played_stops_no_other(tmp_path: Path) -> None:
    names = ["timearena/cooking2+cooking3", "timearena/cooking1"]
    summary = run(jobs_of(names, [AgentSpec("oracle")], 1, "released", "article"), tmp_path)
    assert (summary.played, summary.broken) == (1, 1)
    assert "infeasible" in summary.errors[0]


def test_a_foreign_file_in_a_record_s_place_is_named_and_kept(tmp_path: Path) -> None:
    ten(tmp_path)
    path = next(records(tmp_path))
    path.write_text("my notes\n")
    with pytest.raises(BadFile, match=path.name.replace("+", r"\+")):
        ten(tmp_path)
    assert path.read_text() == "my notes\n"
