"""Robotouille's figures, computed from what episodes measure."""

from __future__ import annotations

from collections.abc import Sequence

from backburner.evaluation.scoring.statistics import estimate_of_episodes
from backburner.kernel.charts import Bars, Box, Boxes, Chart, Stacks
from backburner.kernel.scoring import Measured
from backburner.worlds.robotouille.metrics.figures import figures
from backburner.worlds.robotouille.metrics.score import scoring
from support.evaluation.made_episodes import made


def kitchens(*measures: dict[str, float], task: str = "synchronous/1") -> list[Measured]:
    rows: list[Measured] = []
    for number, numbers in enumerate(measures):
        episode = made("greedy", f"{task}@seed={number}")
        episode.header.scenario.update(task=task, problem={"players": ["robot1"]})
        rows.append((episode, numbers))
    return rows


def charts(rows: Sequence[Measured]) -> dict[str, Chart]:
    """The first chart of each figure by the figure's key, a second one as that of families."""
    made = figures(rows, scoring.group, estimate_of_episodes)
    return {
        f"{figure.key}{of}": chart
        for figure in made
        for of, chart in zip(("", ": families"), figure.charts, strict=False)
    }


def values(chart: Chart) -> dict[tuple[str, str], float | None]:
    assert isinstance(chart, Bars)
    return {(group.name, bar.name): bar.value for group in chart.groups for bar in group.bars}


def parts(chart: Chart) -> dict[str, dict[str, float]]:
    """The parts of each stack that are not zero, one decimal."""
    assert isinstance(chart, Stacks)
    return {
        stack.name: {name: round(share, 1) for name, share in stack.parts.items() if share}
        for stack in chart.stacks
    }


def test_successes_fall_into_bins_beside_what_is_printed() -> None:
    """One of two successes is optimal: 50 %. The article has 55.3 % of its synchronous ones."""
    done = {"success": 1.0, "repeated": 0.0}
    found = values(charts(kitchens({**done, "optimality": 1.0}, {**done, "optimality": 1.2}))["figure-3"])
    assert found["1", "greedy, synchronous"] == 50
    assert found["(1, 1.25]", "greedy, synchronous"] == 50
    assert found["1", "gpt4-o ReAct, synchronous, article"] == 55.3
    assert not any("asynchronous" in name for _, name in found)


def test_shares_come_with_intervals_over_scenarios() -> None:
    """The exact interval of one in two: 1.3 to 98.7 per cent (1 - √0.975 = 0.0126)."""
    done = {"success": 1.0, "repeated": 0.0}
    chart = charts(kitchens({**done, "optimality": 1.0}, {**done, "optimality": 1.2}))["figure-3"]
    assert isinstance(chart, Bars)
    bar = chart.groups[0].bars[0]
    assert bar.low is not None and bar.high is not None
    assert (round(bar.low, 1), round(bar.high, 1)) == (1.3, 98.7)


def test_failures_are_divided_by_family_with_the_article_s_counts_beneath() -> None:
    """Of 53 printed failures 34 misunderstand the goal: 64.2 %; 13 put two items at a station."""
    lost = {"success": 0.0, "repeated": 2.0}
    found = charts(kitchens({**lost, "failure: goal: unlabelled": 1.0}, {**lost, "failure: unlabelled": 1.0}))
    stacks = parts(found["figure-5"])
    assert stacks["greedy, synchronous (2)"] == {"goal: unlabelled": 50.0, "unlabelled": 50.0}
    article = stacks["gpt4-o ReAct, synchronous, article"]
    assert (article["goal: bad start"], article["transition: station"]) == (28.3, 24.5)
    families = parts(found["figure-5: families"])
    assert families["greedy, synchronous (2)"] == {"goal": 50.0, "unlabelled": 50.0}
    assert families["gpt4-o ReAct, synchronous, article"]["goal"] == 64.2
    assert "figure-7" not in found


def test_labels_fill_in_what_the_record_leaves_open() -> None:
    """Four failures: one decided, two labelled, one without a label."""
    lost = {"success": 0.0, "repeated": 2.0, "failure: unlabelled": 1.0}
    found = charts(
        kitchens(
            {"success": 0.0, "repeated": 0.0, "failure: action": 1.0},
            {**lost, "label: failures: state": 1.0},
            {**lost, "label: failures: goal: bad start": 1.0},
            lost,
        )
    )
    expected = dict.fromkeys(("action", "state", "goal: bad start", "unlabelled"), 25.0)
    assert parts(found["figure-5"])["greedy, synchronous (4)"] == expected


def test_repetition_is_spread_as_quartiles() -> None:
    chart = charts(kitchens(*({"success": 0.0, "repeated": float(n)} for n in range(5))))["figure-6"]
    assert isinstance(chart, Boxes)
    assert chart.boxes == (Box("greedy, synchronous, failure", 0, 1, 2, 3, 4, 5),)


def test_the_first_asynchronous_tasks_are_drawn_by_themselves() -> None:
    lost = {"success": 0.0, "repeated": 0.0, "failure: unlabelled": 1.0}
    rows = [*kitchens(lost, task="asynchronous/2"), *kitchens(lost, lost, task="asynchronous/9")]
    found = charts(rows)
    assert "greedy, asynchronous (3)" in parts(found["figure-5"])
    assert parts(found["figure-7"]) == {"greedy, asynchronous (1)": {"unlabelled": 100.0}}
