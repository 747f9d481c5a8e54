"""Scores and sections as tables for the terminal, and their figures in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.text import Text

from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.statistics import METHODS, NO_INTERVAL, says_little
from backburner.evaluation.tables.terminal import table_of
from backburner.kernel.scoring import Estimate, Published, Section, grouped


def score_tables(scores: WorldScores, width: int) -> Iterator[Text]:
    """A table for each group: our agents with 95 % intervals, the article's best and oracle beneath."""
    some_failed = any(row.failed for row in scores.rows)
    several_rules = len({row.rules for row in scores.rows}) > 1
    titles = [f"{metric.key} {metric.unit}".rstrip() for metric in scores.metrics]
    columns = ("agent", "n", *(["failed"] if some_failed else []), *titles)
    for group, own in grouped(scores.rows, lambda row: row.group).items():
        rows = []
        for row in own:
            name = f"{row.agent}\n{row.rules}" if several_rules else row.agent
            failed = (str(row.failed or ""),) if some_failed else ()
            cells = (
                estimate_text(row.figures[m.key], says_little(row.figures[m.key], m, row.scenarios))
                for m in scores.metrics
            )
            rows.append((name, str(row.episodes), *failed, *cells))
        for printed in best_printed(scores, group):
            blank = ("", "") if some_failed else ("",)
            cells = (number_text(printed.figures.get(metric.key)) for metric in scores.metrics)
            rows.append((f"{printed.agent}, article", *blank, *cells))
        title = f"{scores.world}: {group}"
        yield table_of(columns, rows, width, title, pale=range(len(own), len(rows)))


def best_printed(scores: WorldScores, group: str) -> list[Published]:
    """The printed row that is best in the first metric, and those with a note, which are no agent's play."""
    printed = [row for row in scores.published if row.group == group]
    metric = scores.metrics[0]
    played = [row for row in printed if not row.note and metric.key in row.figures]
    sign = -1 if metric.better == "higher" else 1
    best = sorted(played, key=lambda row: sign * row.figures[metric.key])[:1]
    return best + [row for row in printed if row.note]


LITTLE: Mapping[str, str] = {
    "few": "none over fewer than five scenarios",
    "wide": "[wide]: one that covers most of the scale",
}
"""What is told of intervals that say little: the former are left out, the latter are a word."""


def little_told(words: Iterable[str]) -> str:
    """Why intervals are not told, each reason once; empty without any."""
    told = [LITTLE[word] for word in sorted(set(words)) if word]
    return f"intervals: {'; '.join(told)}" if told else ""


def interval_words(estimate: Estimate, digits: int, little: str = "") -> str:
    """``[16, 22]``, or a word if that says ``little``; empty where there is none, or one of few scenarios."""
    if estimate.low is None or estimate.high is None or little == "few":
        return ""
    return f"[{little}]" if little else f"[{estimate.low:.{digits}f}, {estimate.high:.{digits}f}]"


def estimate_text(estimate: Estimate, little: str = "") -> str:
    """``18.90 [16, 22]``, or a dash where the figure is not defined; ``little``: why it says little."""
    if estimate.value is None:
        return "–"
    if estimate.low is None or estimate.high is None or little == "few":
        return number_text(estimate.value)
    interval = f"[{little}]" if little else f"[{_short(estimate.low)}, {_short(estimate.high)}]"
    return f"{estimate.value:.2f} {interval}"


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


def section_table(section: Section, width: int) -> Text:
    """An analysis as a table in this width."""
    return plain_table(section.columns, section.rows, width, section.title)


def plain_table(
    columns: Iterable[object], rows: Iterable[Sequence[object]], width: int, title: str = ""
) -> Text:
    """Figures in columns in this width, the first one holding names."""
    cells = [tuple(map(number_text, row)) for row in rows]
    return table_of(tuple(map(number_text, columns)), cells, width, title)


def columns_of_words(section: Section) -> list[bool]:
    """For each column whether it holds words: all cells are text, and some begin with a letter."""
    return [
        all(isinstance(row[index], str) for row in section.rows)
        and any(row[index][:1].isalpha() and row[index] not in NO_FIGURE for row in section.rows)
        for index in range(len(section.columns))
    ]


NO_FIGURE = ("unknown", "any")
"""Words that stand where a figure would."""
