"""The command line: every command parses, calls a public function, and prints.

Results go to stdout, progress and remarks to stderr. Exit codes: 0 done; 1 done, and something in it
failed (a record that does not replay, an episode that broke); 2 the request cannot be met; 130 stopped
by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP (the terminal goes).

A command's module is imported when the command is run: ``--help`` needs none of them.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Mapping
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from backburner.cli import stopping
from backburner.cli.common import complain, remark, tell_through_consoles, usage_error, write_in_any_encoding
from backburner.kernel import __version__, packs
from backburner.kernel.errors import BackburnerError

COMMANDS: Mapping[str, tuple[str, str]] = {
    "worlds": ("looking:worlds", "The worlds that are installed, and those that cannot be used."),
    "list": ("looking:list_", "The suites, or the scenarios of one suite."),
    "show": (
        "looking:show",
        "A scenario: its briefing, its dependency graphs or opening scene.",
    ),
    "play": ("playing:play", "Play a scenario yourself, in the terminal."),
    "serve": ("serving:serve", "Play in the browser: with friends, agents and models."),
    "env-server": (
        "env_serving:env_server",
        "The worlds as environments for training language models, over OpenEnv.",
    ),
    "run": ("playing:run", "Play many episodes: scenarios x agents x seeds."),
    "live": ("live:live", "Play on a real Minecraft server: bots carry out what is decided."),
    "solve": ("solving:solve", "The best plan of each scenario, with proof."),
    "check-plan": ("checking:check_plan", "Every constraint that a whole plan violates."),
    "replay": ("records:replay", "The timeline of a record: one lane for each body and each appliance."),
    "score": (
        "reporting:score",
        "One table a world; with --all the article's metrics, its analyses, and its numbers.",
    ),
    "report": ("reporting:report", "One table a world, and one self-contained HTML page beside the records."),
    "headline": (
        "headlining:headline",
        "One score over all worlds: 0 is random play, 100 the best that is possible.",
    ),
    "power": (
        "planning:power",
        "How many scenarios and seeds a comparison of two agents needs, or what so many can find.",
    ),
    "export": (
        "exporting:export",
        "Records as tables (csv, parquet, latex) and figures (svg, pdf); suites as data to train with.",
    ),
    "reproduce": (
        "reproducing:reproduce",
        "A table or figure of an article, made again, beside what is printed there.",
    ),
    "annotate": (
        "annotating:annotate",
        "Put failures into classes: by people at the terminal, from files, by a judge model.",
    ),
    "agreement": ("annotating:agreement", "How far annotators agree: kappas, and where they differ."),
    "convert": (
        "records:convert",
        "The episode records in logs of Inspect, as files that commands read.",
    ),
    "submit": (
        "submissions:submit",
        "A folder with an agent's records, settings, costs and figures, for `verify` and `leaderboard`.",
    ),
    "verify": (
        "submissions:verify",
        "Play every record again, compute every figure again, and tell what is merely claimed.",
    ),
    "leaderboard": (
        "boards:leaderboard",
        "Check every submission, rank those that hold, and write one page with all of them.",
    ),
    "keys": (
        "verifying:keys",
        "A pair of keys: with one you sign records (--sign), with the other anybody checks them (--key).",
    ),
    "probe": (
        "probing:probe",
        "Resume a record at a decision, ask for it often, and judge every answer.",
    ),
    "build": ("building:build", "New scenarios, as files that every other command takes."),
    "train": (
        "training:train",
        "A network learns to play, in a folder that a stopped training goes on from.",
    ),
    "study": (
        "studying:app",
        "Experiments with people: a file, those who take part, their data, and what these say.",
    ),
}
"""Each command with the function (or app) that it is, in a module of this package, and a line about it."""


class Commands(TyperGroup):
    """The commands, each made when it is run; for ``--help`` its line is enough."""

    helping = False

    def list_commands(self, ctx: Any) -> list[str]:
        """In the order of the table."""
        return list(COMMANDS)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Without any command's module."""
        self.helping = True
        super().format_help(ctx, formatter)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command itself, or what ``--help`` needs of it; ``None`` if there is none of this name."""
        if cmd_name not in COMMANDS:
            return None
        path, about = COMMANDS[cmd_name]
        return TyperCommand(cmd_name, help=about) if self.helping else command(cmd_name, path)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """As everywhere; a misspelt name is answered with the nearest ones."""
        self.commands = {name: TyperCommand(name) for name in COMMANDS}
        return super().resolve_command(ctx, args)


def command(name: str, path: str) -> Any:
    """A command out of its function, or the app of a command with commands of its own."""
    module, _, attribute = path.partition(":")
    target = getattr(import_module(f"backburner.cli.{module}"), attribute)
    if isinstance(target, typer.Typer):
        return typer.main.get_command(target)
    single = typer.Typer(rich_markup_mode="rich", add_completion=False, pretty_exceptions_enable=False)
    single.command(name)(target)
    return typer.main.get_command(single)


app = typer.Typer(
    name="backburner",
    cls=Commands,
    help="Measure agents that must do several things at once while time passes.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    add_completion=False,
)


def _version(asked: bool) -> None:
    if asked:
        sys.stdout.write(f"backburner {__version__}\n")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="The version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line; errors made on purpose become one message, and so does a world that is broken."""
    write_in_any_encoding()
    tell_through_consoles()
    stopping.obey()
    message = ""
    try:
        code = app(standalone_mode=False)
        sys.exit(stopping.exit_code() if code == stopping.INTERRUPTED else code)
    except BackburnerError as error:
        message = str(error)
        complain(message)
        sys.exit(2)
    except OSError as error:  # a folder in a file's place, no right to write, a full disk
        complain(f"{error.filename or 'output'}: {error.strerror or error}")
        sys.exit(2)
    except (KeyboardInterrupt, typer.Abort):
        complain("stopped")
        sys.exit(stopping.exit_code())
    except Exception as error:
        usage = usage_error(error)
        if usage is None:  # a fault of ours: where it is, with foreign text in it as anywhere
            complain(traceback.format_exc())
            sys.exit(1)
        if usage:
            complain(usage)
        sys.exit(2)
    finally:
        for line in packs.installed().broken.values():
            if line not in message:
                remark(f"warning: {line}")


__all__ = ["app", "main"]
