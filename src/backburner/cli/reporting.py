"""``score`` and ``report``: what was played as tables, as one page, as pictures, as JSON."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from msgspec import structs

from backburner.cli import completion
from backburner.cli.common import (
    JsonOption,
    KeyOption,
    OracleSecondsOption,
    out,
    print_json,
    remark,
)
from backburner.cli.progress import progress_bar
from backburner.cli.records import opened
from backburner.evaluation.comparing.comparison import Comparison, compare, side_of
from backburner.evaluation.comparing.cross_play import cross_plays
from backburner.evaluation.comparing.headline import Headline
from backburner.evaluation.comparing.headline_tables import BRIEF, headline_section, headlines_of
from backburner.evaluation.comparing.ranking import rankings
from backburner.evaluation.labels.label_tables import labels_in, with_labels
from backburner.evaluation.labels.probing import with_probes
from backburner.evaluation.report import (
    ReportPart,
    comparison_parts,
    cross_play_parts,
    overall_parts,
    usage_in,
    usage_parts,
    world_parts,
    write_report,
)
from backburner.evaluation.running.jobs import RECORD
from backburner.evaluation.running.searches import about_steps_to_go, steps_to_go
from backburner.evaluation.scoring import scores
from backburner.evaluation.scoring.scores import Counting, WorldScores
from backburner.evaluation.scoring.summary import summary_of
from backburner.evaluation.scoring.usage import Prices, read_prices, stand_ins, unpriced
from backburner.evaluation.submissions.signing import believed_key
from backburner.evaluation.tables.figures import figures_of, write_figures
from backburner.evaluation.tables.sections import about_intervals, about_little, score_tables, section_table
from backburner.evaluation.tables.summary_table import lines_below, metrics_that_fit, summary_table, title_of
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.files import check_destination
from backburner.kernel.scoring import Measures

COUNTED = "What counts"
"""The panel of which episodes do."""

PricesOption = Annotated[
    Path | None,
    typer.Option("--prices", help="A JSON file of prices per million tokens: what the models cost."),
]
ToGoOption = Annotated[
    float | None,
    typer.Option(
        "--steps-to-go",
        min=0.001,
        help=f"Seconds for each search: {about_steps_to_go()}.",
    ),
]


FailedOption = Annotated[
    bool,
    typer.Option(
        "--count-failed",
        help="Episodes that ended by a failed call count as they stand.",
        rich_help_panel=COUNTED,
    ),
]
OwnOption = Annotated[
    bool,
    typer.Option(
        "--own-scenarios",
        help="Each agent over all that it has finished; by default over the scenarios that all have.",
        rich_help_panel=COUNTED,
    ),
]
WithoutOption = Annotated[
    list[str] | None,
    typer.Option(
        "--without", metavar="AGENT", help="Leave this agent out; repeatable.", rich_help_panel=COUNTED
    ),
]
AllOption = Annotated[
    bool, typer.Option("--all", help="Print every group, metric and analysis instead of one table a world.")
]
WorldsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--world", help="Print everything of this world; repeatable.", autocompletion=completion.worlds
    ),
]


def scored_in(
    path: Path, loaded: scores.Records, to_go: float | None, counting: Counting = scores.COUNTING
) -> list[WorldScores]:
    """The scores of what was read from ``path``, with the labels and the probes that lie beside it; with
    ``to_go``, after a search of so many seconds for each episode. Raises ``UnknownName`` for an agent to be
    left out that did not play, and ``Refused`` if nobody is left."""
    return with_probes(_scored(path, loaded, to_go, counting), path)


def _scored(path: Path, loaded: scores.Records, to_go: float | None, counting: Counting) -> list[WorldScores]:
    episodes = [episode for _, episode in loaded.episodes]
    agents = dict.fromkeys(episode.header.agent for episode in episodes)
    for name in counting.without:
        if name not in agents:
            raise UnknownName("agent", name, agents)
    if agents and not agents.keys() - set(counting.without):
        raise Refused(f"{path}: --without leaves no agent; these have played: {', '.join(agents)}")
    labels = labels_in(path, loaded)
    if to_go is None:
        return with_labels(scores.score(episodes, labels.of, counting), labels)
    with progress_bar() as bar:
        task, measure = bar.add_task("steps to go", total=len(episodes)), steps_to_go(path, to_go)

        def more(episode: Episode) -> Measures:
            found = {**measure(episode), **labels.of(episode)}
            bar.advance(task)
            return found

        return with_labels(scores.score(episodes, more, counting), labels)


def read_and_scored(
    path: Path, key: Path | None, to_go: float | None, counting: Counting
) -> tuple[scores.Records, list[WorldScores]]:
    """The records of a folder, those alone that are signed by the key if one is named, and their scores."""
    with progress_bar() as bar:
        task = bar.add_task("records", total=None)
        loaded = scores.load(path, believed_key(key), lambda total: bar.update(task, total=total, advance=1))
    return loaded, scored_in(path, loaded, to_go, counting)


def score(
    path: Annotated[Path, typer.Argument(help="A record, a folder of them, or an Inspect log.")],
    to_go: ToGoOption = None,
    key: KeyOption = None,
    count_failed: FailedOption = False,
    own: OwnOption = False,
    without: WithoutOption = None,
    prices: PricesOption = None,
    everything: AllOption = False,
    worlds: WorldsOption = None,
    json: JsonOption = False,
) -> None:
    """One table a world; with --all the article's metrics, its analyses, and its numbers."""
    paid = _paid(prices)
    named, path = path, opened(path)
    loaded, scored = read_and_scored(path, key, to_go, Counting(count_failed, own, tuple(without or ())))
    chosen = _chosen(scored, worlds)
    whole = everything or bool(worlds) or to_go is not None
    for line in (*scores.used(loaded, scored).unusable, *_without_price(scored, paid)):
        remark(line)
    for line in _stand_ins(loaded) if whole or json else ():
        remark(line)
    if json:
        print_json([_plain(world, paid) for world in scored])
        return
    if not whole:
        print_summaries(scored, paid)
        _tell_headline(scored, named)
        tell_the_rest(named)
        return
    for world in chosen:
        print_tables(world)
        print_parts(world_parts(world, paid))
    print_parts(overall_parts(chosen))
    _tell_headline(scored, named)


