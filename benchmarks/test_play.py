"""Whole episodes and exact plans: what a run costs besides the model."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from time import process_time

import pytest

from backburner.agents.spec import AgentSpec
from backburner.evaluation.records import records
from backburner.evaluation.running.chains_of_jobs import Summary
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.running.runner import run
from backburner.kernel import registry
from backburner.kernel.episode import read_episode
from backburner.kernel.oracle import solve_world

EPISODES = 990


def test_episodes_with_records_written(benchmark, told: list[str], tmp_path: Path) -> None:
    """990 greedy episodes of the 90 published sets in one process, records on disk."""
    jobs = jobs_of(["timearena/all"], [AgentSpec("greedy")], EPISODES // 90, "standard", "article")
    folders = iter(tmp_path / str(number) for number in range(100))
    seconds: list[float] = []

    def once() -> Summary:
        began = process_time()
        played = run(jobs, next(folders), workers=1)
        seconds.append(process_time() - began)
        return played

    summary = benchmark.pedantic(once, rounds=3, warmup_rounds=1)
    assert summary.played == EPISODES
    benchmark.extra_info["episodes/s"] = round(EPISODES / benchmark.stats["median"])
    turns = sum(len(read_episode(path).entries) for path in records(tmp_path / "0"))
    told.append(f"scripted play with records, turns per CPU second: {turns / median(seconds):,.0f}")


@pytest.mark.parametrize("suite", ["singles", "pairs", "triples"])
def test_proven_optima(benchmark, suite: str) -> None:
    """A whole published suite, solved with proof and replayed by the world."""
    worlds = [registry.world(id) for id in registry.expand(f"timearena/{suite}")]
    solutions = benchmark.pedantic(lambda: [solve_world(world) for world in worlds], rounds=3)
    assert all(solution.status == "optimal" for solution in solutions)
    benchmark.extra_info["ms for each scenario"] = round(1000 * benchmark.stats["median"] / len(worlds), 1)
