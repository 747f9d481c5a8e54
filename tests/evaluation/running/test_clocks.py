"""Runs with a clock: which jobs have one, where their records stand, that they resume, what they refuse."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from backburner.agents.models.client import ModelClient
from backburner.agents.models.stand_in import stand_in_named
from backburner.agents.spec import AgentSpec, Endpoint
from backburner.evaluation.records import read_verified, records
from backburner.evaluation.running.calls import Budget
from backburner.evaluation.running.chains_of_jobs import Summary
from backburner.evaluation.running.clocks import clocked, speeds
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.running.runner import run
from backburner.kernel.clock import Profile, Timing
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.errors import Refused

MODEL = "stand-in:skill=0.7"
ACT, GREEDY = AgentSpec("act", MODEL), AgentSpec("greedy")
EIGHTY = Timing(speed="80")


def client_of(endpoint: Endpoint) -> ModelClient:
    return stand_in_named(endpoint.model)


def play(
    out: Path, *timings: Timing | None, agents: tuple[AgentSpec, ...] = (ACT,), of: Path | None = None
) -> Summary:
    jobs = clocked(jobs_of(["timearena/cooking1"], agents, 1, "standard", "article"), timings, of)
    return run(jobs, out, client_of=client_of)


def played(out: Path) -> dict[str, Episode]:
    return {str(path.relative_to(out).parent): read_episode(path) for path in records(out)}


def test_each_speed_is_a_run_and_scripts_are_played_once_without_a_clock(tmp_path: Path) -> None:
    assert play(tmp_path, Timing(speed="20"), EIGHTY, None, agents=(ACT, GREEDY)).played == 4
    found = played(tmp_path)
    act = "act(stand-in%3Askill=0.7)"
    assert sorted(found) == [
        f"timearena/standard/{act}",
        "timearena/standard/greedy",
        f"timearena/standard@20/{act}",
        f"timearena/standard@80/{act}",
    ]
    assert found[f"timearena/standard@80/{act}"].header.agent == f"act({MODEL}) @80"
    assert found[f"timearena/standard/{act}"].header.clock is None
    before = {path: path.read_bytes() for path in records(tmp_path)}
    assert play(tmp_path, Timing(speed="20"), EIGHTY, None, agents=(ACT, GREEDY)).kept == 4
    assert before == {path: path.read_bytes() for path in records(tmp_path)}
    for path in before:
        read_verified(path)


def test_words_of_stand_ins_are_counted_by_their_bytes(tmp_path: Path) -> None:
    play(tmp_path, EIGHTY)
    (episode,) = played(tmp_path).values()
    assert episode.header.clock is not None
    assert episode.header.clock.count == "bytes"
    thoughts = [answer.thought for entry in episode.entries for answer in entry.answers.values()]
    calls = [call for thought in thoughts if thought for call in thought.calls]
    assert any(calls) and all(call.estimated for call in calls if call.output)


def test_latency_needs_no_clock_to_be_named_and_has_no_folder_of_its_own(tmp_path: Path) -> None:
    play(tmp_path, EIGHTY, agents=(AgentSpec("greedy@latency=60"),))
    (folder, episode), *others = played(tmp_path).items()
    assert (folder, others) == ("timearena/standard/greedy@latency=60", [])
    assert episode.header.clock is not None
    assert episode.header.clock.mode == "latency"
    assert {*episode.charges("agent")} == {60_000_000}
    assert play(tmp_path, None, agents=(AgentSpec("greedy@latency=60"),)).kept == 1


def test_words_of_scripts_take_time_where_somebody_talks(tmp_path: Path) -> None:
    agents = (AgentSpec("greedy"), AgentSpec("greedy@latency=1"))
    timing = Timing(speed="80", speech="0.1", talk_words=30)
    jobs = [
        job
        for id in ("timearena/cooking1", "collab_overcooked/boiled_egg")
        for job in clocked(
            jobs_of([id], agents, 1, "standard", "none"), [timing, replace(timing, speed="20")]
        )
    ]
    assert (run(jobs, tmp_path).played, run(jobs, tmp_path).kept) == (4, 4)
    found = played(tmp_path)
    assert sorted(found) == [
        "collab_overcooked/standard-none@speech=0.1,talk=30/greedy",
        "collab_overcooked/standard-none@speech=0.1,talk=30/greedy@latency=1",
        "timearena/standard-none/greedy",
        "timearena/standard-none/greedy@latency=1",
    ]
    late = found["collab_overcooked/standard-none@speech=0.1,talk=30/greedy@latency=1"]
    # "Please do pickup(egg,ingredient_dispenser), then place_obj_on_counter(). [END]": 6 words, 0.6 seconds.
    assert [*late.charges("chef")][:2] == [1_000_000, 1_600_000]


def test_recorded_charges_are_those_of_the_record_over_and_over(tmp_path: Path) -> None:
    play(tmp_path / "model", Timing(speed="1"))
    play(tmp_path / "script", Timing("recorded"), agents=(GREEDY,), of=tmp_path / "model")
    (model,), (script,) = (played(tmp_path / each).values() for each in ("model", "script"))
    told, taken = [*model.charges("agent")], [*script.charges("agent")]
    assert taken == [told[number % len(told)] for number in range(len(taken))]
    assert script.header.agent == f"greedy @recorded 1 of act({MODEL})"


def test_what_a_recorded_clock_would_not_do_is_refused(tmp_path: Path) -> None:
    play(tmp_path / "model", Timing(speed="1"))
    asked = Timing("recorded", pace="3", limit="30", talk_words=5)
    with pytest.raises(Refused, match="as long as they took; no limit, talk, pace"):
        play(tmp_path / "script", asked, agents=(GREEDY,), of=tmp_path / "model")


def test_of_a_record_without_a_clock_the_tokens_are_priced(tmp_path: Path) -> None:
    """The same answers: what they are charged with a clock, whoever counts them."""
    play(tmp_path / "model", None)
    play(tmp_path / "script", Timing("recorded", speed="2", count="bytes"), agents=(GREEDY,), of=tmp_path)
    (model,), (script,) = (played(tmp_path / each).values() for each in ("model", "script"))
    first = model.entries[0].answers["agent"]
    size = len((first.text or "").encode()) + sum(len(each.text.encode()) for each in first.thoughts)
    assert next(script.charges("agent")) == -(-size // 4) * 500_000
    with pytest.raises(Refused, match="the record has no clock; name a speed=80"):
        play(tmp_path / "other", Timing("recorded"), agents=(GREEDY,), of=tmp_path / "model")


def test_records_of_another_clock_are_another_experiment(tmp_path: Path) -> None:
    fast = Timing(profile=Profile("mine", decode="80"))
    play(tmp_path, fast)
    with pytest.raises(Refused, match="recorded with another clock"):
        play(tmp_path, Timing(profile=Profile("mine", decode="81")))


@pytest.mark.parametrize(
    ("timing", "why"),
    [
        (Timing(speed="80/step"), "timearena/cooking1 has no 'step' for a speed; it has tick, minute"),
        (Timing(speed="80/beat", pace="2"), "with it pace is 1"),
        (Timing(speed="80", seats={"chef": Profile()}), "no seat 'chef' has a clock"),
    ],
)
def test_what_a_world_cannot_keep_is_refused_before_anything_is_played(
    timing: Timing, why: str, tmp_path: Path
) -> None:
    with pytest.raises(Refused, match=why):
        play(tmp_path, timing)


def test_folders_say_the_clock(tmp_path: Path) -> None:
    (job,) = clocked(jobs_of(["timearena/cooking1"], [ACT], 1, "standard", "none"), [EIGHTY])
    assert job.path(Path(), "timearena/cooking1").parts[:2] == ("timearena", "standard-none@80")
    timing = Timing(speed="500/beat", limit="30", tells=False)
    (job,) = clocked(jobs_of(["timearena/cooking1"], [ACT], 1, "standard", "article"), [timing])
    assert job.path(Path(), "timearena/cooking1").parts[1] == "standard@500-per-beat,limit=30,tell=no"


def test_speeds_are_a_list() -> None:
    assert speeds("20, 250/step,inf,20") == ["20", "250/step", "inf"]
    for wrong in ("", "fast", "0", "-3", "1e3", "/step"):
        with pytest.raises(Refused, match="write tokens a second"):
            speeds(wrong)


@pytest.mark.parametrize("calls", [1, 4, 9])
def test_a_run_that_was_stopped_has_the_same_virtual_history(calls: int, tmp_path: Path) -> None:
    """Answers that a journal has are charged what they were charged when they came."""
    jobs = clocked(jobs_of(["timearena/cooking1"], [ACT], 1, "standard", "article"), [Timing(speed="0.1")])
    run(jobs, tmp_path / "whole", client_of=client_of)
    stopped = run(jobs, tmp_path / "parts", client_of=client_of, budget=Budget(calls=calls))
    assert (stopped.played, bool(stopped.stopped)) == (0, True)
    assert run(jobs, tmp_path / "parts", client_of=client_of).played == 1
    (whole,), (parts,) = (played(tmp_path / each).values() for each in ("whole", "parts"))
    assert [(entry.answers, entry.digest) for entry in whole.entries] == [
        (entry.answers, entry.digest) for entry in parts.entries
    ]
    assert whole.header == parts.header


def test_processes_charge_as_one_does(tmp_path: Path) -> None:
    """Clocks travel with their jobs, here to two processes."""
    seeds = jobs_of(["timearena/cooking1", "timearena/cooking2"], [GREEDY], 1, "standard", "article")
    agents = [AgentSpec("greedy@latency=1..90"), AgentSpec("random@latency=30")]
    jobs = [*clocked(jobs_of(["timearena/singles"], agents, 3, "standard", "article"), [None]), *seeds]
    for workers in (1, 2):
        assert run(jobs, tmp_path / str(workers), workers=workers).played == len(jobs)
    one, two = (
        {path.relative_to(tmp_path / name): path.read_bytes() for path in records(tmp_path / name)}
        for name in ("1", "2")
    )
    assert one == two
