"""What of records is printed as tables: by ``run``, ``score``, ``report``, ``headline``, ``reproduce``."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

from backburner.cli.console import out, remark, say
from backburner.evaluation.comparing.headline import Headline
from backburner.evaluation.comparing.headline_tables import headline_section
from backburner.evaluation.report.parts import ReportPart
from backburner.evaluation.running.chains_of_jobs import Summary
from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.summary import summary_of
from backburner.evaluation.scoring.usage import Prices
from backburner.evaluation.tables.score_tables import (
    about_intervals,
    about_little,
    lines_below,
    metrics_that_fit,
    score_tables,
    summary_table,
    title_of,
)
from backburner.evaluation.tables.terminal import section_table
from backburner.kernel.errors import amount
from backburner.kernel.scoring import Section, grouped


def tell_run(summary: Summary) -> None:
    """What a run has come to, and what to do about it."""
    counts = {
        "failed": summary.failed,
        "stopped by the safety cap": summary.capped,
        "could not be played": summary.broken,
        "ended as the conversation was longer than the model can read": summary.overflowed,
    }
    rest = "".join(f", {number} {what}" for what, number in counts.items() if number)
    played = (
        f"{amount(summary.played, 'episodes')} played, {summary.kept} kept from before{rest}: {summary.out}"
    )
    say(played)
    if summary.stopped:
        remark(f"stopped: {summary.stopped}")
    for message in summary.errors[:10]:
        remark(f"  {message}")
    if len(summary.errors) > 10:
        remark(f"  ... and {len(summary.errors) - 10} more")
    if summary.failed:
        remark(
            "--budget retry_failed=yes plays on what failed; where nothing was decided yet, the same"
            " command does"
        )


def print_summaries(scored: Sequence[WorldScores], prices: Prices | None = None) -> None:
    """One table for each world, with what its columns and signs are below it."""
    for world in scored:
        summary = summary_of(world, prices)
        metrics = metrics_that_fit(summary, out.width)
        out.print(title_of(summary), style="bold", markup=False, highlight=False)
        for row in summary_table(summary, metrics, out.width):
            out.print(row, soft_wrap=True)
        for line in lines_below(summary, metrics):
            out.print(line, style="dim", markup=False, highlight=False)
        out.print()


def tell_the_rest(path: Path) -> None:
    """Where everything else about the records is."""
    command = shlex.join(["backburner", "score", str(path)])
    remark(f"groups, all metrics, analyses: {command} --all (or --world NAME); as a page: report")


def print_headlines(found: Sequence[Headline]) -> None:
    """The scores over all worlds, a line for each agent, edition by edition."""
    for own in grouped(found, lambda one: one.of).values():
        out.print(section_table(headline_section(own), out.width))


def print_parts(parts: Iterable[ReportPart]) -> None:
    """The tables of a report, each with what it says."""
    print_sections(part.section for part in parts)


def print_sections(sections: Iterable[Section]) -> None:
    """Tables, each with what it says."""
    for section in sections:
        out.print(section_table(section, out.width))
        remark(f"{section.text}\n")


def print_tables(world: WorldScores) -> None:
    """The metrics of a world's agents, the article's rows among them."""
    for table in score_tables(world, out.width):
        out.print(table)
        out.print()
    remark(*world.notes)
    remark(f"95 % intervals over scenarios in brackets. {about_intervals(world)}")
    if little := about_little(world):
        remark(little)
    if world.published:
        remark("of the article's rows the best one and its oracle; all are in the report")
