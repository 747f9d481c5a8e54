"""``replay``, ``score`` and ``report``: looking at what was played."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from msgspec import structs

from backburner.cli.common import JsonOption, SvgOption, app, complain, out, print_json, remark
from backburner.drawing.timeline import timeline_html, timeline_svg, timeline_text
from backburner.drawing.timeline.page import compact
from backburner.evaluation import scores
from backburner.evaluation.report import write_report
from backburner.evaluation.scores import WorldScores
from backburner.evaluation.tables import costs_table, score_tables, section_table
from backburner.kernel import replay as replaying
from backburner.kernel.activities import activities
from backburner.kernel.contract import Readable, decision_of
from backburner.kernel.episode import Episode, read_episode
from backburner.kernel.errors import ReplayMismatch
from backburner.kernel.files import write_whole


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="An episode record.")],
    check: Annotated[bool, typer.Option("--check", help="Play it again and compare every state.")] = False,
    svg: SvgOption = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a page with the timeline and all steps.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """The timeline of a record: one lane for each body and each appliance, waits visible."""
    episode = read_episode(file)
    if check:
        try:
            steps = replaying.check(episode)
        except ReplayMismatch as error:
            complain(f"{file}: {error}")
            raise typer.Exit(1) from error
        remark(f"{file}: {steps} steps replayed, all equal{'' if episode.finished else '; not finished'}")
    header, events = episode.header, list(episode.events())
    title = f"{header.id} · {header.agent} · {header.rules_name} rules"
    if svg is not None:
        write_whole(svg, timeline_svg(events, title=title, unit=header.time_unit).encode())
        remark(f"wrote {svg}")
    if html is not None:
        write_whole(html, timeline_html(episode, words=_words(episode)).encode())
        remark(f"wrote {html}")
    if json:
        print_json({"header": header, "activities": activities(events), "ending": episode.ending})
        return
    if check or svg or html:
        return
    out.print(title, style="bold", markup=False, highlight=False)
    out.print(timeline_text(events, unit=header.time_unit, width=out.width))
    if episode.ending is None:
        remark(f"the record stops after step {len(episode.entries)}; it was not finished")
    else:
        numbers = ", ".join(f"{name} {value}" for name, value in episode.ending.numbers.items())
        out.print(
            f"{episode.ending.status}: {episode.ending.reason} ({numbers})", highlight=False, markup=False
        )
        if episode.ending.error:
            out.print(episode.ending.error, style="red", markup=False)


def _words(episode: Episode) -> Callable[[object], str]:
    """Recorded decisions in the world's own words, where it has any."""
    world = replaying.world_of(episode)
    if not isinstance(world, Readable):
        return compact

    def words(written: object) -> str:
        decision = decision_of(world, written)
        return compact(written) if decision is written else world.words(decision)

    return words


@app.command()
def score(
    path: Annotated[Path, typer.Argument(help="A record or a folder of records.")], json: JsonOption = False
) -> None:
    """The article's metrics with 95 % intervals, its analyses, and its published numbers."""
    loaded = scores.load(path)
    for line in loaded.unusable:
        remark(line)
    found = scores.score(episode for _, episode in loaded.episodes)
    if json:
        print_json([_plain(world) for world in found])
        return
    for world in found:
        _print_tables(world)
        if world.costs:
            out.print(costs_table(world))
            out.print()
        for section in world.sections:
            out.print(section_table(section))
            remark(f"{section.text}\n")


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(help="A folder of records.")],
    page: Annotated[
        Path | None, typer.Option("--out", help="The page; by default report.html in the folder.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """The table, and one self-contained HTML page beside the records."""
    loaded = scores.load(folder)
    found = scores.score(episode for _, episode in loaded.episodes)
    default = folder / "report.html" if folder.is_dir() else folder.with_suffix(".html")
    written = write_report(loaded, found, page or default, folder)
    for line in loaded.unusable:
        remark(line)
    if json:
        print_json({"report": str(written), "scores": [_plain(world) for world in found]})
        return
    for world in found:
        _print_tables(world)
    out.print(f"report: {written}", markup=False, highlight=False, soft_wrap=True)


def _print_tables(world: WorldScores) -> None:
    for table in score_tables(world, out.width):
        out.print(table)
        out.print()
    remark("95 % intervals over scenarios in brackets")
    if world.published:
        remark("of the article's rows the best one and its oracle; all are in the report")


def _plain(world: WorldScores) -> dict[str, object]:
    """The scores without the functions that computed them."""
    metrics = [{k: v for k, v in structs.asdict(m).items() if k != "over"} for m in world.metrics]
    return {**structs.asdict(world), "metrics": metrics}
