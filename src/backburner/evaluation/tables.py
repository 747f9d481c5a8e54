"""Scores as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich import box
from rich.markup import escape
from rich.table import Table

from backburner.evaluation.scores import WorldScores
from backburner.evaluation.statistics import METHODS, NO_INTERVAL
from backburner.kernel.scoring import Estimate, Metric, Published, Section

FIGURE, INTERVAL, BETWEEN = 6, 10, 3
"""Columns of the terminal that ``100.00`` and ``[100, 100]`` take, and that stand between two cells."""

ROOM_FOR_NAMES = 20
"""What an agent (broken into lines) and its number of episodes take."""


def score_tables(scores: WorldScores, width: int) -> Iterator[Table]:
    """Tables for each group: our agents with 95 % intervals, the article's best and oracle beneath.

    Intervals stand beside their figures where all fit into one table like that, and below them
    otherwise; then the metrics are spread over as many tables as the width makes necessary.
    """
    failed = len("failed") + BETWEEN if any(row.failed for row in scores.rows) else 0
    room = width - ROOM_FOR_NAMES - failed
    one_line = sum(_wide(metric, FIGURE + 1 + INTERVAL) for metric in scores.metrics) <= room
    tables = [scores.metrics] if one_line else list(_spread(scores.metrics, room))
    for group in dict.fromkeys(row.group for row in scores.rows):
        for metrics in tables:
            yield _group_table(scores, group, metrics, " " if one_line else "\n")


def _wide(metric: Metric, cell: int) -> int:
    return max(len(metric.key), cell) + BETWEEN


def _spread(metrics: Sequence[Metric], room: int) -> Iterator[Sequence[Metric]]:
    """The metrics in groups that fit into the width, at least one in each."""
    at_once: list[Metric] = []
    for metric in metrics:
        if at_once and sum(_wide(each, INTERVAL) for each in [*at_once, metric]) > room:
            yield at_once
            at_once = []
        at_once.append(metric)
    yield at_once


def _group_table(scores: WorldScores, group: str, metrics: Sequence[Metric], between: str) -> Table:
    some_failed = any(row.failed for row in scores.rows)
    several_rules = len({row.rules for row in scores.rows}) > 1
    table = _table(f"{scores.world}: {group}")
    table.add_column("agent", min_width=11, overflow="fold")
    table.add_column("n", justify="right", no_wrap=True)
    if some_failed:
        table.add_column("failed", justify="right", no_wrap=True)
    for metric in metrics:
        table.add_column(escape(f"{metric.key}\n{metric.unit}"), justify="right", no_wrap=True)
    for row in (row for row in scores.rows if row.group == group):
        name = f"{row.agent}\n{row.rules}" if several_rules else row.agent
        failed = (str(row.failed or ""),) if some_failed else ()
        cells = [estimate_text(row.figures[m.key], between) for m in metrics]
        table.add_row(escape(name), str(row.episodes), *failed, *cells)
    for published in best_printed(scores, group):
        if not any(metric.key in published.figures for metric in metrics):
            continue
        nothing = ("", "") if some_failed else ("",)
        cells = [number_text(published.figures.get(metric.key)) for metric in metrics]
        table.add_row(escape(f"{published.agent}, article"), *nothing, *cells, style="dim")
    return table


def best_printed(scores: WorldScores, group: str) -> list[Published]:
    """The printed row that is best in the first metric, and those with a note, which are no agent's play."""
    printed = [row for row in scores.published if row.group == group]
    metric = scores.metrics[0]
    played = [row for row in printed if not row.note and metric.key in row.figures]
    sign = -1 if metric.better == "higher" else 1
    best = sorted(played, key=lambda row: sign * row.figures[metric.key])[:1]
    return best + [row for row in printed if row.note]


def estimate_text(estimate: Estimate, between: str = " ") -> str:
    """``18.90 [16, 22]``, or a dash where the figure is not defined."""
    if estimate.value is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return number_text(estimate.value)
    interval = f"[{_short(estimate.low)}, {_short(estimate.high)}]"
    return f"{estimate.value:.2f}{between}[dim]{escape(interval)}[/dim]"


def about_intervals(scores: WorldScores) -> str:
    """Which method each metric's intervals have, and why some have none; empty without any figure."""
    metrics: dict[str, dict[str, None]] = {}
    for row in scores.rows:
        for key, figure in row.figures.items():
            metrics.setdefault(figure.method, {})[key] = None
    told = [f"{', '.join(metrics[name])}: {words}." for name, words in METHODS.items() if name in metrics]
    missing = [
        f"None for {', '.join(metrics[name])} where {words}."
        for name, words in NO_INTERVAL.items()
        if name in metrics
    ]
    return " ".join((*told, *missing))


def interval_text(estimate: Estimate, signed: bool = False) -> str:
    """``1.50 [0.25, 2.75]``, or ``+1.50 [+0.25, +2.75]``; the figure alone where it has no interval."""
    sign = "+" if signed else ""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "–" if estimate.value is None else f"{estimate.value:{sign}.2f}"
    return f"{estimate.value:{sign}.2f} [{estimate.low:{sign}.2f}, {estimate.high:{sign}.2f}]"


def p_text(p: float | None) -> str:
    """A p-value with three digits, ``<0.001`` below that, a dash for none."""
    return "–" if p is None else "<0.001" if p < 0.001 else f"{p:.3f}"


def _short(value: float) -> str:
    return f"{value:.1f}" if abs(value) < 10 else f"{value:.0f}"


def number_text(value: object) -> str:
    """A figure with two digits, a dash for none."""
    if value is None:
        return "–"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _table(title: str) -> Table:
    return Table(
        title=escape(title) or None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
    )


def section_table(section: Section, width: int) -> Table:
    """An analysis as a table; rows and columns change places where it is too wide and narrower that way."""
    lines: list[Sequence[object]] = [section.columns, *section.rows]
    on_its_side: list[Sequence[object]] = list(zip(*lines, strict=True))
    if _width(lines) > width and _width(on_its_side) < _width(lines):
        lines = on_its_side
    return plain_table([number_text(title) for title in lines[0]], lines[1:], section.title)


def _width(lines: Sequence[Sequence[object]]) -> int:
    """The width of a table in which only titles are broken, between words."""
    titles = [max(map(len, number_text(title).split()), default=0) for title in lines[0]]
    for row in lines[1:]:
        widths = (max(map(len, number_text(cell).split("\n"))) for cell in row)
        titles = list(map(max, titles, widths))
    return sum(titles) + BETWEEN * (len(titles) - 1)


def columns_of_words(section: Section) -> list[bool]:
    """For each column whether it holds words: all cells are text, and some begin with a letter."""
    return [
        all(isinstance(row[index], str) for row in section.rows)
        and any(row[index][:1].isalpha() and row[index] not in NO_FIGURE for row in section.rows)
        for index in range(len(section.columns))
    ]


NO_FIGURE = ("unknown", "any")
"""Words that stand where a figure would."""


def plain_table(columns: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> Table:
    """Figures in columns, the first one holding names; long titles are broken between words."""
    table = _table(title)
    for number, column in enumerate(columns):
        words = "\n".join(column.split()) if number else column
        table.add_column(escape(words), justify="right" if number else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(escape, map(number_text, row)))
    return table
