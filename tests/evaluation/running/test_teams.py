"""Teams and agents of one's own in many episodes: own records, resumed, in processes, apart in scores."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from backburner.agents.models.client import Choices, ModelClient, ScriptedModel
from backburner.agents.spec import AgentSpec, Endpoint
from backburner.evaluation.records import records
from backburner.evaluation.running.chains_of_jobs import Summary
from backburner.evaluation.running.jobs import Job, jobs_of
from backburner.evaluation.running.runner import run
from backburner.evaluation.scoring.scores import load, score
from backburner.kernel import registry
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import Refused, UnknownName
from support.folders import recorded

TWO = "robotouille/multi_agent/1@seed=42"
THREE = "robotouille/multi_agent/1@robots=3,seed=42"
PLAIN = "support.own_agents:Plain"


def play(out: Path, *agents: str, scenario: str = TWO, seeds: int = 1, **options: object) -> Summary:
    specs = [AgentSpec(name) for name in agents]
    return run(jobs_of([scenario], specs, seeds, "standard", "article"), out, **options)  # type: ignore[arg-type]


def test_teams_have_records_of_their_own_and_running_again_repeats_nothing(tmp_path: Path) -> None:
    teams = ("random+first-legal", "first-legal+random", "random")
    assert play(tmp_path, *teams).played == 3
    folders = {path.parts[2] for path in (path.relative_to(tmp_path) for path in records(tmp_path))}
    assert folders == set(teams)
    before = recorded(tmp_path)
    assert (play(tmp_path, *teams, "first-legal").kept, len(recorded(tmp_path))) == (3, 4)
    assert before.items() < recorded(tmp_path).items()


def test_a_team_of_equals_is_the_agent_for_every_seat(tmp_path: Path) -> None:
    assert play(tmp_path, "random").played == 1
    assert play(tmp_path, "random+random").kept == 1
    with pytest.raises(Refused, match=r"random and random\+random would share the record"):
        play(tmp_path / "new", "random", "random+random")
    assert not (tmp_path / "new" / "robotouille").exists()


def test_a_team_that_does_not_fit_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"has 2 seats \(robot1, robot2\), and agent 'random\+random\+random'"):
        play(tmp_path, "random", "random+random+random")
    assert not recorded(tmp_path)


@pytest.mark.parametrize("agent", [f"{PLAIN}+random", PLAIN])
def test_processes_play_teams_with_agents_of_one_s_own(agent: str, tmp_path: Path) -> None:
    assert str(Path(__file__).parents[2]) in sys.path  # and processes get the same
    summaries = [play(tmp_path / str(n), agent, seeds=30, workers=n) for n in (1, 2)]
    assert [summary.played for summary in summaries] == [30, 30], summaries
    assert recorded(tmp_path / "1") == recorded(tmp_path / "2")


def test_what_an_agent_of_one_s_own_does_wrong_is_told_and_stops_no_other(tmp_path: Path) -> None:
    summary = play(tmp_path, "random", "support.own_agents:Crashing+random")
    assert (summary.played, summary.broken) == (1, 1)
    assert "raises ZeroDivisionError: counted wrong (own_agents.py" in summary.errors[0]
    with pytest.raises(UnknownName, match="did you mean Plain"):
        play(tmp_path, "support.own_agents:Plane")


def test_names_of_agents_make_safe_file_names_however_long() -> None:
    world = registry.world(TWO)
    deep = "/".join(["folder"] * 40)
    names = [f"replay:{deep}/{name}.jsonl+random" for name in "ab"] + ["../up:Here", PLAIN]
    paths = [Job(TWO, AgentSpec(name), 0).path(Path(), world.id) for name in names]
    assert len(set(paths)) == 4
    for path in paths:
        folder = path.parts[2]
        assert path.parts[:2] == ("robotouille", "standard") and ".." not in path.parts
        assert not set(folder) & set('/\\:*?"<>|') and len(folder.encode()) < 200
    assert paths[3].parts[2] == "support.own_agents%3APlain"


def test_another_recording_under_the_same_name_does_not_pass_for_the_one_played(tmp_path: Path) -> None:
    play(tmp_path / "first", "random", seeds=2)
    one, two = records(tmp_path / "first")
    file = tmp_path / "again.jsonl"
    file.write_bytes(one.read_bytes())
    agent = f"first-legal+replay:{file}"
    assert play(tmp_path / "runs", agent).played == 1
    assert play(tmp_path / "runs", agent).kept == 1
    file.write_bytes(two.read_bytes())
    with pytest.raises(Refused, match="recorded with another recording"):
        play(tmp_path / "runs", agent)


def a_model(spec: Endpoint) -> ModelClient:
    return ScriptedModel(["wait"], name=spec.model)


def test_a_model_in_a_team_is_resumed_with_its_own_settings_only(tmp_path: Path) -> None:
    def jobs(temperature: float) -> list[Job]:
        team = AgentSpec("random+act", "m", decoding=Choices(temperature))
        return jobs_of([TWO], [team], 1, "standard", "article")

    assert run(jobs(0.0), tmp_path, client_of=a_model).played == 1
    (path,) = records(tmp_path)
    assert path.parts[-3] == "random+act(m)"
    assert run(jobs(0.0), tmp_path, client_of=a_model).kept == 1
    with pytest.raises(Refused, match="another temperature"):
        run(jobs(0.7), tmp_path, client_of=a_model)


@pytest.mark.parametrize("name", ["act", "random+act"])
def test_model_agents_without_a_client_are_refused(name: str, tmp_path: Path) -> None:
    jobs = jobs_of([TWO], [AgentSpec("random"), AgentSpec(name, "m")], 1, "standard", "article")
    with pytest.raises(Refused, match=rf"agent {name.replace('+', '[+]')!r} asks a model.*client_of"):
        run(jobs, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def agents(folder: Path) -> list[str]:
    (found,) = score([episode for _, episode in load(folder).episodes])
    assert all(row.episodes + row.failed == 1 for row in found.rows)
    return sorted(row.agent for row in found.rows)


def test_scores_keep_teams_apart_that_differ_in_who_plays_a_seat(tmp_path: Path) -> None:
    """Both are a first-legal and a random, in this order; only robot2 tells them apart."""
    play(tmp_path, "first-legal+random+random", "first-legal+first-legal+random", scenario=THREE)
    assert len(set(agents(tmp_path))) == 2
    assert all("first-legal" in agent and "random" in agent for agent in agents(tmp_path))


def test_scores_keep_recordings_and_makers_apart(tmp_path: Path) -> None:
    play(tmp_path / "first", "random", seeds=2)
    one, two = records(tmp_path / "first")
    play(tmp_path / "replays", f"random+replay:{one}", f"random+replay:{two}")
    names = agents(tmp_path / "replays")
    assert [f"robot2 file={path}" in name for name, path in zip(names, (one, two), strict=True)] == [True] * 2
    play(tmp_path / "swapped", f"replay:{one}+replay:{two}", f"replay:{two}+replay:{one}")
    assert len(set(agents(tmp_path / "swapped"))) == 2
    play(tmp_path / "own", PLAIN, "support.own_agents:Failing")
    assert agents(tmp_path / "own") == [
        f"plain (agent={name})" for name in ("support.own_agents:Failing", PLAIN)
    ]


def test_the_header_tells_who_plays_which_seat(tmp_path: Path) -> None:
    play(tmp_path, f"random+{PLAIN}")
    (path,) = records(tmp_path)
    players = read_episode(path).header.players
    assert {seat: player.name for seat, player in players.items()} == {"robot1": "random", "robot2": "plain"}
    assert players["robot2"].settings == {"agent": PLAIN}