def _chosen(scored: Sequence[WorldScores], worlds: Sequence[str] | None) -> list[WorldScores]:
    """The scores of these worlds, or of all without a name. Raises ``UnknownName``."""
    known = [world.world for world in scored]
    for name in worlds or ():
        if name not in known:
            raise UnknownName("world", name, known, "these records")
    return [world for world in scored if not worlds or world.world in worlds]


CompareOption = Annotated[
    tuple[str, str] | None,
    typer.Option(
        "--compare",
        metavar="A B",
        help="Paired differences of two agents, or of two folders of records within the folder.",
    ),
]


def report(
    folder: Annotated[Path, typer.Argument(help="A folder of records, or an Inspect log.")],
    page: Annotated[
        Path | None, typer.Option("--out", help="The page; by default report.html in the folder.")
    ] = None,
    to_go: ToGoOption = None,
    prices: PricesOption = None,
    compared: CompareOption = None,
    key: KeyOption = None,
    count_failed: FailedOption = False,
    own: OwnOption = False,
    without: WithoutOption = None,
    figures: Annotated[
        Path | None, typer.Option("--figures", help="Write every figure as SVG into this folder.")
    ] = None,
    pdf: Annotated[bool, typer.Option("--pdf", help="With --figures: every figure as PDF, too.")] = False,
    oracle_seconds: OracleSecondsOption = 0.0,
    everything: AllOption = False,
    worlds: WorldsOption = None,
    json: JsonOption = False,
) -> None:
    """One table a world, and one self-contained HTML page beside the records."""
    paid = _paid(prices)
    if pdf and figures is None:
        raise Refused("--pdf is for pictures: name their folder with --figures")
    default = folder / PAGE if folder.is_dir() else folder.with_suffix(".html")
    if page is not None and page.suffix in (RECORD, ".eval") and page.exists():
        raise Refused(f"{page} is a record; name another file for the page")
    for file in (page or default, *([] if figures is None else [figures / "figure.svg"])):
        check_destination(file)
    named, folder = folder, opened(folder)
    loaded, scored = read_and_scored(folder, key, to_go, Counting(count_failed, own, tuple(without or ())))
    chosen = _chosen(scored, worlds)
    loaded = scores.used(loaded, scored)
    differences = [] if compared is None else _differences(scored, loaded, folder, compared)
    written = write_report(
        loaded,
        scored,
        page or default,
        folder,
        prices=paid,
        comparisons=differences,
        oracle_seconds=oracle_seconds,
    )
    whole = everything or bool(worlds) or to_go is not None
    for line in (*loaded.unusable, *_without_price(scored, paid)):
        remark(line)
    for line in _stand_ins(loaded) if whole or json else ():
        remark(line)
    if figures is not None:
        chosen_figures = list(figures_of(scored))
        drawn = write_figures(chosen_figures, figures)
        drawn += write_figures(chosen_figures, figures, "pdf") if pdf else []
        remark(f"{len(drawn)} pictures: {figures}")
    if json:
        plain = [_plain(world, paid) for world in scored]
        headline = headlines_of(scored)[0]
        print_json(
            {"report": str(written), "headline": headline, "scores": plain, "comparisons": differences}
        )
        return
    if whole:
        for world in chosen:
            print_tables(world)
            if paid is not None:
                print_parts(usage_parts(world, paid))
    else:
        print_summaries(scored, paid)
        _tell_headline(scored, named)
        tell_the_rest(named)
    print_parts(comparison_parts(differences))
    out.print(f"report: {written}", markup=False, highlight=False, soft_wrap=True)


