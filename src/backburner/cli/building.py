"""``build``: new scenarios, out of recipes or by a generator of kitchens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import comb
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from backburner.cli.common import (
    JsonOption,
    RulesOption,
    app,
    out,
    print_json,
    progress_bar,
    remark,
)
from backburner.evaluation.tables import plain_table
from backburner.kernel import registry
from backburner.kernel.errors import Refused
from backburner.worlds.recipe2plan.game.recipe_pool import read_pool
from backburner.worlds.recipe2plan.game.scenarios import shipped_recipes
from backburner.worlds.recipe2plan.oracle import build as recipe2plan_build
from backburner.worlds.recipe2plan.oracle.build import FOLDERS, WAYS
from backburner.worlds.robotouille.game.scenarios import PLAYS
from backburner.worlds.robotouille.oracle import build as robotouille_build
from backburner.worlds.robotouille.oracle.build import ATTEMPTS, lengths
from backburner.worlds.robotouille.oracle.templates import Rule, play_named, read_template, steps_range


class _Worlds(TyperGroup):
    """The worlds that scenarios are built for; another name is answered as everywhere."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.commands:
            known = registry.pack(cmd_name).name
            raise Refused(f"{known}: scenarios are built for {' and '.join(self.commands)} only")
        return super().get_command(ctx, cmd_name)


build = typer.Typer(cls=_Worlds, no_args_is_help=True)
app.add_typer(build, name="build", help="New scenarios, as files that every other command takes.")

OutOption = Annotated[
    Path, typer.Option("--out", help="Folder for the scenarios: new, empty, or of the same build, to go on.")
]


@build.command()
def recipe2plan(
    out_dir: OutOption,
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
    rule = recipe2plan_build.Rule(size, by, min_efficiency, min_drop, time_limit)
    pool = list(shipped_recipes().values()) if source is None else read_pool(source)
    with _counted("sets", comb(len(pool), size), out_dir) as count:
        index = recipe2plan_build.build(pool, out_dir, rule, most=most, progress=count)
    if json:
        print_json(index)
    else:
        _tell_sets(index, out_dir)


@build.command()
def robotouille(
    out_dir: OutOption,
    task: Annotated[
        str, typer.Option("--task", help="A task such as synchronous/3, or a file with a problem of yours.")
    ],
    domain: Annotated[
        Path | None, typer.Option("--domain", help="A file with your problem's domain; by default ours.")
    ] = None,
    steps: Annotated[
        str, typer.Option("--steps", help="Steps of the shortest plan, proven: 15:25, 15: or :25.")
    ] = "0:",
    kitchens: Annotated[int, typer.Option("--kitchens", min=1, help="How many to find.")] = 10,
    attempts: Annotated[
        int | None,
        typer.Option("--attempts", min=1, help=f"How many to draw; by default {ATTEMPTS} for each to find."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The first kitchen's; each has the next.")] = 0,
    width: Annotated[int | None, typer.Option("--width", help="Cells; by default the task's.")] = None,
    height: Annotated[int | None, typer.Option("--height", help="Cells; by default the task's.")] = None,
    robots: Annotated[int | None, typer.Option("--robots", help="How many; by default the task's.")] = None,
    noise: Annotated[
        int | None,
        typer.Option("--noise", help="Stations that nobody needs, items at most; by default it is drawn."),
    ] = None,
    spread: Annotated[bool, typer.Option("--spread", help="Take stacks apart.")] = False,
    play: Annotated[str, typer.Option("--play", help=f"{', '.join(PLAYS)}.")] = "turns",
    rules: RulesOption = "standard",
    time_limit: Annotated[
        float, typer.Option("--time-limit", min=0.001, help="Seconds to prove each kitchen's shortest plan.")
    ] = 60.0,
    json: JsonOption = False,
) -> None:
    """Draw new kitchens for a task, and keep those whose shortest plan is proven to be so long.

    Each file tells its shortest plan, for limits and scores. Exit code 1: fewer were found than asked for.
    """
    least, most = steps_range(steps)
    rule = Rule(
        width, height, robots, noise, spread, play_named(play), rules,
        least_steps=least, most_steps=most, seed=seed, time_limit_seconds=time_limit,
    )  # fmt: skip
    template = read_template(task, domain)
    with _counted("kitchens", attempts or ATTEMPTS * kitchens, out_dir) as count:
        index = robotouille_build.build(
            template, out_dir, rule, kitchens=kitchens, attempts=attempts, progress=count
        )
    if json:
        print_json(index)
    else:
        _tell_kitchens(index, out_dir)
    if len(index.kept) < kitchens:
        found = f"{len(index.kept)} of {kitchens} kitchens found in {index.attempts} attempts"
        remark(f"{found}; the same command with more --attempts goes on")
        raise typer.Exit(1)


@contextmanager
def _counted(things: str, total: int, out_dir: Path) -> Iterator[Callable[[Any], None]]:
    """A bar that what is called with each thing moves; if it is stopped, a remark on what is there."""
    with progress_bar() as bar:
        task = bar.add_task(things, total=total)
        try:
            yield lambda judged: bar.advance(task)
        except KeyboardInterrupt:
            remark(f"stopped; what was found until then is in {out_dir}; the same command goes on from there")
            raise


def _tell_sets(index: recipe2plan_build.Index, out_dir: Path) -> None:
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


def _row(judged: recipe2plan_build.Judged) -> tuple[object, ...]:
    minutes = (_times(judged.seconds, 1 / 60), _times(judged.seconds_with_lags, 1 / 60))
    return (judged.name, *minutes, _times(judged.efficiency, 100), _times(judged.efficiency_with_lags, 100))


def _times(figure: float | None, factor: float) -> float | None:
    return None if figure is None else factor * figure


def _tell_kitchens(index: robotouille_build.Index, out_dir: Path) -> None:
    if index.kept:
        rows = [(one.file, one.steps, "proven", one.seed) for one in index.kept]
        out.print(plain_table(("file", "steps", "status", "seed"), rows))
    _line(f"{len(index.judged)} kitchens drawn, {len(index.kept)} kept")
    for verdict, number in index.counts.items():
        if verdict != "kept":
            found = lengths(one for one in index.judged if one.verdict == verdict)
            _line(f"  {number} {verdict}{f': {found}' if found else ''}")
    if index.kept:
        _line(f"scenario files: {out_dir}")


def _line(text: str) -> None:
    out.print(text, markup=False, highlight=False, soft_wrap=True)
