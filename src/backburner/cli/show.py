"""``worlds``, ``list`` and ``show``: what there is, and what a scenario looks like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from backburner.cli import completion
from backburner.cli.console import images_of, out, picture_width, print_json, remark, say, write_picture
from backburner.cli.options import (
    JsonOption,
    LimitsOption,
    PromptsOption,
    RenderingOption,
    RulesOption,
    SvgOption,
)
from backburner.evaluation.tables.terminal import table_of
from backburner.kernel import packs, registry
from backburner.kernel.contract import World
from backburner.kernel.errors import BackburnerError, Refused
from backburner.kernel.generating import generator_of
from backburner.kernel.schedule import Problem, Schedulable
from backburner.kernel.text import Text

# --- worlds and list ---------------------------------------------------------------------------------------


def worlds(json: JsonOption = False) -> None:
    """The worlds that are installed, and those that cannot be used."""
    installed = packs.installed()
    if json:
        usable = [
            {"world": pack.name, "title": pack.title, "version": pack.version, "agents": pack.about_agents}
            for pack in installed.packs.values()
        ]
        print_json([*usable, *({"world": name, "broken": why} for name, why in installed.broken.items())])
        return
    broken = dict(installed.broken)
    rows = []
    for pack in installed.packs.values():
        try:
            suites = _suites(pack.name)
        except Refused as error:
            broken[pack.name] = str(error)
            continue
        rules = registry.catalogue(pack.name).rules
        own = ", ".join(pack.about_agents)
        rows.append((pack.name, pack.title, str(len(suites)), ", ".join(rules), own))
    out.print(table_of(("world", "published as", "suites", "rules", "agents"), rows, out.width))
    for name, why in broken.items():
        say(f"{name} cannot be used: {why}")


def list_(
    suite: Annotated[
        str | None,
        typer.Argument(
            help="A suite, such as timearena/pairs, or a folder of scenario files.",
            autocompletion=completion.scenarios,
        ),
    ] = None,
    environments: Annotated[
        bool | None,
        typer.Option(
            "--environments/--dials",
            help="What learners make by name, and what it gives them; or what dials there are, and what "
            "published scenarios ask.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """The suites, or the scenarios of one suite; with ``--environments`` the worlds as learners know them.

    Where nobody reads along, scenarios are a line each, their ids alone.
    """
    if environments:
        _list_environments(suite, json)
        return
    if environments is False:
        _list_dials(suite, json)
        return
    if suite is not None and ("/" in suite or registry.is_folder(suite)):
        ids = registry.expand(suite)
        if json:
            print_json(ids)
        elif out.is_terminal:
            out.print(table_of(("scenario", "name"), [(id, registry.title(id)) for id in ids], out.width))
        else:
            say(*ids)
        return
    suites: dict[str, int] = {}
    for name in [packs.pack(suite).name] if suite else packs.names():
        try:
            suites |= {f"{name}/{path}": len(ids) for path, ids in _suites(name).items()}
        except Refused as error:
            if suite:
                raise
            remark(f"warning: {error}")
    if json:
        print_json(suites)
        return
    out.print(table_of(("suite", "scenarios"), [(path, str(n)) for path, n in suites.items()], out.width))


def _list_environments(world: str | None, json: bool) -> None:
    """Whether there are observations in numbers and batches, for some scenarios at least, the pack tells."""
    there = [packs.pack(world)] if world is not None else packs.installed().packs.values()
    rows: list[dict[str, Any]] = [
        {
            "environment": pack.environment,
            "observations": ["features", "text"] if pack.encoding else ["text"],
            "batches": bool(pack.batch),
        }
        for pack in there
    ]
    if json:
        print_json(rows)
        return
    cells = (
        (row["environment"], ", ".join(row["observations"]), "yes" if row["batches"] else "no")
        for row in rows
    )
    out.print(table_of(("environment", "observations", "thousands at once"), cells, out.width))


def _list_dials(world: str | None, json: bool) -> None:
    """The dials of a world, and what its published suites ask; of all worlds the suites."""
    from backburner.cli.dials import suites_table
    from backburner.generation.survey import published

    names = [packs.pack(world).name] if world else [n for n in packs.names() if packs.pack(n).generator]
    if json:
        found = {name: {"dials": generator_of(name).dials, "published": published(name)} for name in names}
        print_json(found)
        return
    for name in names:
        generator = generator_of(name)
        if world:
            rows = [(dial, about) for dial, about in generator.dials.items()]
            out.print(table_of((f"{name}: dial", "what it counts"), rows, out.width))
        asks = published(name)
        if asks is not None:
            out.print(suites_table(name, asks, out.width))


def _suites(name: str) -> Mapping[str, Sequence[str]]:
    """The suites of a world; whatever another package does wrong with them is ``Refused``, in a line."""
    try:
        return registry.catalogue(name).suites()
    except BackburnerError:
        raise
    except Exception as error:
        raise Refused(f"world {name!r}: listing its suites raises {type(error).__name__}: {error}") from error


# --- show --------------------------------------------------------------------------------------------------


def show(
    scenario: Annotated[
        str,
        typer.Argument(
            help="A scenario, a scenario file, or a suite with --stats.", autocompletion=completion.scenarios
        ),
    ],
    rules: RulesOption = "standard",
    limits: LimitsOption = "article",
    stats: Annotated[
        bool | None,
        typer.Option(
            "--stats/--dials",
            help="The article's data set table beside ours; or what the scenarios ask, see measure.",
        ),
    ] = None,
    prompt: Annotated[
        str | None, typer.Option("--prompt", help="The first prompt of a model method.")
    ] = None,
    prompts: PromptsOption = None,
    svg: SvgOption = None,
    rendering: RenderingOption = None,
    graph: Annotated[
        bool | None,
        typer.Option("--graph/--scene", help="What is drawn where there are both; by default the graph."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """A scenario: its briefing, its dependency graphs or opening scene (``--svg``), a suite's statistics."""
    if stats:
        _show_statistics(scenario, json)
        return
    if stats is False:
        from backburner.cli.dials import tell_dials

        tell_dials(registry.expand(scenario), json=json)
        return
    ids = registry.expand(scenario)
    if len(ids) > 1:
        raise Refused(f"{scenario} is a suite of {len(ids)} scenarios; name one, or ask for --stats")
    world, unlimited = registry.world_to_look_at(ids[0], rules=rules, limits=limits)
    if unlimited and not json:
        remark(f"{unlimited}; it is shown without one")
    if prompt is not None:
        _show_prompt(world, prompt, prompts, json)
        return
    from backburner.drawing.graph import graph_text
    from backburner.drawing.scene import scene_text
    from backburner.kernel.view import View

    scene = isinstance(world, View) and (graph is False or rendering is not None)
    problems = world.problems() if isinstance(world, Schedulable) and not scene else {}
    if graph and not problems:
        raise Refused(f"{world.id} has no dependency graph" + (" beside --rendering" if scene else ""))
    if graph is False and not scene:
        raise Refused(f"{world.id} has no scene")
    if rendering is not None and (svg is None or problems):
        images_of(rendering)
        why = f"{world.id} is drawn as a graph" if problems else "name a file for the picture with --svg"
        raise Refused(f"--rendering {rendering} is for pictures of scenes; {why}")
    if svg is not None:
        write_picture(svg, _picture(world, problems, rendering), Path(scenario))
    if json:
        about = {"id": world.id, "scenario": world.scenario, "briefings": _briefings(world)}
        print_json({**about, "problems": problems})
        return
    for seat, text in _briefings(world).items():
        _print_panel(text, escape(f"{world.id}: what {seat} is told"))
    for name, problem in problems.items():
        if name != world.id:
            out.print(name, style="bold", markup=False, highlight=False)
        out.print(graph_text(problem))
    if world.id not in problems and isinstance(world, View) and not graph:
        out.print(scene_text(world.scene(world.start()), width=picture_width()))


