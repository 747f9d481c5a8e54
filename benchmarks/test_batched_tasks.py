"""How fast TimeArena and Recipe2Plan are in batches: steps per second, features, masks and rewards included.

The codes are legal ones, drawn by chance beforehand and played again: only the batch is timed. Episodes that
end are followed by the next ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from backburner.arrays.encoding import encoding_of
from backburner.kernel import registry
from backburner.training.batches import Episodes
from backburner.training.lockstep import drawn_codes

SCENARIOS = (
    "timearena/cooking1",
    "timearena/cooking1+cooking2+cooking3",
    "recipe2plan/Tacos+Smore-Bars",
)
STEPS = 200


def play_drawn(episodes: Episodes, steps: int) -> list[Any]:
    """Play by chance from the beginning; returns the codes."""
    rng, evenly, drawn = np.random.default_rng(0), np.ones(episodes.n_codes), []
    episodes.reset(0)
    for _ in range(steps):
        drawn.append(drawn_codes(rng, episodes.masks, 1.0, evenly))
        episodes.step(drawn[-1])
    return drawn


@pytest.mark.parametrize("reward", ["score", "potential"])
@pytest.mark.parametrize("rows", [1, 256, 4096])
@pytest.mark.parametrize("id", SCENARIOS)
def test_batches(benchmark: Any, id: str, rows: int, reward: str) -> None:
    steps = STEPS if rows < 4096 else STEPS // 10
    episodes = Episodes(id, rows, reward=reward)
    drawn = play_drawn(episodes, steps)

    def play() -> None:
        episodes.reset(0)
        for codes in drawn:
            episodes.step(codes)

    benchmark(play)
    note_rate(benchmark, steps * rows)


@pytest.mark.parametrize("id", SCENARIOS)
def test_the_exact_world_with_its_numbers(benchmark: Any, id: str) -> None:
    """The same for one episode after the other of the exact world: step, features, mask and score."""
    world = registry.world(id)
    numbers = encoding_of(world)
    (seat,) = world.seats
    drawn = [int(codes[0, 0]) for codes in play_drawn(Episodes(world, 1), STEPS)]

    def play() -> None:
        state = world.start()
        for code in drawn:
            state = world.step(state, {seat: numbers.decision(state, seat, [code])}).state
            state = state if world.deciders(state) else world.start()
            numbers.features(state, seat)
            numbers.mask(state, seat)
            numbers.score(state)

    benchmark(play)
    note_rate(benchmark, STEPS)


def note_rate(benchmark: Any, steps: int) -> None:
    """Where benchmarks are switched off there is no time to divide by."""
    if benchmark.stats is not None:
        benchmark.extra_info["steps per second"] = round(steps / benchmark.stats.stats.min)
