"""``score`` and ``report``: what was played as tables, as one page, as one number."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from msgspec import structs

from backburner.cli import completion
from backburner.cli.console import advancing, out, print_json, progress_bar, remark, say
from backburner.cli.options import JsonOption, OracleSecondsOption
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
    Headline,
    every_headline,
    headlines,
    scale,
)
from backburner.evaluation.comparing.headline_tables import BRIEF, headline_sections, headlines_of
from backburner.evaluation.comparing.latency import curves
from backburner.evaluation.comparing.latency_tables import sentences
from backburner.evaluation.comparing.ranking import rankings
from backburner.evaluation.records import RECORD
from backburner.evaluation.report.page import write_report
from backburner.evaluation.report.parts import (
    comparison_parts,
    overall_parts,
    usage_in,
    world_parts,
)
from backburner.evaluation.scoring import scores
from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.summary import summary_of
from backburner.evaluation.scoring.usage import Prices, stand_ins, unpriced
from backburner.evaluation.tables.terminal import section_table
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.files import check_destination


def score(
    path: Annotated[Path, typer.Argument(help="A record, a folder of them, or an Inspect log.")],
    headline: Annotated[
        bool,
        typer.Option(
            "--headline", help="The one score over all worlds: 0 random, 100 the best; what is missing."
        ),
    ] = False,
    over: OverOption = None,
    count: Counted = EVERYTHING,
    everything: Annotated[
        bool,
        typer.Option("--all", help="Print every group, metric and analysis instead of one table a world."),
    ] = False,
    worlds: Annotated[
        list[str] | None,
        typer.Option(
            "--world", help="Print everything of this world; repeatable.", autocompletion=completion.worlds
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """One table a world; with --all the article's metrics, its analyses, and its numbers.

    Exit code 1 with --headline: no agent has played all that it takes.
    """
    paid = count.paid
    measured = scale(tuple(over or ()))
    named, path = path, opened(path)
    loaded, scored = read_and_scored(path, count)
    if headline or over:
        found = headlines(scored, measured) if over else every_headline(scored)
        _tell_headlines(loaded, found, named, json)
        return
    chosen = _chosen(scored, worlds)
    whole = everything or bool(worlds) or count.steps_to_go is not None
    remark(*scores.used(loaded, scored).unusable, *_on_answers(scored), *_without_price(scored, paid))
    remark(*(_stand_ins(loaded) if whole or json else ()))
    if json:
        print_json([_plain(world, paid) for world in scored])
        return
    if not whole:
        print_summaries(scored, paid)
        _tell_speeds(scored)
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
    count: Counted = EVERYTHING,
    oracle_seconds: OracleSecondsOption = 0.0,
    json: JsonOption = False,
) -> None:
    """One table a world, and one self-contained HTML page beside the records."""
    paid = count.paid
    default = folder / PAGE if folder.is_dir() else folder.with_suffix(".html")
    if page is not None and page.suffix in (RECORD, ".eval") and page.exists():
        raise Refused(f"{page} is a record; name another file for the page")
    check_destination(page or default)
    named, folder = folder, opened(folder)
    loaded, scored = read_and_scored(folder, count)
    loaded = scores.used(loaded, scored)
    differences = [] if compared is None else _differences(scored, loaded, folder, compared)
    with progress_bar() as bar:
        written = write_report(
            loaded,
            scored,
            page or default,
            folder,
            prices=paid,
            comparisons=differences,
            oracle_seconds=oracle_seconds,
            heard=advancing(bar, "pages"),
        )
    remark(*loaded.unusable, *_on_answers(scored), *_without_price(scored, paid))
    remark(*(_stand_ins(loaded) if json else ()))
    if json:
        plain = [_plain(world, paid) for world in scored]
        headline = headlines_of(scored)[0]
        print_json(
            {"report": str(written), "headline": headline, "scores": plain, "comparisons": differences}
        )
        return
    print_summaries(scored, paid)
    _tell_speeds(scored)
    _tell_headline(scored, named)
    tell_the_rest(named)
    print_parts(comparison_parts(differences))
    say(f"report: {written}")


def _plain(world: WorldScores, prices: Prices | None = None) -> dict[str, object]:
    """The scores without the functions that computed them, and with what answers took."""
    metrics = [{k: v for k, v in structs.asdict(m).items() if k != "over"} for m in world.metrics]
    fields = {k: v for k, v in structs.asdict(world).items() if k not in ("measured", "cells", "answers")}
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
    command = shlex.join(["backburner", "score", str(path), "--headline"])
    if any(world.score.value is not None for one in found for world in one.worlds):
        print_headlines(found)
        remark(f"{BRIEF}; what is missing, and suites: {command}")
    elif found or why:
        remark(why or f"no headline score yet: {command} says what it takes, backburner evaluate plays it")


def _tell_speeds(scored: Sequence[WorldScores]) -> None:
    """From which speed on agents are worth asking, where they were played at several."""
    for world in scored:
        say(*sentences(curves(world, whole=False)))


def _differences(
    scored: Sequence[WorldScores], loaded: scores.Records, folder: Path, names: tuple[str, str]
) -> list[Comparison]:
    one, other = (side_of(name, loaded.episodes, folder) for name in names)
    return compare(scored, one, other)


def _on_answers(scored: Sequence[WorldScores]) -> list[str]:
    return [line for world in scored for line in world.on_answers]


def _stand_ins(loaded: scores.Records) -> list[str]:
    return stand_ins(episode for _, episode in loaded.episodes)


def _without_price(scored: Sequence[WorldScores], prices: Prices | None) -> list[str]:
    if prices is None:
        return []
    return unpriced(
        prices, (model for world in scored for usage in usage_in(world) for model in usage.models)
    )


def _tell_headlines(loaded: scores.Records, found: Sequence[Headline], path: Path, json: bool) -> None:
    """The one score over all worlds, what it is made of, and what is missing."""
    remark(*loaded.unusable, *_stand_ins(loaded))
    if not found:
        raise Refused(f"{path}: no episode of a headline suite under standard rules and the article's limits")
    if json:
        print_json(found)
    else:
        for section in headline_sections(found):
            out.print(section_table(section, out.width))
            remark(f"{section.text}\n")
    if all(one.score.value is None for one in found):
        raise typer.Exit(1)
