"""``check-plan``: everything that is wrong with a whole plan, or what could be better about it."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec import Struct

from backburner.cli import completion
from backburner.cli.common import JsonOption, out, print_json
from backburner.evaluation.submissions.verification import episode_of
from backburner.kernel import registry
from backburner.kernel.assessment import Criticism, Critics
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BadFile, Refused, one_line
from backburner.kernel.files import read_json, read_text
from backburner.kernel.replay import world_of
from backburner.kernel.values import Refusal


class PlanFile(Struct, forbid_unknown_fields=True):
    """A plan as JSON: the world's own rows, and which scenario they are for."""

    plan: list[Any]
    scenario: str | None = None


def check_plan(
    file: Annotated[Path, typer.Argument(help="A text, a plan as .json, or an episode record (.jsonl).")],
    scenario: Annotated[
        str | None,
        typer.Option(
            "--scenario",
            help="What the plan is for; a text needs it.",
            autocompletion=completion.scenarios,
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Every constraint that a whole plan violates; of a feasible plan, its finish and when the cook is idle.

    Exit codes: 0 feasible, 1 violations, 2 the plan cannot be read.
    """
    plan, named = _read(file)
    world = _world(file, plan, scenario or named)
    critics = _critics(world)
    try:
        criticism = critics.criticise(plan)
    except msgspec.ValidationError as error:
        raise BadFile(file, "field 'plan'", str(error)) from error
    if isinstance(criticism, Refusal):
        raise BadFile(file, "", "there is no plan in it")
    if json:
        _print_json(world, critics, criticism)
    else:
        _print(world, critics, criticism)
    if criticism.violations:
        raise typer.Exit(1)


def _read(file: Path) -> tuple[str | list[Any] | Episode, str | None]:
    """(plan, scenario if the file names one), by the file's ending; raises ``BadFile``."""
    if file.suffix == ".jsonl":
        return episode_of(file), None
    if file.suffix != ".json":
        return read_text(file), None
    written: PlanFile = read_json(file, PlanFile, "a plan")
    return written.plan, written.scenario


def _world(file: Path, plan: str | list[Any] | Episode, scenario: str | None) -> World[Any, Any, Any]:
    if scenario is not None:
        return registry.world(scenario)
    if isinstance(plan, Episode):
        return world_of(plan)
    raise Refused(f"{file}: which scenario is the plan for? Name it with --scenario")


def _critics(world: World[Any, Any, Any]) -> Critics:
    critics = registry.assessment(world).critics
    if critics is None:
        raise Refused(f"{world.id}: this world has no critics of plans")
    return critics


def _print(world: World[Any, Any, Any], critics: Critics, criticism: Criticism) -> None:
    if criticism.violations:
        _line(f"{world.id}: not feasible, violations: {len(criticism.violations)}")
    else:
        _line(f"{world.id}: feasible, finished at {critics.moment(criticism.finish)}")
    for family, members in groupby(criticism.violations, lambda violation: violation.family):
        out.print(family, style="bold", markup=False, highlight=False)
        for violation in members:
            _line(f"  {critics.complaint(violation)}")
    for start, end in criticism.idle:
        _line(f"  idle from {critics.moment(start)} to {critics.moment(end)}")


def _line(text: str) -> None:
    out.print(one_line(text), markup=False, highlight=False, soft_wrap=True)


def _print_json(world: World[Any, Any, Any], critics: Critics, criticism: Criticism) -> None:
    violations = [
        {**msgspec.to_builtins(violation), "words": critics.complaint(violation)}
        for violation in criticism.violations
    ]
    print_json(
        {
            "scenario": world.id,
            "feasible": not violations,
            "finish": criticism.finish,
            "time_unit": world.time_unit,
            "violations": violations,
            "idle": criticism.idle,
        }
    )
