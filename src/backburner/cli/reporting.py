"""``score`` and ``report``: what was played as tables, as one page, as pictures, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from msgspec import structs

from backburner.cli.common import JsonOption, KeyOption, out, print_json, progress_bar, remark
from backburner.cli.records import opened
from backburner.evaluation import scores
from backburner.evaluation.alike import Counting
from backburner.evaluation.comparison import Comparison, compare, side_of
from backburner.evaluation.figures import all_figures, write_figures
from backburner.evaluation.headline_tables import headline_section, headlines_of, remarks
from backburner.evaluation.jobs import RECORD
from backburner.evaluation.ranking import rankings
from backburner.evaluation.report import (
    ReportPart,
    comparison_parts,
    overall_parts,
    usage_in,
    usage_parts,
    world_parts,
    write_report,
)
from backburner.evaluation.scores import WorldScores
from backburner.evaluation.searches import about_steps_to_go, steps_to_go
from backburner.evaluation.signing import read_public
from backburner.evaluation.tables import about_intervals, score_tables, section_table
from backburner.evaluation.usage import Prices, read_prices, stand_ins, unpriced
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.files import check_destination
from backburner.kernel.scoring import Measures

ToGoOption = Annotated[
    float | None,
    typer.Option(
        "--steps-to-go",
        min=0.001,
        help=f"Seconds for each search: {about_steps_to_go()}.",
    ),
]


FailedOption = Annotated[
    bool, typer.Option("--count-failed", help="Episodes that ended by a failed call count as they stand.")
]
OwnOption = Annotated[
    bool,
    typer.Option(
        "--own-scenarios",
        help="Each agent over all that it has finished; by default over the scenarios that all have.",
    ),
]
WithoutOption = Annotated[
    list[str] | None, typer.Option("--without", metavar="AGENT", help="Leave this agent out; repeatable.")
]


def scored_in(
    path: Path, loaded: scores.Records, to_go: float | None, counting: Counting = scores.COUNTING
) -> list[WorldScores]:
    """The scores of what was read from ``path``; with ``to_go``, after a search of so many seconds for each
    episode. Raises ``UnknownName`` for an agent to be left out that did not play."""
    episodes = [episode for _, episode in loaded.episodes]
    agents = dict.fromkeys(episode.header.agent for episode in episodes)
    for name in counting.without:
        if name not in agents:
            raise UnknownName("agent", name, agents)
    if to_go is None:
        return scores.score(episodes, counting=counting)
    with progress_bar() as bar:
        task, measure = bar.add_task("steps to go", total=len(episodes)), steps_to_go(path, to_go)

        def more(episode: Episode) -> Measures:
            found = measure(episode)
            bar.advance(task)
            return found

        return scores.score(episodes, more, counting)


def score(
    path: Annotated[Path, typer.Argument(help="A record, a folder of them, or an Inspect log.")],
    to_go: ToGoOption = None,
    key: KeyOption = None,
    count_failed: FailedOption = False,
    own: OwnOption = False,
    without: WithoutOption = None,
    json: JsonOption = False,
) -> None:
    """The article's metrics with 95 % intervals, its analyses, and its numbers."""
    path = opened(path)
    loaded = scores.load(path, "" if key is None else read_public(key))
    scored = scored_in(path, loaded, to_go, Counting(count_failed, own, tuple(without or ())))
    for line in (*scores.used(loaded, scored).unusable, *_stand_ins(loaded)):
        remark(line)
    if json:
        print_json([_plain(world) for world in scored])
        return
    for world in scored:
        print_tables(world)
        print_parts(world_parts(world))
    print_parts(overall_parts(scored))
    _tell_headline(scored)


PricesOption = Annotated[
    Path | None,
    typer.Option("--prices", help="A JSON file of prices per million tokens: what the models cost."),
]
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
    json: JsonOption = False,
) -> None:
    """The table, and one self-contained HTML page beside the records."""
    paid = None if prices is None else read_prices(prices)
    default = folder / PAGE if folder.is_dir() else folder.with_suffix(".html")
    if page is not None and page.suffix in (RECORD, ".eval") and page.exists():
        raise Refused(f"{page} is a record; name another file for the page")
    for file in (page or default, *([] if figures is None else [figures / "figure.svg"])):
        check_destination(file)
    folder = opened(folder)
    loaded = scores.load(folder, "" if key is None else read_public(key))
    scored = scored_in(folder, loaded, to_go, Counting(count_failed, own, tuple(without or ())))
    loaded = scores.used(loaded, scored)
    differences = [] if compared is None else _differences(scored, loaded, folder, compared)
    written = write_report(loaded, scored, page or default, folder, prices=paid, comparisons=differences)
    for line in (*loaded.unusable, *_without_price(scored, paid), *_stand_ins(loaded)):
        remark(line)
    if figures is not None:
        of_worlds = ((world.world, all_figures(world.figures, world.measured)) for world in scored)
        drawn = write_figures(
            ((name, figure) for name, of_world in of_worlds for figure in of_world), figures
        )
        remark(f"{len(drawn)} pictures: {figures}")
    if json:
        plain = [_plain(world, paid) for world in scored]
        headline = headlines_of(scored)[0]
        print_json(
            {"report": str(written), "headline": headline, "scores": plain, "comparisons": differences}
        )
        return
    for world in scored:
        print_tables(world)
        if paid is not None:
            print_parts(usage_parts(world, paid))
    print_parts(comparison_parts(differences))
    out.print(f"report: {written}", markup=False, highlight=False, soft_wrap=True)


def _tell_headline(scored: Sequence[WorldScores]) -> None:
    """The headline scores where an agent has played all of a world; else a line about what is missing."""
    found, why = headlines_of(scored)
    if any(world.score.value is not None for one in found for world in one.worlds):
        print_parts([ReportPart(headline_section(found))])
    for line in [why] if why else [*remarks(found)][:1]:
        remark(line)


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
    }
