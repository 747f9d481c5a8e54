"""``run``: many episodes by agents, told when they are played."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from backburner.agents.models.openai_client import Traffic
from backburner.cli import completion
from backburner.cli.agents import (
    AGENTS,
    NO_MODEL,
    UNBOUNDED,
    AskedOfRun,
    ClusterOption,
    RunBudget,
    check_for_cluster,
    cluster_at,
    let_own_agents_be_found,
)
from backburner.cli.clocks import NO_TIME, Clocking
from backburner.cli.console import RunProgress, print_json, remark, say
from backburner.cli.options import JsonOption, LimitsOption, RulesOption, ScenariosArgument, SignOption
from backburner.cli.records import PAGE, scored_in
from backburner.cli.tables import print_parts, print_sections, print_summaries, tell_run, tell_the_rest
from backburner.evaluation.report.page import write_report
from backburner.evaluation.report.parts import cross_play_parts
from backburner.evaluation.reproducing import expenses
from backburner.evaluation.running.chains_of_jobs import Done, share_of
from backburner.evaluation.running.clocks import clocked
from backburner.evaluation.running.jobs import Job, crossed_jobs, jobs_of, with_each
from backburner.evaluation.running.runner import run as run_jobs
from backburner.evaluation.scoring import scores
from backburner.evaluation.scoring.answered import answers_for
from backburner.evaluation.scoring.usage import Prices, stand_ins
from backburner.kernel.errors import Refused, shorten

GREEDY = "greedy"
"""The agent of a run that names none."""

BODIES = "bodies"
"""The option that ``--bodies`` varies."""


def run(
    scenarios: ScenariosArgument,
    agent: Annotated[
        list[str] | None,
        typer.Option(help=f"{AGENTS} By default: {GREEDY}.", autocompletion=completion.agents),
    ] = None,
    bodies: Annotated[
        str | None,
        typer.Option("--bodies", help="Play with each of these numbers of bodies (2,3,4), then report."),
    ] = None,
    cross_play: Annotated[
        bool,
        typer.Option("--cross-play", help="Seat every agent beside every other, in every seat; then tell."),
    ] = False,
    model: AskedOfRun = NO_MODEL,
    budget: RunBudget = UNBOUNDED,
    clock: Clocking = NO_TIME,
    rules: RulesOption = "standard",
    limits: LimitsOption = "article",
    seeds: Annotated[
        int, typer.Option("--seeds", min=1, max=1_000_000, help="Episodes for each scenario and agent.")
    ] = 1,
    out_dir: Annotated[Path, typer.Option("--out", help="Folder for the records.")] = Path("runs"),
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, help="Processes for scripted agents; with --cluster, all workers."),
    ] = None,
    cluster: ClusterOption = "",
    share: Annotated[
        str | None,
        typer.Option(
            "--share", metavar="I/N", help="Play the I-th of N disjoint parts; together they are all."
        ),
    ] = None,
    sign: SignOption = None,
    json: JsonOption = False,
) -> None:
    """Play many episodes: scenarios x agents x seeds. Run it again to resume; nothing is repeated.

    With ``--bodies`` this is an experiment on its own: scenarios x numbers of bodies x agents x seeds, the
    analyses of what lies in the folder then, and its report. With ``--cross-play`` agents are no teams yet:
    each plays by itself, and each in each seat with another one in all other seats. With several speeds of
    a clock it is one run for each, after what all of them may cost.
    """
    let_own_agents_be_found()
    traffic = Traffic(remark)
    bounds = budget.budget(traffic)
    specs = model.specs(agent or [GREEDY])
    if bodies is not None:
        scenarios = with_each(scenarios, BODIES, _numbers(bodies))
    jobs = (crossed_jobs if cross_play else jobs_of)(scenarios, specs, seeds, rules, limits)
    timings = clock.timings()
    jobs = clocked(jobs, timings, clock.recorded)
    if len(timings) > 1 and not json:
        _tell_cost(jobs, budget.paid)
    if share is not None:
        jobs = share_of(jobs, *_part(share))
    make_client, player = model.engine_of(bounds, traffic)
    check_for_cluster(cluster, model)
    progress = RunProgress(len(jobs), traffic)
    with cluster_at(cluster, workers, remark, make_client) as place, progress:
        played: list[Path] = []

        def advance(done: Done) -> None:
            progress.heard(done)
            played.extend([] if done.path is None else [done.path])

        try:
            summary = run_jobs(
                jobs, out_dir, workers=workers, at_once=model.manner.at_once,
                retry_failed=budget.retry_failed, most_failed=budget.most_failed,
                client_of=make_client, engine=player, place=place, budget=bounds, sign=sign,
                progress=advance,
            )  # fmt: skip
        except KeyboardInterrupt:
            remark("stopped; the same command goes on from here")
            raise
    if json:
        print_json(summary)
    else:
        tell_run(summary)
        if bodies is None:
            _tell_played(played, out_dir, budget.paid, crossed=cross_play)
    if bodies is not None and summary.played + summary.kept:
        _tell_experiment(out_dir, quiet=json)
    if summary.failed or summary.broken or summary.stopped:
        raise typer.Exit(1)


def _tell_cost(jobs: Sequence[Job], prices: Prices | None) -> None:
    """What the calls of all speeds may come to, by how a stand-in plays a few of the episodes."""
    agents = {job.agent.label: job.agent for job in jobs}
    for each in asyncio.run(expenses(jobs)):
        most = "" if each.most_output_tokens is None else f", at most {each.most_output_tokens:,}"
        money = None if prices is None else each.cost(agents[each.agent], prices)
        cost = "" if money is None or prices is None else f", {money:,.2f} {prices.currency} at most"
        remark(
            f"all speeds of {each.agent}: about {each.calls:,} calls, {each.input_tokens:,} tokens read,"
            f" {each.output_tokens:,} written{most}{cost}"
        )


def _numbers(written: str) -> list[str]:
    """The numbers of a list such as ``2,3,4``."""
    found = [number.strip() for number in written.split(",")]
    if not all(number.isascii() and number.isdecimal() for number in found):
        raise Refused(f"--bodies {written}: write numbers with commas between them, such as 2,3,4")
    return found


def _part(written: str) -> tuple[int, int]:
    """(part, parts) of a share such as ``3/16``."""
    part, _, parts = written.partition("/")
    if not (part.isascii() and part.isdecimal() and parts.isascii() and parts.isdecimal()):
        raise Refused(f"--share {shorten(written)}: write I/N, such as 3/16")
    if not 1 <= int(part) <= int(parts):
        raise Refused(f"--share {shorten(written)}: parts are counted from 1, up to {shorten(parts)}")
    return int(part), int(parts)


def _tell_experiment(folder: Path, quiet: bool = False) -> None:
    """Write the report of a folder of records; unless ``quiet``, print the analyses over all of them."""
    loaded = scores.load(folder)
    scored = scored_in(folder, loaded, None)
    loaded = scores.used(loaded, scored)
    written = write_report(loaded, scored, folder / PAGE, folder)
    remark(*loaded.unusable, *stand_ins(episode for _, episode in loaded.episodes))
    if quiet:
        return
    for world in scored:
        print_sections(world.sections)
    say(f"report: {written}")


MOST_SCORED = 1000
"""Records that a run scores at its end: each is replayed, which takes 3 to 20 ms."""


def _tell_played(
    files: Sequence[Path], folder: Path, prices: Prices | None = None, *, crossed: bool = False
) -> None:
    """The tables of what a run has played or kept; of very many records only how to get them.

    If agents were ``crossed``, a line for each team makes way for who plays how well with whom, by each
    world's first metric.
    """
    if not files:
        return
    if len(files) <= MOST_SCORED:
        loaded = scores.load_files(sorted(files))
        scored = scores.score((episode for _, episode in loaded.episodes), answers=answers_for(folder))
        if crossed:
            print_parts([part for world in scored for part in cross_play_parts(world)[:1]])
        else:
            print_summaries(scored, prices)
        remark(*loaded.unusable)
    tell_the_rest(folder)
