"""Episodes that follow one another: played in order in one piece of work, resumed rightly, replayed alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from backburner.agents.models.client import ModelClient, ScriptedModel
from backburner.agents.spec import AgentSpec, Endpoint
from backburner.evaluation.records import records
from backburner.evaluation.running.chains_of_jobs import job_chains
from backburner.evaluation.running.jobs import Job, jobs_of
from backburner.evaluation.running.runner import Done, Summary, run
from backburner.kernel import registry
from backburner.kernel.claims import check, verify
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.errors import PolicyFailure, Refused
from backburner.kernel.policy import Reply, Turn

CELL = "cuisineworld/level_1@episode={},stream=coupled,tau=1.0"
LAST = CELL.format(2)
NAMES = [CELL.format(0).replace("episode=0,", ""), CELL.format(1), LAST]


class Quiet:
    """Says nothing that can be read in the first turns of each episode, then waits."""

    name = "quiet"
    informed = False
    settings: Mapping[str, Any] = {}
    silent = 6

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """An answer."""
        return Reply("Let me think." if turn.index < self.silent else "noop_agent0")


class Failing(Quiet):
    """Fails in the second episode."""

    broken = True

    def __init__(self, world: Any) -> None:
        self.episode = world.scenario.episode

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """An answer, or none."""
        if self.episode == 1 and turn.index == 3 and Failing.broken:
            raise PolicyFailure("nobody", "no answer")
        return await super().decide(turn, memory)


QUIET, FAILING = (AgentSpec(f"{__name__}:{agent.__name__}") for agent in (Quiet, Failing))


def play(out: Path, spec: AgentSpec = QUIET, **options: Any) -> tuple[Summary, list[Done]]:
    told: list[Done] = []
    jobs = jobs_of([LAST], [spec], 1, "released", "article")
    return run(jobs, out, progress=told.append, **options), told


def in_order(out: Path) -> list[Path]:
    """The records, episode by episode."""
    return sorted(records(out), key=lambda path: read_episode(path).header.scenario.get("episode", 0))


def drawn(out: Path) -> list[tuple[int, str]]:
    """Of each record, how many orders were drawn before, and the first dish."""
    found = []
    for path in in_order(out):
        episode = read_episode(path)
        assert check(episode) == len(episode.entries)
        before = episode.header.scenario.get("before", {"drawn": 0})["drawn"]
        found.append((before, first_dish(episode)))
    return found


def first_dish(episode: Episode) -> str:
    header = episode.header
    world: Any = registry.catalogue(header.world).restore(
        header.id, header.scenario, header.rules, header.limits
    )
    return str(world.compiled.dishes[world.start(header.seed).orders[0].dish])


def test_whoever_names_the_last_gets_those_before_it() -> None:
    assert registry.line(LAST) == NAMES
    assert registry.line("cuisineworld/level_1@episode=2") == ["cuisineworld/level_1@episode=2"]
    jobs = jobs_of([LAST, CELL.format(1)], [QUIET], 2, "released", "article")
    assert [job.scenario for job in jobs if job.seed == 0] == NAMES
    (chain, other) = job_chains(jobs)
    assert [job.scenario for job in chain.jobs] == NAMES and {job.seed for job in other.jobs} == {1}
    alone = jobs_of(["timearena/singles/cooking"], [QUIET], 1, "standard", "article")
    assert [chain.jobs for chain in job_chains(alone)] == [(job,) for job in alone]


def test_each_episode_begins_where_the_one_before_it_ended(tmp_path: Path) -> None:
    """54 of 60 turns are steps: with an interval of 3, 1 + 54 // 3 = 19 draws in each episode."""
    summary, told = play(tmp_path)
    assert (summary.played, summary.broken) == (3, 0)
    assert [done.job.scenario for done in told] == NAMES
    assert drawn(tmp_path) == [
        (0, "lambMeatcake"),
        (19, "lobsterMeatcake"),
        (38, "lobsterMeatcake"),
    ]


