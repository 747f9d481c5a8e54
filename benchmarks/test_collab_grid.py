"""How fast Collab-Overcooked's grid is: steps, menus and texts of the exact world, whole episodes, batches.

The shipped plan of an order of each level is played again. The rates stand in ``extra_info``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from backburner.kernel import registry
from backburner.kernel.play import play_now
from backburner.kernel.replay import decisions_in
from backburner.training.batches import Episodes
from backburner.worlds.collab_grid.agents.cooks import GreedyCooks, OracleCooks
from backburner.worlds.collab_grid.game import CollabGrid, State
from support.rates import rate


@cache
def plays() -> tuple[tuple[CollabGrid, tuple[tuple[State, dict[str, Any]], ...]], ...]:
    """(kitchen, each state with the actions that were taken in it) for an order of each level."""
    found = []
    for id in registry.expand("collab_grid/quick"):
        world: CollabGrid = registry.world(id)
        state, steps = world.start(), []
        for entry in play_now(world, OracleCooks(world)).entries:
            decisions = dict(decisions_in(world, entry))
            steps.append((state, decisions))
            state = world.step(state, decisions).state
        found.append((world, tuple(steps)))
    return tuple(found)


def n_steps() -> int:
    """Steps of the plays."""
    return sum(len(steps) for _, steps in plays())


def test_steps(benchmark: Any) -> None:
    """Both cooks' actions in; state and events out."""
    played = plays()
    benchmark(lambda: [world.step(state, acts) for world, steps in played for state, acts in steps])
    rate(benchmark, "steps per second", n_steps())


def test_menus(benchmark: Any) -> None:
    """What the chef may do."""
    played = plays()
    benchmark(lambda: [world.menu(state, "chef") for world, steps in played for state, _ in steps])
    rate(benchmark, "menus per second", n_steps())


def test_texts(benchmark: Any) -> None:
    """What the chef sees, in words."""
    played = plays()
    benchmark(
        lambda: [
            world.describe(world.observe(state, "chef")) for world, steps in played for state, _ in steps
        ]
    )
    rate(benchmark, "texts per second", n_steps())


def test_episodes_of_greedy(benchmark: Any) -> None:
    """Played by the world's own agent; a record's lines are made."""
    worlds = [world for world, _ in plays()]
    steps = benchmark(lambda: sum(len(play_now(world, GreedyCooks(world)).entries) for world in worlds))
    if benchmark.stats is not None:
        benchmark.extra_info["steps per second"] = round(steps / benchmark.stats.stats.min)


@pytest.mark.parametrize("count", [1, 256, 4096])
def test_batches(benchmark: Any, count: int) -> None:
    """Episodes side by side, with features and masks of both cooks; codes are drawn before."""
    batch = Episodes("collab_grid/baked_potato_soup", count, reward="progress")
    draw = np.random.default_rng(0)
    codes = []
    for _ in range(20):
        codes.append((draw.random(batch.masks.shape) * batch.masks).argmax(axis=2))
        batch.step(codes[-1])
    benchmark(lambda: [batch.step(each) for each in codes])
    if benchmark.stats is not None:
        benchmark.extra_info["steps per second"] = round(20 * count / benchmark.stats.stats.min)
