"""Collab-Overcooked's figures, computed from what episodes measure."""

from __future__ import annotations

from collections.abc import Mapping

from backburner.evaluation.scoring.statistics import estimate_of_episodes
from backburner.kernel.charts import Bars, Chart, Line, Lines, Point, Stacks
from backburner.kernel.scoring import Measured
from backburner.worlds.collab_overcooked.metrics.figures import figures
from backburner.worlds.collab_overcooked.metrics.score import METRICS
from support.evaluation.made_episodes import made


def played(agent: str = "greedy", **numbers: float) -> Measured:
    measures = {name.replace("_", " "): number for name, number in numbers.items()}
    return made(agent, "order"), {"level": 1.0, "success": 0.0, **measures}


def collaborations(level: float, both: int, neither: int) -> Measured:
    outcomes = {"required: both": float(both), "required: neither": float(neither)}
    return made("greedy", "order"), {"level": level, "success": 0.0, **outcomes}


def charts(*rows: Measured) -> Mapping[str, tuple[Chart, ...]]:
    return {figure.key: figure.charts for figure in figures(rows, METRICS, estimate_of_episodes)}


def parts(chart: Chart) -> dict[str, dict[str, float]]:
    """The parts of each stack that are not zero."""
    assert isinstance(chart, Stacks)
    return {stack.name: {name: n for name, n in stack.parts.items() if n} for stack in chart.stacks}


def test_levels_make_lines_and_outcomes_make_stacks() -> None:
    """Three of four collaborations on level 1 were asked for and answered: IC is 75 per cent."""
    found = charts(collaborations(1.0, 3, 1), collaborations(2.0, 1, 0))
    initiating, _ = found["figure-3"]
    assert isinstance(initiating, Lines)
    assert initiating.lines == (Line("greedy", (Point(1.0, 75.0), Point(2.0, 100.0))),)
    (outcomes,) = found["outcomes"]
    assert parts(outcomes) == {
        "level 1 (4)": {"both": 75.0, "neither": 25.0},
        "level 2 (1)": {"both": 100.0},
        "all (5)": {"both": 80.0, "neither": 20.0},
    }


def test_success_over_gamma_leaves_out_what_is_not_known() -> None:
    """Delivered after 12 steps of at least 10: from gamma 1.25 on. The other one was cut off after 15 steps,
    so that what it would have done with gamma 1.75 is not known."""
    rows = (
        played(level=2.0, steps=12.0, optimum=10.0, success=1.0),
        played(level=2.0, optimum=10.0, played=15.0),
    )
    (chart,) = charts(*rows)["figure-8"]
    assert isinstance(chart, Lines)
    points = (Point(1.0, 0.0), Point(1.1, 0.0), Point(1.25, 50.0), Point(1.5, 50.0))
    assert chart.lines == (Line("level 2", points),)


def test_requests_that_failed_are_divided_by_kind() -> None:
    (chart,) = charts(played(level=3.0, requests=8.0, request_premature=1.0, request_repeated=1.0))[
        "requests"
    ]
    assert parts(chart) == {
        "level 3 (8)": {"brought forward": 75.0, "premature": 12.5, "repeated": 12.5},
    }


def test_people_are_drawn_beside_agents_and_only_where_somebody_played() -> None:
    agent, person = played("greedy"), played("human", success=1.0)
    assert charts(agent)["figure-4"] == ()
    success = charts(agent, person)["figure-4"][0]
    assert isinstance(success, Bars)
    assert [(bar.name, bar.value) for bar in success.groups[0].bars] == [("greedy", 0.0), ("human", 100.0)]
