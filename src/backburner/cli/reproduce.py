"""``reproduce``: a table or figure of an article, from what is played to what is printed beside it."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from backburner.agents.models.openai_client import Traffic
from backburner.agents.spec import AgentSpec
from backburner.cli import completion
from backburner.cli.agents import NO_MODEL, UNBOUNDED, AskedOfRun, RunBudget
from backburner.cli.console import RunProgress, out, print_json, remark, say
from backburner.cli.options import JsonOption
from backburner.cli.records import NOTHING_SEARCHED, PAGE, Searched, scored_in
from backburner.cli.tables import print_sections, print_tables, tell_run
from backburner.evaluation.report.page import write_report
from backburner.evaluation.reproducing import Expense, expenses, jobs_for, small
from backburner.evaluation.running.jobs import Job
from backburner.evaluation.running.runner import run as run_jobs
from backburner.evaluation.scoring import scores
from backburner.evaluation.scoring.usage import Prices, stand_ins
from backburner.evaluation.tables.figures import (
    all_figures,
    graphs_section,
    write_figures,
    write_graphs,
    write_timelines,
)
from backburner.evaluation.tables.terminal import plain_table, section_table
from backburner.kernel import packs, registry
from backburner.kernel.charts import Figure
from backburner.kernel.errors import amount
from backburner.kernel.experiments import Reproduction, reproduction, reproductions
from backburner.kernel.scoring import Section


def reproduce(
    name: Annotated[
        str,
        typer.Argument(
            help="Such as timearena/table-2; without, or with a world: what there is and what there is not.",
            autocompletion=completion.reproductions,
        ),
    ] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="What would be played, and about how many calls it takes.")
    ] = False,
    sample: Annotated[bool, typer.Option("--small", help="A few scenarios of each suite, one seed.")] = False,
    model: AskedOfRun = NO_MODEL,
    budget: RunBudget = UNBOUNDED,
    rules: Annotated[str, typer.Option("--rules", help="Other rules than the article's program has.")] = "",
    out_dir: Annotated[
        Path | None, typer.Option("--out", help="Folder for the records; reproduced/NAME by default.")
    ] = None,
    count: Searched = NOTHING_SEARCHED,
    json: JsonOption = False,
) -> None:
    """A table or figure of an article, made again, beside what is printed there.

    Plays what it takes. Run it again to resume, and with another --model to add a row; stand-in rehearses it.
    """
    if "/" not in name:
        _tell_all([name] if name else list(packs.installed().packs), json)
        return
    world, made = reproduction(name)
    if not made.plays:
        _tell_data(world, made, out_dir or Path("reproduced") / world / made.name, dry_run, json)
        return

    def specs(names: Sequence[str]) -> list[AgentSpec]:
        return [model.spec(each) for each in names]

    made = small(made) if sample else made
    jobs = jobs_for(made, specs, rules)
    paid = budget.paid
    if dry_run:
        _tell_plan(world, made, jobs, paid, rules, json)
        return
    folder = out_dir or Path("reproduced") / world / (f"{made.name}-small" if sample else made.name)
    traffic = Traffic(remark)
    bounds = budget.budget(traffic)
    make_client, player = model.engine_of(bounds, traffic)
    with RunProgress(len(jobs), traffic) as progress:
        summary = run_jobs(
            jobs, folder, at_once=model.manner.at_once, retry_failed=budget.retry_failed,
            most_failed=budget.most_failed, client_of=make_client,
            engine=player, budget=bounds, progress=progress.heard,
        )  # fmt: skip
    if not json:
        tell_run(summary)
    if summary.played + summary.kept:
        _tell_made(world, made, folder, paid, count.steps_to_go, json)
    if summary.failed or summary.broken or summary.stopped:
        raise typer.Exit(1)


def _tell_all(worlds: Sequence[str], json: bool) -> None:
    """What there is of these worlds' articles."""
    found = [(world, each) for world in worlds for each in reproductions(world)]
    if json:
        print_json([{"id": f"{world}/{each.name}", "reproduction": each} for world, each in found])
        return
    for world in dict.fromkeys(world for world, _ in found):
        mine = [each for other, each in found if other == world]
        made = [each for each in mine if not each.missing and not each.with_people]
        rows = tuple((f"{world}/{each.name}", each.shows) for each in made)
        table = Section(packs.pack(world).title, "", ("name", "what it shows"), rows)
        out.print(section_table(table, out.width))
        for each in mine:
            if each.missing:
                remark(f"not {world}/{each.name} ({each.shows}): {each.missing}")
            if each.with_people:
                remark(f"with people, {world}/{each.name} ({each.shows}): {each.with_people}")
    remark("make one with: backburner reproduce WORLD/WHAT --model NAME")


