"""``run``: many episodes by agents, told when they are played."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from backburner.agents.models.openai_client import Traffic
from backburner.cli import completion
from backburner.cli.agents import (
    AGENTS,
    CALLS,
    NOTHING_SAID,
    RUN_AS_USUAL,
    UNLIMITED,
    Asked,
    ClusterOption,
    Running,
    Spending,
    check_no_secret_written,
    cluster_at,
    engine_on,
    let_own_agents_be_found,
)
from backburner.cli.console import RunProgress, out, print_json, remark
from backburner.cli.options import JsonOption, LimitsOption, RulesOption, ScenariosArgument, SignOption
from backburner.cli.records import PAGE, scored_in
from backburner.cli.tables import print_parts, print_summaries, tell_run, tell_the_rest
from backburner.evaluation.report.page import write_report
from backburner.evaluation.report.parts import ReportPart, cross_play_parts
from backburner.evaluation.running.chains_of_jobs import Done
from backburner.evaluation.running.jobs import crossed_jobs, jobs_of, with_each
from backburner.evaluation.running.runner import run as run_jobs
from backburner.evaluation.scoring import scores
from backburner.evaluation.scoring.usage import read_prices, stand_ins
from backburner.kernel.errors import Refused

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
    asked: Asked = NOTHING_SAID,
    spending: Spending = UNLIMITED,
    running: Running = RUN_AS_USUAL,
    episode_time: Annotated[
        float | None,
        typer.Option("--episode-time", min=0.1, help="Seconds for a model's episode.", rich_help_panel=CALLS),
    ] = None,
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
    sign: SignOption = None,
    json: JsonOption = False,
) -> None:
    """Play many episodes: scenarios x agents x seeds. Run it again to resume; nothing is repeated.

    With ``--bodies`` this is an experiment on its own: scenarios x numbers of bodies x agents x seeds, the
    analyses of what lies in the folder then, and its report. With ``--cross-play`` agents are no teams yet:
    each plays by itself, and each in each seat with another one in all other seats.
    """
    let_own_agents_be_found()
    traffic = Traffic(remark)
    budget = spending.budget(episode_time, traffic)
    specs = asked.specs(agent or [GREEDY])
    if bodies is not None:
        scenarios = with_each(scenarios, BODIES, _numbers(bodies))
    jobs = (crossed_jobs if cross_play else jobs_of)(scenarios, specs, seeds, rules, limits)
    make_client, player = running.engine_of(asked, budget, traffic)
    check_no_secret_written(cluster, asked.headers or ())
    progress = RunProgress(len(jobs), traffic)
    with cluster_at(cluster, workers, remark, make_client) as place, progress:
        played: list[Path] = []

        def advance(done: Done) -> None:
            progress.heard(done)
            played.extend([] if done.path is None else [done.path])

        try:
            summary = run_jobs(
                jobs, out_dir, workers=workers, at_once=running.at_once,
                retry_failed=running.retry_failed, most_failed=running.most_failed,
                client_of=make_client, engine=engine_on(place, player), place=place, budget=budget, sign=sign,
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
            _tell_played(played, out_dir, spending.prices, crossed=cross_play)
    if bodies is not None and summary.played + summary.kept:
        _tell_experiment(out_dir, quiet=json)
    if summary.failed or summary.broken or summary.stopped:
        raise typer.Exit(1)


def _numbers(written: str) -> list[str]:
    """The numbers of a list such as ``2,3,4``."""
    found = [number.strip() for number in written.split(",")]
    if not all(number.isascii() and number.isdecimal() for number in found):
        raise Refused(f"--bodies {written}: write numbers with commas between them, such as 2,3,4")
    return found


def _tell_experiment(folder: Path, quiet: bool = False) -> None:
    """Write the report of a folder of records; unless ``quiet``, print the analyses over all of them."""
    loaded = scores.load(folder)
    scored = scored_in(folder, loaded, None)
    loaded = scores.used(loaded, scored)
    written = write_report(loaded, scored, folder / PAGE, folder)
    for line in (*loaded.unusable, *stand_ins(episode for _, episode in loaded.episodes)):
        remark(line)
    if quiet:
        return
    for world in scored:
        print_parts([*map(ReportPart, world.sections)])
    out.print(f"report: {written}", markup=False, highlight=False, soft_wrap=True)


MOST_SCORED = 1000
"""Records that a run scores at its end: each is replayed, which takes 3 to 20 ms."""


def _tell_played(
    files: Sequence[Path], folder: Path, prices: Path | None = None, *, crossed: bool = False
) -> None:
    """The tables of what a run has played or kept; of very many records only how to get them.

    If agents were ``crossed``, a line for each team makes way for who plays how well with whom, by each
    world's first metric.
    """
    if not files:
        return
    if len(files) <= MOST_SCORED:
        loaded = scores.load_files(sorted(files))
        scored = scores.score(episode for _, episode in loaded.episodes)
        if crossed:
            print_parts([part for world in scored for part in cross_play_parts(world)[:1]])
        else:
            print_summaries(scored, None if prices is None else read_prices(prices))
        for line in loaded.unusable:
            remark(line)
    tell_the_rest(folder)
