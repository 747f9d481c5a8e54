"""TimeArena's figures: what agents did (its Figure 3), and what one kit changes (its Figure 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backburner.kernel.charts import Bar, Bars, Figure, Group, Stack, Stacks
from backburner.kernel.scoring import Measured, Metric, grouped
from backburner.worlds.timearena.metrics.analysis import ACTION_TYPES, kit_effects, shares_by_agent


def figures(rows: Sequence[Measured], metrics: Sequence[Metric]) -> list[Figure]:
    """Figures 3 and 4; the score curves of Figure 5 are drawn for every world."""
    stacks = tuple(Stack(agent, shares) for agent, shares in shares_by_agent(rows).items())
    actions = Stacks("Types of decisions", "% of decisions", ACTION_TYPES, stacks, 100.0)
    return [
        Figure(
            "figure-3",
            "Correct and incorrect actions",
            "All decisions of each agent by type, in per cent: the shape of Figure 3 of the article, whose "
            "shares are drawn and not printed. Waits are divided into necessary and unnecessary ones.",
            (actions,) if stacks else (),
        ),
        Figure(
            "figure-4",
            "With and without the kit limit",
            "The same combinations with every task's own pots, fryers and ovens, and with one of each: the "
            "shape of Figure 4 of the article.",
            tuple(_kit_bars(rows, metrics)),
        ),
    ]


def _kit_bars(rows: Sequence[Measured], metrics: Sequence[Metric]) -> Iterator[Bars]:
    """A chart for each metric, with a pair of bars for each agent."""
    of_metric = {metric.key: metric for metric in metrics}
    for key, effects in grouped(kit_effects(rows, metrics), lambda effect: effect.metric).items():
        groups = tuple(
            Group(effect.agent, (Bar("own kits", effect.own_kits), Bar("one kit", effect.one_kit)))
            for effect in effects
        )
        yield Bars(f"{key}, {of_metric[key].title}", of_metric[key].unit, groups)
