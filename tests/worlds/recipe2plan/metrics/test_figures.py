"""Recipe2Plan's figures, computed from what episodes measure."""

from __future__ import annotations

from collections.abc import Sequence

from backburner.kernel.charts import Bar, Bars, Figure, Stacks
from backburner.kernel.experiments import Experiment
from backburner.kernel.scoring import Estimate, Measured, Metric
from backburner.worlds.recipe2plan.metrics.analysis import COLUMNS, actions_and_ends, comparisons
from backburner.worlds.recipe2plan.metrics.score import METRICS, scoring
from support.evaluation.made_episodes import made

GOLD = "with time constraints, truth told"


def estimate(metric: Metric, rows: Sequence[Measured]) -> Estimate:
    """The success of the first episode, one more and one less."""
    value = rows[0][1]["success"]
    return Estimate(value, value - 1, value + 1)


def experiment(group: str, success: float, rules: str = "standard") -> Experiment:
    return Experiment(group, rules, "greedy", ((made("greedy"), {"success": success}),))


def by_key(*played: Experiment) -> dict[str, Figure]:
    return {figure.key: figure for figure in comparisons(played, METRICS, scoring.published, estimate)}


def bars(figure: Figure, group: str) -> dict[str, Bar]:
    """The bars of a group in the figure's first chart, by name."""
    chart = figure.charts[0]
    assert isinstance(chart, Bars)
    return {bar.name: bar for found in chart.groups if found.name == group for bar in found.bars}


def test_the_article_s_priorities_stand_beneath_ours() -> None:
    found = bars(by_key(experiment(GOLD, 40.0))["figure-3"], GOLD)
    assert found["greedy"] == Bar("greedy", 40.0, 39.0, 41.0)
    printed = {name: bar.value for name, bar in found.items() if bar.quoted}
    assert printed == {
        "GPT-4o (ReAct + Oracle), article": 27.7,
        "GPT-4o (ReAct + Oracle, feasibility first), article": 49.2,
    }


def test_several_rule_sets_are_named() -> None:
    figure = by_key(experiment(GOLD, 40.0), experiment(GOLD, 20.0, "released"))["figure-3"]
    assert {"greedy, standard", "greedy, released"} <= set(bars(figure, GOLD))


def test_hints_are_drawn_where_they_were_given() -> None:
    plain, hinted = experiment(GOLD, 40.0), experiment(f"{GOLD}, hints", 60.0)
    assert "figure-4" not in by_key(plain)
    figure = by_key(plain, hinted)["figure-4"]
    assert bars(figure, f"{GOLD}, hints")["greedy"].value == 60.0
    assert "GPT-4o (ReAct + Oracle, feasibility first), article" not in bars(figure, GOLD)


def test_settings_have_a_chart_each() -> None:
    """Four of five decisions were carried out; the agent gave up in one setting and in the other."""
    rows: list[Measured] = []
    for knowledge in ("none", "gold"):
        episode = made("a", "pair", status="stopped")
        episode.header.scenario.update(knowledge=knowledge)
        counts = dict.fromkeys(COLUMNS, 0.0) | {"valid": 4.0, "Dependency": 1.0, "success": 0.0}
        rows.append((episode, counts))
    figure = actions_and_ends(rows)
    assert [chart.title for chart in figure.charts] == [
        "What the agents did: lags on",
        "What the agents did: lags on, gold",
        "How the episodes ended: lags on",
        "How the episodes ended: lags on, gold",
    ]
    did, *_, ended = figure.charts
    assert isinstance(did, Stacks) and isinstance(ended, Stacks)
    assert (did.stacks[0].parts["valid"], did.stacks[0].parts["Dependency"]) == (80.0, 20.0)
    assert ended.stacks[0].parts["stopped of itself"] == 100.0
