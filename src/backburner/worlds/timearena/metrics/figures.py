"""TimeArena's figures: what agents did (its Figure 3), and what one kit changes (its Figure 4)."""

from __future__ import annotations

from collections.abc import Iterator

from backburner.drawing.charts import Bar, Bars, Group, Stack, Stacks
from backburner.evaluation.figures.values import Figure, figure, only_numbers, table
from backburner.evaluation.scores import WorldScores
from backburner.worlds.timearena.metrics.analysis import ACTION_TYPES


def figures(world: WorldScores) -> Iterator[Figure]:
    """Figures 3 and 4; the score curves of Figure 5 are drawn for every world."""
    yield from _actions(world)
    yield from _kits(world)


def _actions(world: WorldScores) -> list[Figure]:
    stacks = []
    for row in table(world, "What the agents did"):
        shares = only_numbers({name: row[name] for name in ACTION_TYPES})
        stacks.append(Stack(row["agent"], shares))
    caption = (
        "All decisions of each agent by type, in per cent: the shape of Figure 3 of the article, whose "
        "shares are drawn and not printed. Waits are divided into necessary and unnecessary ones."
    )
    chart = Stacks("Types of decisions", "% of decisions", ACTION_TYPES, tuple(stacks), 100.0)
    return figure("figure-3", "Correct and incorrect actions", caption, [chart] if stacks else [])


def _kits(world: WorldScores) -> list[Figure]:
    rows = table(world, "With and without the kit limit")
    units = {metric.key: metric for metric in world.metrics}
    charts = []
    for key in dict.fromkeys(row["metric"] for row in rows):
        groups = tuple(
            Group(row["agent"], (Bar("own kits", row["own kits"]), Bar("one kit", row["one kit"])))
            for row in rows
            if row["metric"] == key
        )
        charts.append(Bars(f"{key}, {units[key].title}", units[key].unit, groups))
    caption = (
        "The same combinations with every task's own pots, fryers and ovens, and with one of each: the shape "
        "of Figure 4 of the article."
    )
    return figure("figure-4", "With and without the kit limit", caption, charts)
