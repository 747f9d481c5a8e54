"""``measure``: what scenarios ask of a player, published ones and one's own."""

from __future__ import annotations

from typing import Annotated

import typer

from backburner.cli import completion
from backburner.cli.console import advancing, progress_bar
from backburner.cli.dials import tell_dials
from backburner.cli.options import JsonOption
from backburner.generation.survey import survey_world
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
        suites = {name: survey_world(name, advancing(bar, "scenarios")) for name in worlds}
    if not tell_dials(ids, choice=choice, json=json, suites=suites) and not json:
        raise typer.Exit(1)
