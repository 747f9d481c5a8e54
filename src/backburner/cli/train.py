"""``train``: a network learns to play, in a folder that a stopped training goes on from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar

import typer
from msgspec.structs import asdict

from backburner.cli import completion
from backburner.cli.console import out, print_json, progress_bar, remark, say
from backburner.cli.grammar import Key, Keyed
from backburner.cli.options import JsonOption
from backburner.evaluation.tables.figures import write_figures
from backburner.kernel import packs
from backburner.kernel.charts import Figure
from backburner.kernel.errors import amount, number
from backburner.training.learner.configuration import (
    Configuration,
    changed,
    check,
    read_configuration,
    shipped_configuration,
)
from backburner.training.learner.curve import CurvePoint, chart, levels_of
from backburner.training.learner.train import CURVE, POLICY, Report
from backburner.training.learner.train import train as train_in


class Changes(Keyed, frozen=True):
    """What of the configuration is changed; each field is a key."""

    OPTION: ClassVar[Any] = typer.Option(
        "--set", metavar="KEY=VALUE,...", help="What of the configuration is changed."
    )

    network: Annotated[
        str | None,
        Key(
            "entities: for all scenarios of a world; list: for one list of codes.",
            values=("entities", "list"),
        ),
    ] = None
    bodies: Annotated[
        str | None, Key("Of list networks: shared by all bodies, or central.", values=("shared", "central"))
    ] = None
    held_out: Annotated[
        tuple[str, ...],
        Key("A scenario that is evaluated and not trained on; may be said again.", free=True),
    ] = ()
    rules: Annotated[str | None, Key("The rule set.", free=True)] = None
    reward: Annotated[str | None, Key("score, sparse, potential, or one of the world's own.")] = None
    iterations: Annotated[int | None, Key("Rounds of play and learning.")] = None
    drawn: Annotated[int | None, Key("Scenarios drawn for each iteration; 0: all.")] = None
    hidden: Annotated[int | None, Key("Units of each hidden layer.")] = None
    seed: Annotated[int | None, Key("Of everything that is drawn.")] = None


AS_CONFIGURED = Changes()
"""Where nothing is said."""


def train(
    what: Annotated[
        list[str],
        typer.Argument(
            help="A configuration (*.json), a world whose learned agent is trained again, or scenarios.",
            autocompletion=completion.scenarios,
        ),
    ],
    *,
    out_dir: Annotated[Path, typer.Option("--out", help="The folder of the training; an old one goes on.")],
    changes: Changes = AS_CONFIGURED,
    beside: Annotated[
        list[str] | None,
        typer.Option("--beside", help="An agent that plays the test seeds too, such as greedy."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """A network learns to play, in a folder that a stopped training goes on from.

    By PPO with masks, on one thread. A training that was stopped, or killed, goes on with the same command
    and ends with the same weights. The folder has the configuration, the curve over held-out seeds
    (curve.jsonl, and as pictures) and the weights: --agent weights:FOLDER/policy.safetensors plays them.
    """
    configuration = changed(_configuration(what), **{**asdict(changes), "held_out": changes.held_out or None})
    with progress_bar() as bar:
        task = bar.add_task("training", total=configuration.iterations)

        def tell(report: Report) -> None:
            bar.update(task, completed=report.iteration)
            if report.point is not None:
                remark(_told(report.point))

        points = train_in(configuration, out_dir, tell)
        others = levels_of(
            configuration, out_dir, beside or [], lambda name: bar.update(task, description=name)
        )
    figure = Figure("curve", "Learning curve", "", chart(points, others))
    pictures = write_figures([("", figure)], out_dir)
    if json:
        print_json({"points": points, "beside": others, "weights": out_dir / POLICY})
        return
    say(_told(points[-1]))
    for name, level in others.items():
        out.print(f"{name}: {number(level)}", markup=False, highlight=False)
    for file in (out_dir / POLICY, out_dir / CURVE, *pictures):
        remark(f"wrote {file}")


def _configuration(what: list[str]) -> Configuration:
    """What is to be trained."""
    if len(what) == 1 and what[0].endswith(".json"):
        return read_configuration(Path(what[0]))
    if len(what) == 1 and what[0] in packs.names():
        return shipped_configuration(what[0])
    configuration = Configuration(scenarios=tuple(what))
    check(configuration, "train")
    return configuration


def _told(point: CurvePoint) -> str:
    """A point of the curve in a line."""
    play = point.play
    figure, name = (play.score, "mean score") if play.value is None else (play.value, play.metric)
    between = "" if figure.low is None else f" ({figure.low:.3f} to {figure.high:.3f})"
    held = ""
    if point.held_out is not None:
        other = point.held_out.value or point.held_out.score
        held = f", held-out scenarios {other.value or 0:.3f}"
    return (
        f"{amount(point.steps, 'steps')}, {amount(round(point.cpu_seconds), 'CPU seconds')}:"
        f" {name} {figure.value or 0:.3f}{between}{held}"
    )
