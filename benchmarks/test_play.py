"""Whole episodes and exact plans: what a run costs besides the model."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from time import process_time

import pytest

from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.evaluation.records import records
from backburner.evaluation.running.chains_of_jobs import Summary
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.running.runner import run
from backburner.kernel import packs, registry
from backburner.kernel.claims import check
from backburner.kernel.clock import Timing
from backburner.kernel.episode import read_episode
from backburner.kernel.oracle import solve_world
from backburner.kernel.play import play_now

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


ROUNDS = 14


@pytest.mark.parametrize("name", packs.names())
def test_a_clock_that_charges_nothing(told: list[str], name: str) -> None:
    """Greedy play and its verification, with a clock and without, by turns in one process."""
    worlds = [registry.world(id) for id in registry.expand(f"{name}/quick")[:4]]
    seated = [make_policies(AgentSpec("greedy"), world) for world in worlds]
    seconds: dict[tuple[str, bool], list[float]] = {}
    for number in range(2 * ROUNDS):
        clocked = number % 4 in (1, 2)  # whoever comes second finds what the first has worked out
        clocks = [Timing("latency").bound(world) if clocked else None for world in worlds]
        began = process_time()
        episodes = [
            play_now(world, policies, clock=clock)
            for world, policies, clock in zip(worlds, seated, clocks, strict=True)
        ]
        played = process_time()
        assert all(check(episode, world) for world, episode in zip(worlds, episodes, strict=True))
        seconds.setdefault(("play", clocked), []).append(played - began)
        seconds.setdefault(("verification", clocked), []).append(process_time() - played)
    for what in ("play", "verification"):
        ratio = median(sorted(seconds[what, True])[:5]) / median(sorted(seconds[what, False])[:5])
        told.append(f"{name}: {what} with a clock that charges nothing, times that without: {ratio:.2f}")
