"""``evaluate``: one score over all worlds in one command, from what it may cost to what is handed in."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Iterable, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from backburner.agents.models.client import Message, Settings
from backburner.agents.models.openai_client import Traffic
from backburner.agents.models.stand_in import is_rehearsal
from backburner.agents.spec import Endpoint
from backburner.cli import completion
from backburner.cli.agents import (
    NO_MODEL,
    UNBOUNDED,
    AskedOfRun,
    RunBudget,
    let_own_agents_be_found,
)
from backburner.cli.clocks import NO_TIME, Clocking
from backburner.cli.console import EvaluationProgress, out, print_json, remark, say
from backburner.cli.options import JsonOption
from backburner.cli.records import PAGE, OverOption, scored_in
from backburner.cli.tables import tell_run
from backburner.evaluation.comparing.headline import Headline, Scale
from backburner.evaluation.comparing.headline_tables import name_of
from backburner.evaluation.evaluating import (
    SIZES,
    Points,
    SoFar,
    expense_of,
    is_left,
    jobs_for,
    missing,
    of_agents,
    scale_of,
    sentence,
)
from backburner.evaluation.report.page import write_report
from backburner.evaluation.reproducing import Expense
from backburner.evaluation.running.chains_of_jobs import Done
from backburner.evaluation.running.jobs import Job
from backburner.evaluation.running.runner import run as run_jobs
from backburner.evaluation.scoring import scores
from backburner.evaluation.scoring.usage import Prices, stand_ins, stood_in
from backburner.evaluation.submissions.submission import STAND_INS
from backburner.evaluation.tables.terminal import plain_table
from backburner.evaluation.tables.words import interval_text
from backburner.kernel.errors import PolicyFailure, Refused, amount
from backburner.kernel.scoring import Estimate

METHOD = "act"
"""How a model is asked where no agent is named."""


def evaluate(
    agent: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Any agent of run, such as greedy; repeatable. With --model by default: {METHOD}.",
            autocompletion=completion.agents,
        ),
    ] = None,
    model: AskedOfRun = NO_MODEL,
    size: Annotated[
        str,
        typer.Option("--size", help=f"{', '.join(SIZES)}: each goes on from the one before it."),
    ] = "small",
    over: OverOption = None,
    clock: Clocking = NO_TIME,
    budget: RunBudget = UNBOUNDED,
    out_dir: Annotated[Path, typer.Option("--out", help="Folder for the records.")] = Path("evaluation"),
    json: JsonOption = False,
) -> None:
    """One score over all worlds, of a model or an agent: small in minutes, or in full.

    It tells what it may cost, how it goes, what it came to, and how it is handed in.

    Over the suites of the newest edition, or of what --over names. Run it again to resume, or with a larger
    size to go on. With --budget calls=0 it only says what it may cost.
    """
    let_own_agents_be_found()
    if not agent and model == NO_MODEL:
        raise Refused(
            "whom? --model NAME asks a language model, --model stand-in tries it without one, --agent greedy"
            " plays a script"
        )
    measured = scale_of(over or ())
    timing, *others = clock.timings()
    if others:
        raise Refused("--clock: an evaluation has one speed; run and report compare several")
    jobs = jobs_for(measured, size, model.specs(agent or [METHOD]), timing)
    traffic = Traffic(remark)
    bounds, paid = budget.budget(traffic), budget.paid
    make_client, player = model.engine_of(bounds, traffic)
    left = [job for job in jobs if is_left(job, out_dir, retry_failed=budget.retry_failed)]
    asked = [job for job in left if any(map(_is_model, job.agent.endpoints))]
    expected = expense_of(asked)
    _tell_plan(jobs, left, size, measured, expected, paid)
    if expected and player is None and budget.calls != 0:
        asyncio.run(_ask_each_once(asked, model))
    so_far = SoFar(measured, paid)
    calls = expected.calls if expected else None
    with EvaluationProgress(len(jobs), traffic, calls, so_far.told) as progress:

        def advance(done: Done) -> None:
            progress.heard(done)
            so_far.heard(done)

        try:
            summary = run_jobs(
                jobs, out_dir, at_once=model.manner.at_once, retry_failed=budget.retry_failed,
                most_failed=budget.most_failed, client_of=make_client, engine=player, budget=bounds,
                progress=advance,
            )  # fmt: skip
        except KeyboardInterrupt:
            remark(*so_far.told(), "stopped; the same command goes on from here")
            raise
    if not json:
        tell_run(summary)
    if so_far.agents:
        _tell_result(out_dir, measured, over or (), so_far.agents, size, paid, json)
    elif json:
        print_json({"report": None, "agents": []})
    if summary.failed or summary.broken or summary.stopped:
        raise typer.Exit(1)


def _is_model(endpoint: Endpoint) -> bool:
    """Whether a server is asked."""
    return not is_rehearsal(endpoint.model)


def _tell_plan(
    jobs: Sequence[Job],
    left: Sequence[Job],
    size: str,
    over: Scale,
    expected: Expense | None,
    prices: Prices | None,
) -> None:
    """What is played, and what the calls that are left may come to."""
    kept = f", {len(jobs) - len(left)} of them played before" if len(left) < len(jobs) else ""
    of = sum(len(suite.references) for suite in over.suites)
    scenarios, worlds = len({job.scenario for job in jobs}), amount(len(over.worlds), "worlds")
    remark(f"{over.of}, {size}: {scenarios} of {of} scenarios in {worlds}{kept}")
    if expected is None:
        return
    agents = {job.agent for job in left if job.agent.needs_model}
    money = None if prices is None or len(agents) > 1 else expected.cost(agents.pop(), prices)
    most = "" if expected.most_output_tokens is None else f", at most {expected.most_output_tokens:,}"
    cost = "" if money is None or prices is None else f", {money:,.2f} {prices.currency} at most"
    remark(
        f"about {expected.calls:,} calls, {expected.input_tokens:,} tokens read,"
        f" {expected.output_tokens:,} written{most}{cost}"
    )


async def _ask_each_once(jobs: Iterable[Job], model: AskedOfRun) -> None:
    """Ask each model something short, once: a wrong address, name or key is told at once. Raises
    ``RunStops``; what else may be wrong the run tells."""
    asking = replace(model, manner=replace(model.manner, tries=1))
    for endpoint in dict.fromkeys(each for job in jobs for each in job.agent.endpoints if _is_model(each)):
        async with aclosing(asking.client(endpoint)) as client:
            try:
                await client.complete(
                    [Message("user", "Say yes.")], Settings(temperature=None, max_tokens=16)
                )
            except PolicyFailure:
                continue


def _tell_result(
    folder: Path,
    measured: Scale,
    over: Sequence[str],
    agents: Sequence[str],
    size: str,
    prices: Prices | None,
    json: bool,
) -> None:
    """The page, the points of each world, a sentence for each agent, and the command that hands it in."""
    loaded = scores.load(folder)
    scored = scored_in(folder, loaded, None)
    loaded = scores.used(loaded, scored)
    found = of_agents(scored, measured, agents)
    largest = list(SIZES)[-1]
    lines = [
        line
        for one, points in found
        for line in (sentence(one, points), _with_rest(missing(one), size, largest), *one.wrong)
        if line
    ]
    page = write_report(loaded, scored, folder / PAGE, folder, prices=prices, opening=lines)
    remark(*loaded.unusable, *stand_ins(episode for _, episode in loaded.episodes))
    if json:
        print_json({"report": page, "agents": [{"headline": one, "so_far": points} for one, points in found]})
        return
    _print_points(found, measured)
    say(*lines)
    say(f"report: {page}")
    over = [part for name in over or (measured.of,) for part in ("--over", name)]
    rehearsed = {episode.header.agent for _, episode in loaded.episodes if stood_in(episode)}
    for one, _ in found:
        allowed = ["--allow", STAND_INS] if one.agent in rehearsed else []
        hand_in = ["submit", str(folder), "--agent", one.agent, *over, *allowed, "--out", "submission"]
        remark(f"hand in: {shlex.join(['backburner', *hand_in])}")


def _with_rest(lacks: str, size: str, largest: str) -> str:
    """What is missing, and the size that plays it."""
    return f"{lacks} --size {largest} plays them." if lacks and size != largest else lacks


def _print_points(found: Sequence[tuple[Headline, Points]], over: Scale) -> None:
    """A row for each world, and one for all."""
    rows = [
        (world, *(interval_text(points.worlds.get(world, Estimate(None))) for _, points in found))
        for world in over.worlds
    ]
    rows.append(("all", *(interval_text(points.whole) for _, points in found)))
    out.print(plain_table(("points", *(name_of(one) for one, _ in found)), rows, out.width))
