"""Every installed world as a task of Inspect, called after the world."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import Solver

from backburner.inspect.samples import samples
from backburner.inspect.scoring import article
from backburner.inspect.solver import play
from backburner.kernel import packs, registry
from backburner.kernel.errors import Refused


def _task_of(world: str) -> Callable[..., Task]:
    @task(name=world)
    def made(
        suite: str = "quick",
        rules: str = "standard",
        limits: str = "article",
        seeds: int = 1,
        method: str = "act",
        prompts: str = "",
        temperature: float | None = None,
        own_temperature: bool = False,
        max_tokens: int | None = None,
        sampling_seed: int | None = None,
    ) -> Task:
        """The scenarios of a suite (or of a scenario's path, a file, a folder), each with every seed.

        The other parameters are those of ``backburner run`` and of the solver ``play``.
        """
        scenarios = registry.expand(suite if _is_file(suite) else f"{world}/{suite}")
        if seeds < 1:
            raise Refused(f"seeds={seeds}: play each scenario at least once")
        return task_of(
            world,
            list(samples(scenarios, seeds, rules, limits)),
            play(method, prompts, temperature, own_temperature, max_tokens, sampling_seed),
        )

    return made


def task_of(world: str, episodes: list[Sample], player: Solver, **options: Any) -> Task:
    """The task of playing these episodes of a world; an error in one does not stop the others."""
    return Task(
        dataset=MemoryDataset(episodes, name=world),
        solver=player,
        scorer=article(),
        fail_on_error=False,
        version=packs.pack(world).version,
        **options,
    )


def _is_file(suite: str) -> bool:
    return suite.endswith(".json") or registry.is_folder(suite)


TASKS = {world: _task_of(world) for world in packs.names()}
