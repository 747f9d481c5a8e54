"""``measure``: what scenarios ask of a player, published ones and one's own."""

from __future__ import annotations

from typing import Annotated

import typer

from backburner.cli import completion
from backburner.cli.console import advancing, out, print_json, progress_bar, remark
from backburner.cli.options import JsonOption
from backburner.cli.tables import dials_table, suites_table
from backburner.generation.survey import survey_world, surveyed
from backburner.kernel import packs, registry


def measure(
    scenarios: Annotated[
        list[str],
        typer.Argument(
            help="Scenarios, suites, files or folders of them; or a world: all of its published suites.",
            autocompletion=completion.scenarios,
        ),
    ],
    choice: Annotated[
        bool, typer.Option("--choice", help="Also at how many decisions another would have cost something.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """The dials of scenarios: what is proven of each, and what play without much thought comes to.

    Exit code 1: the best of some is not proven.
    """
    worlds = [name for name in scenarios if name in packs.names()]
    ids = [id for name in scenarios if name not in worlds for id in registry.expand(name)]
    with progress_bar() as bar:
        suites = [survey_world(name, advancing(bar, "scenarios")) for name in worlds]
        told = advancing(bar, "scenarios")
        rows = []
        for id in ids:
            rows.append(surveyed(id, choice=choice))
            told(len(ids))
    if json:
        print_json(suites[0] if worlds and not ids and len(suites) == 1 else [*suites, *rows])
        return
    for world, found in zip(worlds, suites, strict=True):
        out.print(suites_table(world, found, out.width))
    if rows:
        out.print(dials_table(rows, out.width))
    remark(*(f"{row.id}: {row.note}" for row in rows if row.note and len(rows) > 1))
    if any(row.best is None for row in rows):
        raise typer.Exit(1)
