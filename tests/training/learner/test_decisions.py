"""Advantages by hand: one lane, two bodies, two steps."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from backburner.training.learner.configuration import Configuration
from backburner.training.learner.rollouts import Decision, Seen, advantages, joined


def seen(progress: list[float], live: list[bool]) -> Seen:
    rows = len(progress)
    numbers = np.arange(rows)
    return Seen(
        np.zeros((rows, 1), np.float32),
        numbers,
        np.zeros(rows, np.int64),
        numbers,
        np.zeros((rows, 0), np.float32),
        np.array(progress),
        np.array(live),
    )


def decision(
    body: int, lanes: tuple[int, ...], value: list[float], reward: list[float], **of: Any
) -> Decision:
    rows = len(value)
    live, progress = of.get("live", [True] * rows), of.get("progress", [0.0] * rows)
    return Decision(
        body,
        lanes,
        seen(progress, live),
        np.zeros(rows, np.int64),
        np.zeros(rows, np.float32),
        np.array(value, np.float32),
        np.array(reward, np.float32),
    )


def configuration(**changes: Any) -> Configuration:
    return Configuration(scenarios=("a/b",), **{"shaping": 0.0, "discount": 0.5, "trace": 0.5, **changes})


def lane(bodies: int, count: int = 1) -> Any:
    return SimpleNamespace(bodies=bodies, count=count)


def test_time_passes_after_the_last_body_of_a_step() -> None:
    """Values 1 and 2 in the first step, 3 and 4 in the second; rewards 10 and 20; discount and trace 1/2.

    Backwards: 20 - 4 = 16; 4 - 3 + 1/2 · 16 = 9 (no discount between bodies);
    10 + 1/2 · 3 - 2 + 1/4 · 9 = 11.75; 2 - 1 + 1/2 · 11.75 = 6.875.
    """
    played = [
        decision(0, (0,), [1], [0]),
        decision(1, (0,), [2], [10]),
        decision(0, (0,), [3], [0]),
        decision(1, (0,), [4], [20]),
    ]
    gains, returns = advantages(played, [lane(2)], configuration())
    assert [float(gain[0]) for gain in gains] == [6.875, 11.75, 9, 16]
    assert [float(target[0]) for target in returns] == [7.875, 13.75, 12, 20]


def test_lanes_of_other_numbers_of_bodies_stay_apart() -> None:
    """The second lane has one body: its step ends with body 0, while the first lane's goes on."""
    played = [decision(0, (0, 1), [1, 5], [0, 7]), decision(1, (0,), [2], [10])]
    gains, _ = advantages(played, [lane(2), lane(1)], configuration())
    assert gains[0].tolist() == [2 - 1 + 0.5 * 8, 7 - 5]
    assert gains[1].tolist() == [8]


def test_an_episode_that_is_over_teaches_nothing() -> None:
    played = [decision(0, (0,), [1, 1], [3, 3]), decision(0, (0,), [9, 9], [0, 8], live=[False, True])]
    gains, _ = advantages(played, [lane(1, 2)], configuration())
    assert gains[1].tolist() == [0, -1]
    assert gains[0].tolist() == [3 - 1, 3 + 0.5 * 9 - 1 + 0.25 * -1]


def test_shaping_is_the_discounted_rise_of_the_potential_and_nothing_remains_of_it() -> None:
    """Potentials 2, 6 and 0 at the end: -2 + 1/2 · 6 = 1, then -6; discounted from the start, that is -2."""
    played = [decision(0, (0,), [0], [0], progress=[2]), decision(0, (0,), [0], [0], progress=[6])]
    gains, _ = advantages(played, [lane(1)], configuration(shaping=1.0, trace=1.0))
    assert [float(gain[0]) for gain in gains] == [1 - 0.5 * 6, -6]
    assert float(gains[0][0]) == pytest.approx(-2)


def test_rows_of_several_batches_are_counted_on() -> None:
    both = joined([seen([1, 2], [True, True]), seen([3], [False])])
    assert both.row.tolist() == [0, 1, 2]
    assert both.progress.tolist() == [1, 2, 3]
    assert both.live.tolist() == [True, True, False]
