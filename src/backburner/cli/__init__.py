"""The command line: every command parses, calls a public function, and prints.

Results go to stdout, progress and remarks to stderr. Exit codes: 0 done; 1 done, and something in it
failed (a record that does not replay, an episode that broke); 2 the request cannot be met; 130 stopped
by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP (the terminal goes).

A command's module is imported when the command is run: ``--help`` needs none of them.
"""

from __future__ import annotations

import io
import os
import sys
import traceback
from collections.abc import Mapping
from contextlib import redirect_stderr, suppress
from importlib import import_module
from typing import Annotated, Any, NamedTuple, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from backburner.cli import stopping
from backburner.cli.console import complain, remark, tell_through_consoles, write_in_any_encoding
from backburner.cli.options import finite_only, spread, usage_error
from backburner.kernel import __version__, packs
from backburner.kernel.errors import BackburnerError


class Told(NamedTuple):
    """A command as ``--help`` lists it."""

    path: str
    """The function (or app) that it is, in a module of this package."""

    about: str
    """A line about it."""

    example: str = ""
    """What stands below its own help."""

    takes_any: bool = False
    """It reads options itself that only a world can name."""


GROUPS: Mapping[str, Mapping[str, Told]] = {
    "Play": {
        "worlds": Told("show:worlds", "The worlds that are installed, and those that cannot be used."),
        "list": Told("show:list_", "The suites, or the scenarios of one suite."),
        "show": Told(
            "show:show",
            "A scenario: its briefing, its dependency graphs or opening scene.",
            "backburner show timearena/cooking1 --svg graph.svg",
        ),
        "play": Told(
            "play:play",
            "Play a scenario yourself, in the terminal.",
            "backburner play collab_overcooked/baked_bell_pepper_soup --seat agent0 --partner greedy",
        ),
        "serve": Told(
            "serve:serve",
            "Play in the browser: with friends, agents and models.",
            "backburner serve --folder games --models models.json --budget calls=2000",
        ),
        "mcp": Told(
            "mcp:mcp",
            "Serve a scenario over the Model Context Protocol: any agent that speaks it plays one episode.",
            "backburner mcp timearena/cooking1 --play out=record.jsonl",
        ),
        "live": Told(
            "live:live",
            "Play on a real Minecraft server: bots carry out what is decided.",
            "backburner live minecraft/farm/0@tau=1.5 --server localhost:25565 --agent greedy",
        ),
    },
    "Measure": {
        "evaluate": Told(
            "evaluate:evaluate",
            "One score over all worlds, of a model or an agent: small in minutes, or in full.",
            "backburner evaluate --model gpt-4o --budget prices=prices.json",
        ),
        "run": Told(
            "run:run",
            "Play many episodes: scenarios x agents x seeds.",
            "backburner run timearena/quick --agent greedy --agent act --model gpt-4o --out runs",
        ),
        "score": Told(
            "score:score",
            "One table a world; with --all the article's metrics, its analyses, and its numbers.",
            "backburner score runs --world timearena",
        ),
        "report": Told(
            "score:report",
            "One table a world, and one self-contained HTML page beside the records.",
            "backburner report runs --compare greedy act",
        ),
        "replay": Told(
            "replay:replay",
            "The timeline of a record: one lane for each body and each appliance.",
            "backburner replay runs/RECORD.jsonl --html replay.html",
        ),
        "probe": Told(
            "probe:probe",
            "Resume a record at a decision, ask for it often, and judge every answer.",
            "backburner probe runs/RECORD.jsonl --at 3 --agent act --model gpt-4o --times 50",
        ),
        "profile": Told(
            "profile:profile",
            "Measure how fast a model reads and writes, for runs in which thinking takes time.",
            "backburner profile --model gpt-4o --out models/gpt-4o.json",
        ),
        "annotate": Told(
            "annotate:annotate",
            "Put failures into classes: by people at the terminal, from files, by a judge model.",
            "backburner annotate runs --annotator ada --sample 100 --blind",
        ),
        "check-plan": Told(
            "solve:check_plan",
            "Every constraint that a whole plan violates.",
            "backburner check-plan plan.txt --scenario recipe2plan/Pancakes+Smore-Bars@lags=on",
        ),
        "build": Told(
            "build:build",
            "New scenarios, as files that every other command takes.",
            "backburner build timearena --width 2.5 --gap busy=.15:.3 --scenarios 50 --out new",
            takes_any=True,
        ),
    },
    "Compare": {
        "measure": Told(
            "measure:measure",
            "The dials of scenarios: what is proven of each, and what play without much thought comes to.",
            "backburner measure timearena/pairs/cooking",
        ),
        "solve": Told(
            "solve:solve",
            "The best plan of each scenario, with proof.",
            "backburner solve timearena/quick --time-limit 30 --keep found.json",
        ),
        "power": Told(
            "power:power",
            "How many scenarios and seeds a comparison of two agents needs, or what so many can find.",
            "backburner power --rates 40 50 --seeds 3",
        ),
        "reproduce": Told(
            "reproduce:reproduce",
            "A table or figure of an article, made again, beside what is printed there.",
            "backburner reproduce timearena/table-2 --model gpt-4o --small --budget calls=500",
        ),
    },
    "Extend": {
        "new": Told(
            "new:new",
            "A package of your own that works at once: a small world, or an agent, with tests.",
            "backburner new world bakery",
        ),
        "check-world": Told(
            "new:check",
            "Whether a world keeps its contract, and what to write for optimum, browser and headline.",
            "backburner check-world timearena",
        ),
    },
    "Share": {
        "export": Told(
            "export:export",
            "Records as tables and figures, suites as data to train with, or problems for other programs.",
            "backburner export runs --format csv --format latex tables",
        ),
        "import": Told(
            "importing:import_",
            "A scenario out of a problem of another program: a job shop, a project of PSPLIB, a graph ...",
            "backburner import ft06.txt --out ft06.json",
        ),
        "submit": Told(
            "submit:submit",
            "A folder with an agent's records, settings, costs and figures, for `verify` and `leaderboard`.",
            "backburner submit runs --agent act --about organisation=Home --out submission",
        ),
        "verify": Told(
            "verify:verify",
            "Play every record again, compute every figure again, and tell what is merely claimed.",
        ),
        "leaderboard": Told(
            "submit:leaderboard",
            "Check every submission, rank those that hold, and write one page with all of them.",
        ),
        "keys": Told(
            "verify:keys",
            "A pair of keys: with one you sign records (--sign), with the other anybody checks them (--key).",
        ),
    },
    "Train": {
        "train": Told(
            "train:train",
            "A network learns to play, in a folder that a stopped training goes on from.",
            "backburner train timearena/quick --set iterations=200 --out trained",
        ),
        "env-server": Told(
            "serve:env_server",
            "The worlds as environments for training language models, over OpenEnv.",
            "backburner env-server timearena/quick --reward metric --sessions most=32",
        ),
    },
    "Study": {
        "study": Told(
            "study:app",
            "Experiments with people: a file, those who take part, their data, and what these say.",
        ),
    },
}
"""The commands in groups, as a newcomer comes to need them."""

