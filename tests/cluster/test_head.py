"""Runs and searches with a pool of piped workers give what they give without, byte by byte."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from backburner.agents.spec import AgentSpec
from backburner.cli.agents import client_of
from backburner.cluster.head import Cluster
from backburner.evaluation.records import journal_of, make_keys, records
from backburner.evaluation.running.calls import Budget, Journal
from backburner.evaluation.running.chains_of_jobs import Done, Summary
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.running.runner import run
from backburner.evaluation.running.searches import Search, solve_all
from backburner.kernel import registry
from backburner.kernel.episode import read_episode
from backburner.kernel.errors import Refused
from backburner.kernel.oracle import Kept, Request
from backburner.kernel.registry import expand
from backburner.kernel.values import total
from support.folders import contents
from support.models.answering import AnsweringServer, answering
from support.piped_workers import PipedMachines

SINGLES = "timearena/singles/household"


def comparable(folder: Path) -> dict[str, list[object]]:
    """What each record says, but for what was spent, and the chain, which holds that too."""
    found = {}
    for name, content in contents(folder).items():
        lines = [json.loads(line) for line in content.splitlines()]
        found[name] = [
            {key: each for key, each in line.items() if key not in ("spent", "chain")} for line in lines
        ]
    return found


def play(agents: list[AgentSpec], out: Path, machines: PipedMachines | None = None, **options) -> Summary:
    names = options.pop("names", [SINGLES])
    jobs = jobs_of(names, agents, options.pop("seeds", 1), "standard", "article")
    options.setdefault("client_of", partial(client_of))
    place = None if machines is None else Cluster(machines, client_of=options["client_of"])
    return run(jobs, out, place=place, **options)


def kill_one(machines: PipedMachines, when: Callable[[], bool]) -> threading.Thread:
    """kill -9 of the worker that came first, as soon as something is so."""

    def wait() -> None:
        while not when():
            done.wait(0.005)
        os.kill(machines.workers[0].process.pid, signal.SIGKILL)

    done = threading.Event()
    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    return thread


def test_scripted_agents_though_a_worker_is_killed(tmp_path: Path) -> None:
    agents = [AgentSpec("random"), AgentSpec("greedy"), AgentSpec("serial")]
    play(agents, tmp_path / "here", seeds=30)
    machines = PipedMachines()
    (tmp_path / "there").mkdir()
    killing = kill_one(machines, lambda: len(list(records(tmp_path / "there"))) >= 50)
    summary = play(agents, tmp_path / "there", machines, seeds=30)
    killing.join(5)
    assert (summary.played, summary.broken, summary.stopped) == (900, 0, "")
    assert len(machines.workers) == 3
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def test_episodes_that_follow_one_another_and_what_was_there_is_kept(tmp_path: Path) -> None:
    names = registry.line("cuisineworld/level_1@episode=3,stream=coupled,tau=1.0")
    agents = [AgentSpec("greedy"), AgentSpec("act", "stand-in:skill=0.7")]
    play(agents, tmp_path / "here", names=names)
    play(agents, tmp_path / "there", names=names[:2])
    summary = play(agents, tmp_path / "there", PipedMachines(), names=names)
    assert (summary.kept, summary.broken, summary.errors) == (2 * 2, 0, ())
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def test_records_are_signed_by_the_head_alone(tmp_path: Path) -> None:
    key, _ = make_keys(tmp_path / "mine.key")
    agents = [AgentSpec("greedy"), AgentSpec("reflexion@attempts=3", "stand-in:skill=0.1")]
    for out, machines in (("here", None), ("there", PipedMachines())):
        play(agents, tmp_path / out, machines, names=["robotouille/synchronous/1@seed=42"], sign=key)
    signed = contents(tmp_path / "there")
    assert any(".attempt1" in name for name in signed)
    assert signed == contents(tmp_path / "here")
    assert all(b'"signature"' in content.splitlines()[-1] for content in signed.values())


FEW = expand(SINGLES)[:4]


def model(server: AnsweringServer) -> AgentSpec:
    return AgentSpec("act", "m", server.url)


def test_a_killed_worker_costs_the_calls_in_flight_and_no_answer(tmp_path: Path) -> None:
    """One worker, so that all is in its hands: of four episodes at once each has one call in flight at most,
    which the next worker makes again, and the record says so."""
    with answering() as server:
        play([model(server)], tmp_path / "here", names=FEW, at_once=4)
        asked = len(server.requests)
        server.requests.clear()
        machines = PipedMachines(cpus=1)
        killing = kill_one(machines, lambda: len(server.requests) >= asked // 2)
        summary = play([model(server)], tmp_path / "there", machines, names=FEW, at_once=4)
        killing.join(5)
        answered = len(server.requests)
    assert (summary.played, summary.failed, summary.broken) == (4, 0, 0)
    assert len(machines.workers) == 2
    assert comparable(tmp_path / "there") == comparable(tmp_path / "here")
    costs = total(usage for path in records(tmp_path / "there") for _, usage in read_episode(path).costs())
    assert costs.calls == asked
    assert costs.calls <= answered <= costs.calls + costs.lost
    assert costs.lost <= 4


def test_a_budget_is_that_of_all_workers_together_and_the_run_goes_on_from_there(tmp_path: Path) -> None:
    with answering() as server:
        play([model(server)], tmp_path / "here", names=FEW)
        asked = len(server.requests)
        server.requests.clear()
        stopped = play(
            [model(server)], tmp_path / "there", PipedMachines(), names=FEW, budget=Budget(calls=37)
        )
        assert "the budget of 37 calls is used up" in stopped.stopped
        assert len(server.requests) <= 37
        assert list((tmp_path / "there").rglob("*.calls"))
        play([model(server)], tmp_path / "there", PipedMachines(), names=FEW)
    costs = total(usage for path in records(tmp_path / "there") for _, usage in read_episode(path).costs())
    assert costs.calls == asked <= len(server.requests) <= asked + costs.lost
    assert comparable(tmp_path / "there") == comparable(tmp_path / "here")


def test_what_failed_is_played_on_and_a_hopeless_error_stops_the_run(tmp_path: Path) -> None:
    with answering() as server:
        server.failing_after = 100
        failed = play([model(server)], tmp_path / "there", PipedMachines(), names=FEW, at_once=1)
        assert 0 < failed.failed < 4
        server.failing_after = None
        again = play([model(server)], tmp_path / "there", PipedMachines(), names=FEW, retry_failed=True)
        assert (again.failed, again.stopped) == (0, "")
        assert again.played == failed.failed
        answered = sum(1 for request in server.requests if request.answered)
        episodes = [read_episode(path) for path in records(tmp_path / "there")]
        assert sum(len(each.entries) for each in episodes) == answered
        server.refuses_key = True
        stopped = play([model(server)], tmp_path / "other", PipedMachines())
    assert "key" in stopped.stopped
    assert stopped.played == 0


def test_an_agent_that_kills_its_worker_breaks_its_episode_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deadly.py").write_text(
        "import os\n"
        "class Deadly:\n"
        "    name, informed, settings = 'deadly', False, {}\n"
        "    def __init__(self, world):\n"
        "        self.deadly = world.id.endswith('household3') and os.getcwd() != HEAD\n"
        "    async def decide(self, turn, memory):\n"
        "        if self.deadly:\n"
        "            os._exit(1)\n"
        "        from backburner import Reply\n"
        "        return Reply(turn.menu.options[0].decision)\n"
        f"HEAD = {str(tmp_path)!r}\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    summary = play([AgentSpec("deadly:Deadly")], Path("there"), PipedMachines())
    assert (summary.played, summary.broken) == (9, 1)
    assert "household3, deadly:Deadly: 3 workers were lost by it" in summary.errors[0]


class Late(PipedMachines):
    """Something else happens when they are first counted: after the run has looked what is there."""

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        self._meanwhile = meanwhile
        super().__init__()

    @property
    def cpus(self) -> int:
        other = threading.Thread(target=self._meanwhile)
        other.start()
        other.join()
        return 2

    @cpus.setter
    def cpus(self, count: int) -> None:
        """Always two."""


def test_what_another_run_has_finished_since_is_not_played_again(tmp_path: Path) -> None:
    agents, out = [AgentSpec("greedy"), AgentSpec("act", "stand-in:skill=0.7")], tmp_path / "there"
    for agent in agents:
        first: list[Summary] = []
        second = play([agent], out, Late(lambda: first.append(play([agent], out))))  # noqa: B023
        assert (first[0].played, second.played, second.kept, second.broken) == (10, 0, 10, 0)


def test_what_another_run_plays_is_waited_for(tmp_path: Path) -> None:
    """That run gives it up as soon as the others are done."""
    path = jobs_of([SINGLES], [AgentSpec("greedy")], 1, "standard", "article")[3].path(
        tmp_path, expand(SINGLES)[3]
    )
    elsewhere = Journal(journal_of(path))
    heard: list[Done] = []

    def note(done: Done) -> None:
        heard.append(done)
        if len(heard) == 9:
            elsewhere.__exit__(None, None, None)

    summary = play([AgentSpec("greedy")], tmp_path, PipedMachines(), progress=note)
    assert (summary.played, heard[-1].path) == (10, path)


def test_searches_are_kept_as_they_are_found(tmp_path: Path) -> None:
    ids = [*expand(SINGLES), "recipe2plan/1"][:10]
    searches = [Search(id, "standard", "none", Request()) for id in ids]
    here = solve_all(searches)
    kept = Kept(tmp_path / "kept")
    solve_all(searches[:3], kept)
    machines = PipedMachines()
    there = solve_all(searches, kept, Cluster(machines))
    plain = [(each.scenario, each.status, each.objective, each.bound) for each in here]
    assert [(each.scenario, each.status, each.objective, each.bound) for each in there] == plain
    assert len((tmp_path / "kept").read_bytes().splitlines()) == 10
    assert solve_all(searches, kept, Cluster(machines)) == there
    assert len(machines.workers) == 2  # the second time nobody was needed


def test_what_an_oracle_refuses_is_said_as_here(tmp_path: Path) -> None:
    search = Search("timearena/lab1", "standard", "none", Request(options={"space": "wide"}))
    with pytest.raises(Refused, match="has no option 'space'"):
        solve_all([search], None, Cluster(PipedMachines()))
