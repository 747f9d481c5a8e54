"""Parts of the jobs of a run: disjoint, together all, the same for equal arguments."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from backburner.agents.spec import AgentSpec
from backburner.cli import app
from backburner.evaluation.records import records
from backburner.evaluation.running.chains_of_jobs import job_chains, share_of
from backburner.evaluation.running.jobs import Job, jobs_of
from backburner.kernel.errors import Refused

SCENARIOS = (
    "timearena/cooking1",
    "timearena/lab2",
    "cuisineworld/level_1@episode=2,stream=coupled,tau=1.0",
    "cuisineworld/level_1@episode=1,stream=coupled,tau=1.0",
    "robotouille/synchronous/1@seed=42",
)
AGENTS = ("greedy", "random", "first-legal")

asked = st.tuples(
    st.lists(st.sampled_from(SCENARIOS), min_size=1, max_size=4, unique=True),
    st.lists(st.sampled_from(AGENTS), min_size=1, max_size=3, unique=True),
    st.integers(1, 4),
)


def jobs_for(scenarios: Sequence[str], agents: Sequence[str], seeds: int) -> list[Job]:
    return jobs_of(scenarios, [AgentSpec(name) for name in agents], seeds, "standard", "article")


@settings(deadline=None, max_examples=60)
@given(asked, st.integers(1, 9))
def test_parts_are_disjoint_complete_and_about_equal(
    what: tuple[list[str], list[str], int], parts: int
) -> None:
    jobs = jobs_for(*what)
    shares = [share_of(jobs, part, parts) for part in range(1, parts + 1)]
    dealt = list(chain.from_iterable(shares))
    assert len(set(dealt)) == len(dealt)
    assert set(dealt) == set(jobs)
    chains = [len(job_chains(share)) for share in shares]
    assert max(chains) - min(chains) <= 1


@settings(deadline=None, max_examples=30)
@given(asked, st.integers(1, 9))
def test_what_follows_one_another_stays_in_one_part(
    what: tuple[list[str], list[str], int], parts: int
) -> None:
    jobs = jobs_for(*what)
    part_of = {job: part for part in range(parts) for job in share_of(jobs, part + 1, parts)}
    for each in job_chains(jobs):
        assert len({part_of[job] for job in each.jobs}) == 1


@settings(deadline=None, max_examples=20)
@given(asked, st.integers(1, 9))
def test_equal_arguments_make_equal_parts(what: tuple[list[str], list[str], int], parts: int) -> None:
    """Whatever the order in which they are said."""
    scenarios, agents, seeds = what
    backwards = jobs_for(scenarios[::-1], agents[::-1], seeds)
    for part in range(1, parts + 1):
        assert set(share_of(jobs_for(*what), part, parts)) == set(share_of(backwards, part, parts))


def test_a_part_has_all_agents_and_seeds() -> None:
    """So that no part has all that is slow."""
    jobs = jobs_for(["timearena/cooking1", "timearena/lab2"], AGENTS, 20)
    for part in (1, 2):
        share = share_of(jobs, part, 2)
        assert {job.agent.name for job in share} == set(AGENTS)
        assert len({job.seed % 2 for job in share}) == 2


def run(*arguments: str) -> dict[str, object]:
    done = CliRunner().invoke(app, ["run", *arguments, "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    told: dict[str, object] = json.loads(done.stdout)
    return told


def test_the_records_of_all_shares_are_those_of_the_whole_run(tmp_path) -> None:
    """In one folder, and in a folder each below another, which ``score`` takes as one."""
    line = (*SCENARIOS[:3], "--agent", "greedy", "--agent", "random", "--seeds", "2")
    run(*line, "--out", str(tmp_path / "whole"))
    for part in ("1/3", "2/3", "3/3"):
        run(*line, "--share", part, "--out", str(tmp_path / "one"))
        run(*line, "--share", part, "--out", str(tmp_path / "several" / part[0]))
    assert run(*line, "--out", str(tmp_path / "one"))["played"] == 0
    whole = {path.relative_to(tmp_path / "whole"): path.read_bytes() for path in records(tmp_path / "whole")}
    one = {path.relative_to(tmp_path / "one"): path.read_bytes() for path in records(tmp_path / "one")}
    several = {
        path.relative_to(tmp_path / "several" / part): path.read_bytes()
        for part in "123"
        for path in records(tmp_path / "several" / part)
    }
    assert whole == one == several and len(whole) == 2 * 2 * (2 + 3)

    def rows(folder: str) -> list[str]:
        told = CliRunner().invoke(app, ["score", str(tmp_path / folder), "--json"], catch_exceptions=False)
        return sorted(json.dumps(row) for world in json.loads(told.stdout) for row in world["rows"])

    assert rows("whole") == rows("one") == rows("several")


@pytest.mark.parametrize("share", ["0/3", "4/3", "3", "a/b", "1/-2", "1/0", "", "1/2/3"])
def test_what_is_no_share_is_told(share: str, tmp_path) -> None:
    line = [
        "run",
        "timearena/cooking1",
        "--agent",
        "greedy",
        "--share",
        share,
        "--out",
        str(tmp_path / "out"),
    ]
    with pytest.raises(Refused, match="--share"):
        CliRunner().invoke(app, line, catch_exceptions=False)
    assert not (tmp_path / "out").exists()
