"""``probe``: one recorded decision, asked for again and again."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, ClassVar

import typer

from backburner.agents.roster import make_policies
from backburner.cli import completion
from backburner.cli.agents import AGENTS, Asked, Manner, MannerOfMany, let_own_agents_be_found
from backburner.cli.console import out, print_json, remark, say
from backburner.cli.options import JsonOption
from backburner.evaluation.labels.probing import Answered, Probe, check_step, write_probe
from backburner.evaluation.labels.probing import probe as probe_episode
from backburner.evaluation.records import episode_of
from backburner.evaluation.tables.terminal import table_of
from backburner.kernel.errors import one_line
from backburner.kernel.replay import world_of

MOST_ANSWERS = 10
"""Different answers that are listed; all are in the JSON."""


class AskedAtOnce(Asked, frozen=True):
    """What the command line says of the model whose answers are looked at."""

    MANNER: ClassVar[type[Manner]] = MannerOfMany

    manner: MannerOfMany = MannerOfMany()


NO_MODEL = AskedAtOnce()


def probe(
    file: Annotated[Path, typer.Argument(help="An episode record.")],
    at: Annotated[
        list[int],
        typer.Option("--at", help="The step whose decision is asked for, as replay counts; repeatable."),
    ],
    agent: Annotated[str, typer.Option("--agent", help=AGENTS, autocompletion=completion.agents)],
    times: Annotated[int, typer.Option("--times", help="How often it is model.")] = 20,
    seat: Annotated[str | None, typer.Option("--seat", help="Who is asked, where several decide.")] = None,
    model: AskedAtOnce = NO_MODEL,
    out_dir: Annotated[
        Path | None, typer.Option("--out", help="Keep what was found in this folder; its reports show it.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Resume a record at a decision, ask for it often, and judge every answer.

    Exit codes: 0 all answered, 1 some calls to the model failed, 2 the world judges no single decision.
    """
    let_own_agents_be_found()
    episode = episode_of(file)
    clients = {endpoint: model.client(endpoint) for endpoint in model.spec(agent).endpoints}
    policies = make_policies(model.spec(agent), world_of(episode), clients.__getitem__)
    steps = [*dict.fromkeys(at)]
    for step in steps:
        check_step(episode, step)
    results = []
    for step in steps:
        result = probe_episode(episode, step, policies, times, seat=seat, at_once=model.manner.at_once)
        results.append(result)
        if out_dir is not None:
            remark(f"kept: {write_probe(result, out_dir)}")
        if not json:
            _print(result)
    if json:
        print_json(results if len(steps) > 1 else results[0])
    errors = [answer.error for result in results for answer in result.answers if answer.error]
    if errors:
        remark(f"{len(errors)} calls failed: {errors[0]}")
        raise typer.Exit(1)


def _print(result: Probe) -> None:
    title = f"{result.id} · step {result.at} · {result.seat} · {result.agent} · {len(result.answers)} times"
    out.print(title, style="bold", markup=False, highlight=False)
    rows = [
        (
            verdict.criterion,
            f"{verdict.success:.0f} %",
            f"[{verdict.low:.0f}, {verdict.high:.0f}]",
            f"{verdict.mean:+.3f}",
            ", ".join(f"{note} {number}" for note, number in verdict.notes.items()) or "–",
        )
        for verdict in result.verdicts
    ]
    out.print(table_of(("", "above 0", "95 %", "mean", "what was wrong"), rows, out.width))
    counted = Counter(_row(answer) for answer in result.answers if not answer.error)
    for (scores, words), number in counted.most_common(MOST_ANSWERS):
        say(f"{number:4} x  {scores}  {words}")
    if len(counted) > MOST_ANSWERS:
        remark(f"{len(counted) - MOST_ANSWERS} further answers; --json has all")


def _row(answer: Answered) -> tuple[str, str]:
    return " ".join(f"{judgement.score:+.3f}" for judgement in answer.judgements), one_line(answer.words)
