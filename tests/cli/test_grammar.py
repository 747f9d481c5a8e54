"""Options with keys: what they read, what they say where something is wrong; how many options there are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, ClassVar

import pytest
import typer
from msgspec import Struct
from typer.testing import CliRunner

from backburner.cli import COMMANDS, command
from backburner.cli.grammar import Key, Keyed, keys_declared, keys_of, named, read, values
from backburner.cli.options import spread
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.pack import Argument

MOST_OPTIONS = 250
"""Of all commands and their subcommands together, arguments among them and ``--help`` aside."""


def commands_in(made: Any, name: str) -> Iterator[tuple[str, Any]]:
    """A command by its name, or all those that it has."""
    if hasattr(made, "commands"):
        for own, each in made.commands.items():
            yield from commands_in(each, f"{name} {own}")
    else:
        yield name, made


def parameters() -> dict[str, list[str]]:
    """The parameters of every command."""
    found = {}
    for name in COMMANDS:
        for full, made in commands_in(command(name), name):
            found[full] = [each.name for each in made.params if each.name != "help"]
    return found


def test_all_commands_together_have_few_options() -> None:
    found = {name: len(own) for name, own in parameters().items()}
    assert sum(found.values()) <= MOST_OPTIONS, found


class Cooking(Struct, frozen=True):
    """How something is cooked."""

    minutes: Annotated[int, Key("How long.", least=1, most=90)] = 10
    heat: Annotated[float | None, Key("How hot.")] = None
    covered: Annotated[bool, Key("yes: with a lid.")] = False
    way: Annotated[str, Key("In water or fat.", values=("boiled", "fried"))] = "boiled"
    spice: Annotated[tuple[str, ...], Key("May be said again.")] = ()
    beside: Annotated[tuple[str, ...], Key("What else there is.", free=True)] = ()
    book: Annotated[Path | None, Key("Where it stands.")] = None


def test_a_struct_is_read_key_by_key() -> None:
    written = "minutes=7,heat=1.5,covered=yes,spice=salt,spice=dill,book=a/b.txt"
    assert read(Cooking, written, "--cook") == Cooking(
        7, 1.5, True, "boiled", ("salt", "dill"), (), Path("a/b.txt")
    )
    assert read(Cooking, "", "--cook") == Cooking()


def test_a_free_value_holds_commas_up_to_the_next_key() -> None:
    """Names of agents have choices of their own."""
    found = read(Cooking, "beside=react@history=none,plan=on,minutes=3,beside=act", "--cook")
    assert (found.beside, found.minutes) == (("react@history=none,plan=on", "act"), 3)


@pytest.mark.parametrize(
    ("written", "name", "tail"),
    [
        ("gpt-4o", "gpt-4o", ""),
        ("gpt-4o@temperature=0.2", "gpt-4o", "temperature=0.2"),
        ("claude@20240620@max_tokens=5", "claude@20240620", "max_tokens=5"),
        ("@cf/meta/llama", "@cf/meta/llama", ""),
        ("stand-in:skill=0.7@at_once=2", "stand-in:skill=0.7", "at_once=2"),
        ("m@base_url=http://me@here/v1", "m", "base_url=http://me@here/v1"),
        ("@at_once=2", "", "at_once=2"),
    ],
)
def test_a_name_ends_where_its_first_key_begins(written: str, name: str, tail: str) -> None:
    assert named(written) == (name, tail)


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("minute=3", r"unknown key 'minute' in --cook; did you mean minutes\?"),
        ("way=fryed", r"unknown value 'fryed' in --cook: way; did you mean fried\?"),
        ("minutes=soon", "--cook: minutes: write a whole number, not 'soon'"),
        ("minutes=0", "--cook: minutes: write at least 1, not '0'"),
        ("minutes=91", "--cook: minutes: write at most 90, not '91'"),
        ("heat=nan", "--cook: heat: write a finite number, not 'nan'"),
        ("covered=maybe", "--cook: covered: write yes or no, not 'maybe'"),
        ("minutes=3,minutes=4", "--cook: minutes is said twice"),
        ("minutes=3,soon", "--cook: write KEY=VALUE, not 'soon'"),
        ("minutes=3,", "--cook: write KEY=VALUE, not ''"),
    ],
)
def test_what_is_wrong_is_one_line(written: str, why: str) -> None:
    with pytest.raises((Refused, UnknownName), match=why):
        read(Cooking, written, "--cook")


def test_what_a_pack_declares_is_read_in_the_same_way() -> None:
    keys = keys_declared(
        [
            Argument(name="size", kind="whole number", least=1, default=2, help="How many."),
            Argument(name="from", kind="path", help="Where it comes from."),
            Argument(name="spread", kind="switch", default=False, help="Far apart."),
            Argument(name="task", required=True, help="What to do."),
        ]
    )
    said = values(keys, "size=3,from=here,spread=yes,task=wash,dry", "build")
    assert said == {"size": 3, "from": Path("here"), "spread": True, "task": "wash,dry"}
    assert [key.help for key in keys.values()] == [
        "How many. Else 2.",
        "Where it comes from.",
        "Far apart.",
        "What to do. Required.",
    ]


class Cook(Keyed, frozen=True):
    """An option with keys."""

    OPTION: ClassVar[Any] = typer.Option("--cook", help="How it is made:")

    minutes: Annotated[int, Key("How long, [roughly].")] = 10


USUAL = Cook()


def test_an_option_with_keys_hands_on_a_struct_and_help_tells_each_key() -> None:
    handed: list[Cook] = []

    def made(cook: Cook = USUAL) -> None:
        """A command."""
        handed.append(cook)

    app = typer.Typer(rich_markup_mode="rich")
    app.command()(spread(made))
    for line in ([], ["--cook", "minutes=3"]):
        assert CliRunner().invoke(app, line).exit_code == 0
    assert handed == [Cook(), Cook(3)]
    assert "minutes: How long, [roughly]." in CliRunner().invoke(app, ["--help"]).output
    assert list(keys_of(Cook)) == ["minutes"]
