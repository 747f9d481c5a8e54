"""``build``: new scenarios out of recipes."""

from __future__ import annotations

from math import comb
from pathlib import Path
from typing import Annotated

import typer

from backburner.cli.common import JsonOption, app, out, print_json, progress_bar, remark
from backburner.evaluation.tables import plain_table
from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.oracles import recipe2plan_build
from backburner.oracles.recipe2plan_build import FOLDERS, WAYS, Index, Judged, Rule
from backburner.worlds.recipe2plan.recipe_pool import read_pool
from backburner.worlds.recipe2plan.scenarios import shipped_recipes


@app.command()
def build(
    world: Annotated[str, typer.Argument(help="The world: recipe2plan.")],
    out_dir: Annotated[Path, typer.Option("--out", help="Folder for the scenarios, empty or new.")],
    source: Annotated[
        Path | None, typer.Option("--from", help="Folder with recipes; by default the published 24.")
    ] = None,
    size: Annotated[int, typer.Option("--size", min=1, help="Recipes in a scenario.")] = 2,
    by: Annotated[
        str, typer.Option("--by", help=f"Plans to measure efficiency on: {' or '.join(WAYS)}.")
    ] = "optimal",
    min_efficiency: Annotated[
        float, typer.Option("--min-efficiency", help="Efficiency without time constraints, to be exceeded.")
    ] = 0.8,
    min_drop: Annotated[
        float, typer.Option("--min-drop", help="How much of it the constraints cost, to be exceeded.")
    ] = 0.0,
    most: Annotated[
        int | None, typer.Option("--max", min=1, help="Stop when so many scenarios are kept.")
    ] = None,
    time_limit: Annotated[
        float, typer.Option("--time-limit", min=0.001, help="Seconds for each plan.")
    ] = 60.0,
    json: JsonOption = False,
) -> None:
    """Choose new sets of recipes by the article's rule, and write a scenario file for each.

    Two folders appear in --out, to be named like suites: constrained and unconstrained.
    """
    if registry.catalogue(world).name != "recipe2plan":
        raise Refused(f"{world}: scenarios are built for recipe2plan only")
    rule = Rule(size, by, min_efficiency, min_drop, time_limit)
    pool = list(shipped_recipes().values()) if source is None else read_pool(source)
    with progress_bar() as bar:
        task = bar.add_task("sets", total=comb(len(pool), size))

        def advance(judged: Judged) -> None:
            bar.advance(task)

        try:
            index = recipe2plan_build.build(pool, out_dir, rule, most=most, progress=advance)
        except KeyboardInterrupt:
            remark(f"stopped; what was found until then is in {out_dir}")
            raise
    if json:
        print_json(index)
    else:
        _tell(index, out_dir)


def _tell(index: Index, out_dir: Path) -> None:
    kept = [judged for judged in index.judged if judged.verdict == "kept"]
    if kept:
        columns = ("recipes", "minutes", "with constraints", "efficiency %", "with constraints")
        out.print(plain_table(columns, map(_row, kept)))
    for judged in index.judged:
        if judged.verdict in ("not proven", "no plan"):
            setting = "without" if judged.seconds is None else "with"
            remark(f"left out: {judged.name}: {judged.verdict} {setting} constraints")
    counts = "".join(f", {number} {verdict}" for verdict, number in index.counts.items())
    _line(f"{len(index.judged)} of {index.sets} sets looked at{counts}")
    if kept:
        _line(f"scenario files: {' and '.join(str(out_dir / name) for name in FOLDERS)}")


def _row(judged: Judged) -> tuple[object, ...]:
    minutes = (_times(judged.seconds, 1 / 60), _times(judged.seconds_with_lags, 1 / 60))
    return (judged.name, *minutes, _times(judged.efficiency, 100), _times(judged.efficiency_with_lags, 100))


def _times(figure: float | None, factor: float) -> float | None:
    return None if figure is None else factor * figure


def _line(text: str) -> None:
    out.print(text, markup=False, highlight=False, soft_wrap=True)
