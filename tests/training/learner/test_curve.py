"""Learning curves as pictures, and what stands beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from backburner.kernel import registry
from backburner.kernel.scoring import Estimate
from backburner.training.learner.configuration import Configuration, Seeds
from backburner.training.learner.curve import BESIDE, BOUND, CurvePoint, Figures, chart, levels_of


def point(steps: int, value: float) -> CurvePoint:
    figure = Estimate(value, value - 0.1, value + 0.1)
    return CurvePoint(steps, steps, steps / 10, Figures(Estimate(3.0), "CoS", figure))


def test_the_picture_begins_with_the_first_evaluation_after_the_start() -> None:
    over_steps, over_seconds = chart([point(0, 0.1), point(100, 0.5), point(2000, 0.8)], {"greedy": 0.7})
    mine, greedy = over_steps.lines
    assert [(at.x, at.y, at.low) for at in mine.points] == [(100, 0.5, 0.4), (2000, 0.8, pytest.approx(0.7))]
    assert [(at.x, at.y) for at in greedy.points] == [(100, 0.7), (2000, 0.7)]
    assert [at.x for at in over_seconds.lines[0].points] == [10, 200]
    assert over_steps.powers and over_steps.bands


def test_an_agent_stands_beside_with_what_no_play_passes(tmp_path: Path) -> None:
    configuration = Configuration(
        scenarios=("cuisineworld/level_3@seed=play,tau=1.0",), test_seeds=Seeds(0, 2)
    )
    told: list[str] = []
    levels = levels_of(configuration, tmp_path, ["random"], told.append)
    assert set(levels) == {"random", BOUND}
    assert 0 <= levels["random"] < 0.5 < levels[BOUND] <= 1
    again = levels_of(configuration, tmp_path, [], told.append)
    assert again == levels and told == ["random plays"]
    assert (tmp_path / BESIDE).exists()


def test_what_no_play_passes_is_the_metric_of_the_bounds() -> None:
    (cos,) = [metric for metric in registry.scoring("cuisineworld").metrics if metric.key == "CoS"]
    row = {"tau": 1.0, "completed": 2.0, "failed": 6.0}
    assert cos.bound([row]) is None
    assert cos.bound([{**row, "most served": 6.0, "least failed": 2.0}]) == 0.75