def test_apart_they_begin_as_if_nobody_had_been_silent(tmp_path: Path) -> None:
    names = [name.replace("stream=coupled,", "") for name in NAMES]
    assert run(jobs_of(names, [QUIET], 1, "released", "article"), tmp_path).played == 3
    assert [dish for _, dish in drawn(tmp_path)] == ["lambMeatcake", "lobsterMeatcake", "lambMeatcake"]


@pytest.mark.parametrize("lost", [(2,), (1, 2), (0, 1, 2), (1,), (0,)])
def test_a_line_goes_on_where_it_stopped(lost: tuple[int, ...], tmp_path: Path) -> None:
    """Whatever records a killed run leaves; those that still follow what is there then are kept."""
    play(tmp_path)
    files = in_order(tmp_path)
    whole = [file.read_bytes() for file in files]
    for number in lost:
        files[number].unlink()
    summary, told = play(tmp_path)
    assert (summary.kept, summary.played) == (3 - len(lost), len(lost))
    assert [done.job.scenario for done in told] == NAMES
    assert [file.read_bytes() for file in files] == whole
    assert play(tmp_path)[0].kept == 3


def test_a_record_that_followed_another_episode_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed after the first was played again, otherwise than before: the later ones are of another line.

    12 silent turns of 60: 1 + 48 // 3 = 17 draws.
    """
    play(tmp_path / "one")
    monkeypatch.setattr(Quiet, "silent", 12)
    play(tmp_path / "two")
    in_order(tmp_path / "two")[0].replace(in_order(tmp_path / "one")[0])
    summary, _ = play(tmp_path / "one")
    assert (summary.kept, summary.played) == (1, 2)
    assert [before for before, _ in drawn(tmp_path / "one")] == [0, 17, 34]


def test_nothing_follows_an_episode_that_failed(tmp_path: Path) -> None:
    Failing.broken = True
    summary, told = play(tmp_path, FAILING)
    assert (summary.played, summary.failed, summary.broken) == (2, 1, 1)
    assert "--budget retry_failed=yes" in told[-1].error and NAMES[1] in told[-1].error
    summary, told = play(tmp_path, FAILING)
    assert (summary.kept, summary.played, summary.failed, summary.broken) == (2, 0, 1, 1)
    Failing.broken = False
    summary, told = play(tmp_path, FAILING, retry_failed=True)
    assert (summary.kept, summary.played, summary.failed, summary.broken) == (1, 2, 0, 0)


def test_models_play_lines_as_well(tmp_path: Path) -> None:
    replies = ["Let me think.", "noop_agent0"]

    def client(endpoint: Endpoint) -> ModelClient:
        return ScriptedModel(replies, name="m")

    summary, told = play(tmp_path, AgentSpec("act", "m"), client_of=client)
    assert (summary.played, summary.broken) == (3, 0)
    assert [done.job.scenario for done in told] == NAMES
    # Every other turn is a step: 1 + 30 // 3 draws.
    assert [before for before, _ in drawn(tmp_path)] == [0, 11, 22]
    assert play(tmp_path, AgentSpec("act", "m"), client_of=client)[0].kept == 3


def test_processes_play_lines_as_one_process_does(tmp_path: Path) -> None:
    jobs = jobs_of([LAST], [AgentSpec("random")], 4, "released", "article")
    for workers in (1, 2):
        assert run(jobs, tmp_path / str(workers), workers=workers).played == 12
    one, two = ([path.read_bytes() for path in records(tmp_path / name)] for name in ("1", "2"))
    assert one == two


def test_no_other_engine_plays_them(tmp_path: Path) -> None:
    def engine(jobs: Mapping[Path, Job], out: Path, progress: Any, retry_failed: bool) -> None:
        raise AssertionError

    with pytest.raises(Refused, match="follows another episode"):
        play(tmp_path, engine=engine)


def test_what_was_taken_over_is_claimed_and_the_rest_verified(tmp_path: Path) -> None:
    play(tmp_path)
    verdicts = [verify(read_episode(path)) for path in in_order(tmp_path)]
    claimed = [[fact.part for fact in verdict.claimed if "took over" in fact.why] for verdict in verdicts]
    assert claimed == [[], ["header.scenario"], ["header.scenario"]]
    assert all("header.id" in {fact.part for fact in verdict.verified} for verdict in verdicts)
