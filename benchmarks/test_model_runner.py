"""What a run with language models costs besides the models: turns a second, waiting, memory."""

from __future__ import annotations

import asyncio
import multiprocessing
import resource
import tempfile
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from backburner.agents.models.client import Completion, Message, Settings
from backburner.agents.spec import AgentSpec
from backburner.evaluation.records import records
from backburner.evaluation.running.jobs import Job
from backburner.evaluation.running.runner import run
from backburner.kernel import registry

WAITS = {
    "timearena": ("timearena/singles", "wait"),
    "recipe2plan": ("recipe2plan/quick", "wait"),
    "robotouille": ("robotouille/quick", "noop"),
    "collab_overcooked": ("collab_overcooked/quick", "wait(1)"),
    "cuisineworld": ("cuisineworld/quick", "noop"),
}
"""A suite of each world, and an answer that lets time go by."""


class Parrot:
    """A model that says one thing, after ``latency_seconds`` or at once."""

    name = "parrot"
    origin: Mapping[str, Any] = {"model": "parrot"}

    def __init__(self, says: str, latency_seconds: float = 0.0) -> None:
        self._says, self._latency_seconds = says, latency_seconds

    async def complete(self, messages: Sequence[Message], settings: Settings) -> Completion:
        """The one answer."""
        await asyncio.sleep(self._latency_seconds)
        return Completion(self._says, len(messages), 1)

    async def aclose(self) -> None:
        """Nothing to let go of."""


def play(world: str, method: str, episodes: int, out: Path, latency_seconds: float = 0.0) -> int:
    """Play so many episodes in all, and as many at once if they wait; the number of turns."""
    suite, says = WAITS[world]
    ids = registry.expand(suite)
    jobs = [Job(ids[n % len(ids)], AgentSpec(method, "parrot"), n // len(ids)) for n in range(episodes)]
    at_once = episodes if latency_seconds else 16
    summary = run(jobs, out, at_once=at_once, client_of=lambda _: Parrot(says, latency_seconds))
    assert (summary.played, summary.failed) == (episodes, 0)
    return sum(path.read_bytes().count(b"\n") - 2 for path in records(out))


@pytest.mark.parametrize("method", ["act", "react"])
@pytest.mark.parametrize("world", WAITS)
def test_turns_of_a_model_that_answers_at_once(benchmark, tmp_path: Path, world: str, method: str) -> None:
    """200 episodes in one process, 16 at once, records on disk."""
    folders = (tmp_path / str(number) for number in count())
    rates: list[float] = []

    def once() -> int:
        started = process_time()
        turns = play(world, method, 200, next(folders))
        rates.append(turns / (process_time() - started))
        return turns

    turns = benchmark.pedantic(once, rounds=3, warmup_rounds=1)
    benchmark.extra_info["turns/s"] = round(turns / benchmark.stats["median"])
    benchmark.extra_info["turns/s of CPU at best"] = round(max(rates))


def test_two_hundred_episodes_wait_side_by_side(benchmark, tmp_path: Path) -> None:
    """With 0.2 s to an answer, all at once would ideally take the calls of the longest times 0.2 s."""
    turns = benchmark.pedantic(lambda: play("timearena", "act", 200, tmp_path, 0.2), rounds=1)
    ideal_seconds = 0.2 * max(path.read_bytes().count(b"\n") - 2 for path in records(tmp_path))
    benchmark.extra_info["turns"] = turns
    benchmark.extra_info["of the ideal time"] = round(benchmark.stats["median"] / ideal_seconds, 3)


@pytest.mark.parametrize("episodes", [200, 2000])
def test_memory(benchmark, episodes: int) -> None:
    """The most that a process of its own ever holds."""
    context = multiprocessing.get_context("spawn")

    def measured() -> int:
        with context.Pool(1) as pool:
            return pool.apply(_most_mebibytes, (episodes,))

    benchmark.extra_info["MiB at most"] = benchmark.pedantic(measured, rounds=1)


def _most_mebibytes(episodes: int) -> int:
    with tempfile.TemporaryDirectory() as out:
        play("timearena", "act", episodes, Path(out))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
