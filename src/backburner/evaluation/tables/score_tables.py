"""The scores of a world in a terminal of any width: a table for each group, and one small one for all.

In the small table names that are too long are broken into two lines, or lose their middle; as many of the
main metrics are shown as there is room for, with their intervals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from rich.cells import cell_len
from rich.text import Text

from backburner.evaluation.scoring.answered import METRICS
from backburner.evaluation.scoring.scores import Row, WorldScores
from backburner.evaluation.scoring.statistics import METHODS, NO_INTERVAL, says_little
from backburner.evaluation.scoring.summary import RulesSummary, SummaryRow, WorldSummary, best_printed
from backburner.evaluation.tables.terminal import cut_inside, row_of, rule_below, shown_names, table_of
from backburner.evaluation.tables.words import (
    compact,
    estimate_text,
    interval_words,
    little_told,
    number_text,
)
from backburner.kernel.errors import amount, one_line
from backburner.kernel.scoring import Estimate, Metric, grouped

# --- a table for each group --------------------------------------------------------------------------------


def score_tables(scores: WorldScores, width: int) -> Iterator[Text]:
    """A table for each group: our agents with 95 % intervals, the article's best and oracle beneath."""
    some_failed = any(row.failed for row in scores.rows)
    several_rules = len({row.rules for row in scores.rows}) > 1
    for group, own in grouped(scores.rows, lambda row: row.group).items():
        metrics = [m for m in scores.metrics if m not in METRICS or _has_any(m, own)]
        titles = [f"{metric.key} {metric.unit}".rstrip() for metric in metrics]
        columns = ("agent", "n", *(["failed"] if some_failed else []), *titles)
        rows = []
        for row in own:
            name = f"{row.agent}\n{row.rules}" if several_rules else row.agent
            failed = (str(row.failed or ""),) if some_failed else ()
            cells = (
                estimate_text(row.figures[m.key], says_little(row.figures[m.key], m, row.scenarios))
                for m in metrics
            )
            rows.append((name, str(row.episodes), *failed, *cells))
        for printed in best_printed(scores, group):
            blank = ("", "") if some_failed else ("",)
            cells = (number_text(printed.figures.get(metric.key)) for metric in metrics)
            rows.append((f"{printed.agent}, article", *blank, *cells))
        title = f"{scores.world}: {group}"
        yield table_of(columns, rows, width, title, pale=range(len(own), len(rows)))


def _has_any(metric: Metric, rows: Sequence[Row]) -> bool:
    return any(row.figures[metric.key].value is not None for row in rows)


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


def about_little(scores: WorldScores) -> str:
    """What stands in brackets in place of intervals that say little; empty where none does."""
    metrics = {metric.key: metric for metric in scores.metrics}
    return little_told(
        says_little(figure, metrics[key], row.scenarios)
        for row in scores.rows
        for key, figure in row.figures.items()
    )


# --- one table for a world ---------------------------------------------------------------------------------


GAP = 2
LEAST_NAME = 18
"""Columns of the terminal between two cells, and that a name has at least."""

STAND_IN_SIGN, APART_SIGN = "†", "‡"
STAND_IN_TEXT = f"{STAND_IN_SIGN} no model, but a stand-in that looks at the state and slips on purpose"
APART_TEXT = f"{APART_SIGN} over the few scenarios it has finished; not to be compared with the rows above"
INTERVALS_TEXT = "in brackets: 95 % interval over scenarios"
ARROWS = {"higher": " ↑", "lower": " ↓", "neither": ""}


class Column(Struct, frozen=True):
    """A column of figures: its title, and a cell for each row, all of one width."""

    title: str
    cells: tuple[str, ...]

    @property
    def width(self) -> int:
        """Columns of the terminal that it takes."""
        return max(map(cell_len, (self.title, *self.cells)))