def _tell_plan(
    world: str, made: Reproduction, jobs: Sequence[Job], prices: Prices | None, rules: str, json: bool
) -> None:
    found = asyncio.run(expenses(jobs))
    if json:
        print_json(
            {"id": f"{world}/{made.name}", "plays": made.plays, "episodes": len(jobs), "expenses": found}
        )
        return
    out.print(f"{world}/{made.name}: {made.shows}", highlight=False, markup=False)
    for play in made.plays:
        agents = [part for agent in play.agents for part in ("--agent", agent)]
        options = ["--rules", rules or play.rules, "--seeds", str(play.seeds)]
        line = shlex.join(["backburner", "run", *play.scenarios, *agents, *options])
        say(f"  {line}")
    remark(f"{amount(len(jobs), 'episodes')}; calls and tokens by how a stand-in plays two scenarios")
    columns: tuple[str, ...] = ("agent", "episodes", "calls", "input tokens", "output tokens", "at most")
    rows: list[Sequence[Any]] = [_figures(each) for each in found]
    if prices is not None:
        columns = (*columns, f"{prices.currency} at most")
        by_label = {job.agent.label: job.agent for job in jobs}
        costs = [each.cost(by_label[each.agent], prices) for each in found]
        told = ("unknown" if cost is None else f"{cost:,.2f}" for cost in costs)
        rows = [(*row, cost) for row, cost in zip(rows, told, strict=True)]
    out.print(plain_table(columns, rows, out.width))
    _tell_differences(made)


def _figures(each: Expense) -> tuple[Any, ...]:
    most = "no cap" if each.most_output_tokens is None else each.most_output_tokens
    return each.agent, each.episodes, each.calls, each.input_tokens, each.output_tokens, most


def _tell_differences(made: Reproduction) -> None:
    if made.differs:
        remark(f"not as in the article: {made.differs}")
    if not made.printed:
        remark("the article prints no numbers of it")


def _tell_made(
    world: str, made: Reproduction, folder: Path, prices: Prices | None, to_go: float | None, json: bool
) -> None:
    """The table or figure itself, and the page with all that was played for it."""
    loaded = scores.load(folder)
    scored = [each for each in scored_in(folder, loaded, to_go) if each.world == world]
    loaded = scores.used(loaded, scored)
    page = write_report(loaded, scored, folder / PAGE, folder, prices=prices)
    sections = [each for of in scored for each in of.sections if each.title in made.sections]
    figures = [
        (world, figure)
        for of in scored
        for figure in all_figures(of.figures, of.measured)
        if figure.key in made.figures
    ]
    drawn = write_figures(figures, folder / "figures") if figures else []
    if made.timelines:
        drawn += write_timelines((episode for _, episode in loaded.episodes), folder / "figures")
    if json:
        told = {"id": f"{world}/{made.name}", "report": page, "sections": sections, "figures": drawn}
        rows = [{"rows": of.rows, "published": of.published} for of in scored if made.scores]
        print_json({**told, "scores": rows})
        return
    for of in scored:
        if made.scores:
            print_tables(of)
    print_sections(sections)
    if not (made.scores or sections or drawn):
        remark("nothing to be shown yet: it takes more episodes, or other outcomes, than these")
    for path in drawn:
        say(f"figure: {path}")
    remark(*loaded.unusable, *stand_ins(episode for _, episode in loaded.episodes))
    _tell_differences(made)
    say(f"report: {page}")


# --- tables and figures of the data sets, for which nothing is played --------------------------------------


def _tell_data(world: str, made: Reproduction, folder: Path, dry_run: bool, json: bool) -> None:
    """The tables are printed, the pictures written into the folder; with ``dry_run`` nothing is."""
    if dry_run:
        remark(f"{world}/{made.name}: {made.shows}; nothing is played, no model is asked")
        return
    columns, rows = _statistics(made)
    sections, figures = _of_data(world, made)
    drawn = write_figures(((world, figure) for figure in figures), folder / "figures") if figures else []
    if made.graphs:
        sections = [*sections, graphs_section(made.graphs)]
        drawn += write_graphs(made.graphs, folder / "graphs")
    if json:
        table = [dict(zip(columns, row, strict=True)) for row in rows]
        print_json(
            {"id": f"{world}/{made.name}", "statistics": table, "sections": sections, "figures": drawn}
        )
        return
    if rows:
        out.print(plain_table(columns, rows, out.width, f"{world}: {made.shows}"))
    for section in sections:
        out.print(section_table(section, out.width))
    for path in drawn:
        say(f"figure: {path}")
    if made.differs:
        remark(f"not as in the article: {made.differs}")


def _statistics(made: Reproduction) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    if not made.statistics:
        return (), ()
    return registry.scoring(registry.split(made.statistics)[0]).statistics(registry.expand(made.statistics))


def _of_data(world: str, made: Reproduction) -> tuple[Sequence[Section], Sequence[Figure]]:
    if not made.data:
        return (), ()
    found: tuple[Sequence[Section], Sequence[Figure]] = packs.part(world, made.data)()
    return found
