"""``solve`` and ``check-plan``: the best plan, by exact oracles, and what is wrong with another one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec import Struct
from msgspec.structs import replace

from backburner.cli import completion
from backburner.cli.agents import ClusterOption, cluster_at
from backburner.cli.console import out, print_json, progress_bar, remark, say
from backburner.cli.grammar import Key, Keys, about, keys_declared, keys_of, named, read, values
from backburner.cli.options import JsonOption, RulesOption, ScenariosArgument
from backburner.evaluation.comparing.headline import SEEDS, make_references
from backburner.evaluation.comparing.headline import write_references as write_references_file
from backburner.evaluation.records import episode_of
from backburner.evaluation.running.searches import Search, solve_all
from backburner.evaluation.running.searches import write_optima as write_optima_file
from backburner.evaluation.tables.terminal import plain_table
from backburner.kernel import packs, registry
from backburner.kernel.assessment import Criticism, Critics
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BadFile, Refused, one_line
from backburner.kernel.files import check_destination, read_json, read_text
from backburner.kernel.headline import metrics_of
from backburner.kernel.oracle import Kept, Request, Solution
from backburner.kernel.replay import world_of
from backburner.kernel.schedule import problem_of
from backburner.kernel.values import Refusal
from backburner.scheduling.preemption import timetable


class Drawn(Struct, frozen=True):
    """How references are made; each field is a key behind the name of their file."""

    seeds: Annotated[int, Key(f"Of random play for each scenario; else {SEEDS}.", least=1)] = SEEDS


EFFORT = Key(
    "Work for each scenario in place of --time-limit, the same on every machine: 1 is about a second.",
    float,
    least=0,
)


def _oracle_keys() -> Keys:
    """The effort, and the choices that the oracles of all worlds declare; each says whose it is."""
    found: dict[str, Key] = {"effort": EFFORT}
    whose: dict[str, dict[str, list[str]]] = {}
    for pack in packs.installed().packs.values():
        for name, key in keys_declared(pack.oracle_arguments).items():
            whose.setdefault(name, {}).setdefault(key.help, []).append(pack.name)
            told = " ".join(f"{', '.join(worlds)}: {help}." for help, worlds in whose[name].items())
            found[name] = replace(key, help=told, values=())
    return found


ORACLE = _oracle_keys()


def solve(
    scenarios: ScenariosArgument,
    *,
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
    write_references: Annotated[
        str,
        typer.Option(
            "--write-references",
            metavar="FILE[@KEY=VALUE]",
            help=about(keys_of(Drawn), "Of one world: write what random play and the best come to."),
        ),
    ] = "",
    oracle: Annotated[
        str,
        typer.Option(
            "--oracle", metavar="KEY=VALUE,...", help=about(ORACLE, "How oracles of worlds search.")
        ),
    ] = "",
    cluster: ClusterOption = "",
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, help="With --cluster: scenarios solved at once."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """The best plan of each scenario, with proof.

    The shortest plan is the best, or in a world that counts something the plan that counts most.

    Every plan is replayed by the world. With --keep, nothing that is proven is solved again, and other
    searches go on from what they have found. Nor is a scenario that was built and has its answer beside it.
    """
    if write_references:
        _write_references(scenarios, write_references)
        return
    options = values(ORACLE, oracle, "--oracle")
    ids = list(dict.fromkeys(id for name in scenarios for id in registry.expand(name)))
    kept = Kept(keep) if keep is not None else None
    request = Request(time_limit_seconds=time_limit, effort=options.pop("effort", None), options=options)
    if cluster and write_optima is not None:
        raise Refused(
            "--write-optima searches on this machine; solve with --cluster and --keep FILE first, and then"
            " write the optima with --keep FILE: what is proven is not solved again"
        )
    if workers is not None and not cluster:
        raise Refused("--workers is for --cluster: here one scenario is solved after the other")
    if write_optima is not None:
        check_destination(write_optima)
        with progress_bar() as bar:
            task = bar.add_task("solving", total=len(ids))
            write_optima_file(
                write_optima, scenarios, request, rules=rules, kept=kept, progress=lambda _: bar.advance(task)
            )
        remark(f"wrote {write_optima}")
        if json:
            print_json({"written": write_optima})
        return
    searches = [Search(id, rules, limits or _usual_limits(id), request) for id in ids]
    with cluster_at(cluster, workers, remark) as solver, progress_bar() as bar:
        task = bar.add_task("solving", total=len(ids))
        solutions = solve_all(searches, kept, solver, lambda: bar.advance(task))
    if json:
        print_json(solutions)
    else:
        _tell(solutions, rules, limits, ids[0])


def _write_references(worlds: list[str], written: str) -> None:
    """Play randomly, find the best values, and write the references of a world's headline."""
    if len(worlds) != 1:
        raise Refused("--write-references: name one world")
    path, tail = named(written)
    file, seeds = Path(path), read(Drawn, tail, "--write-references").seeds
    check_destination(file)
    ids = [id for suite in metrics_of(worlds[0]) for id in registry.expand(f"{worlds[0]}/{suite}")]
    with progress_bar() as bar:
        task = bar.add_task("random play", total=len(ids))
        made = make_references(worlds[0], seeds, lambda: bar.advance(task))
    write_references_file(file, made)
    remark(f"{len(made.references)} references, {len(made.left_out)} scenarios left out: {file}")