def summary_table(summary: WorldSummary, metrics: Sequence[Metric], width: int) -> Iterator[Text]:
    """The table line by line: a row for each agent, a column for each of these metrics."""
    rows = summary.rows
    figures = (metric_column(metric, summary) for metric in metrics)
    columns = [_number_column(summary), *figures, *_cost_columns(summary)]
    room = max(width - sum(column.width + GAP for column in columns), LEAST_NAME // 2)
    names = [
        *shown_names([one_line(row.agent) for row in rows], list(map(signs_of, rows)), room),
        *(cut_inside(f"{one_line(printed.agent)}, article", room) for printed in summary.printed),
    ]
    longest = max(cell_len(line) for name in ("agent", *names) for line in name.split("\n"))
    widths = [longest, *(column.width for column in columns)]
    left = [True, *(False for _ in columns)]
    yield from row_of([["agent"], *([column.title] for column in columns)], widths, left, between=GAP)
    yield rule_below(widths, GAP)
    cells = [
        [[cell] for cell in column.cells] + [[""]] * (len(names) - len(column.cells)) for column in columns
    ]
    styles = [""] * len(rows) + ["dim"] * len(summary.printed)
    drawn = (
        row_of([name.split("\n"), *own], widths, left, style, GAP)
        for name, *own, style in zip(names, *cells, styles, strict=True)
    )
    for part in summary.parts:
        if len(summary.parts) > 1:
            yield Text(f"{part.rules} rules", "bold")
        for _ in part.rows:
            yield from next(drawn)
    for row in drawn:
        yield from row


def metrics_that_fit(summary: WorldSummary, width: int) -> list[Metric]:
    """As many of the main metrics as a table of this width holds, at least the first."""
    others = [_number_column(summary), *_cost_columns(summary)]
    longest = max(
        (cell_len(one_line(row.agent)) + cell_len(signs_of(row)) for row in summary.rows), default=0
    )
    room = width - min(longest, LEAST_NAME) - sum(column.width + GAP for column in others)
    kept: list[Metric] = []
    for metric in summary.metrics:
        room -= metric_column(metric, summary).width + GAP
        if kept and room < 0:
            break
        kept.append(metric)
    return kept


def signs_of(row: SummaryRow) -> str:
    """What stands behind an agent's name, explained below the table."""
    signs = STAND_IN_SIGN * row.stand_in + APART_SIGN * row.apart
    return f" {signs}" if signs else ""


def _number_column(summary: WorldSummary) -> Column:
    return Column("n", tuple(str(row.episodes) for row in summary.rows))


# --- figures ---------------------------------------------------------------------------------------------


def metric_column(metric: Metric, summary: WorldSummary) -> Column:
    """A metric's figures with their intervals, value under value and interval under interval; then the
    article's."""
    figures = [row.figures[metric.key] for row in summary.rows]
    little = [says_little(row.figures[metric.key], metric, summary.over(row)) for row in summary.rows]
    for row in summary.printed:
        figures.append(Estimate(row.figures.get(metric.key)))
        little.append("")
    ends = [abs(end) for each in figures for end in (each.value, each.low, each.high) if end is not None]
    largest = max(ends, default=0.0)
    digits, fewer = (2, 2) if largest < 2 else (2, 1) if largest < 10 else (1, 0)
    values = ["–" if each.value is None else f"{each.value:.{digits}f}" for each in figures]
    intervals = [interval_words(each, fewer, why) for each, why in zip(figures, little, strict=True)]
    value_width, interval_width = max(map(len, values), default=0), max(map(len, intervals), default=0)
    gap = " " if interval_width else ""
    unit = f" {metric.unit}" if metric.unit and metric.unit != metric.key.lower() else ""
    return Column(
        f"{metric.key}{unit}{ARROWS[metric.better]}",
        tuple(
            f"{value.rjust(value_width)}{gap}{interval.ljust(interval_width)}"
            for value, interval in zip(values, intervals, strict=True)
        ),
    )


def _cost_columns(summary: WorldSummary) -> list[Column]:
    """What models cost in all, or the tokens where no prices were given; none if no model was asked but
    stand-ins."""
    rows = summary.rows
    if all(row.usage is None or row.usage.stand_in for row in rows):
        return []
    if summary.currency:
        return [Column(summary.currency, tuple(map(_money, rows)))]
    return [Column("tokens", tuple(map(_tokens, rows)))]


def _money(row: SummaryRow) -> str:
    if row.usage is None or row.usage.stand_in:
        return "–"
    money = row.usage.money
    return "unknown" if money is None else f"{money:.2f}" if money >= 1 or not money else f"{money:.2g}"


def _tokens(row: SummaryRow) -> str:
    if row.usage is None or row.usage.stand_in:
        return "–"
    spent = row.usage.total
    return compact(spent.input_tokens + spent.output_tokens) if row.usage.counted else "unknown"


# --- what stands below the table ---------------------------------------------------------------------------


def title_of(summary: WorldSummary) -> str:
    """``timearena, standard rules: 18 scenarios of 6 groups``."""
    told = [f"{part.rules} rules: {_over(part)}" for part in summary.parts]
    groups = f" of {amount(len(summary.groups), 'groups')}" if len(summary.groups) > 1 else ""
    return f"{summary.world}, {'; '.join(told)}{groups}"


def _over(part: RulesSummary) -> str:
    of = "" if part.scenarios == part.asked else f"{part.scenarios} of "
    return f"{of}{amount(part.asked, 'scenarios')}"


MOST_NAMED = 3
LONGEST_NAMED = 24
"""Agents that lack something are named so many, in so many columns each."""


def lines_below(summary: WorldSummary, shown: Sequence[Metric]) -> Iterator[str]:
    """What the columns are, what the signs mean, and in one line what is missing."""
    told = ["n: episodes", *(f"{metric.key}: {metric.title}" for metric in shown)]
    intervals = any(row.figures[metric.key].low is not None for row in summary.rows for metric in shown)
    yield "; ".join([*told, INTERVALS_TEXT] if intervals else told)
    reasons = (
        says_little(row.figures[metric.key], metric, summary.over(row))
        for metric in shown
        for row in summary.rows
    )
    if little := little_told(reasons):
        yield little
    if any(row.stand_in for row in summary.rows):
        yield STAND_IN_TEXT
    if any(row.apart for row in summary.rows):
        yield APART_TEXT
    if missing := _missing(summary):
        yield missing


def _missing(summary: WorldSummary) -> str:
    """Who has not finished every scenario, and whose calls failed; empty where nothing is missing."""
    lacking = [
        (row, part) for part in summary.parts for row in part.rows if row.finished < part.asked or row.failed
    ]
    if not lacking:
        return ""
    told = [_lacks(row, part) for row, part in lacking[:MOST_NAMED]]
    if len(lacking) > MOST_NAMED:
        told.append(f"{len(lacking) - MOST_NAMED} more agents")
    over = "over the scenarios that all have finished"
    if not all(part.comparable for part in summary.parts):
        over = "each over its own scenarios, not comparable"
    return f"missing ({over}): {', '.join(told)}"


def _lacks(row: SummaryRow, part: RulesSummary) -> str:
    lacks = part.asked - row.finished
    told = [f"{lacks} of {part.asked}"] if lacks else []
    told += [f"{row.failed} failed"] if row.failed else []
    return f"{cut_inside(one_line(row.agent), LONGEST_NAMED)} {', '.join(told)}"