def _tell_headline(scored: Sequence[WorldScores], path: Path) -> None:
    """The headline scores where an agent has played all of a world; else where to ask what it takes."""
    found, why = headlines_of(scored)
    command = shlex.join(["backburner", "headline", str(path)])
    if any(world.score.value is not None for one in found for world in one.worlds):
        print_headlines(found)
        remark(f"{BRIEF}; what is missing, and suites: {command}")
    elif found or why:
        remark(why or f"no headline score yet: {command} says what it takes")


def print_headlines(found: Sequence[Headline]) -> None:
    """The scores over all worlds, a line for each agent."""
    out.print(section_table(headline_section(found), out.width))


def _differences(
    scored: Sequence[WorldScores], loaded: scores.Records, folder: Path, names: tuple[str, str]
) -> list[Comparison]:
    one, other = (side_of(name, loaded.episodes, folder) for name in names)
    return compare(scored, one, other)


def _stand_ins(loaded: scores.Records) -> list[str]:
    return stand_ins(episode for _, episode in loaded.episodes)


def _without_price(scored: Sequence[WorldScores], prices: Prices | None) -> list[str]:
    if prices is None:
        return []
    return unpriced(
        prices, (model for world in scored for usage in usage_in(world) for model in usage.models)
    )


PAGE = "report.html"
"""The report's name in the folder of its records."""


def tell_experiment(folder: Path, quiet: bool = False) -> None:
    """Write the report of a folder of records; unless ``quiet``, print the analyses over all of them."""
    loaded = scores.load(folder)
    scored = scored_in(folder, loaded, None)
    loaded = scores.used(loaded, scored)
    written = write_report(loaded, scored, folder / PAGE, folder)
    for line in (*loaded.unusable, *_stand_ins(loaded)):
        remark(line)
    if quiet:
        return
    for world in scored:
        print_parts([*map(ReportPart, world.sections)])
    out.print(f"report: {written}", markup=False, highlight=False, soft_wrap=True)


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


MOST_SCORED = 1000
"""Records that a run scores at its end: each is replayed, which takes 3 to 20 ms."""


def tell_played(
    files: Sequence[Path], folder: Path, prices: Path | None = None, *, crossed: bool = False
) -> None:
    """The tables of what a run has played or kept; of very many records only how to get them.

    If agents were ``crossed``, a line for each team makes way for who plays how well with whom, by each
    world's first metric.
    """
    if not files:
        return
    if len(files) <= MOST_SCORED:
        loaded = scores.load_files(sorted(files))
        scored = scores.score(episode for _, episode in loaded.episodes)
        if crossed:
            print_parts([part for world in scored for part in cross_play_parts(world)[:1]])
        else:
            print_summaries(scored, _paid(prices))
        for line in loaded.unusable:
            remark(line)
    tell_the_rest(folder)


def _paid(prices: Path | None) -> Prices | None:
    return None if prices is None else read_prices(prices)


def print_parts(parts: Sequence[ReportPart]) -> None:
    """Tables, each with what it says."""
    for part in parts:
        out.print(section_table(part.section, out.width))
        remark(f"{part.section.text}\n")


def print_tables(world: WorldScores) -> None:
    """The metrics of a world's agents, the article's rows among them."""
    for table in score_tables(world, out.width):
        out.print(table)
        out.print()
    for line in world.notes:
        remark(line)
    remark(f"95 % intervals over scenarios in brackets. {about_intervals(world)}")
    if little := about_little(world):
        remark(little)
    if world.published:
        remark("of the article's rows the best one and its oracle; all are in the report")


def _plain(world: WorldScores, prices: Prices | None = None) -> dict[str, object]:
    """The scores without the functions that computed them, and with what answers took."""
    metrics = [{k: v for k, v in structs.asdict(m).items() if k != "over"} for m in world.metrics]
    fields = {k: v for k, v in structs.asdict(world).items() if k not in ("measured", "cells")}
    return {
        **fields,
        "metrics": metrics,
        "spending": usage_in(world, prices),
        "rankings": list(rankings(world)),
        "cross_play": cross_plays(world),
        "summary": summary_of(world, prices).parts,
    }