def _tell(solutions: list[Solution], rules: str, limits: str | None, first: str) -> None:
    """A table; of a single scenario (``first``) the plan as well."""
    columns = ("scenario", "status", "objective", "bound", "unit", "seconds")
    rows = ((s.scenario, s.status, s.objective, s.bound, s.unit, f"{s.seconds:.3f}") for s in solutions)
    out.print(plain_table(columns, rows, out.width))
    if len(solutions) == 1 and solutions[0].starts is not None:
        _print_plan(_world(first, rules, limits), solutions[0].starts)
    elif len(solutions) == 1:
        for number, words in enumerate(solutions[0].plan, 1):
            _line(f"{number:>3}  {words}")
    for s in solutions:
        if s.note:
            remark(f"{s.scenario}: {s.note}")
    for space in dict.fromkeys(s.space for s in solutions):
        remark(f"decision space: {space}")


def _world(id: str, rules: str, limits: str | None) -> World[Any, Any, Any]:
    return registry.world(id, rules=rules, limits=limits or _usual_limits(id))


def _usual_limits(id: str) -> str:
    """The limits under which a scenario is solved: none where they come from its optimum."""
    name = registry.split(id)[0] if not id.endswith(".json") else registry.read_scenario_file(Path(id))[0]
    return registry.catalogue(name).solve_limits


def _print_plan(world: World[Any, Any, Any], starts: Mapping[str, int]) -> None:
    """From when to when each thing is done, one a line, and the makespan."""
    blocks = timetable(problem_of(world), starts)
    last = max((block.end for block in blocks), default=0)
    critics = registry.assessment(world).critics
    written: Callable[[int], str] = critics.moment if critics is not None else str
    width = len(written(last))
    for block in blocks:
        name = block.name if block.whole else f"{block.name} (in pieces)"
        _line(f"{written(block.start):>{width}} to {written(block.end):>{width}}  {name}")
    _line(f"finished at {written(last)}")


def _line(text: str) -> None:
    say(one_line(f"  {text}"))


# --- plans of others ---------------------------------------------------------------------------------------


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
    world = _world_of(file, plan, scenario or named)
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
        _print_criticism(world, critics, criticism)
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


def _world_of(file: Path, plan: str | list[Any] | Episode, scenario: str | None) -> World[Any, Any, Any]:
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


def _print_criticism(world: World[Any, Any, Any], critics: Critics, criticism: Criticism) -> None:
    if criticism.violations:
        _printed(f"{world.id}: not feasible, violations: {len(criticism.violations)}")
    else:
        _printed(f"{world.id}: feasible, finished at {critics.moment(criticism.finish)}")
    for family, members in groupby(criticism.violations, lambda violation: violation.family):
        out.print(family, style="bold", markup=False, highlight=False)
        for violation in members:
            _printed(f"  {critics.complaint(violation)}")
    for start, end in criticism.idle:
        _printed(f"  idle from {critics.moment(start)} to {critics.moment(end)}")


def _printed(text: str) -> None:
    say(one_line(text))


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
