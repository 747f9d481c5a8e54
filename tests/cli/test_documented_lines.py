"""Every command line that a page shows can be typed: its options are there, and the keys behind them."""

from __future__ import annotations

import inspect
import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from backburner.cli import COMMANDS, command
from backburner.cli.build import BUILDERS
from backburner.cli.export import PROBLEMS, OfLatex, OfProblems, OfSuites
from backburner.cli.grammar import Keyed, Keys, as_options, keys_declared, keys_of, named, values
from backburner.cli.listening import Behind
from backburner.cli.live import OfServer
from backburner.cli.on_server import OnServer
from backburner.cli.power import OfSeeds
from backburner.cli.replay import Moment
from backburner.cli.serve import Paid
from backburner.cli.solve import ORACLE, Drawn
from backburner.cli.study_analysis import Assumed, Size
from backburner.cli.submit import Told
from backburner.cli.verify import Revealed
from backburner.kernel.building import Builder
from support.programs import program

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTED = program("docs/commands.py")
PAGES = (*DOCUMENTED.PAGES, ROOT / "Makefile")

BEHIND_NAMES: dict[str, Any] = {
    "address": Behind,
    "commitment": Revealed,
    "design": Assumed,
    "live": OnServer,
    "picture": Moment,
    "restore": OfServer,
    "reward": Paid,
    "server": OnServer,
    "spread": OfSeeds,
    "write_references": Drawn,
}
"""The keys behind the name that a parameter holds."""

ALONE: dict[str, Keys] = {"about": keys_of(Told), "effect": keys_of(Size), "oracle": ORACLE}
"""The keys of a parameter that holds nothing else."""


def shown(page: Path) -> Iterator[str]:
    """The command lines of a page's blocks, and those in its text."""
    text = page.read_text("utf-8")
    if page.name == "Makefile":
        yield from re.findall(r"\$\(BIN\)/(backburner [^\n|;&']*)", text.replace("\\\n", " "))
        return
    yield from DOCUMENTED.shown(text)
    prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    yield from (" ".join(found.split()) for found in re.findall(r"`(backburner [^`]*)`", prose))


LINES = [(page.relative_to(ROOT).as_posix(), line) for page in PAGES for line in shown(page)]


def made_of(words: list[str]) -> tuple[Any, Any, list[str]]:
    """(the command, the function that it is made of, what follows its name)."""
    name, rest = words[0], words[1:]
    made = command(name)
    module, _, attribute = COMMANDS[name].path.partition(":")
    target = getattr(import_module(f"backburner.cli.{module}"), attribute)
    if hasattr(made, "commands"):
        name, rest = rest[0], rest[1:]
        made = made.commands[name]
        target = getattr(made.callback, "__wrapped__", made.callback)
    return made, target, rest


def check_keys(target: Any, given: dict[str, Any]) -> None:
    """Raises what is raised for keys that are not there."""
    kinds = {
        name: each.annotation for name, each in inspect.signature(target, eval_str=True).parameters.items()
    }
    for name, value in given.items():
        kind = kinds.get(name)
        for written in value if isinstance(value, list | tuple) else [value]:
            if not written or not isinstance(written, str):
                continue
            if isinstance(kind, type) and issubclass(kind, Keyed):
                kind.said([written] if "list" in str(kind.TYPE) else written)
            elif name in ALONE and "=" in written:
                values(ALONE[name], written, name)
            elif name in BEHIND_NAMES:
                values(keys_of(BEHIND_NAMES[name]), named(written)[1], name)
            elif name == "formats":
                format, tail = named(written)
                kind = OfLatex if format == "latex" else OfProblems if format in PROBLEMS else OfSuites
                values(keys_of(kind), tail, name)
            elif name == "what" and written.partition("@")[0] in BUILDERS:
                world, tail = named(written)
                builder = BUILDERS[world]
                assert isinstance(builder, Builder)
                values(keys_declared(builder.arguments), tail, world)


def keys_to_build(what: str) -> Keys:
    """The keys of a world's builder, which may be written as options; of a world that is not installed here,
    those of all together."""
    there = {name: builder for name, builder in BUILDERS.items() if isinstance(builder, Builder)}
    meant = there.get(what.partition("@")[0])
    arguments = [each for builder in ([meant] if meant else there.values()) for each in builder.arguments]
    return keys_declared(tuple({each.name: each for each in arguments}.values()))


def test_there_are_many() -> None:
    assert len(LINES) > 200


@pytest.mark.parametrize(("page", "line"), LINES)
def test_a_line_that_a_page_shows_can_be_typed(page: str, line: str) -> None:
    words = shlex.split(line.replace("...", "x").replace("…", "x"), comments=True)[1:]
    words = words[: words.index("|")] if "|" in words else words
    if not words or not re.fullmatch("[a-z][a-z-]*", words[0]):
        return  # of the program as such
    if words[0] == "study" and len(words) == 1:
        return
    made, target, rest = made_of(words)
    known = {flag for each in made.params for flag in (*each.opts, *each.secondary_opts)}
    context = made.make_context(words[0], rest, resilient_parsing=True)
    if words[0] == "build" and context.params["what"]:
        keys = keys_to_build(context.params["what"])
        as_options(keys, context.args, page)
        known |= {f"--{name}" for name in keys}
    said = {word.partition("=")[0] for word in rest if word.startswith("--")}
    assert said <= {*known, "--help"}
    check_keys(target, context.params)
