"""``--agent`` as a stranger uses it: teams, records played again, agents of one's own in the folder."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from backburner.cli import app, main
from backburner.cli.agents import Asked
from backburner.evaluation.records import records
from backburner.kernel.claims import check
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.errors import Refused

TWO = "robotouille/multi_agent/1@seed=42"
TOGETHER = "robotouille/multi_agent/1@play=together,seed=42"
DISPATCHER = "robotouille/multi_agent/1@play=dispatcher,seed=42"

MINE = '''
import backburner


class Last:
    """Takes what stands last on the menu."""

    name = "last"
    informed = False
    settings = {}

    def __init__(self, world):
        self.world = world

    async def decide(self, turn, memory):
        return backburner.Reply(turn.menu.options[-1].decision)


LAST = 1
'''


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a module of the stranger's own in it."""
    (tmp_path / "mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    return tmp_path


def run(*arguments: str, code: int = 0) -> Any:
    result = CliRunner().invoke(app, ["run", *arguments], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


def summary(*arguments: str) -> Any:
    return json.loads(run(*arguments, "--json").stdout)


def recorded(folder: str) -> list[Episode]:
    return [read_episode(path) for path in records(Path(folder))]


def test_a_team_with_an_agent_of_one_s_own_plays_and_is_played_again() -> None:
    assert summary(TWO, "--agent", "random+mine:Last", "--out", "first")["played"] == 1
    (path,) = records(Path("first"))
    assert path.parts[-3] == "random+mine%3ALast"
    (first,) = recorded("first")
    assert first.header.agent == "random + last"
    assert first.header.players["robot2"].settings == {"agent": "mine:Last"}
    assert check(first) == len(first.entries)

    assert summary(TWO, "--agent", f"replay:{path}", "--out", "again")["played"] == 1
    (again,) = recorded("again")
    assert [entry.digest for entry in again.entries] == [entry.digest for entry in first.entries]

    # beside another partner it takes longer than the recording is long
    run(TWO, "--agent", f"replay:{path}+random", "--out", "beside", code=1)
    (beside,) = recorded("beside")
    given, before = (
        [entry.answers["robot1"].decision for entry in each.entries if "robot1" in entry.answers]
        for each in (beside, first)
    )
    assert given == before and len(given) > 10


def test_seats_that_act_together_are_a_team_too() -> None:
    assert summary(TOGETHER, "--agent", "greedy+random", "--limits", "none", "--out", "runs")["played"] == 1
    (episode,) = recorded("runs")
    assert all(set(entry.answers) == {"robot1", "robot2"} for entry in episode.entries)


def test_a_killed_run_of_a_team_goes_on(folder: Path) -> None:
    """-P: the current folder is not on Python's path, as with an installed command."""
    command = [
        sys.executable, "-P", "-m", "backburner", "run", TWO, "--agent", "random+mine:Last", "--seeds", "100",
        "--workers", "2", "--out", "runs", "--json",
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while len(list(folder.rglob("*.jsonl"))) < 5:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    survivors = {path: path.read_bytes() for path in records(folder / "runs")}
    assert 5 <= len(survivors) < 100

    again = summary(TWO, "--agent", "random+mine:Last", "--seeds", "100", "--out", "runs")
    assert again["kept"] >= len(survivors) and again["kept"] + again["played"] == 100
    assert all(path.read_bytes() == content for path, content in survivors.items())


def test_scores_tell_teams_apart() -> None:
    teams = ["random+first-legal", "first-legal+random", "mine:Last", "random"]
    run(TWO, *(word for team in teams for word in ("--agent", team)), "--out", "runs")
    scores = json.loads(CliRunner().invoke(app, ["score", "runs", "--json"]).stdout)
    agents = sorted(row["agent"] for row in scores[0]["rows"])
    assert agents == ["first-legal + random", "last", "random", "random + first-legal"]


@pytest.mark.parametrize(
    ("scenario", "agent", "message"),
    [
        (TWO, "random+random+random", "2 seats (robot1, robot2), and agent 'random+random+random' names 3"),
        (DISPATCHER, "greedy+random", "has 1 seat (dispatcher), and agent 'greedy+random' names 2 agents"),
        ("timearena/lab1", "greedy+random", "has 1 seat (agent), and agent 'greedy+random' names 2 agents"),
        (TWO, "random+gready", "unknown agent 'gready'; did you mean greedy?"),
        (TWO, "random+", "a name is missing beside a '+'"),
        (TWO, "random+act", "agent 'act' needs a model: --model NAME"),
        (TWO, "random+react@", "a choice is written key=value, once; not ''"),
        (TWO, "random+human", "backburner play"),
        (TWO, "replay:nowhere.jsonl+random", "nowhere.jsonl: No such file"),
        (TWO, "replay:mine.py", "mine.py: line 1: not a record line"),
        (TWO, "mein:Last", "unknown module 'mein' in agent 'mein:Last'; did you mean mine"),
        (TWO, "mine:Lst", "unknown name 'Lst' in module mine"),
        (TWO, "mine:LAST", "LAST is of type int and makes no agent"),
        (TWO, "mine.py:Last", "as Python imports it, such as mine:MyAgent"),
        (TWO, "__import__('os'):system", "as Python imports it, such as mine:MyAgent"),
    ],
)
def test_wrong_agents_get_one_clear_message(
    scenario: str,
    agent: str,
    message: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(
        sys, "argv", ["backburner", "run", scenario, "--agent", agent, "--limits", "none", "--out", "runs"]
    )
    with pytest.raises(SystemExit) as stopped:
        main()
    told = capsys.readouterr()
    assert (stopped.value.code, told.out) == (2, "")
    (line,) = told.err.strip().splitlines()
    assert message in line
    assert not list(folder.rglob("*.jsonl"))


@pytest.mark.parametrize(
    ("models", "servers"),
    [
        (("chef=one", "assistant=two"), {"chef": "http://here/v1", "assistant": "http://here/v1"}),
        (("assistant=two@base_url=http://there/v1",), {"assistant": "http://there/v1"}),
    ],
)
def test_models_of_seats_are_on_the_usual_server_unless_they_name_another(
    models: tuple[str, ...], servers: dict[str, str]
) -> None:
    spec = Asked.said(("a-model@base_url=http://here/v1", *models)).spec("cook")
    assert {seat: endpoint.base_url for seat, endpoint in spec.seats} == servers
    assert spec.endpoint_of("chef").base_url == "http://here/v1"


@pytest.mark.parametrize(
    ("models", "why"),
    [
        (("one", "two"), "--model two: name one model, and those of single seats as SEAT=NAME"),
        (("@temperature=1",), "name one model"),
        (("chef=one@temperature=1", "two@temperature=0"), "temperature is said of another model too"),
    ],
)
def test_models_that_contradict_each_other_are_refused(models: tuple[str, ...], why: str) -> None:
    with pytest.raises(Refused, match=why):
        Asked.said(models)


def test_a_folder_of_prompts_that_is_not_there_is_told_once_for_all_scenarios() -> None:
    with pytest.raises(Refused, match="--model: prompts=nowhere: no such folder"):
        run("timearena/quick", "--agent", "act", "--model", "script:mine.py@prompts=nowhere")


@pytest.mark.parametrize("model", ["a-model", "chef=one", "m@temperature=0"])
def test_what_is_said_of_models_needs_an_agent_that_asks_one(model: str) -> None:
    """Whoever forgot to name a method would take the scripted agent's scores for the model's."""
    with pytest.raises(Refused, match=r"--model: no agent here asks a model \(greedy, random\)"):
        run("timearena/quick", "--agent", "greedy", "--agent", "random", "--model", model)


def test_an_agent_that_cannot_be_made_is_told_and_stops_no_other(folder: Path) -> None:
    (folder / "bad.py").write_text("def make(world):\n    raise RuntimeError('no luck')\n")
    told = run(TWO, "--agent", "bad:make", "--agent", "random", "--out", "runs", code=1)
    assert "1 episode played, 0 kept from before, 1 could not be played" in told.stdout
    assert "raises RuntimeError: no luck (bad.py, line 2)" in told.stderr
