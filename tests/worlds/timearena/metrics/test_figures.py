"""TimeArena's figures, computed from what episodes measure."""

from __future__ import annotations

from typing import Any

from backburner.kernel.charts import Bar, Bars, Figure, Group, Stack, Stacks
from backburner.kernel.scoring import Measured
from backburner.worlds.timearena.metrics.analysis import ACTION_TYPES, figures
from backburner.worlds.timearena.metrics.score import METRICS
from support.evaluation.made_episodes import made

NOTHING = dict.fromkeys(ACTION_TYPES, 0.0)


def played(kit: str = "own", score: float = 90.0, **counts: float) -> Measured:
    episode = made("greedy", "cooking1")
    episode.header.scenario.update(kit=kit, tasks=["soup"])
    decisions: dict[str, Any] = {"decisions": sum(counts.values()), **NOTHING, **counts}
    return episode, {"P": score, "T": 10.0, "optimum": 0.0, **decisions}


def by_key(*rows: Measured) -> dict[str, Figure]:
    return {figure.key: figure for figure in figures(rows, METRICS)}


def test_actions_are_stacked_by_type() -> None:
    """Of five decisions three are valid and two come too early: 60 and 40 per cent."""
    (chart,) = by_key(played(valid=3.0, dependency=2.0))["figure-3"].charts
    assert isinstance(chart, Stacks)
    assert chart.stacks == (Stack("greedy", {**NOTHING, "valid": 60.0, "dependency": 40.0}),)


def test_own_kits_stand_beside_one_kit_for_each_metric() -> None:
    charts = by_key(played(valid=1.0), played("one", 70.5, valid=1.0))["figure-4"].charts
    assert [chart.title for chart in charts][:2] == ["AS, average progress score", "CS, completion speed"]
    first = charts[0]
    assert isinstance(first, Bars)
    assert first.groups == (Group("greedy", (Bar("own kits", 90.0), Bar("one kit", 70.5))),)


def test_without_pairs_there_is_no_chart() -> None:
    assert by_key(played(valid=1.0))["figure-4"].charts == ()
