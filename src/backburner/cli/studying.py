"""``study``: experiments with people."""

from __future__ import annotations

import typer

from backburner.cli.study_analysis import analyse, power

study = typer.Typer(
    no_args_is_help=True,
    help="Experiments with people: what their data say, and how many people one needs.",
    rich_markup_mode="rich",
    add_completion=False,
    pretty_exceptions_enable=False,
)
study.command("analyse")(analyse)
study.command("power")(power)
