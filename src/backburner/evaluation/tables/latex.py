"""Tables of an article in LaTeX, with ``booktabs``: one for each group and rule set, the article's rows
beneath ours.

The best of our figures is bold. Those that are not certainly worse than it (paired permutation test over
common scenarios, corrected for all pairs of the table by Holm's method) are underlined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from backburner.evaluation.comparing.ranking import figures_of, rank
from backburner.evaluation.scoring.scores import Cell, Row, WorldScores
from backburner.evaluation.scoring.statistics import MISSED, SAME
from backburner.evaluation.scoring.summary import main_metrics
from backburner.evaluation.scoring.usage import stood_in
from backburner.evaluation.tables.words import brackets
from backburner.kernel.errors import needs_extra, one_line, shorten
from backburner.kernel.files import write_whole
from backburner.kernel.scoring import Estimate, Metric, Published

LONGEST_NAME = 120

DOCUMENT = "tables.tex"

CAPTION = (
    "{title}, {group} ({rules} rules): {metrics}. In brackets 95\\,\\% intervals over scenarios; "
    "bold: the best; underlined: not certainly worse than it (p corrected $\\ge$ 0.05).{notes}"
)
PRINTED = " Below the line: as printed in the article."
STAND_IN = " $\\dagger$: no model, but a stand-in."

ARROWS = {"higher": " $\\uparrow$", "lower": " $\\downarrow$", "neither": ""}


def write_latex(worlds: Sequence[WorldScores], folder: Path, *, every_metric: bool = False) -> list[Path]:
    """Write ``<folder>/<world>.tex`` with the tables of a world, and ``tables.tex``, a document with all.

    Main metrics, or with ``every_metric`` all that have a figure. Raises ``MissingExtra`` without
    pylatexenc.
    """
    written = []
    for world in worlds:
        tables = "\n".join(_tables(world, every_metric))
        written.append(folder / f"{world.world}.tex")
        write_whole(written[-1], tables.encode())
    inputs = "".join(f"\\input{{{path.stem}}}\n\\clearpage\n" for path in written)
    written.append(folder / DOCUMENT)
    write_whole(written[-1], PREAMBLE.replace("INPUTS", inputs).encode())
    return written


PREAMBLE = """\\documentclass{article}
\\usepackage[utf8]{inputenc}
\\usepackage[T1]{fontenc}
\\IfFileExists{lmodern.sty}{\\usepackage{lmodern}}{}
\\usepackage{amsmath,amssymb,textcomp,booktabs,graphicx}
\\usepackage[margin=2cm]{geometry}
\\begin{document}
INPUTS\\end{document}
"""


def tex(text: str) -> str:
    """``text`` in LaTeX: nothing in it is a command, and what pdfTeX has no letter for stands as its code."""
    with needs_extra("data", "LaTeX"):
        from pylatexenc.latexencode import UnicodeToLatexEncoder
    encoder = UnicodeToLatexEncoder(
        unknown_char_policy="unihex", replacement_latex_protection="braces-all", unknown_char_warning=False
    )
    encoded: str = encoder.unicode_to_latex(one_line(shorten(text, LONGEST_NAME)))
    return encoded


def _tables(world: WorldScores, every_metric: bool) -> Iterator[str]:
    metrics = world.metrics if every_metric else main_metrics(world)
    cells = {(cell.group, cell.rules): cell for cell in world.cells}
    for group, rules in dict.fromkeys((row.group, row.rules) for row in world.rows):
        rows = [row for row in world.rows if (row.group, row.rules) == (group, rules)]
        printed = [row for row in world.published if row.group == group]
        shown = [each for each in metrics if any(row.figures[each.key].value is not None for row in rows)]
        if shown:
            yield _table(world, cells[group, rules], rows, printed, shown)


def _table(
    world: WorldScores,
    cell: Cell,
    rows: Sequence[Row],
    printed: Sequence[Published],
    metrics: Sequence[Metric],
) -> str:
    marked = {metric.key: _marks(metric, cell, rows) for metric in metrics}
    named = ", ".join(f"{tex(metric.key)}: {tex(metric.title)}" for metric in metrics)
    below = [row for row in printed if any(metric.key in row.figures for metric in metrics)]
    titles = " & ".join(_title(metric) for metric in metrics)
    stand_ins = {
        line.experiment.agent for line in cell.lines if any(stood_in(e) for e, _ in line.experiment.rows)
    }
    caption = CAPTION.format(
        title=tex(world.title), group=tex(cell.group), rules=tex(cell.rules), metrics=named,
        notes=PRINTED * bool(below) + STAND_IN * bool(stand_ins),
    )  # fmt: skip
    lines = [
        "\\begin{table}[htbp]",
        "\\centering\\small",
        f"\\caption{{{caption}}}",
        f"\\label{{tab:{_slug(world.world, cell.group, cell.rules)}}}",
        "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%",
        f"\\begin{{tabular}}{{lr{'l' * len(metrics)}}}",
        "\\toprule",
        f"Agent & n & {titles} \\\\",
        "\\midrule",
        *(_ours(row, metrics, marked, row.agent in stand_ins) for row in rows),
        *(["\\midrule"] if below else []),
        *(_printed(row, metrics) for row in below),
        "\\bottomrule",
        "\\end{tabular}}",
        "\\end{table}",
        "",
    ]
    return "\n".join(lines)


def _title(metric: Metric) -> str:
    unit = f" ({tex(metric.unit)})" if metric.unit else ""
    return f"{tex(metric.key)}{unit}{ARROWS[metric.better]}"


def _ours(
    row: Row, metrics: Sequence[Metric], marked: Mapping[str, Mapping[str, str]], stand_in: bool
) -> str:
    cells = [_figure(row.figures[metric.key], marked[metric.key].get(row.agent, "")) for metric in metrics]
    sign = "$^\\dagger$" if stand_in else ""
    return f"{tex(row.agent)}{sign} & {row.episodes} & {' & '.join(cells)} \\\\"


def _printed(row: Published, metrics: Sequence[Metric]) -> str:
    figures = (row.figures.get(metric.key) for metric in metrics)
    cells = ("--" if figure is None else f"{figure:g}" for figure in figures)
    return f"\\textit{{{tex(row.agent)}}} & & {' & '.join(cells)} \\\\"


def _figure(figure: Estimate, mark: str) -> str:
    if figure.value is None:
        return "--"
    digits = 2 if abs(figure.value) < 10 else 1
    value = f"{figure.value:.{digits}f}"
    value = f"{mark}{{{value}}}" if mark else value
    interval = brackets(figure, digits)
    return f"{value}\\,{{\\scriptsize{interval}}}" if interval else value


BOLD, UNDERLINED = "\\textbf", "\\underline"


def _marks(metric: Metric, cell: Cell, rows: Sequence[Row]) -> dict[str, str]:
    """How the figures of agents are set: the best ones bold, those not certainly worse underlined."""
    values = {row.agent: row.figures[metric.key].value for row in rows}
    known = {agent: value for agent, value in values.items() if value is not None}
    if metric.better == "neither" or len(known) < 2:
        return {}
    top = max(known.values()) if metric.better == "higher" else min(known.values())
    best = [agent for agent, value in known.items() if abs(value - top) <= SAME * max(1.0, abs(top))]
    marks = dict.fromkeys(best, BOLD)
    of_scenarios = {line.experiment.agent: figures_of(metric, line.rows) for line in cell.lines}
    ranked = rank(metric, of_scenarios)
    for pair in ranked[1] if ranked is not None else ():
        for one, other in ((pair.one, pair.other), (pair.other, pair.one)):
            uncertain = pair.corrected is None or pair.corrected >= MISSED
            if one == best[0] and other in known and uncertain:
                marks.setdefault(other, UNDERLINED)
    return marks


def _slug(*names: str) -> str:
    return "-".join(re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "x" for name in names)
