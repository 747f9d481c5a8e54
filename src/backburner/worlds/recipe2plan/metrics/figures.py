"""Recipe2Plan's figures: feasibility first (its Figure 3), hints (4), errors and failures (5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from backburner.kernel.charts import Bar, Bars, Figure, Group, Stack, Stacks
from backburner.kernel.experiments import Experiment
from backburner.kernel.scoring import Estimator, Measured, Metric, Published
from backburner.worlds.recipe2plan.metrics.analysis import (
    COLUMNS,
    DECISIONS,
    ENDED,
    ENDING_COLUMNS,
    HINTS,
    TOLD,
    cells,
    decision_shares,
    ending_shares,
)

GOLD = TOLD["gold"]
"""What a group's name says of a cook who is told the constraints, as the article's oracle setting has it."""

BALANCED = "GPT-4o (ReAct + Oracle)"
FEASIBLE = "GPT-4o (ReAct + Oracle, feasibility first)"
"""The article's rows that its Figures 3 and 4 are about."""

FIGURE_3 = ("Success", "Progress", "R-Efficiency", "SxE")
FIGURE_4 = ("Success", "SxE")


def comparisons(
    played: Sequence[Experiment],
    metrics: Sequence[Metric],
    published: Sequence[Published],
    estimate: Estimator,
) -> Iterator[Figure]:
    """Figures 3 and 4: our agents beside what the article prints, where the constraints were told.

    ``published``: the article's rows, in the groups in which they stand beside ours.
    """

    def bars(keys: Sequence[str], groups: Sequence[str], quoted: Sequence[str]) -> Iterator[Bars]:
        for metric in (metric for key in keys for metric in metrics if metric.key == key):
            found = [
                Group(group, (*_ours(metric, mine, estimate), *_printed(metric, group, published, quoted)))
                for group in groups
                if (mine := [one for one in played if one.group == group])
            ]
            if found:
                yield Bars(f"{metric.key}, {metric.title}", metric.unit, tuple(found))

    yield Figure(
        "figure-3",
        "With the constraints told",
        "Each agent that was told the true constraints and had to keep maximum lags: the shape of Figure 3 "
        "of the article, which sets planning for feasibility alone against a balance; its printed figures "
        "are the pale bars.",
        tuple(bars(FIGURE_3, (f"with time constraints{GOLD}",), (BALANCED, FEASIBLE))),
    )
    plain = (f"with time constraints{GOLD}", f"without time constraints{GOLD}")
    hinted = tuple(f"{group}{HINTS}" for group in plain)
    if any(one.group in hinted for one in played):
        yield Figure(
            "figure-4",
            "With and without hints",
            "The constraints told, and besides at every step the actions that can be carried out: the shape "
            "of Figure 4 of the article; what it prints is in pale bars.",
            tuple(bars(FIGURE_4, (*plain, *hinted), (BALANCED,))),
        )


def _ours(metric: Metric, played: Sequence[Experiment], estimate: Estimator) -> Iterator[Bar]:
    """Our agents of one group; with their rules where there are several."""
    several_rules = len({one.rules for one in played}) > 1
    for one in played:
        name = f"{one.agent}, {one.rules}" if several_rules else one.agent
        yield estimate(metric, one.rows).bar(name)


def _printed(
    metric: Metric, group: str, published: Sequence[Published], agents: Sequence[str]
) -> Iterator[Bar]:
    for row in published:
        if row.group == group and row.agent in agents and metric.key in row.figures:
            yield Bar(f"{row.agent}, article", row.figures[metric.key], quoted=True)


def actions_and_ends(rows: Sequence[Measured]) -> Figure:
    """Figure 5: what became of the decisions, and how episodes ended."""
    return Figure(
        "figure-5",
        "Invalid actions and ends of episodes",
        "What became of the decisions, and how episodes ended, by setting: the shape of Figure 5 of the "
        "article, whose shares are drawn and not printed.",
        (
            *_stacks(rows, DECISIONS, "% of decisions", COLUMNS, decision_shares),
            *_stacks(rows, ENDED, "% of episodes", ENDING_COLUMNS, ending_shares),
        ),
    )


def _stacks(
    rows: Sequence[Measured],
    title: str,
    unit: str,
    parts: tuple[str, ...],
    shares: Callable[[Sequence[Measured]], Mapping[str, float]],
) -> Iterator[Stacks]:
    """A chart for each setting, with a bar for each agent."""
    settings: dict[str, list[Stack]] = {}
    for agent, setting, mine in cells(rows):
        settings.setdefault(setting, []).append(Stack(agent, shares(mine)))
    for setting, stacks in settings.items():
        yield Stacks(f"{title}: {setting}", unit, parts, tuple(stacks), 100.0)
