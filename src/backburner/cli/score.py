"""``score``, ``report`` and ``headline``: what was played as tables, as one page, as one number."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from msgspec import structs

from backburner.cli import completion
from backburner.cli.console import out, print_json, progress_bar, remark
from backburner.cli.options import JsonOption, KeyOption, OracleSecondsOption
from backburner.cli.records import (
    EVERYTHING,
    PAGE,
    CompareOption,
    Counted,
    OverOption,
    opened,
    read_and_scored,
)
from backburner.cli.tables import print_headlines, print_parts, print_summaries, print_tables, tell_the_rest
from backburner.evaluation.comparing.comparison import Comparison, compare, side_of
from backburner.evaluation.comparing.cross_play import cross_plays
from backburner.evaluation.comparing.headline import (
    SEEDS,
    headlines,
    make_references,
    scale,
    write_references,
)
from backburner.evaluation.comparing.headline_tables import BRIEF, headline_sections, headlines_of
from backburner.evaluation.comparing.ranking import rankings
from backburner.evaluation.records import RECORD, believed_key
from backburner.evaluation.report.page import write_report
from backburner.evaluation.report.parts import (
    comparison_parts,
    overall_parts,
    usage_in,
    usage_parts,
    world_parts,
)
from backburner.evaluation.scoring import scores
from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.summary import summary_of
from backburner.evaluation.scoring.usage import Prices, stand_ins, unpriced
from backburner.evaluation.tables.figures import figures_of, write_figures
from backburner.evaluation.tables.terminal import section_table
from backburner.kernel import registry
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.files import check_destination
from backburner.kernel.headline import metrics_of

AllOption = Annotated[
    bool, typer.Option("--all", help="Print every group, metric and analysis instead of one table a world.")
]
WorldsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--world", help="Print everything of this world; repeatable.", autocompletion=completion.worlds
    ),
]


def score(
    path: Annotated[Path, typer.Argument(help="A record, a folder of them, or an Inspect log.")],
    counted: Counted = EVERYTHING,
    everything: AllOption = False,
    worlds: WorldsOption = None,
    json: JsonOption = False,
) -> None:
    """One table a world; with --all the article's metrics, its analyses, and its numbers."""
    paid = counted.paid
    named, path = path, opened(path)
    loaded, scored = read_and_scored(path, counted)
    chosen = _chosen(scored, worlds)
    whole = everything or bool(worlds) or counted.to_go is not None
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


def report(
    folder: Annotated[Path, typer.Argument(help="A folder of records, or an Inspect log.")],
    page: Annotated[
        Path | None, typer.Option("--out", help="The page; by default report.html in the folder.")
    ] = None,
    compared: CompareOption = None,
    counted: Counted = EVERYTHING,
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
    paid = counted.paid
    if pdf and figures is None:
        raise Refused("--pdf is for pictures: name their folder with --figures")
    default = folder / PAGE if folder.is_dir() else folder.with_suffix(".html")
    if page is not None and page.suffix in (RECORD, ".eval") and page.exists():
        raise Refused(f"{page} is a record; name another file for the page")
    for file in (page or default, *([] if figures is None else [figures / "figure.svg"])):
        check_destination(file)
    named, folder = folder, opened(folder)
    loaded, scored = read_and_scored(folder, counted)
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
    whole = everything or bool(worlds) or counted.to_go is not None
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


def _tell_headline(scored: Sequence[WorldScores], path: Path) -> None:
    """The headline scores where an agent has played all of a world; else where to ask what it takes."""
    found, why = headlines_of(scored)
    command = shlex.join(["backburner", "headline", str(path)])
    if any(world.score.value is not None for one in found for world in one.worlds):
        print_headlines(found)
        remark(f"{BRIEF}; what is missing, and suites: {command}")
    elif found or why:
        remark(why or f"no headline score yet: {command} says what it takes")


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


# --- one score over all worlds -----------------------------------------------------------------------------


def headline(
    path: Annotated[str, typer.Argument(help="A folder of records, or, to make references, a world.")],
    over: OverOption = None,
    key: KeyOption = None,
    references: Annotated[
        Path | None,
        typer.Option("--write-references", help="Play randomly, find the best values, and write this file."),
    ] = None,
    seeds: Annotated[
        int, typer.Option("--seeds", min=1, help="Of random play for each scenario, for references.")
    ] = SEEDS,
    json: JsonOption = False,
) -> None:
    """One score over all worlds: 0 is random play, 100 the best that is possible.

    Exit code 1: no agent has played all that it takes.
    """
    if references is not None:
        _write_references(path, references, seeds)
        return
    measured = scale(tuple(over or ()))
    loaded = scores.load(opened(Path(path)), believed_key(key))
    scored = scores.score([episode for _, episode in loaded.episodes])
    for line in (*loaded.unusable, *stand_ins(episode for _, episode in loaded.episodes)):
        remark(line)
    found = headlines(scored, measured)
    if not found:
        raise Refused(f"{path}: no episode of a headline suite under standard rules and the article's limits")
    if json:
        print_json(found)
    else:
        print_headlines(found)
        first, *others = headline_sections(found)
        remark(f"{first.text}\n")
        for section in others:
            out.print(section_table(section, out.width))
            remark(section.text)
    if all(one.score.value is None for one in found):
        raise typer.Exit(1)


def _write_references(name: str, file: Path, seeds: int) -> None:
    check_destination(file)
    ids = [id for suite in metrics_of(name) for id in registry.expand(f"{name}/{suite}")]
    with progress_bar() as bar:
        task = bar.add_task("random play", total=len(ids))
        made = make_references(name, seeds, lambda: bar.advance(task))
    write_references(file, made)
    remark(f"{len(made.references)} references, {len(made.left_out)} scenarios left out: {file}")
