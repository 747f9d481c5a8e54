"""``solve``: exact oracles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import track
from rich.table import Column, Table

from backburner.cli.common import (
    JsonOption,
    RulesOption,
    app,
    err,
    out,
    print_json,
    progress_bar,
    remark,
)
from backburner.drawing.words import one_line
from backburner.evaluation import optima
from backburner.evaluation.keeping import Kept, solve_kept
from backburner.evaluation.solving import foods_named
from backburner.kernel import registry
from backburner.kernel.contract import Schedulable, World
from backburner.kernel.critique import Criticisable
from backburner.kernel.errors import Refused
from backburner.kernel.judge import schedulable
from backburner.scheduling.preemption import timetable
from backburner.worlds.collab_overcooked.game import CollabOvercooked
from backburner.worlds.collab_overcooked.game.optima import Foods
from backburner.worlds.cuisineworld.game import CuisineWorld
from backburner.worlds.robotouille.game import Robotouille


@app.command()
def solve(
    scenarios: Annotated[list[str], typer.Argument(help="Scenarios, suites, scenario files or folders.")],
    rules: RulesOption = "standard",
    limits: Annotated[
        str | None, typer.Option("--limits", help="Limits of play: article or none; as the world needs them.")
    ] = None,
    time_limit: Annotated[
        float, typer.Option("--time-limit", min=0.001, help="Seconds for each scenario.")
    ] = 60.0,
    keep: Annotated[
        Path | None, typer.Option("--keep", help="A file of what was found so far, to go on from.")
    ] = None,
    write_optima: Annotated[
        Path | None, typer.Option("--write-optima", help="Write the optima data file.")
    ] = None,
    space: Annotated[
        str, typer.Option("--space", help="Collab-Overcooked: plans of calls (as usual) or of moves.")
    ] = "",
    foods: Annotated[
        str, typer.Option("--foods", help="... whose calls may fetch the recipes' own foods, or all.")
    ] = "",
    json: JsonOption = False,
) -> None:
    """The shortest completion time of each scenario (CuisineWorld: the most orders served), with proof.

    Every plan is replayed by the world.

    With --keep, what is proven is not solved again, and what is not is gone on with.
    """
    ids = list(dict.fromkeys(id for name in scenarios for id in registry.expand(name)))
    kept = Kept(keep) if keep is not None else None
    if write_optima is not None:
        if space:
            raise Refused("an optima file is about every space of its world; leave --space out")
        _write_optima(write_optima, scenarios, len(ids), rules, time_limit, kept, foods_named(foods))
        if json:
            print_json({"written": write_optima})
        return
    solutions = [
        solve_kept(_world(id, rules, limits), kept, time_limit_seconds=time_limit, space=space, foods=foods)
        for id in track(ids, "solving", console=err, transient=True)
    ]
    if json:
        print_json(solutions)
        return
    table = Table(Column("scenario", overflow="fold"), "status", "objective", "bound", "unit", "seconds")
    for s in solutions:
        objective = "–" if s.objective is None else str(s.objective)
        table.add_row(
            s.scenario,
            s.status,
            objective,
            "–" if s.bound is None else str(s.bound),
            s.unit,
            f"{s.seconds:.3f}",
        )
    out.print(table)
    if len(solutions) == 1 and solutions[0].starts is not None:
        _print_plan(_world(ids[0], rules, limits), solutions[0].starts)
    elif len(solutions) == 1:
        for number, words in enumerate(solutions[0].plan, 1):
            _line(f"{number:>3}  {words}")
    for s in solutions:
        if s.note:
            remark(f"{s.scenario}: {s.note}")
    for space in dict.fromkeys(s.space for s in solutions):
        remark(f"decision space: {space}")


def _write_optima(
    path: Path, names: list[str], count: int, rules: str, time_limit: float, kept: Kept | None, foods: Foods
) -> None:
    with progress_bar() as bar:
        task = bar.add_task("solving", total=count)
        optima.write_optima(
            path, names, rules=rules, time_limit_seconds=time_limit, kept=kept, foods=foods,
            progress=lambda _: bar.advance(task),
        )  # fmt: skip
    remark(f"wrote {path}")


def _world(id: str, rules: str, limits: str | None) -> World[Any, Any, Any]:
    """The world to be solved; where its limits come from its optimum, it is solved without."""
    name = registry.split(id)[0] if not id.endswith(".json") else registry.read_scenario_file(Path(id))[0]
    usual = registry.catalogue(name).solve_limits
    world = registry.world(id, rules=rules, limits=limits or usual)
    if not isinstance(world, Schedulable | Robotouille | CollabOvercooked | CuisineWorld):
        raise Refused(f"{world.id}: this world has no exact oracle yet")
    return world


def _print_plan(world: World[Any, Any, Any], starts: Mapping[str, int]) -> None:
    """From when to when each thing is done, one a line, and the makespan."""
    blocks = timetable(schedulable(world).problem(), starts)
    last = max((block.end for block in blocks), default=0)
    written: Callable[[int], str] = world.moment if isinstance(world, Criticisable) else str
    width = len(written(last))
    for block in blocks:
        name = block.name if block.whole else f"{block.name} (in pieces)"
        _line(f"{written(block.start):>{width}} to {written(block.end):>{width}}  {name}")
    _line(f"finished at {written(last)}")


def _line(text: str) -> None:
    out.print(one_line(f"  {text}"), markup=False, highlight=False, soft_wrap=True)
