"""``headline``: one score over all worlds, and what it is measured against."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from backburner.cli.common import JsonOption, KeyOption, out, print_json, remark
from backburner.cli.progress import progress_bar
from backburner.cli.records import opened
from backburner.cli.reporting import print_headlines
from backburner.evaluation.comparing.headline import (
    SEEDS,
    headlines,
    make_references,
    scale,
    write_references,
)
from backburner.evaluation.comparing.headline_tables import headline_sections
from backburner.evaluation.scoring import scores
from backburner.evaluation.scoring.usage import stand_ins
from backburner.evaluation.submissions.signing import believed_key
from backburner.evaluation.tables.sections import section_table
from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.kernel.files import check_destination
from backburner.kernel.headline import metrics_of


def headline(
    path: Annotated[str, typer.Argument(help="A folder of records, or, to make references, a world.")],
    over: Annotated[
        list[str] | None,
        typer.Option("--over", metavar="WORLD", help="Over these worlds alone; repeatable."),
    ] = None,
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
