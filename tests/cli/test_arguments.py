"""Options that packs declare, as options of commands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.testing import CliRunner

from backburner.cli.options import taking, together
from backburner.kernel.pack import Argument

SIZE = Argument(name="size", kind="whole number", least=1, default=2, help="How many.")
SOURCE = Argument(name="from", kind="path", help="Where it comes from.")
SPREAD = Argument(name="spread", kind="switch", default=False, help="Far apart.")
TASK = Argument(name="task-name", required=True, help="What to do.")


def run(arguments: list[Argument], *line: str) -> Any:
    """What a command with these options is handed; its output where it is not called."""
    handed: list[Any] = []

    def command(
        *, rules: Annotated[str, typer.Option("--rules")] = "own", options: Mapping[str, Any]
    ) -> None:
        """A command."""
        handed.append((rules, options))

    app = typer.Typer()
    app.command()(taking(arguments, command))
    result = CliRunner().invoke(app, line)
    return handed[0] if handed else result.output


def test_what_is_said_and_what_has_a_default_is_handed_on_by_name() -> None:
    assert run([SIZE, SOURCE, SPREAD]) == ("own", {"size": 2, "spread": False})
    said = ("--size", "3", "--from", "here", "--spread", "--rules", "other")
    assert run([SIZE, SOURCE, SPREAD], *said) == (
        "other",
        {"size": 3, "from": Path("here"), "spread": True},
    )


def test_what_is_required_is_asked_for_and_numbers_have_a_least_value() -> None:
    assert run([TASK], "--task-name", "wash") == ("own", {"task-name": "wash"})
    assert "--task-name" in run([TASK])
    assert "--size" in run([SIZE], "--size", "0")


def test_an_option_of_the_command_itself_stays_what_it_is() -> None:
    assert run([Argument(name="rules", help="A world's own.")], "--rules", "other") == ("other", {})


def test_options_of_several_worlds_say_whose_they_are() -> None:
    one, other = Argument(name="space", help="moves"), Argument(name="space", help="calls or moves")
    (space,) = together({"kitchen": [one], "workshop": [other]})
    assert (space.name, space.help) == ("space", "kitchen: moves. workshop: calls or moves.")
    assert run([space]) == ("own", {})
