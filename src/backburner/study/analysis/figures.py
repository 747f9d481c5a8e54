"""A study's analysis as charts: means with error bars, how ratings and measures are distributed."""

from __future__ import annotations

from collections.abc import Mapping

from backburner.evaluation.scoring.statistics import SAME
from backburner.kernel.charts import Bar, Bars, Box, Boxes, Chart, Figure, Group, Stack, Stacks
from backburner.study.analysis.analysis import Analysis, Result

MOST_ANSWERS = 11
"""So many different answers are drawn as parts of a bar; more are no rating."""

CAPTION = "Means by condition with 95 % intervals{within}, and how the values are distributed."
WITHIN = ", differences between units taken out (Cousineau and Morey)"


def figures(analysis: Analysis) -> list[Figure]:
    """A figure for each variable."""
    return [_figure(result, analysis.labels) for result in analysis.results]


def _figure(result: Result, labels: Mapping[str, str]) -> Figure:
    variable = result.variable
    within = _by_within(result)
    charts = (means_chart(result, labels), *_spread(result, labels))
    caption = CAPTION.format(within=WITHIN * within)
    return Figure(
        variable.key.replace(":", "-").replace(" ", "-"),
        variable.title,
        f"{variable.text} {caption}".strip(),
        charts,
    )


def _by_within(result: Result) -> bool:
    """Whether error bars compare conditions within units: where each unit has them all."""
    return all(
        each.within.low is not None and abs((each.within.value or 0.0) - (each.mean.value or 0.0)) < SAME
        for each in result.means
    )


def means_chart(result: Result, labels: Mapping[str, str]) -> Bars:
    """The means as bars with error bars, one for each condition."""
    variable, within = result.variable, _by_within(result)
    groups = []
    for each in result.means:
        low, high = (each.within.low, each.within.high) if within else (each.mean.low, each.mean.high)
        bar = Bar(labels[each.condition], each.mean.value, _inside(result, low), _inside(result, high))
        groups.append(Group(labels[each.condition], (bar,)))
    unit = f"{variable.title} ({variable.unit})" if variable.unit else variable.title
    return Bars(f"{variable.title}: means", unit, tuple(groups), variable.highest or 0.0)


def _inside(result: Result, end: float | None) -> float | None:
    """An end of an interval that is drawn no further than the variable reaches."""
    if end is None:
        return None
    low, high = result.variable.lowest, result.variable.highest
    end = end if low is None else max(low, end)
    return end if high is None else min(high, end)


def _spread(result: Result, labels: Mapping[str, str]) -> tuple[Chart, ...]:
    variable = result.variable
    answers = sorted({float(key) for each in result.means for key in each.counts})
    if variable.lowest is not None and variable.highest is not None and answers:
        ends = (int(variable.lowest), int(variable.highest))
        if all(answer == int(answer) for answer in answers) and ends[1] - ends[0] < MOST_ANSWERS:
            answers = [float(answer) for answer in range(ends[0], ends[1] + 1)]
    if not 0 < len(answers) <= MOST_ANSWERS:
        boxes = tuple(
            Box(labels[e.condition], e.lowest, e.lower, e.median, e.upper, e.highest, e.number)
            for e in result.means
        )
        return (Boxes(f"{variable.title}: values", variable.unit or variable.title, boxes),)
    parts = tuple(f"{answer:g}" for answer in answers)
    stacks = []
    for each in result.means:
        total = sum(each.counts.values())
        shares = {part: 100 * each.counts.get(part, 0) / total for part in parts}
        stacks.append(Stack(f"{labels[each.condition]} ({total})", shares))
    return (Stacks(f"{variable.title}: answers", "% of answers", parts, tuple(stacks), 100.0),)