COMMANDS: Mapping[str, Told] = {name: told for commands in GROUPS.values() for name, told in commands.items()}
"""Every command by its name."""

HELP_OPTIONS = {"help_option_names": ["--help", "-h"]}
"""How help is asked for, of every command."""

COMPLETED = "_BACKBURNER_COMPLETE"
"""The variable by which a shell asks what can follow."""


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

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """The names of commands, without any command's module."""
        self.helping = True
        return super().shell_complete(ctx, incomplete)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command itself, or what ``--help`` needs of it; ``None`` if there is none of this name."""
        if cmd_name not in COMMANDS:
            return None
        if not self.helping:
            return command(cmd_name)
        group = next(group for group, commands in GROUPS.items() if cmd_name in commands)
        return TyperCommand(cmd_name, help=COMMANDS[cmd_name].about, rich_help_panel=group)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """As everywhere; a misspelt name is answered with the nearest ones."""
        self.commands = {name: TyperCommand(name) for name in COMMANDS}
        return super().resolve_command(ctx, args)


def command(name: str) -> Any:
    """A command out of its function, or the app of a command with commands of its own."""
    told = COMMANDS[name]
    module, _, attribute = told.path.partition(":")
    target = getattr(import_module(f"backburner.cli.{module}"), attribute)
    if isinstance(target, typer.Typer):
        return finite_only(typer.main.get_command(target))
    single = typer.Typer(rich_markup_mode="rich", add_completion=False, pretty_exceptions_enable=False)
    settings = {"allow_extra_args": told.takes_any, "ignore_unknown_options": told.takes_any}
    epilog = f"Example: {told.example}" if told.example else None
    single.command(name, epilog=epilog, context_settings=settings)(spread(target))
    return finite_only(typer.main.get_command(single))


NAME = "backburner"

app = typer.Typer(
    name=NAME,
    cls=Commands,
    help="Measure agents that must do several things at once while time passes.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings=HELP_OPTIONS,
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
    if os.environ.get(COMPLETED, "").startswith("complete_"):
        _complete()
    write_in_any_encoding()
    tell_through_consoles()
    stopping.obey()
    message = ""
    try:
        code = app(standalone_mode=False, prog_name=NAME)
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


def _complete() -> NoReturn:
    """Tell a shell what can follow; remarks and errors would stand in the line that is being typed."""
    with redirect_stderr(io.StringIO()), suppress(Exception):
        app(standalone_mode=False, prog_name=NAME)
    sys.exit(1)


__all__ = ["app", "main"]
