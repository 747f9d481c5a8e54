"""Recipe2Plan's figures: feasibility first (its Figure 3), hints (4), errors and failures (5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backburner.drawing.charts import Bar, Bars, Group, Stack, Stacks
from backburner.evaluation.figures.values import Chart, Figure, figure, only_numbers, table
from backburner.evaluation.scores import Row, WorldScores
from backburner.kernel.scoring import Metric
from backburner.worlds.recipe2plan.metrics.analysis import COLUMNS, ENDINGS
from backburner.worlds.recipe2plan.metrics.score import HINTS, TOLD

GOLD = TOLD["gold"]
"""What a group's name says of a cook who is told the constraints, as the article's oracle setting has it."""

BALANCED = "GPT-4o (ReAct + Oracle)"
FEASIBLE = "GPT-4o (ReAct + Oracle, feasibility first)"
"""The article's rows that its Figures 3 and 4 are about."""

FIGURE_3 = ("Success", "Progress", "R-Efficiency", "SxE")
FIGURE_4 = ("Success", "SxE")


def figures(world: WorldScores) -> Iterator[Figure]:
    """Figures 3, 4 and 5 over what was played."""
    yield from figure(
        "figure-3",
        "With the constraints told",
        "Each agent that was told the true constraints and had to keep maximum lags: the shape of Figure 3 "
        "of the article, which sets planning for feasibility alone against a balance; its printed figures "
        "are the pale bars.",
        _bars(world, FIGURE_3, (f"with time constraints{GOLD}",), (BALANCED, FEASIBLE)),
    )
    hinted = f"with time constraints{GOLD}{HINTS}", f"without time constraints{GOLD}{HINTS}"
    if any(row.group in hinted for row in world.rows):
        plain = (group.removesuffix(HINTS) for group in hinted)
        yield from figure(
            "figure-4",
            "With and without hints",
            "The constraints told, and besides at every step the actions that can be carried out: the shape "
            "of Figure 4 of the article; what it prints is in pale bars.",
            _bars(world, FIGURE_4, (*plain, *hinted), (BALANCED,)),
        )
    yield from figure(
        "figure-5",
        "Invalid actions and ends of episodes",
        "What became of the decisions, and how episodes ended, by setting: the shape of Figure 5 of the "
        "article, whose shares are drawn and not printed.",
        [
            *_stacks(world, "What the agents did", "% of decisions", COLUMNS),
            *_stacks(world, "How the episodes ended", "% of episodes", (*ENDINGS.values(), "other")),
        ],
    )


def _bars(
    world: WorldScores, metrics: Sequence[str], groups: Sequence[str], quoted: Sequence[str]
) -> Iterator[Chart]:
    by_key = {metric.key: metric for metric in world.metrics}
    for key in metrics:
        found = [_group(world, by_key[key], group, quoted) for group in groups]
        played = tuple(group for group in found if group.bars)
        if played:
            yield Bars(f"{key}, {by_key[key].title}", by_key[key].unit, played)


def _group(world: WorldScores, metric: Metric, group: str, quoted: Sequence[str]) -> Group:
    """Our agents of a group with the article's beneath; without bars if we played none."""
    ours = [row for row in world.rows if row.group == group]
    several_rules = len({row.rules for row in ours}) > 1
    printed = [row for row in world.published if row.group == group and row.agent in quoted]
    bars = [_bar(row, metric.key, several_rules=several_rules) for row in ours]
    if ours:
        values = ((row.agent, row.figures.get(metric.key)) for row in printed)
        bars += [Bar(f"{agent}, article", value, quoted=True) for agent, value in values if value is not None]
    return Group(group, tuple(bars))


def _bar(row: Row, key: str, *, several_rules: bool) -> Bar:
    found = row.figures[key]
    return Bar(
        f"{row.agent}, {row.rules}" if several_rules else row.agent, found.value, found.low, found.high
    )


def _stacks(world: WorldScores, title: str, unit: str, parts: tuple[str, ...]) -> Iterator[Chart]:
    """A picture for each setting."""
    rows = table(world, title)
    for setting in dict.fromkeys(row["setting"] for row in rows):
        stacks = tuple(
            Stack(row["agent"], only_numbers({part: row[part] for part in parts}))
            for row in rows
            if row["setting"] == setting
        )
        yield Stacks(f"{title}: {setting}", unit, parts, stacks, 100.0)