def _print_panel(text: str, title: str) -> None:
    from rich.panel import Panel

    out.print(Panel(text, title=title, title_align="left"), markup=False)


def _picture(world: World[Any, Any, Any], problems: Mapping[str, Problem], rendering: Path | None) -> str:
    """The dependency graph or graphs, or the first scene of a world that states none."""
    from backburner.drawing.graph import graph_svg, graphs_svg
    from backburner.drawing.scene import scene_svg
    from backburner.kernel.view import View

    if world.id in problems:
        return graph_svg(problems[world.id], world.id)
    if problems:
        return graphs_svg(problems, world.id)
    if isinstance(world, View):
        return scene_svg(world.scene(world.start()), title=world.id, images=images_of(rendering))
    raise Refused(f"{world.id} has no dependency graph and no scene")


def _briefings(world: World[Any, Any, Any]) -> dict[str, str]:
    return {seat: world.briefing(seat) for seat in world.seats} if isinstance(world, Text) else {}


def _show_prompt(world: World[Any, Any, Any], method: str, folder: Path | None, json: bool) -> None:
    if not isinstance(world, Text):
        raise Refused(f"{world.id} has no words")
    from backburner.agents.models.policy import first_prompt

    messages = first_prompt(method, world, prompts=folder)
    if json:
        print_json(messages)
        return
    for message in messages:
        _print_panel(message.told, message.role)


def _show_statistics(suite: str, json: bool) -> None:
    if suite.endswith(".json") or registry.is_folder(suite):
        raise Refused(f"--stats compares scenarios and suites that the article knows; {suite} is none")
    ids = registry.expand(suite)
    columns, rows = registry.scoring(registry.split(suite)[0]).statistics(ids)
    if json:
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
        return
    from backburner.evaluation.tables.terminal import plain_table

    out.print(plain_table(columns, rows, out.width))
